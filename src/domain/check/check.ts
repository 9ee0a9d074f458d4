/**
 * A check: what its owner set (config) and what has happened to it (state). Immutable; every step creates a new one.
 * Not here: which status follows which (`check-machine`), when it is due (`deadline`).
 * Invariant: `state` holds facts and the two deadlines that `deadline.ts` derives from them and `config`.
 */
import type { BadgeId, CheckId, IncidentId, ProjectId, RunId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import type { FormerRules } from '../retention/former-rules.ts';
import type { AlertState } from './alert-state.ts';
import { type CheckFieldValues, checkFieldDefaults } from './check-fields.ts';
import type { RunState } from './run-state.ts';
import type { Acknowledgement, Hold, Snooze } from './snooze.ts';
import type { Status } from './status.ts';
import type { Growing } from './unknown-fields.ts';

export type { CheckKind } from './check-fields.ts';
export { type Status, statuses } from './status.ts';

/** The settings of a check, which its owner sets. Names and bounds: `check-fields` and the specification, "Check". */
export interface CheckConfig extends CheckFieldValues, Growing {}

/** The state that events have left a check in. Instants in epoch milliseconds. */
export interface CheckState {
  readonly status: Status;
  /** Pings of every kind so far; the newest one's `n`. */
  readonly nPings: number;
  /** The last success or failure. */
  readonly lastPingMs: number | null;
  /** The start that has not ended, if any. */
  readonly startedMs: number | null;
  readonly startRid: RunId | null;
  /** Milliseconds from the matching start to the last success or failure; null when there was none. */
  readonly lastDurationMs: number | null;
  /** The last run that a ping ended was a warning. */
  readonly isWarned: boolean;
  /** The outage credit: neither deadline comes before its instant; 0 for none. A success or failure ends it. */
  readonly graceNotBeforeMs: number;
  readonly downNotBeforeMs: number;
  /** Derived: when the grace time begins; NEVER when no ping is expected. */
  readonly expectedAtMs: number;
  /** Derived: when the check goes down; NEVER when it cannot by itself. */
  readonly downAtMs: number;
}

/** A state that is still being built: no one else has a reference to it. */
export type FreshState = { -readonly [Name in keyof CheckState]: CheckState[Name] };

export interface Check {
  readonly id: CheckId;
  readonly projectId: ProjectId;
  readonly badgeId: BadgeId;
  /** Unique within the project (a fraction distinguishes those of one millisecond): the order of lists. */
  readonly createdAtMs: number;
  readonly config: CheckConfig;
  readonly state: CheckState;
  /** Only of a check that is down. */
  readonly acknowledgement?: Acknowledgement | undefined;
  readonly snooze?: Snooze | undefined;
  readonly hold?: Hold | undefined;
  /** The open incident that it is in, if that has no place for it in its own list. */
  readonly incident?: IncidentId | undefined;
  /** Only of a check with settings that look at more than its last outcome. */
  readonly alerting?: AlertState | undefined;
  /** Only of a check that tracks its runs: see `domain/check/run-state`. */
  readonly runs?: RunState | undefined;
  /** Only of a check whose rules of retention were replaced. */
  readonly formerRetention?: readonly (FormerRules & Growing)[] | undefined;
}

/** Specification, "Create parameters". */
export const defaultConfig: CheckConfig = checkFieldDefaults;

export const freshState: CheckState = {
  status: 'new',
  nPings: 0,
  lastPingMs: null,
  startedMs: null,
  startRid: null,
  lastDurationMs: null,
  isWarned: false,
  graceNotBeforeMs: 0,
  downNotBeforeMs: 0,
  expectedAtMs: NEVER,
  downAtMs: NEVER,
};

/** A copy to be changed. Written out: spreading costs ten times as much once states come from several places. */
export function freshCopy(state: CheckState): FreshState {
  return {
    status: state.status,
    nPings: state.nPings,
    lastPingMs: state.lastPingMs,
    startedMs: state.startedMs,
    startRid: state.startRid,
    lastDurationMs: state.lastDurationMs,
    isWarned: state.isWarned,
    graceNotBeforeMs: state.graceNotBeforeMs,
    downNotBeforeMs: state.downNotBeforeMs,
    expectedAtMs: state.expectedAtMs,
    downAtMs: state.downAtMs,
  };
}

/** The tags of a check, in its order, without empty ones. */
export function tagsOf({ tags }: Pick<CheckConfig, 'tags'>): readonly string[] {
  return tags.split(/\s+/).filter((tag) => tag !== '');
}
