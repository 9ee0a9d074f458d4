/** One change as a plan has it: what people read, and the step that does it. Plain facts. */
import type { ConfigurationStep } from '../domain/configuration/configuration-step.ts';

export interface Change {
  readonly field: string;
  /** Undefined: it was not there. `secret`: neither is shown. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: true;
}

/** `-/+`: deleted, and another one created in its place. */
export type PlanSymbol = '+' | '~' | '-/+' | '-';

export interface PlannedStep {
  readonly symbol: PlanSymbol;
  readonly what: 'project' | 'key' | 'integration' | 'check' | 'status page' | 'maintenance window' | 'user';
  /** The name of its project; null for what belongs to none. */
  readonly project: string | null;
  readonly name: string;
  readonly changes: readonly Change[];
  /** The step, with references in place of ids: see `references`. */
  readonly step: ConfigurationStep;
  /** Reference by which other steps name the thing that this one creates. */
  readonly reference: string | null;
  /** Integrations of a group, by reference. */
  readonly members: readonly string[] | null;
  /** File to which a new key is written. */
  readonly file: string | null;
  /** For a key that replaces another: the fingerprint of that one's hash. */
  readonly replaced: string | null;
}

export type Heading = Pick<PlannedStep, 'symbol' | 'what' | 'project' | 'name'>;

export function bare(heading: Heading): Omit<PlannedStep, 'step'> {
  return { ...heading, changes: [], reference: null, members: null, file: null, replaced: null };
}
