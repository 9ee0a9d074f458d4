/**
 * The runs of a job out of its pings and status changes: which start belongs to which end, by the rules of `ping-effects`, and what
 * came of each. Not here: a run in flight, which the state of the check has.
 * Invariant: pure; each success and failure is one run, each deadline that took the check down is one that was missed.
 */
import { freshState } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import type { Ping } from '../check/ping.ts';
import { cleared, ended, started } from '../check/ping-effects.ts';
import { noResults, type Result } from '../results/result.ts';
import { noteWords } from './note-words.ts';
import { graceEndsOf, isEnd, isLateSuccess, isMissedDeadline } from './run-statistics.ts';

export const runOutcomes = ['succeeded', 'late', 'warned', 'failed', 'missed'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/** The fields of a ping that describe its run. */
export type RunPing = Pick<
  Ping,
  'n' | 'atMs' | 'signal' | 'rid' | 'exitStatus' | 'host' | 'note' | 'figures' | 'about' | 'results'
> &
  Partial<Pick<Ping, 'byHand'>>;

/** Instants in epoch milliseconds. */
export interface Run {
  /** When it ended, or should have. */
  readonly atMs: number;
  /** Null where no start was reported. */
  readonly startedMs: number | null;
  readonly durationMs: number | null;
  readonly outcome: RunOutcome;
  readonly exitStatus: number | null;
  /** Number of the ping that ended it; null for a missed run. */
  readonly n: number | null;
  /** Numbers that it reported. */
  readonly results: readonly Result[];
  /** Somebody ended it, and not its job: how long it took says nothing of the job. Absent of all others. */
  readonly isEndedByHand?: true;
  /** Which number was beyond which limit, in words; only of a run with that note. */
  readonly breach?: string;
}

/** How long its job took; null where that is not known, as of a run that somebody ended by hand. */
export function jobDurationMs({ durationMs, isEndedByHand }: Run): number | null {
  return isEndedByHand ? null : durationMs;
}

/** The exit status of the run whose failure took its check down; null where none did, or where it had none. */
export function failedExit(
  { atMs, to, cause }: Pick<StatusChange, 'atMs' | 'to' | 'cause'>,
  runs: readonly Pick<Run, 'atMs' | 'outcome' | 'exitStatus'>[],
): number | null {
  if (to !== 'down' || cause !== 'fail') return null;
  return runs.findLast((run) => run.outcome === 'failed' && run.atMs === atMs)?.exitStatus ?? null;
}

/** Both oldest first, as is the result. A change of the same instant as a ping comes before it. */
export function runsOf(pings: readonly RunPing[], changes: readonly StatusChange[]): readonly Run[] {
  const runs: Run[] = [];
  let state = freshState;
  let next = 0;
  const graceEnds = graceEndsOf(changes);
  const takeChanges = (untilMs: number): void => {
    for (let change = changes[next]; change && change.atMs <= untilMs; change = changes[++next]) {
      if (isMissed(change)) runs.push(missed(change, state.startedMs));
      if (change.to === 'paused' || change.from === 'paused') state = cleared(state, 'nothing');
    }
  };
  for (const ping of pings) {
    takeChanges(ping.atMs);
    const { signal, atMs, rid } = ping;
    if (signal === 'start') state = started(state, atMs, rid);
    if (!isEnd(signal)) continue;
    const { startedMs } = state;
    state = ended(state, signal, atMs, rid);
    const durationMs = state.lastDurationMs;
    const graceEnd = signal === 'success' ? graceEnds.get(atMs) : undefined;
    // Of two successes at the same instant, the first made the change.
    if (graceEnd) graceEnds.delete(atMs);
    const isLate = graceEnd !== undefined && isLateSuccess(graceEnd.change, { ...graceEnd, durationMs });
    runs.push({
      atMs,
      startedMs: durationMs === null ? null : startedMs,
      durationMs,
      outcome: signal === 'fail' ? 'failed' : signal === 'warn' ? 'warned' : isLate ? 'late' : 'succeeded',
      exitStatus: ping.exitStatus,
      n: ping.n,
      results: ping.results,
      ...(ping.byHand && durationMs !== null ? { isEndedByHand: true } : {}),
      ...(ping.note === 'result' ? { breach: noteWords({ ...ping, note: ping.note }, String) } : {}),
    });
  }
  takeChanges(Number.POSITIVE_INFINITY);
  return runs;
}

function isMissed({ to, cause }: StatusChange): boolean {
  return to === 'down' && isMissedDeadline(cause);
}

function missed({ atMs }: StatusChange, startedMs: number | null): Run {
  return {
    atMs,
    startedMs,
    durationMs: null,
    outcome: 'missed',
    exitStatus: null,
    n: null,
    results: noResults,
  };
}
