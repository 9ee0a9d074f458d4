/**
 * What is known of the runs of a check, beside its state: those in flight, the reports of its hosts, and what is usual. Only checks
 * that have one of the settings of runs set have it, and one whose run said that it is alive. Not here: what an event does to it
 * (`track-runs`), which deadlines follow (`run-deadlines`).
 * Invariant: immutable; `open` is in the order of the starts, and no run id is in it twice.
 */
import type { RunId } from '../../lib/ids.ts';
import type { CheckFieldValues } from './check-fields.ts';
import type { Growing } from './unknown-fields.ts';

/** A run in flight. Instants in epoch milliseconds. */
export interface OpenRun {
  /** Null for the run of pings without an id. */
  readonly rid: RunId | null;
  readonly startedMs: number;
  /** When it last said that it is alive; 0 for never. */
  readonly aliveMs: number;
  /** The outage credit: it does not hang before; 0 for none. */
  readonly notBeforeMs: number;
  readonly host: string;
}

/** `due`: nothing is wrong. `failed`: its last report was a failure. `missing`: it did not report in time. */
export const hostStatuses = ['due', 'failed', 'missing'] as const;
export type HostStatus = (typeof hostStatuses)[number];

export interface HostState extends Growing {
  readonly name: string;
  readonly status: HostStatus;
  /** Its next report is due one period after this instant; 0 while no host has reported yet. */
  readonly fromMs: number;
  /** Its last report; 0 for none. */
  readonly reportedMs: number;
}

/** An end whose start has not come. */
export interface EarlyEnd extends Growing {
  readonly rid: RunId;
  readonly atMs: number;
}

/** Values of the last good runs, oldest first. */
export interface UsualResult extends Growing {
  readonly name: string;
  readonly values: readonly number[];
}

export interface RunState extends Growing {
  readonly open: readonly OpenRun[];
  /** The last start, or the last end without one; 0 for none. */
  readonly lastStartMs: number;
  /** In the order of the setting. */
  readonly hosts: readonly HostState[];
  /** The slot whose reports are counted, with `expected_runs`; of a simple check, when the period began. 0 for none. */
  readonly slotMs: number;
  /** When the reports of that slot are due; later than the slot only for the first one. */
  readonly slotDueMs: number;
  /** Reports of that slot. */
  readonly reports: number;
  /** Durations of the last good runs in milliseconds, oldest first. */
  readonly durations: readonly number[];
  readonly earlyEnds: readonly EarlyEnd[];
  /** By name, what the last good runs reported of each rule. */
  readonly results: readonly UsualResult[];
}

export const noRuns: RunState = {
  open: [],
  lastStartMs: 0,
  hosts: [],
  slotMs: 0,
  slotDueMs: 0,
  reports: 0,
  durations: [],
  earlyEnds: [],
  results: [],
};

type RunSettings = Pick<
  CheckFieldValues,
  | 'maxRuntimeS'
  | 'minRuntimeS'
  | 'startGraceS'
  | 'unusualRuntime'
  | 'overlap'
  | 'hosts'
  | 'expectedRuns'
  | 'earlyToleranceS'
  | 'results'
>;

/** Whether any setting is set for which a check's runs are tracked, each by itself. Exit codes need no memory. */
export function tracksRuns(config: RunSettings): boolean {
  return (
    config.maxRuntimeS !== 0 ||
    config.minRuntimeS !== 0 ||
    config.startGraceS !== 0 ||
    config.unusualRuntime !== 'off' ||
    config.overlap !== 'allow' ||
    config.hosts !== '' ||
    config.expectedRuns !== 0 ||
    config.earlyToleranceS !== 0 ||
    config.results !== ''
  );
}

/** The names of the hosts that each have to report, each once. */
export function hostNames(hosts: string): readonly string[] {
  return [...new Set(hosts.split(' ').filter((name) => name !== ''))];
}

/** How long a run may take, in seconds. */
export function runLimitS({ maxRuntimeS, graceS }: Pick<CheckFieldValues, 'maxRuntimeS' | 'graceS'>): number {
  return maxRuntimeS === 0 ? graceS : maxRuntimeS;
}
