/**
 * Which delivery is sent when: the queues of the integrations and their turns. Takes the deliveries of status changes once they are
 * durable. `steps` says what a delivery goes through, `endings` what is recorded of its end; `channels/` reaches each kind.
 *
 * Invariants: a delivery ends only as delivered, or given up with the reason recorded, or with both its check and its
 * integration. Of one integration and check, the
 * order is kept. An integration that hangs or fails holds up no other: each has few attempts in flight at once, and
 * only one while it keeps failing. Nothing is sent in the turn in which a ping is answered.
 */
import { setMaxListeners } from 'node:events';
import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import {
  type Delivery,
  isReminder,
  isUntriedReminder,
  notificationKindOf,
  reminderOf,
} from '../../domain/deliveries/delivery.ts';
import { asDeliveryId, type ChannelId, type CheckId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { Outcome } from '../contract/channel.ts';
import { isTooLate, pauseAsked, pauseMs } from '../contract/retry.ts';
import { ChannelQueue, type CheckQueue, inOrder } from './channel-queue.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { Endings } from './endings.ts';
import { Progress } from './progress.ts';
import { type AttemptEnd, admission, due, notHeld, runAttempt } from './steps.ts';
import { snoozedReason, unsentEndOf } from './still-due.ts';

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #endings: Endings;
  readonly progress: Progress;
  readonly #queues = new Map<ChannelId, ChannelQueue>();
  /** Queues with something due, in the order of their turns. */
  readonly #turns = new Set<ChannelQueue>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #scheduled: NodeJS.Immediate | null = null;
  #stopped = false;

  constructor(options: DispatchOptions) {
    this.#options = options;
    const { clock, limits } = options;
    this.progress = new Progress({
      clock,
      stuckMs: limits.stuckMs,
      isIdle: () => this.#turns.size + this.#inFlight.size === 0,
    });
    this.#endings = new Endings(options);
    // One listener for each attempt in flight; Node would take more than ten for a leak.
    setMaxListeners(limits.totalMax, this.#abort.signal);
  }

  /** Takes up everything that the outbox holds. */
  start(): void {
    const waiting = [...this.#options.outbox.all()].filter(({ state }) => state === 'waiting');
    for (const delivery of inOrder(waiting, (id) => this.#options.sources.check(id))) this.take(delivery);
  }

  /** A new delivery, in the outbox already. Returns at once. */
  take(delivery: Delivery): void {
    if (this.#stopped) return;
    const queue = this.#queue(delivery.channelId);
    const checkQueue = queue.forCheck(delivery.checkId);
    const before = checkQueue.waiting;
    checkQueue.waiting = delivery;
    if (before && before.id !== delivery.id) this.#replace(checkQueue, before, delivery);
    this.#settle(queue, checkQueue);
  }

  /** Takes a delivery that waits out of the line. False when it is in flight, and will have its outcome recorded. */
  withdraw(delivery: Delivery): boolean {
    const queue = this.#queue(delivery.channelId);
    const checkQueue = queue.forCheck(delivery.checkId);
    if (checkQueue.busy?.id === delivery.id) return false;
    if (checkQueue.waiting?.id === delivery.id) checkQueue.waiting = null;
    this.#settle(queue, checkQueue);
    return true;
  }

  /** A delivery that waited when Knell ended, before it was superseded by the snooze of its check. */
  snooze(delivery: Delivery, untilMs: number): void {
    if (delivery.state === 'waiting' && notificationKindOf(delivery.change) === 'down')
      this.#endings.superseded(delivery, snoozedReason(untilMs));
  }

  /** Looks at what waits for the check: it was snoozed, or its snooze has ended. */
  snoozeChanged(id: CheckId): void {
    for (const queue of this.#queues.values()) {
      const checkQueue = queue.ofCheck(id);
      if (!checkQueue?.waiting || !this.#isAdmitted(queue, checkQueue, [notHeld])) continue;
      // A snooze ends a delivery that it supersedes at once, due or not.
      if (unsentEndOf(this.#options.sources, checkQueue.waiting)) this.#attemptWaiting(queue, checkQueue);
      else this.#settle(queue, checkQueue);
    }
  }

  /** Ends the pause of an integration: its owner wants it tried now. */
  expedite(id: ChannelId): void {
    this.#queue(id).notBeforeMs = 0;
  }

  /** Lets what is in flight finish for `graceMs`, then cuts it off: it stays in the outbox. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    if (this.#scheduled) clearImmediate(this.#scheduled);
    const cut = setTimeout(() => this.#abort.abort(), graceMs);
    await Promise.all(this.#inFlight);
    clearTimeout(cut);
  }

  #queue(id: ChannelId): ChannelQueue {
    const known = this.#queues.get(id);
    if (known) return known;
    const queue = new ChannelQueue(id);
    this.#queues.set(id, queue);
    return queue;
  }

  /** A later state has come before the notification of an earlier one was sent. */
  #replace(checkQueue: CheckQueue, before: Delivery, later: Delivery): void {
    this.#endings.superseded(before, `the check was ${later.change.to} before this was sent`);
    if (isUntriedReminder(before)) return;
    const withinDelay = before.attempts === 0 && before.notBeforeMs > this.#options.clock.nowMs();
    if (
      withinDelay &&
      notificationKindOf(before.change) === 'down' &&
      notificationKindOf(later.change) === 'up'
    ) {
      checkQueue.waiting = null;
      this.#endings.superseded(later, "the check was down for less than the integration's delay");
    }
  }

  /** Schedules the waiting delivery of `checkQueue`, if there is one: at once, or when it is due. */
  #settle(queue: ChannelQueue, checkQueue: CheckQueue): void {
    checkQueue.cancel?.();
    checkQueue.cancel = null;
    if (checkQueue.busy) return;
    if (!checkQueue.waiting) {
      queue.tidy(checkQueue);
      if (queue.isEmpty && queue.running === 0 && queue.failures === 0) this.#queues.delete(queue.channelId);
      return;
    }
    if (!this.#isAdmitted(queue, checkQueue, [due])) return;
    queue.enqueue(checkQueue);
    this.progress.due();
    this.#turns.add(queue);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped || this.#scheduled) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = null;
      this.#turn();
    });
  }

  /** Begins some attempts, one of each integration in turn, and leaves the rest to the next turn. */
  #turn(): void {
    const { startsPerTurn, totalMax } = this.#options.limits;
    let started = 0;
    for (const queue of this.#turns) {
      if (this.#inFlight.size >= totalMax) return;
      if (started === startsPerTurn) {
        this.#schedule();
        return;
      }
      this.#turns.delete(queue);
      if (!this.#mayBegin(queue)) continue;
      const checkQueue = queue.dequeue();
      if (!checkQueue) continue;
      if (queue.hasReady) this.#turns.add(queue);
      this.#begin(queue, checkQueue);
      started++;
    }
  }

  /** A queue that may not is put into turn again when an attempt ends, or when its pause does. */
  #mayBegin(queue: ChannelQueue): boolean {
    const { perChannelMax, failuresMax } = this.#options.limits;
    return queue.running < (queue.failures >= failuresMax ? 1 : perChannelMax);
  }

  /** The delivery that was due when the queue was added may have been replaced since by one that is not. */
  #begin(queue: ChannelQueue, checkQueue: CheckQueue): void {
    if (this.#isAdmitted(queue, checkQueue, admission)) this.#attemptWaiting(queue, checkQueue);
  }

  /**
   * Whether all steps admit the waiting delivery. If a step holds it back, it is looked at again after that time. None is once this has
   * stopped: a step reads the check, and the store may be closed.
   */
  #isAdmitted(queue: ChannelQueue, checkQueue: CheckQueue, steps: typeof admission): boolean {
    const { sources, clock, limits } = this.#options;
    const delivery = checkQueue.waiting;
    if (!delivery || this.#stopped) return false;
    const check = sources.check(delivery.checkId);
    const maintenanceUntilMs = check && isReminder(delivery) ? sources.maintenanceUntil(check) : 0;
    const nowMs = clock.nowMs();
    const candidate = { delivery, check, pausedUntilMs: queue.notBeforeMs, maintenanceUntilMs, nowMs };
    for (const step of steps) {
      const waitMs = step(candidate);
      if (waitMs <= 0) continue;
      // Looked at, and put off on purpose: nothing is stuck.
      if (step !== due) this.progress.made();
      checkQueue.cancel?.();
      const again = (): void => this.#settle(queue, checkQueue);
      checkQueue.cancel = clock.after(Math.min(waitMs, limits.sleepMsMax), again);
      return false;
    }
    return true;
  }

  #attemptWaiting(queue: ChannelQueue, checkQueue: CheckQueue): void {
    const { waiting: delivery, busy } = checkQueue;
    if (!delivery || busy) return;
    checkQueue.cancel?.();
    checkQueue.cancel = null;
    checkQueue.waiting = null;
    checkQueue.busy = delivery;
    this.progress.made();
    queue.running++;
    const attempt: Promise<void> = this.#attempt(delivery).then((outcome) => {
      this.#inFlight.delete(attempt);
      this.progress.made();
      queue.running--;
      checkQueue.busy = null;
      if (outcome === 'goes on') this.#putBack(checkQueue, delivery);
      else if (outcome !== 'over' && !this.#abort.signal.aborted)
        this.#finish(queue, checkQueue, { delivery, outcome });
      this.#settle(queue, checkQueue);
      if (queue.hasReady) this.#turns.add(queue);
      if (this.#turns.size > 0) this.#schedule();
    });
    this.#inFlight.add(attempt);
  }

  #putBack(checkQueue: CheckQueue, delivery: Delivery): void {
    const { waiting } = checkQueue;
    if (waiting) this.#replace(checkQueue, delivery, waiting);
    else checkQueue.waiting = delivery;
  }

  #attempt(delivery: Delivery): Promise<AttemptEnd> {
    return runAttempt({
      delivery,
      sources: this.#options.sources,
      signal: this.#abort.signal,
      endUnsent: (end) => this.#endings.unsent(delivery, end),
      notice: null,
      outcome: null,
    });
  }

  #finish(queue: ChannelQueue, checkQueue: CheckQueue, ended: Ended): void {
    const { delivery, outcome } = ended;
    const channel = this.#options.sources.channel(delivery.channelId);
    if (channel) this.#options.sources.attempted(channel, delivery, outcome);
    if (outcome.kind === 'delivered') {
      queue.failures = 0;
      if (channel) this.#repeat(checkQueue, delivery, channel);
      this.#endings.delivered(delivery);
    } else if (outcome.kind === 'refused') this.#endings.givenUp(delivery, outcome.error);
    else this.#tryAgain(queue, checkQueue, { delivery, outcome });
  }

  /** Called before the delivery's end is recorded: a crash between the two must not lose the repetition. */
  #repeat(checkQueue: CheckQueue, delivery: Delivery, channel: Channel): void {
    const { repeatS } = settingsOf(channel);
    if (repeatS === 0 || notificationKindOf(delivery.change) !== 'down' || checkQueue.waiting) return;
    const sinceMs = this.#options.clock.nowMs();
    const id = asDeliveryId(this.#options.ids.newUuid());
    checkQueue.waiting = reminderOf({ ...delivery, id }, sinceMs, repeatS * second);
    this.#options.outbox.put(checkQueue.waiting);
  }

  #tryAgain(queue: ChannelQueue, checkQueue: CheckQueue, { delivery, outcome }: Ended<'failed'>): void {
    const { clock, limits } = this.#options;
    const nowMs = clock.nowMs();
    const attempts = delivery.attempts + 1;
    queue.failures++;
    this.#pause(queue, outcome.retryAfterMs);
    if (checkQueue.waiting) {
      this.#endings.superseded(
        { ...delivery, attempts },
        `${outcome.error}; then the check was ${checkQueue.waiting.change.to}`,
      );
      return;
    }
    if (isTooLate(attempts, nowMs - delivery.sinceMs, limits.retry)) {
      this.#endings.givenUp(delivery, outcome.error);
      return;
    }
    const plainMs = pauseMs(attempts, limits.retry, this.#options.chance());
    const notBeforeMs = nowMs + pauseAsked(plainMs, outcome.retryAfterMs, limits.retry);
    checkQueue.waiting = { ...delivery, attempts, notBeforeMs, error: outcome.error };
    this.#endings.failed(delivery, checkQueue.waiting);
  }

  /** One that keeps failing, or asks for a pause, gets it for all of its deliveries. */
  #pause(queue: ChannelQueue, askedMs: number | undefined): void {
    const { clock, limits } = this.#options;
    const over = queue.failures - limits.failuresMax;
    if (over < 0 && askedMs === undefined) return;
    const plainMs =
      over < 0
        ? 0
        : Math.min(limits.channelPauseMsMax, pauseMs(over + 1, limits.retry, this.#options.chance()));
    const untilMs = clock.nowMs() + pauseAsked(plainMs, askedMs, limits.retry);
    queue.notBeforeMs = Math.max(queue.notBeforeMs, untilMs);
  }
}

interface Ended<Kind extends Outcome['kind'] = Outcome['kind']> {
  readonly delivery: Delivery;
  readonly outcome: Extract<Outcome, { kind: Kind }>;
}
