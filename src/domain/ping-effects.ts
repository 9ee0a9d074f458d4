/**
 * What a ping does to the fields of a check's state, status and deadlines apart. Shared by the statechart and the
 * steady path, so that a rule stands once.
 * Invariant: never touches `status`.
 *
 * What a steady ping passes through is written out field by field: copying a state by spreading costs ten times as
 * much once states come from several places.
 */
import type { RunId } from '../lib/ids.ts';
import type { CheckState, FreshState } from './check.ts';

/**
 * A success or a failure: the last ping, the duration if it ends a run, and no more credit. A run ends when the run
 * ids are the same (two absent ones are), when the signal has none, and on every failure, as in Healthchecks.
 */
export function ended(
  state: CheckState,
  signal: 'success' | 'fail',
  atMs: number,
  rid: RunId | null,
): FreshState {
  const { startedMs } = state;
  const matches = startedMs !== null && state.startRid === rid;
  const ends = matches || signal === 'fail' || rid === null;
  return {
    status: state.status,
    nPings: state.nPings + 1,
    lastPingMs: atMs,
    startedMs: ends ? null : startedMs,
    startRid: ends ? null : state.startRid,
    lastDurationMs: matches ? Math.max(0, atMs - startedMs) : null,
    graceNotBeforeMs: 0,
    downNotBeforeMs: 0,
    expectedAtMs: state.expectedAtMs,
    downAtMs: state.downAtMs,
  };
}

/** A start: its time and run id; the last ping, and a credit for its deadline, stay as they are. */
export function started(state: CheckState, atMs: number, rid: RunId | null): FreshState {
  return {
    status: state.status,
    nPings: state.nPings + 1,
    lastPingMs: state.lastPingMs,
    startedMs: atMs,
    startRid: rid,
    lastDurationMs: state.lastDurationMs,
    graceNotBeforeMs: state.graceNotBeforeMs,
    downNotBeforeMs: state.downNotBeforeMs,
    expectedAtMs: state.expectedAtMs,
    downAtMs: state.downAtMs,
  };
}

/** A log entry or an ignored ping: counted, nothing else. */
export function counted(state: CheckState): CheckState {
  return {
    status: state.status,
    nPings: state.nPings + 1,
    lastPingMs: state.lastPingMs,
    startedMs: state.startedMs,
    startRid: state.startRid,
    lastDurationMs: state.lastDurationMs,
    graceNotBeforeMs: state.graceNotBeforeMs,
    downNotBeforeMs: state.downNotBeforeMs,
    expectedAtMs: state.expectedAtMs,
    downAtMs: state.downAtMs,
  };
}

/** Nothing known of any ping any more but their number (pause clears the run, resume the last ping as well). */
export function cleared(state: CheckState, keep: 'last-ping' | 'nothing'): CheckState {
  return {
    ...state,
    lastPingMs: keep === 'last-ping' ? state.lastPingMs : null,
    startedMs: null,
    startRid: null,
    graceNotBeforeMs: 0,
    downNotBeforeMs: 0,
  };
}
