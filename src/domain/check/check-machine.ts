/**
 * The statechart of a check: the one place that says which status follows which (specification, "States and
 * transitions"; where that is silent, Healthchecks). Its context is the check itself, so that a snapshot's context is the
 * record after an event: the very same object when nothing changed.
 * Not here: the fields a ping sets (`ping-effects`), deadlines (`deadline`), timers: an `after` does not survive a
 * restore, so a timeout is an event like any other, sent when the deadline in the state has passed.
 * Invariants: the chart is total: every event is taken in every state, and what does not apply changes nothing. After
 * every event the state's `status` is the chart's, and its deadlines are derived.
 */
import { assign, type SnapshotFrom, setup } from 'xstate';
import { assert } from '../../lib/errors.ts';
import type { RunId } from '../../lib/ids.ts';
import type { Result } from '../results/result.ts';
import { type Check, type CheckConfig, type CheckState, freshCopy, type Status, statuses } from './check.ts';
import { dated, withDeadlines } from './deadline.ts';
import type { Signal } from './ping.ts';
import { cleared, counted, ended, started } from './ping-effects.ts';

/**
 * `warn`: an end that neither takes a check down nor brings one up that is down; `report`: a success while something else of the
 * check is still wrong or due; `breach`: a start that must not be, and takes the check down.
 * `atMs`: of a ping, when it was received; of a timeout, the deadline that passed; of a change, when it was asked.
 */
export type CheckEvent =
  | {
      readonly type: 'success' | 'fail' | 'start' | 'warn' | 'report' | 'breach';
      readonly atMs: number;
      readonly rid: RunId | null;
      /** Name of the machine that the ping says it came from; empty for none. */
      readonly host?: string;
      /** Numbers that an end reports; absent for an end that is not judged by them. */
      readonly results?: readonly Result[];
    }
  | { readonly type: 'log' | 'ign'; readonly atMs: number }
  | { readonly type: 'alive'; readonly atMs: number; readonly rid: RunId | null }
  | { readonly type: 'timeout'; readonly atMs: number }
  | { readonly type: 'update'; readonly atMs: number; readonly config: CheckConfig }
  | { readonly type: 'pause'; readonly atMs: number }
  | {
      readonly type: 'resume';
      readonly atMs: number;
      /** The pause is undone: the check waits for what it waited for, unless that is overdue by now. */
      readonly isUndo?: boolean;
    };

/** What a passed deadline does in each status, first match first. Of others: nothing. */
const timeouts = {
  new: [{ guard: 'overdue', target: 'down' }],
  up: [
    { guard: 'overdue', target: 'down' },
    { guard: 'late', target: 'grace' },
  ],
  grace: [{ guard: 'overdue', target: 'down' }],
} as const;

const passed = {
  overdue: ({ state }: Check, atMs: number): boolean => atMs >= state.downAtMs,
  late: ({ state }: Check, atMs: number): boolean => atMs >= state.expectedAtMs,
};

/** The state with the deadlines after an update, with the check taken as up: the chart then picks the status. */
function updatedState({ state, runs }: Check, config: CheckConfig): CheckState {
  const asUp: CheckState = state.status === 'grace' ? { ...state, status: 'up' } : state;
  return withDeadlines(config, asUp, runs);
}

/** Recomputes the deadlines on entry, and after an event that a state takes without leaving it. */
function derived({ config, state, runs }: Check, status: Status): Pick<Check, 'state'> {
  const fresh = freshCopy(state);
  fresh.status = status;
  return { state: dated(config, fresh, runs) };
}

/** Whether a pause is undone before `deadline` of the last ping, which it left as it was. */
function undoneBefore(
  { config, state, runs }: Check,
  event: CheckEvent,
  deadline: 'expectedAtMs' | 'downAtMs',
) {
  if (event.type !== 'resume' || event.isUndo !== true || state.lastPingMs === null) return false;
  return event.atMs < withDeadlines(config, { ...state, status: 'up' }, runs)[deadline];
}

type EndEvent = Extract<CheckEvent, { rid: RunId | null }>;

function isEnd(event: CheckEvent): event is EndEvent {
  return (
    event.type === 'success' || event.type === 'fail' || event.type === 'warn' || event.type === 'report'
  );
}

/** Of a host's report the run itself was a success. */
function outcomeOf({ type }: EndEvent): 'success' | 'warn' | 'fail' {
  return type === 'warn' || type === 'fail' ? type : 'success';
}

export const checkMachine = setup({
  types: { context: {} as Check, events: {} as CheckEvent },
  guards: {
    /** A start is what the check waits for, and the run has a time of its own from then on. */
    startReports: ({ context: { config } }) => config.startGraceS > 0 || config.maxRuntimeS > 0,
    heldByOwner: ({ context }) => context.config.manualResume,
    overdue: ({ context, event }) => passed.overdue(context, event.atMs),
    late: ({ context, event }) => passed.late(context, event.atMs),
    overdueAfterUpdate: ({ context, event }) =>
      event.type === 'update' && event.atMs >= updatedState(context, event.config).downAtMs,
    upAfterUndo: ({ context, event }) => undoneBefore(context, event, 'expectedAtMs'),
    lateAfterUndo: ({ context, event }) => undoneBefore(context, event, 'downAtMs'),
    lateAfterUpdate: ({ context, event }) =>
      event.type === 'update' && event.atMs >= updatedState(context, event.config).expectedAtMs,
  },
  actions: {
    end: assign(({ context, event }) =>
      isEnd(event) ? { state: ended(context.state, outcomeOf(event), event.atMs, event.rid) } : {},
    ),
    begin: assign(({ context, event }) =>
      event.type === 'start' || event.type === 'breach'
        ? { state: started(context.state, event.atMs, event.rid) }
        : {},
    ),
    count: assign(({ context }) => ({ state: counted(context.state) })),
    configure: assign(({ event }) => (event.type === 'update' ? { config: event.config } : {})),
    clearRun: assign(({ context }) => ({ state: cleared(context.state, 'last-ping') })),
    clearAll: assign(({ context }) => ({ state: cleared(context.state, 'nothing') })),
    forgetAcknowledgement: assign(({ context }) =>
      context.acknowledgement ? { acknowledgement: undefined } : {},
    ),
    derive: assign(({ context }) => derived(context, context.state.status)),
    enter: assign(({ context }, to: Status) => derived(context, to)),
  },
}).createMachine({
  // There is no common context: each machine starts from a record.
  context: {} as Check,
  initial: 'new',
  on: {
    log: { actions: 'count' },
    ign: { actions: 'count' },
    alive: { actions: ['count', 'derive'] },
    warn: { actions: ['end', 'derive'] },
    report: { actions: ['end', 'derive'] },
    breach: { target: '.down', actions: 'begin' },
    update: { actions: ['configure', 'derive'] },
    pause: { target: '.paused', actions: 'clearRun' },
  },
  states: {
    new: {
      entry: { type: 'enter', params: 'new' },
      on: {
        success: { target: 'up', actions: 'end' },
        warn: { target: 'up', actions: 'end' },
        report: { target: 'up', actions: 'end' },
        fail: { target: 'down', actions: 'end' },
        start: { actions: ['begin', 'derive'] },
        timeout: timeouts.new,
        update: [
          { guard: 'overdueAfterUpdate', target: 'down', actions: 'configure' },
          { actions: ['configure', 'derive'] },
        ],
      },
    },
    up: {
      entry: { type: 'enter', params: 'up' },
      on: {
        success: { actions: ['end', 'derive'] },
        fail: { target: 'down', actions: 'end' },
        start: { actions: ['begin', 'derive'] },
        timeout: timeouts.up,
        update: [
          { guard: 'overdueAfterUpdate', target: 'down', actions: 'configure' },
          { guard: 'lateAfterUpdate', target: 'grace', actions: 'configure' },
          { actions: ['configure', 'derive'] },
        ],
      },
    },
    grace: {
      entry: { type: 'enter', params: 'grace' },
      on: {
        success: { target: 'up', actions: 'end' },
        warn: { target: 'up', actions: 'end' },
        fail: { target: 'down', actions: 'end' },
        start: [{ guard: 'startReports', target: 'up', actions: 'begin' }, { actions: ['begin', 'derive'] }],
        timeout: timeouts.grace,
        update: [
          { guard: 'overdueAfterUpdate', target: 'down', actions: 'configure' },
          { guard: 'lateAfterUpdate', actions: ['configure', 'derive'] },
          { target: 'up', actions: 'configure' },
        ],
      },
    },
    down: {
      entry: { type: 'enter', params: 'down' },
      exit: 'forgetAcknowledgement',
      on: {
        success: { target: 'up', actions: 'end' },
        fail: { actions: ['end', 'derive'] },
        start: { actions: ['begin', 'derive'] },
        breach: { actions: ['begin', 'derive'] },
      },
    },
    paused: {
      entry: { type: 'enter', params: 'paused' },
      on: {
        success: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'up', actions: 'end' },
        ],
        warn: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'up', actions: 'end' },
        ],
        report: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'up', actions: 'end' },
        ],
        breach: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'new', actions: ['clearAll', 'begin'] },
        ],
        fail: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'down', actions: 'end' },
        ],
        start: [
          { guard: 'heldByOwner', actions: 'count' },
          { target: 'new', actions: ['clearAll', 'begin'] },
        ],
        pause: { actions: ['clearRun', 'derive'] },
        resume: [
          { guard: 'upAfterUndo', target: 'up' },
          { guard: 'lateAfterUndo', target: 'grace' },
          { target: 'new', actions: 'clearAll' },
        ],
      },
    },
  },
});

export type CheckSnapshot = SnapshotFrom<typeof checkMachine>;

/** One of each status, without its check: resolving a state walks the chart. */
const snapshots = new Map(
  statuses.map((status) => [status, checkMachine.resolveState({ value: status, context: {} as Check })]),
);

/** The snapshot of an actor that has taken every event so far and is to go on from `check`. */
export function snapshotOf(check: Check): CheckSnapshot {
  const known = snapshots.get(check.state.status);
  assert(known !== undefined, 'the chart has every status');
  return { ...known, context: check };
}

/**
 * The check after a timeout, as its actor would leave it, of one that does not track its runs: the very same object when nothing
 * changed. Thousands may come at one instant, and an actor allocates more than all else that a timeout means.
 */
export function timedOut(check: Check, atMs: number): Check {
  const { status } = check.state;
  if (status === 'down' || status === 'paused') return check;
  const taken = timeouts[status].find(({ guard }) => passed[guard](check, atMs));
  return taken ? { ...check, ...derived(check, taken.target) } : check;
}

/** The signal as the ping log shows it: a paused check that waits for its owner ignores every ping. */
export function effectiveSignal({ config, state }: Check, signal: Signal): Signal {
  return state.status === 'paused' && config.manualResume ? 'ign' : signal;
}
