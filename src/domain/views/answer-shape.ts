/**
 * The shape of an answer in JSON, declared once: from it follow the type that the code which answers is compiled against, and the
 * schema in the OpenAPI document. Not here: the answers themselves (`http/api/answers`), what requests may have (`check-spec`).
 * Invariant: a property is in the type exactly if it is in the schema, and required in both or in neither.
 */
import type { JsonSchema } from '../check/field-schema.ts';

declare const value: unique symbol;

/** `value` is never there: it has the type of what is sent. */
export interface AnswerShape<Value> {
  readonly schema: JsonSchema;
  readonly [value]?: Value;
}

interface OptionalShape<Value> extends AnswerShape<Value> {
  readonly isOptional: true;
}

/** Properties in the order in which they are sent. */
export type Properties = Readonly<Record<string, AnswerShape<unknown>>>;

/** Type of the values that are sent for a shape. */
export type Sent<Of> =
  Of extends AnswerShape<infer Value> ? Value : Of extends Properties ? SentProperties<Of> : never;

type SentProperties<Of extends Properties> = Flat<
  {
    readonly [Name in keyof Of as Of[Name] extends OptionalShape<unknown> ? never : Name]: Sent<Of[Name]>;
  } & {
    readonly [Name in keyof Of as Of[Name] extends OptionalShape<unknown> ? Name : never]?: Sent<Of[Name]>;
  }
>;
type Flat<Whole> = { [Name in keyof Whole]: Whole[Name] };

/** One that others refer to: by its name it is among the components of the document. */
export interface Component<Value> extends AnswerShape<Value> {
  readonly name: string;
  readonly definition: JsonSchema;
}

export function component<Value>(name: string, { schema }: AnswerShape<Value>): Component<Value> {
  return { name, definition: schema, schema: { $ref: `#/components/schemas/${name}` } };
}

export function text(description: string, format?: 'uri' | 'date-time' | 'uuid'): AnswerShape<string> {
  return { schema: { type: 'string', ...(format === undefined ? {} : { format }), description } };
}

export function url(description: string): AnswerShape<string> {
  return text(description, 'uri');
}

/** ISO 8601. */
export function instant(description: string): AnswerShape<string> {
  return text(description, 'date-time');
}

/** `pattern`: of the whole. */
export function id(pattern: string, description: string, format?: 'uuid'): AnswerShape<string> {
  const { schema } = text(description, format);
  return { schema: { ...schema, pattern: `^${pattern}$` } };
}

/** A whole number from `minimum` on. */
export function count(description: string, minimum = 0): AnswerShape<number> {
  return { schema: { type: 'integer', minimum, description } };
}

/** A number from 0 on, with decimals. */
export function amount(description: string): AnswerShape<number> {
  return { schema: { type: 'number', minimum: 0, description } };
}

/** Any number that is none of NaN and the infinities: below 0, too. */
export function figure(description: string): AnswerShape<number> {
  return { schema: { type: 'number', description } };
}

export function flag(description: string): AnswerShape<boolean> {
  return { schema: { type: 'boolean', description } };
}

/** One of a few texts, or of a few numbers. */
export function choice<const Value extends string | number>(
  choices: readonly Value[],
  description?: string,
): AnswerShape<Value> {
  const type = choices.every((one) => typeof one === 'number') ? 'integer' : 'string';
  return { schema: { type, enum: choices, ...(description === undefined ? {} : { description }) } };
}

/** Always there, and null for none. */
export function orNull<Value>({ schema }: AnswerShape<Value>): AnswerShape<Value | null> {
  if (typeof schema.type === 'string' && !('properties' in schema) && !('enum' in schema))
    return { schema: { ...schema, type: [schema.type, 'null'] } };
  return { schema: { oneOf: [schema, { type: 'null' }] } };
}

/** Absent for none. */
export function optional<Value>(shape: AnswerShape<Value>): OptionalShape<Value> {
  return { ...shape, isOptional: true };
}

export function listOf<Value>({ schema }: AnswerShape<Value>): AnswerShape<readonly Value[]> {
  return { schema: { type: 'array', items: schema } };
}

export function anyOf<const Shapes extends readonly AnswerShape<unknown>[]>(
  ...shapes: Shapes
): AnswerShape<Sent<Shapes[number]>> {
  return { schema: { oneOf: shapes.map(({ schema }) => schema) } };
}

/** An object whose property names are not known before; those of `always` are present. */
export function mapOf<Value>(
  { schema }: AnswerShape<Value>,
  always: readonly string[],
  description: string,
): AnswerShape<Readonly<Record<string, Value>>> {
  return { schema: { type: 'object', description, required: always, additionalProperties: schema } };
}

/** `more`: further keywords of its schema. */
export function object<Of extends Properties>(properties: Of, more: JsonSchema = {}): AnswerShape<Sent<Of>> {
  const named = Object.entries(properties);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(named.map(([name, { schema }]) => [name, schema])),
      required: named.filter(([, shape]) => !('isOptional' in shape)).map(([name]) => name),
      ...more,
    },
  };
}
