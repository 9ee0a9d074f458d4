/** What a tool is, and the pieces of their schemas. */
import type { ApiCheck, Management } from '../../client/management.ts';
import type { JsonSchema } from '../../domain/check/field-schema.ts';
import type { JsonObject } from '../../spec/field-reader.ts';
import type { Flags } from '../io/flags.ts';

export interface ToolCall {
  readonly management: Management;
  /** Those of the command: `--project` narrows everything down. */
  readonly flags: Flags;
  /** Arguments that have passed the schema. */
  readonly args: JsonObject;
  /** Whether the key may read outputs and change something. */
  readonly isReadWrite: boolean;
}

/** Texts of an answer, each a part by itself. */
export type ToolAnswer = readonly string[];

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `write`: it needs a read-write key. `changes`: and it changes something. */
  readonly access: 'read' | 'write' | 'changes';
  readonly input: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  run(call: ToolCall): Promise<ToolAnswer>;
}

/** As it is listed, and as arguments are checked against it. */
export function schemaOf({ input, required }: Tool): JsonSchema & { readonly type: 'object' } {
  return { type: 'object', properties: input, required, additionalProperties: false };
}

export const texts = {
  check: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'A check: its UUID or unique key, its name, its slug, or the beginning of its UUID.',
  },
  incident: {
    type: 'string',
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    description: 'The id of an incident, from list_incidents.',
  },
  project: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'A project, by name or id. Needed only where the server is reached without a key and has several.',
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export function whole(description: string, minimum: number, maximum: number, fallback?: number): JsonSchema {
  return {
    type: 'integer',
    minimum,
    maximum,
    description,
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

export function textArg(args: JsonObject, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

export function wholeArg(args: JsonObject, name: string, fallback: number): number {
  const value = args[name];
  return typeof value === 'number' ? value : fallback;
}

/** A fact that Knell knows itself. */
export function factsOf(facts: unknown): string {
  return JSON.stringify(facts, null, 1);
}

/** What is of use of a check; links of the API are not. Its ping address only where `withPingUrl`: lists are long. */
export function shownCheck(
  {
    update_url: _update,
    pause_url: _pause,
    resume_url: _resume,
    badge_url: _badge,
    ping_url,
    ...check
  }: ApiCheck,
  withPingUrl = true,
): object {
  return withPingUrl && ping_url !== undefined ? { ...check, ping_url } : check;
}
