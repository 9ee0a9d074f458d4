/**
 * The statechart of a check: the one place that says which status follows which (specification, "States and
 * transitions"; where that is silent, Healthchecks).
 * Not here: the fields a ping sets (`ping-effects`), deadlines (`deadline`), timers: an `after` does not survive a
 * restore, so a timeout is an event like any other, sent when the deadline in the state has passed.
 * Invariant: `step` is total: every event is taken in every state, and what does not apply changes nothing.
 */
import { assign, type SnapshotFrom, setup, transition } from 'xstate';
import type { RunId } from '../lib/ids.ts';
import type { Check, CheckConfig, CheckState } from './check.ts';
import { withDeadlines } from './deadline.ts';
import type { Signal } from './ping.ts';
import { cleared, counted, ended, started } from './ping-effects.ts';

/** `atMs`: of a ping, when it was received; of a timeout, the deadline that passed; of a change, when it was asked. */
export type CheckEvent =
  | { readonly type: 'success' | 'fail' | 'start'; readonly atMs: number; readonly rid: RunId | null }
  | { readonly type: 'log' | 'ign'; readonly atMs: number }
  | { readonly type: 'timeout'; readonly atMs: number }
  | { readonly type: 'update'; readonly atMs: number; readonly config: CheckConfig }
  | { readonly type: 'pause' | 'resume'; readonly atMs: number };

interface Context {
  readonly config: CheckConfig;
  readonly state: CheckState;
}

/** What an update would make of the deadlines, with the check taken as up: the chart then picks the status. */
function updatedState({ state }: Context, config: CheckConfig): CheckState {
  const asUp: CheckState = state.status === 'grace' ? { ...state, status: 'up' } : state;
  return withDeadlines(config, asUp);
}

const chart = setup({
  types: { context: {} as Context, events: {} as CheckEvent },
  guards: {
    heldByOwner: ({ context }) => context.config.manualResume,
    overdue: ({ context, event }) => event.atMs >= context.state.downAtMs,
    late: ({ context, event }) => event.atMs >= context.state.expectedAtMs,
    overdueAfterUpdate: ({ context, event }) =>
      event.type === 'update' && event.atMs >= updatedState(context, event.config).downAtMs,
    lateAfterUpdate: ({ context, event }) =>
      event.type === 'update' && event.atMs >= updatedState(context, event.config).expectedAtMs,
  },
  actions: {
    end: assign(({ context, event }) =>
      event.type === 'success' || event.type === 'fail'
        ? { state: ended(context.state, event.type, event.atMs, event.rid) }
        : {},
    ),
    begin: assign(({ context, event }) =>
      event.type === 'start' ? { state: started(context.state, event.atMs, event.rid) } : {},
    ),
    count: assign(({ context }) => ({ state: counted(context.state) })),
    configure: assign(({ event }) => (event.type === 'update' ? { config: event.config } : {})),
    clearRun: assign(({ context }) => ({ state: cleared(context.state, 'last-ping') })),
    clearAll: assign(({ context }) => ({ state: cleared(context.state, 'nothing') })),
  },
}).createMachine({
  context: { config: {} as CheckConfig, state: {} as CheckState },
  initial: 'new',
  on: {
    log: { actions: 'count' },
    ign: { actions: 'count' },
    update: { actions: 'configure' },
    pause: { target: '.paused', actions: 'clearRun' },
  },
  states: {
    new: {
      on: {
        success: { target: 'up', actions: 'end' },
        fail: { target: 'down', actions: 'end' },
        start: { actions: 'begin' },
        timeout: { guard: 'overdue', target: 'down' },
        update: [
          { guard: 'overdueAfterUpdate', target: 'down', actions: 'configure' },
          { actions: 'configure' },
        ],
      },
    },
    up: {
      on: {
        success: { actions: 'end' },
        fail: { target: 'down', actions: 'end' },
        start: { actions: 'begin' },
        timeout: [
          { guard: 'overdue', target: 'down' },
          { guard: 'late', target: 'grace' },
        ],
        update: [
          { guard: 'overdueAfterUpdate', target: 'down', actions: 'configure' },
          { guard: 'lateAfterUpdate', target: 'grace', actions: 'configure' },
          { actions: 'configure' },
        ],
      },
    },
    grace: {
      on: {
        success: { target: 'up', actions: 'end' },
        fail: { target: 'down', actions: 'end' },
        start: { actions: 'begin' },
        timeout: { guard: 'overdue', target: 'down' },
        update: [
          { guard: 'overdueAfterUpdate', target: 'down', actions: 'configure' },
          { guard: 'lateAfterUpdate', actions: 'configure' },
          { target: 'up', actions: 'configure' },
        ],
      },
    },
    down: {
      on: {
        success: { target: 'up', actions: 'end' },
        fail: { actions: 'end' },
        start: { actions: 'begin' },
      },
    },
    paused: {
      on: {
        success: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'up', actions: 'end' },
        ],
        fail: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'down', actions: 'end' },
        ],
        start: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'new', actions: ['clearAll', 'begin'] },
        ],
        pause: { actions: 'clearRun' },
        resume: { target: 'new', actions: 'clearAll' },
      },
    },
  },
});

type ChartSnapshot = SnapshotFrom<typeof chart>;

/** The check after `event`. The same object when nothing changed. */
export function step(check: Check, event: CheckEvent): Check {
  const before: ChartSnapshot = chart.resolveState({
    value: check.state.status,
    context: { config: check.config, state: check.state },
  });
  const [after] = transition(chart, before, event);
  const { config, state } = after.context;
  if (after.value === check.state.status && config === check.config && state === check.state) return check;
  return { ...check, config, state: withDeadlines(config, { ...state, status: after.value }) };
}

/** The signal as the ping log shows it: a paused check that waits for its owner ignores every ping. */
export function effectiveSignal({ config, state }: Check, signal: Signal): Signal {
  return state.status === 'paused' && config.manualResume ? 'ign' : signal;
}
