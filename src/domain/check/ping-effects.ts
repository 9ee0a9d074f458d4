/**
 * Effects of a ping on the fields of a check's state, without status and deadlines. Shared by the statechart and the fast path,
 * so that each rule exists once.
 * Invariant: never touches `status`.
 */
import type { RunId } from '../../lib/ids.ts';
import { type CheckState, type FreshState, freshCopy } from './check.ts';

/**
 * A success, a warning or a failure: the last ping, the duration if it ends a run, and no more credit. A run ends when the run
 * ids are the same (two absent ones are), when the signal has none, and on every failure, as in Healthchecks.
 */
export function ended(
  state: CheckState,
  signal: 'success' | 'warn' | 'fail',
  atMs: number,
  rid: RunId | null,
): FreshState {
  const { startedMs } = state;
  const matches = startedMs !== null && state.startRid === rid;
  const ends = matches || signal === 'fail' || rid === null;
  const after = freshCopy(state);
  after.nPings++;
  after.lastPingMs = atMs;
  if (ends) {
    after.startedMs = null;
    after.startRid = null;
  }
  after.lastDurationMs = matches ? Math.max(0, atMs - startedMs) : null;
  after.isWarned = signal === 'warn';
  after.graceNotBeforeMs = 0;
  after.downNotBeforeMs = 0;
  return after;
}

/** A start: its time and run id; the last ping, and a credit for its deadline, stay as they are. */
export function started(state: CheckState, atMs: number, rid: RunId | null): FreshState {
  const after = freshCopy(state);
  after.nPings++;
  after.startedMs = atMs;
  after.startRid = rid;
  return after;
}

/** A log entry or an ignored ping: counted, nothing else. */
export function counted(state: CheckState): CheckState {
  const after = freshCopy(state);
  after.nPings++;
  return after;
}

/** Nothing known of any ping any more but their number (pause clears the run, resume the last ping as well). */
export function cleared(state: CheckState, keep: 'last-ping' | 'nothing'): CheckState {
  return {
    ...state,
    lastPingMs: keep === 'last-ping' ? state.lastPingMs : null,
    startedMs: null,
    startRid: null,
    isWarned: keep === 'last-ping' && state.isWarned,
    graceNotBeforeMs: 0,
    downNotBeforeMs: 0,
  };
}
