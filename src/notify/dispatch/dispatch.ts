/**
 * Which delivery is sent when. Takes the deliveries of status changes once they are durable, sends them through the
 * integrations' senders, and records the outcomes. Not what a message says (`render`), how a kind is reached (`channels/`).
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
  isUntriedReminder,
  notificationKindOf,
  reminderOf,
} from '../../domain/deliveries/delivery.ts';
import { asDeliveryId, type ChannelId, type CheckId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { Outcome } from '../contract/channel.ts';
import { isTooLate, pauseAsked, pauseMs } from '../contract/retry.ts';
import { unlessAborted } from '../wire/unless-aborted.ts';
import { ChannelQueue, type CheckQueue, inOrder } from './channel-queue.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { OutcomeRecorder } from './outcome-recorder.ts';
import { Progress } from './progress.ts';
import { holdOf, snoozedReason, unsentEndOf } from './still-due.ts';

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #recorder: OutcomeRecorder;
  readonly progress: Progress;
  readonly #queues = new Map<ChannelId, ChannelQueue>();
  /** Those with something due, in the order of their turns. */
  readonly #turns = new Set<ChannelQueue>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #scheduled: NodeJS.Immediate | null = null;
  #stopped = false;

  constructor(options: DispatchOptions) {
    this.#options = options;
    const { sources, clock, limits } = options;
    this.progress = new Progress({
      clock,
      stuckMs: limits.stuckMs,
      isIdle: () => this.#turns.size + this.#inFlight.size === 0,
    });
    this.#recorder = new OutcomeRecorder({
      ...options,
      check: (id) => sources.check(id),
      channel: (id) => sources.channel(id),
    });
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
      this.#supersede(delivery, snoozedReason(untilMs));
  }

  /** Looks at what waits for the check: it was snoozed, or its snooze has ended. */
  snoozeChanged(id: CheckId): void {
    for (const queue of this.#queues.values()) {
      const checkQueue = queue.ofCheck(id);
      if (!checkQueue?.waiting || this.#isPutOff(queue, checkQueue)) continue;
      // What the snooze supersedes, it does at once, due or not.
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
    this.#supersede(before, `the check was ${later.change.to} before this was sent`);
    if (isUntriedReminder(before)) return;
    const withinDelay = before.attempts === 0 && before.notBeforeMs > this.#options.clock.nowMs();
    if (
      withinDelay &&
      notificationKindOf(before.change) === 'down' &&
      notificationKindOf(later.change) === 'up'
    ) {
      checkQueue.waiting = null;
      this.#supersede(later, "the check was down for less than the integration's delay");
    }
  }

  /** A reminder that is not needed any more leaves no trace: what it is about was delivered. */
  #supersede(delivery: Delivery, error: string): void {
    if (isUntriedReminder(delivery)) {
      this.#options.outbox.end(delivery.id, 'dropped');
      return;
    }
    this.#recorder.count(delivery, 'superseded');
    this.#recorder.log({ delivery, outcome: 'superseded', attempts: delivery.attempts, error });
    const endedMs = this.#options.clock.nowMs();
    this.#options.outbox.put({ ...delivery, state: 'superseded', error, endedMs });
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
    const { clock, limits } = this.#options;
    const waitMs = Math.max(checkQueue.waiting.notBeforeMs, queue.notBeforeMs) - clock.nowMs();
    if (waitMs > 0) {
      checkQueue.cancel = clock.after(Math.min(waitMs, limits.sleepMsMax), () =>
        this.#settle(queue, checkQueue),
      );
      return;
    }
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

  #begin(queue: ChannelQueue, checkQueue: CheckQueue): void {
    const delivery = checkQueue.waiting;
    if (!delivery) return;
    // The delivery that was due when the queue was added may have been replaced since by one that is not.
    if (Math.max(queue.notBeforeMs, delivery.notBeforeMs) > this.#options.clock.nowMs()) {
      this.#settle(queue, checkQueue);
      return;
    }
    if (!this.#isPutOff(queue, checkQueue)) this.#attemptWaiting(queue, checkQueue);
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
      else if (outcome !== null && !this.#abort.signal.aborted)
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

  /** Its check is snoozed or acknowledged, and what waits has to wait for the end of that. */
  #isPutOff(queue: ChannelQueue, checkQueue: CheckQueue): boolean {
    const { sources, clock, limits } = this.#options;
    const delivery = checkQueue.waiting;
    const check = delivery && sources.check(delivery.checkId);
    const hold = check && holdOf(delivery, check);
    if (hold?.kind !== 'held') return false;
    this.progress.made();
    checkQueue.cancel?.();
    checkQueue.cancel = clock.after(Math.min(hold.forMs, limits.sleepMsMax), () =>
      this.#settle(queue, checkQueue),
    );
    return true;
  }

  /** Null: ended already, or cut off. */
  async #attempt(delivery: Delivery): Promise<Outcome | 'goes on' | null> {
    const { sources } = this.#options;
    const [channel, check] = [sources.channel(delivery.channelId), sources.check(delivery.checkId)];
    if (!channel || !check || unsentEndOf(sources, delivery)) return this.#endUnsent(delivery);
    const notice = await unlessAborted(sources.notice(delivery, check, channel), this.#abort.signal);
    const outcome = notice && (await sources.send(notice, this.#abort.signal));
    if (outcome?.kind === 'delivered' || unsentEndOf(sources, delivery)?.kind !== 'dropped') return outcome;
    const end = await this.#endUnsent(delivery);
    return end === 'goes on' ? outcome : end;
  }

  /** What the check and the integration are by now may be undone, with a batch that cannot be written: then the delivery goes on. */
  async #endUnsent(delivery: Delivery): Promise<Outcome | 'goes on' | null> {
    const { sources, outbox } = this.#options;
    const read = sources.durably(() => ({ end: unsentEndOf(sources, delivery) }));
    const durable = await unlessAborted(read, this.#abort.signal);
    if (durable === null) return null;
    const { end } = durable;
    if (end === null) return 'goes on';
    if (end.kind === 'refused') return { kind: 'refused', error: end.error };
    if (end.kind === 'dropped') outbox.end(delivery.id, 'dropped');
    else this.#supersede(delivery, end.error);
    return null;
  }

  #finish(queue: ChannelQueue, checkQueue: CheckQueue, ended: Ended): void {
    const { delivery, outcome } = ended;
    const channel = this.#options.sources.channel(delivery.channelId);
    const error = outcome.kind === 'delivered' ? '' : outcome.error;
    if (channel) this.#options.sources.attempted(channel, delivery, outcome);
    if (outcome.kind === 'delivered') {
      queue.failures = 0;
      this.#recorder.count(delivery, 'delivered');
      this.#recorder.log({ delivery, outcome: 'delivered', attempts: delivery.attempts + 1, error: '' });
      if (channel) this.#repeat(checkQueue, delivery, channel);
      this.#options.outbox.end(delivery.id, 'delivered');
    } else if (outcome.kind === 'refused') this.#giveUp(delivery, error);
    else this.#tryAgain(queue, checkQueue, { delivery, outcome });
  }

  /** Before the delivery's end is recorded: a crash between the two must not lose the repetition. */
  #repeat(checkQueue: CheckQueue, delivery: Delivery, channel: Channel): void {
    const { repeatS } = settingsOf(channel);
    if (repeatS === 0 || notificationKindOf(delivery.change) !== 'down' || checkQueue.waiting) return;
    const sinceMs = this.#options.clock.nowMs();
    const id = asDeliveryId(this.#options.ids.newUuid());
    checkQueue.waiting = reminderOf({ ...delivery, id }, sinceMs, repeatS * second);
    this.#options.outbox.put(checkQueue.waiting);
  }

  #giveUp(delivery: Delivery, error: string): void {
    const { clock, logger, outbox } = this.#options;
    this.#recorder.count(delivery, 'dead');
    this.#recorder.log({ delivery, outcome: 'failed', attempts: delivery.attempts + 1, error });
    outbox.put({
      ...delivery,
      attempts: delivery.attempts + 1,
      state: 'dead',
      error,
      endedMs: clock.nowMs(),
    });
    logger.error({ ...this.#recorder.fields(delivery), error }, 'notification failed, not retrying');
  }

  #tryAgain(queue: ChannelQueue, checkQueue: CheckQueue, { delivery, outcome }: Ended<'failed'>): void {
    const { clock, limits, outbox, logger } = this.#options;
    const nowMs = clock.nowMs();
    const attempts = delivery.attempts + 1;
    queue.failures++;
    this.#pause(queue, outcome.retryAfterMs);
    if (checkQueue.waiting) {
      this.#supersede(
        { ...delivery, attempts },
        `${outcome.error}; then the check was ${checkQueue.waiting.change.to}`,
      );
      return;
    }
    if (isTooLate(attempts, nowMs - delivery.sinceMs, limits.retry)) {
      this.#giveUp(delivery, outcome.error);
      return;
    }
    this.#recorder.count(delivery, 'failed');
    const plainMs = pauseMs(attempts, limits.retry, this.#options.chance());
    const notBeforeMs = nowMs + pauseAsked(plainMs, outcome.retryAfterMs, limits.retry);
    checkQueue.waiting = { ...delivery, attempts, notBeforeMs, error: outcome.error };
    outbox.put(checkQueue.waiting);
    logger.warn(
      { ...this.#recorder.fields(delivery), attempts, error: outcome.error },
      'notification failed, retrying',
    );
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
