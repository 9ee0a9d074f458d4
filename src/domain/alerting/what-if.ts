/**
 * What would have happened: a check's ping log goes through the statechart again, with the settings as they are or others, and the
 * alerts are noted that would have come. Deadlines fire in between, as in `engine/deadlines/accept-timeout`; pauses by the owner are
 * those that there were. Not here: who takes turns between the steps (`engine/reads/what-if`).
 * Invariant: pure; with the settings under which the pings came, the alerts are those that came.
 */
import { type ActorScope, createActor, type SnapshotFrom } from 'xstate';
import { assert } from '../../lib/errors.ts';
import { NEVER, second } from '../../lib/units.ts';
import { type Check, type CheckConfig, freshState, type Status } from '../check/check.ts';
import { type CheckEvent, checkMachine, effectiveSignal, snapshotOf } from '../check/check-machine.ts';
import { filtersMail, plainSignal } from '../check/classify.ts';
import { nextDeadline } from '../check/deadline.ts';
import { meaningOfExit } from '../check/exit-codes.ts';
import { type Cause, flipOf, type StatusChange } from '../check/flip.ts';
import type { Ping, PingNote, Signal } from '../check/ping.ts';
import { noteWords } from '../runs/note-words.ts';
import { isTracked, type RunStep, settleRuns, trackRuns } from '../runs/track-runs.ts';
import { longSpan } from '../words/span-words.ts';
import { heldOn, type Outcome, type Shaped, shapeAlerts, withMiss } from './hold.ts';
import type { AlertingFacts } from './hold-reason.ts';
import { type ParentPast, parentsDownAt, parentTurns } from './parents-past.ts';

export interface Alert {
  readonly atMs: number;
  readonly kind: 'down' | 'up';
  readonly cause: Cause;
  /** In one sentence. */
  readonly why: string;
}

/** What is known of the past of a check. */
export interface CheckPast {
  readonly check: Check;
  /** All that are kept, oldest first. */
  readonly pings: readonly Ping[];
  /** From the first of these pings on, oldest first. */
  readonly changes: readonly StatusChange[];
  /** What the check was before them. */
  readonly statusBefore: Status;
}

/** What happened besides deadlines: a ping, or a pause or resumption by the owner. */
type Happening =
  | { readonly type: 'ping'; readonly atMs: number; readonly ping: Ping }
  | { readonly type: 'pause'; readonly atMs: number }
  | { readonly type: 'resume'; readonly atMs: number; readonly isUndo: boolean };

/** One way through the past. `step` until it is false; then `alerts` has all of them. */
export class Replay {
  readonly alerts: Alert[] = [];
  /** The alert that is held back; null for none. */
  #held: Alert | null = null;
  #isNotified: boolean;
  readonly #happenings: readonly Happening[];
  readonly #untilMs: number;
  #next = 0;
  #check: Check;
  /** What it depends on was another then: what is held may be held no more, or for that. */
  readonly #turns: readonly number[];
  #turn = 0;
  #nowMs = Number.NEGATIVE_INFINITY;
  readonly #facts: AlertingFacts;

  /** `parents`: what it depends on by `config`. */
  constructor(
    { check, pings, changes, statusBefore }: CheckPast,
    config: CheckConfig,
    untilMs: number,
    parents: readonly ParentPast[] = [],
  ) {
    this.#turns = parentTurns(parents);
    this.#facts = {
      // Windows are no part of it.
      maintenance: () => null,
      parentsDown: () => parentsDownAt(parents, this.#nowMs),
      parentNames: () => '',
    };
    const { id, projectId, badgeId, createdAtMs } = check;
    // A check that was up before is as good as new: when its first ping was due then is not known.
    const status = statusBefore === 'down' || statusBefore === 'paused' ? statusBefore : 'new';
    this.#check = { id, projectId, badgeId, createdAtMs, config, state: { ...freshState, status } };
    this.#isNotified = status === 'down';
    this.#happenings = happeningsOf(pings, changes);
    this.#untilMs = untilMs;
  }

  /** Takes the next deadline or happening: at last the deadlines until the end. False when there is nothing more. */
  step(): boolean {
    const happening = this.#happenings[this.#next];
    const { state, hold, alerting } = this.#check;
    const turnMs = hold ? this.#nextTurn() : NEVER;
    const dueMs = Math.min(
      nextDeadline(state),
      hold?.untilMs ?? NEVER,
      alerting?.nextMissMs || NEVER,
      turnMs,
    );
    if (dueMs <= (happening?.atMs ?? this.#untilMs)) {
      this.#pass(dueMs);
      return true;
    }
    if (happening === undefined) return false;
    this.#next += 1;
    if (happening.type === 'ping') this.#ping(happening.ping);
    else if (happening.type === 'pause' || this.#check.state.status === 'paused')
      this.#take({ type: happening.type, atMs: happening.atMs }, null);
    return true;
  }

  #nextTurn(): number {
    while ((this.#turns[this.#turn] ?? NEVER) <= this.#nowMs) this.#turn++;
    return this.#turns[this.#turn] ?? NEVER;
  }

  #pass(dueMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, dueMs);
    const before = this.#check;
    if (nextDeadline(before.state) <= dueMs) {
      this.#take({ type: 'timeout', atMs: dueMs }, null);
      assert(this.#check !== before, 'a deadline that has passed moves the check on');
      return;
    }
    this.#settle(heldOn(withMiss(before, dueMs), dueMs, this.#facts), dueMs);
  }

  /** What was held back is sent now, if it is not any more, and still is so. */
  #settle({ check, ended }: Shaped, atMs: number): void {
    this.#check = check;
    if (ended === null || this.#held === null) return;
    const held = { ...this.#held, atMs };
    this.#held = null;
    if (held.kind === check.state.status) this.#alert(held);
  }

  /** Of an outage that nobody was notified of, nobody is notified that it is over. */
  #alert(alert: Alert): void {
    if (alert.kind === 'up' && !this.#isNotified) return;
    if (alert.kind === 'down' && this.#isNotified) return;
    this.#isNotified = alert.kind === 'down';
    this.alerts.push(alert);
  }

  #ping(ping: Ping): void {
    const { atMs, rid, host, byHand } = ping;
    const results = byHand ? {} : { results: ping.results };
    const signal = effectiveSignal(this.#check, signalAnew(this.#check.config, ping));
    const event: CheckEvent =
      signal === 'log' || signal === 'ign'
        ? { type: signal, atMs }
        : { type: signal, atMs, rid, host, ...results };
    this.#take(event, ping);
  }

  #take(event: CheckEvent, ping: Ping | null): void {
    const before = this.#check;
    const { atMs } = event;
    this.#nowMs = Math.max(this.#nowMs, atMs);
    const step = isTracked(before) || event.type === 'alive' ? trackRuns(before, event) : null;
    const moved = step === null ? after(before, event) : settleRuns(step, after(step.check, step.event));
    const { status } = moved.state;
    const taken = step?.event ?? event;
    const cause = step?.cause ?? causeOf(taken);
    const change = { atMs, from: before.state.status, to: status, cause };
    const changes = status === before.state.status ? [] : [change];
    const outcome = outcomeOf(taken, changes);
    const shaped = shapeAlerts(
      moved,
      { before, changes, atMs, outcome },
      { facts: this.#facts, downAtMs: () => 0 },
    );
    const up = flipOf(change);
    if (up !== null) {
      const why = up === 1 ? upWords(ping) : downWords({ before, cause, step, ping });
      const alert: Alert = { atMs, kind: up === 1 ? 'up' : 'down', cause, why };
      if (shaped.check.hold || shaped.ended) this.#held = alert;
      else this.#alert(alert);
    } else if (status === 'paused' || status === 'new') this.#isNotified = false;
    this.#settle(shaped, atMs);
  }
}

function outcomeOf({ type }: CheckEvent, changes: readonly StatusChange[]): Outcome {
  if (type === 'fail' || changes.some(({ to }) => to === 'down')) return 'f';
  return type === 'success' || type === 'warn' ? 's' : null;
}

/** Only asked what follows: one for all checks. XState's `getNextSnapshot` creates one for each event, eight times the work. */
const self = createActor(checkMachine);
const scope: ActorScope<SnapshotFrom<typeof checkMachine>, CheckEvent> = {
  self,
  system: self.system,
  id: self.id,
  sessionId: self.sessionId,
  logger() {},
  defer() {},
  emit() {},
  stopChild() {},
  actionExecutor() {},
};

function after(check: Check, event: CheckEvent): Check {
  return checkMachine.transition(snapshotOf(check), event, scope).context;
}

/** In the order of the pings' numbers: the clock may have been set back. */
function happeningsOf(pings: readonly Ping[], changes: readonly StatusChange[]): readonly Happening[] {
  const owners = changes.flatMap(({ cause, to, atMs }): readonly Happening[] =>
    cause === 'pause'
      ? [{ type: cause, atMs }]
      : cause === 'resume'
        ? [{ type: cause, atMs, isUndo: to !== 'new' }]
        : [],
  );
  const happenings: Happening[] = [];
  let taken = 0;
  for (const ping of pings) {
    for (let owner = owners[taken]; owner && owner.atMs <= ping.atMs; owner = owners[++taken])
      happenings.push(owner);
    happenings.push({ type: 'ping', atMs: ping.atMs, ping });
  }
  return [...happenings, ...owners.slice(taken)];
}

/** By these notes a success is a failure, or a warning, for what was known of its run. */
const judgedNotes: ReadonlySet<PingNote | null> = new Set([
  'too-short',
  'unusually-short',
  'unusually-long',
  'result',
]);

/**
 * What the ping means by these settings. Only its exit status can be judged anew: its body may be gone, and which action its address
 * named is not kept.
 */
export function signalAnew(config: CheckConfig, ping: Ping): Signal {
  const sent = judgedNotes.has(ping.note) ? 'success' : ping.signal;
  if (ping.byHand) return sent;
  const isMail = ping.scheme === 'email';
  if (!isMail && config.methods === 'POST' && ping.method !== 'POST') return 'ign';
  if (ping.exitStatus === null || (isMail ? filtersMail(config) : config.filterHttpBody)) return sent;
  return config.exitCodes === ''
    ? plainSignal('success', ping.exitStatus)
    : meaningOfExit(config.exitCodes, ping.exitStatus);
}

function causeOf({ type }: CheckEvent): Cause {
  return type === 'timeout' || type === 'fail' || type === 'start' || type === 'pause' || type === 'resume'
    ? type
    : 'success';
}

function upWords(ping: Ping | null): string {
  if (ping === null || ping.exitStatus === null) return 'A ping reported success.';
  return `The job ended with exit status ${ping.exitStatus}, which is a success.`;
}

interface Down {
  readonly before: Check;
  readonly cause: Cause;
  readonly step: RunStep | null;
  readonly ping: Ping | null;
}

function downWords({ before, cause, step, ping }: Down): string {
  const { config, state } = before;
  const grace = longSpan(config.graceS * second);
  switch (cause) {
    case 'hung':
      return hungWords(step);
    case 'missed':
      return missedWords(config, step);
    case 'overlap':
      return 'A run started while another one was in flight.';
    case 'timeout':
      return state.startedMs !== null && state.startedMs < state.expectedAtMs
        ? `A run did not end within the grace time of ${grace}.`
        : `No ping came within the grace time of ${grace}.`;
    default:
      return failureWords(config, step, ping);
  }
}

function hungWords(step: RunStep | null): string {
  const hung = step?.endings.find(({ outcome }) => outcome === 'hung');
  if (hung === undefined) return 'A run did not end in time.';
  const where = hung.host === '' ? '' : ` on ${hung.host}`;
  return `A run${where} did not end within ${longSpan(hung.limitS * second)}.`;
}

function missedWords({ startGraceS, graceS }: CheckConfig, step: RunStep | null): string {
  const within = longSpan((startGraceS === 0 ? graceS : startGraceS) * second);
  const host = step?.endings.find(({ outcome }) => outcome === 'missed')?.host ?? '';
  return host === ''
    ? `Nothing came within ${within} after it was expected.`
    : `${host} did not report within ${within} after it was expected to.`;
}

function failureWords({ minRuntimeS }: CheckConfig, step: RunStep | null, ping: Ping | null): string {
  const took = longSpan(step?.durationMs ?? 0);
  switch (step?.note) {
    case 'too-short':
      return `A run ended with success after ${took}, sooner than the ${longSpan(minRuntimeS * second)} that it must take.`;
    case 'result':
      return `A result was beyond its limit: ${noteWords({ ...step, note: step.note }, String)}.`;
    case 'unusually-short':
      return `A run took ${took}, which is unusually short.`;
    case 'unusually-long':
      return `A run took ${took}, which is unusually long.`;
    default:
      return ping === null || ping.exitStatus === null
        ? 'The job reported a failure.'
        : `The job ended with exit status ${ping.exitStatus}, which is a failure.`;
  }
}

interface Outage {
  readonly downMs: number;
  readonly upMs: number;
  readonly alerts: readonly Alert[];
}

/** Alerts of outages during which the other way has none: one that only begins or ends at another time is in both. */
export function alertsOnlyIn(alerts: readonly Alert[], others: readonly Alert[]): readonly Alert[] {
  const otherOutages = outagesOf(others);
  let first = 0;
  return outagesOf(alerts).flatMap((outage) => {
    // Both are in the order of time.
    while (isOver(otherOutages[first], outage)) first += 1;
    const other = otherOutages[first];
    const isInBoth = other !== undefined && (other.downMs < outage.upMs || other.downMs === outage.downMs);
    return isInBoth ? [] : outage.alerts;
  });
}

function isOver(other: Outage | undefined, { downMs }: Outage): boolean {
  return other !== undefined && other.upMs <= downMs && other.downMs < downMs;
}

/** An outage without a begin was there before; one without an end goes on. */
function outagesOf(alerts: readonly Alert[]): readonly Outage[] {
  const outages: Outage[] = [];
  let down: Alert | null = null;
  for (const alert of alerts) {
    if (alert.kind === 'down') {
      if (down !== null) outages.push({ downMs: down.atMs, upMs: alert.atMs, alerts: [down] });
      down = alert;
      continue;
    }
    const downMs = down?.atMs ?? Number.NEGATIVE_INFINITY;
    outages.push({ downMs, upMs: alert.atMs, alerts: down === null ? [alert] : [down, alert] });
    down = null;
  }
  if (down !== null) outages.push({ downMs: down.atMs, upMs: Number.POSITIVE_INFINITY, alerts: [down] });
  return outages;
}
