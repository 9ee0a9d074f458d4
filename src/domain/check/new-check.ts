/**
 * What a ping says of the check that it creates. Not here: how it is read off an address (`spec/new-check-spec`).
 * Invariant: it has an effect at the creation only. A ping key may create checks, and change none, unless the owner lets the check-ins of
 * Sentry do so (`http/pings/compat/sentry-upsert`).
 */
import type { CheckConfig } from './check.ts';

type NewCheckField =
  | ('name' | 'tags' | 'kind' | 'schedule' | 'timeoutS' | 'graceS' | 'tz' | 'maxRuntimeS')
  | ('alertAfter' | 'recoverAfter');

/** Fields that are left out have their defaults; the name is then the slug. */
export interface NewCheck {
  readonly config: Partial<Pick<CheckConfig, NewCheckField>>;
  /** Integrations as the API names them: `*`, or ids and names between commas. Undefined: those that new checks get. */
  readonly channels?: string | undefined;
}

/** What is wrong with the settings is said only where they would have been used: to a check that exists they mean nothing. */
export type GivenNewCheck = NewCheck | 'bad' | null;
