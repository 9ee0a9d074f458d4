/**
 * The statechart of a run: which outcome follows which event. A run ends once; what comes later changes nothing. The status of its
 * check follows from it (`track-runs`, `check-machine`).
 * Invariants: the chart is total; an outcome is a final state.
 */
import { getNextSnapshot, setup } from 'xstate';
import { assert } from '../../lib/errors.ts';

export const runOutcomes = ['success', 'warning', 'failure', 'missed', 'hung', 'overtaken'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

/**
 * `timeout`: its deadline passed, before the start or before the end. `give-up`: its check was paused, or has
 * more in flight than it may have.
 */
export type RunEvent = 'start' | 'alive' | 'success' | 'warn' | 'fail' | 'timeout' | 'give-up';

export type RunPhase = 'expected' | 'running';

export const runMachine = setup({
  types: { events: {} as { readonly type: RunEvent } },
}).createMachine({
  initial: 'expected',
  states: {
    expected: {
      on: {
        start: 'running',
        // The end of a run without a start.
        success: 'success',
        warn: 'warning',
        fail: 'failure',
        timeout: 'missed',
        'give-up': 'overtaken',
      },
    },
    running: {
      on: {
        // The job was started again under the same id: its time begins anew.
        start: 'running',
        alive: 'running',
        success: 'success',
        warn: 'warning',
        fail: 'failure',
        timeout: 'hung',
        'give-up': 'overtaken',
      },
    },
    success: { type: 'final' },
    warning: { type: 'final' },
    failure: { type: 'final' },
    missed: { type: 'final' },
    hung: { type: 'final' },
    overtaken: { type: 'final' },
  },
});

/** Outcomes by phase and event. A chart without context gives the same each time. */
const outcomes = new Map<string, RunOutcome>();

/** How a run in that phase ends by an event that ends it. */
export function outcomeOf(phase: RunPhase, type: Exclude<RunEvent, 'start' | 'alive'>): RunOutcome {
  const key = `${phase} ${type}`;
  const known = outcomes.get(key);
  if (known !== undefined) return known;
  const snapshot = runMachine.resolveState({ value: phase });
  const { value } = getNextSnapshot(runMachine, snapshot, { type });
  const outcome = runOutcomes.find((name) => name === value);
  assert(outcome !== undefined, 'each of these events ends a run');
  outcomes.set(key, outcome);
  return outcome;
}
