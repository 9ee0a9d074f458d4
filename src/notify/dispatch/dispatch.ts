/**
 * Which delivery is sent when: the queues of the integrations and their turns. Takes the deliveries of status changes once they are
 * durable. `steps` says what a delivery goes through, `endings` what is recorded of its end; `channels/` reaches each kind.
 *
 * Invariants: a delivery ends only as delivered, or given up with the reason recorded, or with both its check and its
 * integration. Of one integration and check, the order is kept. Those of one incident that are due go into one message. An integration
 * that hangs or fails holds up no other: each has few attempts in flight at once, and only one while it keeps failing. Nothing is sent
 * in the turn in which a ping is answered.
 */
import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import { heldWords, untilWords } from '../../domain/alerting/held-words.ts';
import {
  type Delivery,
  isEscalation,
  isPutOff,
  isReminder,
  isUntriedReminder,
  notificationKindOf,
  reminderOf,
} from '../../domain/deliveries/delivery.ts';
import type { PlaceInQueue } from '../../domain/deliveries/sent-notification.ts';
import { kinds } from '../../integrations/all.ts';
import { assert } from '../../lib/errors.ts';
import { asDeliveryId, type ChannelId, type CheckId, type IncidentId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { MessageAbout, Outcome } from '../contract/channel.ts';
import {
  endedPerTurn,
  gatheredPerTurn,
  missingRefreshesMs,
  refreshedPerTurn,
  unnoticedLookEveryMs,
  unnoticedWaitMsMax,
} from '../contract/limits.ts';
import { isTooLate, pauseAsked, pauseMs } from '../contract/retry.ts';
import { candidateOf } from './candidate.ts';
import { ChannelQueue, type CheckQueue, inOrder } from './channel-queue.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { Endings } from './endings.ts';
import { keptBackBy } from './kept-back.ts';
import { NotifiedIncidents } from './notified-incidents.ts';
import { Progress } from './progress.ts';
import { isGone, refreshOf } from './refresh-due.ts';
import { type RefreshEnd, type Refreshed, Refreshes, type RefreshFailures } from './refreshes.ts';
import {
  type Admission,
  type Attempt,
  type AttemptEnd,
  admission,
  type Candidate,
  due,
  notHeld,
  notInMaintenance,
  notQuiet,
  runAttempt,
} from './steps.ts';
import { goesAlong, notAgainReason, replacedReason, snoozedReason, unsentEndOf } from './still-due.ts';
import { Turns } from './turns.ts';

const noIncident: Pick<MessageAbout, 'down' | 'message'> = { down: new Set(), message: null };

export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #endings: Endings;
  readonly #notified: NotifiedIncidents;
  readonly #refreshes: Refreshes;
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
    this.#notified = new NotifiedIncidents(options.sources, clock);
    this.#refreshes = new Refreshes({
      ...{ clock, everyMs: limits.refreshMs },
      refresh: (refreshed, failures) => this.#refresh(refreshed, failures),
    });
    // One listener for each attempt in flight; Node would take more than ten for a leak.
    setMaxListeners(limits.totalMax, this.#abort.signal);
  }

  /** Takes up everything that the outbox holds. */
  start(): void {
    const waiting = [...this.#options.outbox.all()].filter(({ state }) => state === 'waiting');
    for (const delivery of inOrder(waiting, (id) => this.#options.sources.lastChange(id)))
      this.take(delivery);
    void this.#findRefreshed();
  }

  async #findRefreshed(): Promise<void> {
    const turns = new Turns(this.#options.clock, refreshedPerTurn);
    for (const refreshed of this.#options.sources.refreshed()) {
      if (turns.isOver()) await turns.next();
      if (this.#stopped) return;
      if (refreshed && !this.#refreshes.has(refreshed)) this.#refreshes.add(refreshed);
    }
  }

  /** A new delivery, in the outbox already. Returns at once. */
  take(delivery: Delivery): void {
    if (this.#stopped) return;
    const queue = this.#queue(delivery.channelId);
    const known = queue.forDelivery(delivery);
    for (const one of known.behind.splice(0)) this.#replaceBehind(queue, one, delivery);
    const before = known.waiting;
    const isAnother = before !== null && before.id !== delivery.id;
    const isKept = isAnother && this.#isNeededEnd(before, delivery);
    if (isKept) queue.setAside(known);
    const checkQueue = isKept ? queue.forDelivery(delivery) : known;
    queue.wait(checkQueue, delivery);
    if (isAnother && !isKept) this.#replace(checkQueue, before);
    this.#settle(queue, checkQueue);
  }

  /**
   * Deliveries of one check to one integration, all of which are wanted again, each in the outbox already. They are sent one after the
   * other in the order of their changes, and what waits there anyway in its place among them.
   */
  takeAll(deliveries: readonly Delivery[]): void {
    const [first] = deliveries;
    if (first === undefined || this.#stopped) return;
    const queue = this.#queue(first.channelId);
    const ids = new Set(deliveries.map(({ id }) => id));
    for (const checkQueue of new Set(deliveries.map((one) => queue.forDelivery(one)))) {
      const wanted = deliveries.filter((one) => queue.forDelivery(one) === checkQueue);
      const others = [checkQueue.waiting, ...checkQueue.behind].filter((one) => one !== null);
      const all = [...others.filter(({ id }) => !ids.has(id)), ...wanted];
      checkQueue.waiting = null;
      checkQueue.behind = inOrder(all, (id) => this.#options.sources.lastChange(id));
      queue.promote(checkQueue);
      this.#settle(queue, checkQueue);
    }
  }

  /**
   * Likewise, where its owner did not ask for what waits there: that is replaced by what is later than it, as ever, and what is earlier
   * goes before it.
   */
  takeAgain(deliveries: readonly Delivery[]): void {
    const [only, another] = deliveries;
    if (only === undefined) return;
    const all = [...this.waitingWith(only), only];
    const last = inOrder(all, (id) => this.#options.sources.lastChange(id)).at(-1);
    if (another === undefined && last === only) this.take(only);
    else this.takeAll(deliveries);
  }

  /** What waits in the queue of a delivery. */
  waitingWith(delivery: Delivery): readonly Delivery[] {
    const { waiting, behind } = this.#queue(delivery.channelId).forDelivery(delivery);
    return waiting === null ? behind : [waiting, ...behind];
  }

  /** Whether something about the check is being sent to the integration at this moment. */
  isSending({ channelId, checkId }: Pick<Delivery, 'channelId' | 'checkId'>): boolean {
    const queues = this.#queues.get(channelId)?.ofCheck(checkId) ?? [];
    return queues.some(({ busy }) => busy !== null);
  }

  stateOf({ id, channelId, checkId }: Delivery): PlaceInQueue {
    const queue = this.#queues.get(channelId);
    if (!queue) return { isInFlight: false, isBehind: false, pausedUntilMs: 0 };
    const isInFlight = queue.ofCheck(checkId).some(({ busy }) => busy?.id === id);
    const isKept = queue.notBeforeMs > this.#options.clock.nowMs() || !this.#mayBegin(queue);
    return {
      isInFlight,
      isBehind: isKept && !isInFlight && queue.size > 1,
      pausedUntilMs: queue.notBeforeMs,
    };
  }

  /** Why it would not be sent now, such as a snooze; empty where it would. */
  keptBackBy(delivery: Delivery): string {
    const { sources, clock } = this.#options;
    return keptBackBy(sources, delivery, clock.nowMs());
  }

  /** Ends one that was given up, and is not true any more: it is not sent again. */
  outdated(delivery: Delivery, reason: string): void {
    this.#endings.superseded(delivery, reason);
  }

  /**
   * Whether a delivery is the end of an incident of whose beginning the integration was notified, and what comes later is about another
   * incident: a service that knows both by their keys would keep the first one open without end.
   */
  #isNeededEnd(delivery: Delivery, later: Delivery): boolean {
    const { incident, change } = delivery;
    return (
      incident !== undefined &&
      incident !== later.incident &&
      notificationKindOf(change) === 'up' &&
      this.#notified.has(delivery)
    );
  }

  /** Takes a delivery that waits out of the line. False when it is in flight, and will have its outcome recorded. */
  withdraw(delivery: Delivery): boolean {
    const queue = this.#queue(delivery.channelId);
    for (const checkQueue of queue.ofCheck(delivery.checkId)) {
      if (checkQueue.busy?.id === delivery.id) return false;
      if (checkQueue.waiting?.id === delivery.id) checkQueue.waiting = null;
      checkQueue.behind = checkQueue.behind.filter(({ id }) => id !== delivery.id);
      queue.promote(checkQueue);
      this.#settle(queue, checkQueue);
    }
    this.#tidy(queue);
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
      for (const checkQueue of queue.ofCheck(id)) {
        if (!checkQueue.waiting || !this.#isAdmitted(queue, checkQueue, [notHeld])) continue;
        // A snooze ends a delivery that it supersedes at once, due or not.
        if (unsentEndOf(this.#options.sources, checkQueue.waiting)) this.#attemptWaiting(queue, checkQueue);
        else this.#settle(queue, checkQueue);
      }
    }
  }

  /** Ends the pause of an integration: its owner wants it tried now. */
  expedite(id: ChannelId): void {
    this.#queue(id).notBeforeMs = 0;
  }

  /** Lets what is in flight finish for `graceMs`, then cuts it off: it stays in the outbox. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#refreshes.stop();
    if (this.#scheduled) clearImmediate(this.#scheduled);
    for (const queue of this.#queues.values()) queue.cancelTimers();
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

  /** A later state, which waits by now, has come before the notification of an earlier one was sent. */
  #replace(checkQueue: CheckQueue, before: Delivery): void {
    const later = checkQueue.waiting;
    if (!later) return;
    this.#endings.superseded(before, replacedReason(before, later));
    if (isUntriedReminder(before)) return;
    const isEnd = notificationKindOf(before.change) === 'down' && notificationKindOf(later.change) === 'up';
    if (!isEnd || before.attempts > 0) return;
    const channel = this.#options.sources.channel(before.channelId);
    const isEscalated = channel !== null && isEscalation(before, channel);
    if (
      (!isEscalated && !isPutOff(before, this.#options.clock.nowMs())) ||
      this.#mayKnowDown(checkQueue, before)
    )
      return;
    checkQueue.waiting = null;
    this.#endings.superseded(
      later,
      isEscalated
        ? 'the check was up, or acknowledged, before this integration was to be notified'
        : before.quiet
          ? 'the check was down only while a window kept this back'
          : "the check was down for less than the integration's delay",
    );
  }

  /** What its owner wanted sent after others has not been sent before a new state came. */
  #replaceBehind(queue: ChannelQueue, before: Delivery, later: Delivery): void {
    if (this.#isNeededEnd(before, later)) this.#waitAside(queue, before);
    else this.#endings.superseded(before, replacedReason(before, later));
  }

  /** Whether the integration was notified that the check is down, and of no end since, or is being notified of it now. */
  #mayKnowDown({ busy }: CheckQueue, delivery: Delivery): boolean {
    return (busy !== null && notificationKindOf(busy.change) === 'down') || this.#notified.has(delivery);
  }

  /** Schedules the waiting delivery of `checkQueue`, if there is one: at once, or when it is due. */
  #settle(queue: ChannelQueue, checkQueue: CheckQueue): void {
    checkQueue.cancel?.();
    checkQueue.cancel = null;
    if (checkQueue.busy) return;
    if (!checkQueue.waiting) {
      queue.tidy(checkQueue);
      this.#tidy(queue);
      return;
    }
    if (!this.#isAdmitted(queue, checkQueue, [due])) return;
    queue.enqueue(checkQueue);
    this.progress.due();
    this.#turns.add(queue);
    this.#schedule();
  }

  /** Forgets a queue in which nothing waits and nothing is in flight. */
  #tidy(queue: ChannelQueue): void {
    if (queue.isEmpty && queue.running === 0 && queue.failures === 0) this.#queues.delete(queue.channelId);
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
    if (queue.isSending(checkQueue)) return;
    if (!this.#isAdmitted(queue, checkQueue, admission)) return;
    const { waiting } = checkQueue;
    // Attempts end a day after the window, however long that was.
    if (waiting?.quiet && waiting.attempts === 0)
      queue.wait(checkQueue, {
        ...waiting,
        sinceMs: Math.max(waiting.notBeforeMs, this.#options.clock.nowMs()),
      });
    this.#attemptWaiting(queue, checkQueue);
  }

  /**
   * Whether all steps admit the waiting delivery. If a step holds it back, it is looked at again after that time. None is once this has
   * stopped: a step reads the check, and the store may be closed.
   */
  #isAdmitted(queue: ChannelQueue, checkQueue: CheckQueue, steps: typeof admission): boolean {
    const { sources, clock, limits } = this.#options;
    const delivery = checkQueue.waiting;
    if (!delivery || this.#stopped) return false;
    const times = { nowMs: clock.nowMs(), pausedUntilMs: queue.notBeforeMs };
    const candidate = candidateOf(sources, delivery, times);
    for (const step of steps) {
      const waitMs = step(candidate);
      if (waitMs <= 0) continue;
      // Looked at, and put off on purpose: nothing is stuck.
      if (step !== due) this.progress.made();
      this.#noteHeld(queue, checkQueue, heldBy(step, candidate));
      checkQueue.cancel?.();
      checkQueue.cancel = null;
      const afterMs = Math.min(waitMs, limits.sleepMsMax);
      if (step === due && delivery.incident !== undefined) this.#wakeAfter(queue, delivery.incident, afterMs);
      else checkQueue.cancel = clock.after(afterMs, () => this.#settle(queue, checkQueue));
      return false;
    }
    return true;
  }

  /** One timer for all of an incident that wait: ten thousand that go off at once hold the event loop. */
  #wakeAfter(queue: ChannelQueue, incident: IncidentId, afterMs: number): void {
    const { clock } = this.#options;
    const atMs = clock.nowMs() + afterMs;
    const known = queue.wakes.get(incident);
    if (known && known.atMs <= atMs) return;
    known?.cancel();
    const cancel = clock.after(afterMs, () => void this.#wake(queue, incident));
    queue.wakes.set(incident, { atMs, cancel });
  }

  async #wake(queue: ChannelQueue, incident: IncidentId): Promise<void> {
    queue.wakes.delete(incident);
    const turns = new Turns(this.#options.clock, gatheredPerTurn);
    for (const checkQueue of queue.ofIncident(incident)) {
      if (turns.isOver()) await turns.next();
      if (checkQueue.waiting && !checkQueue.isReady) this.#settle(queue, checkQueue);
    }
  }

  /** A window keeps it back: that is in the check's log, once. */
  #noteHeld(queue: ChannelQueue, checkQueue: CheckQueue, reason: string | null): void {
    const { waiting } = checkQueue;
    if (reason === null || !waiting || waiting.quiet) return;
    const quiet: Delivery = { ...waiting, quiet: true };
    queue.wait(checkQueue, quiet);
    this.#options.outbox.put(quiet);
    this.#endings.held(quiet, reason);
  }

  #attemptWaiting(queue: ChannelQueue, checkQueue: CheckQueue): void {
    const { waiting: lead, busy } = checkQueue;
    if (!lead || busy) return;
    const first = begun(queue, checkQueue);
    this.progress.made();
    const { incident } = lead;
    const attempt =
      incident === undefined
        ? this.#attempt(queue, [first])
        : this.#attemptOfIncident(queue, first, incident);
    this.#track(queue, attempt);
  }

  /** One message about an incident at a time: what one says follows from those before it, and their order is kept. */
  async #attemptOfIncident(queue: ChannelQueue, first: Member, incident: IncidentId): Promise<void> {
    const isOnly = !queue.sending.has(incident);
    queue.sending.add(incident);
    if (this.#isCollected(first.delivery)) await this.#noticed();
    await this.#attempt(queue, await this.#gathered(queue, first, incident));
    if (isOnly) this.#sent(queue, incident);
  }

  #isCollected({ channelId, attempts, change }: Delivery): boolean {
    const channel = this.#options.sources.channel(channelId);
    return (
      channel !== null &&
      attempts === 0 &&
      notificationKindOf(change) === 'down' &&
      settingsOf(channel).collectS > 0
    );
  }

  /** Resolves when what went down before this moment waits here, so that one message lists it all; late by a bounded time. */
  async #noticed(): Promise<void> {
    const { sources, clock } = this.#options;
    if (sources.isCaughtUp()) return;
    const untilMs = clock.elapsedMs() + unnoticedWaitMsMax;
    const leftMs = (): number => untilMs - clock.elapsedMs();
    const after = (ms: number) =>
      new Promise<null>((resolve) => {
        clock.after(ms, () => resolve(null));
      });
    while (!sources.isCaughtUp() && leftMs() > 0 && !this.#stopped) await after(unnoticedLookEveryMs);
    // A disk that is full, or a log that does not answer, may take long over it: what is here goes out by then.
    if (!this.#stopped) await Promise.race([sources.durably(() => null), after(leftMs())]);
  }

  /** Those that are due, and did not go along, have had to wait for their turn. */
  #sent(queue: ChannelQueue, incident: IncidentId): void {
    queue.sending.delete(incident);
    queue.wakes.get(incident)?.cancel();
    void this.#wake(queue, incident);
  }

  /** It is in flight until it is over. */
  #track(queue: ChannelQueue, begun: Promise<unknown>): void {
    queue.running++;
    const attempt: Promise<void> = begun.then(() => {
      this.#inFlight.delete(attempt);
      this.progress.made();
      queue.running--;
      this.#tidy(queue);
      if (queue.hasReady) this.#turns.add(queue);
      if (this.#turns.size > 0) this.#schedule();
    });
    this.#inFlight.add(attempt);
  }

  /** With those of the same incident that go into the same message; none where there is no message. Some in each turn. */
  async #gathered(queue: ChannelQueue, first: Member, incident: IncidentId): Promise<readonly Member[]> {
    const { sources } = this.#options;
    const lead = first.delivery;
    const channel = sources.channel(lead.channelId);
    if (!channel || unsentEndOf(sources, lead)) return [first];
    const members = [first];
    const turns = new Turns(this.#options.clock, gatheredPerTurn);
    for (const checkQueue of queue.ofIncident(incident)) {
      if (turns.isOver()) await turns.next();
      const { waiting: delivery, busy } = checkQueue;
      if (busy || delivery?.incident !== incident) continue;
      if (this.#goesAlong(queue, lead, { delivery, channel })) members.push(begun(queue, checkQueue));
    }
    return members;
  }

  /** It is due with the other, and for itself nothing ends it or holds it back. */
  #goesAlong(queue: ChannelQueue, lead: Delivery, { delivery, channel }: Waiting): boolean {
    const { sources, clock } = this.#options;
    const nowMs = clock.nowMs();
    if (!goesAlong(sources, { lead, delivery, channel, nowMs }) || unsentEndOf(sources, delivery))
      return false;
    const candidate = candidateOf(sources, delivery, { nowMs, pausedUntilMs: queue.notBeforeMs });
    return admission.every((step) => step === due || step(candidate) <= 0);
  }

  /** Ends for all that the message was about; the first of them may end without one. */
  async #attempt(queue: ChannelQueue, members: readonly Member[]): Promise<void> {
    const [first] = members;
    assert(first !== undefined, 'an attempt is about something');
    const about = members.map(({ delivery }) => delivery);
    const { incident } = first.delivery;
    const known = incident === undefined ? noIncident : await this.#knownOf(incident, about);
    const attempt = this.#newAttempt(first.delivery, { members: about, known }, (end) =>
      this.#endings.unsent(first.delivery, end),
    );
    const end = await runAttempt(attempt);
    const onlyFirst = attempt.notice === null || end === 'over';
    if (typeof end !== 'string' && !this.#abort.signal.aborted) this.#noteOutcome(queue, first.delivery, end);
    // The first response of all takes some milliseconds to read.
    if (members.length > gatheredPerTurn) await nextTurn();
    await this.#ended(queue, { members, tried: onlyFirst ? first : 'all', end });
  }

  async #knownOf(incident: IncidentId, members: readonly Delivery[]): Promise<typeof noIncident> {
    const known = await this.#notified.after(incident, members);
    // A message about thousands takes some milliseconds to write.
    if (members.length > gatheredPerTurn) await nextTurn();
    return known;
  }

  #newAttempt(
    delivery: Delivery,
    {
      members,
      known,
    }: { readonly members: readonly Delivery[]; readonly known: Omit<MessageAbout, 'members'> },
    endUnsent: Attempt['endUnsent'] = () => {},
  ): Attempt {
    return {
      delivery,
      endUnsent,
      notice: null,
      outcome: null,
      about: { members, ...known },
      sources: this.#options.sources,
      signal: this.#abort.signal,
    };
  }

  /** The attempt is over for all of its members, at most some of them in one turn. */
  async #ended(queue: ChannelQueue, { members, tried, end }: EndedAttempt): Promise<void> {
    const isCut = this.#abort.signal.aborted;
    const turns = new Turns(this.#options.clock, endedPerTurn);
    for (const member of members) {
      if (turns.isOver()) await turns.next();
      const { checkQueue, delivery } = member;
      checkQueue.busy = null;
      if (isCut) continue;
      const isTried = tried === 'all' || tried === member;
      if (end === 'goes on' || !isTried) this.#putBack(queue, checkQueue, delivery);
      else if (typeof end !== 'string') this.#finish(queue, checkQueue, { delivery, outcome: end });
      this.#settle(queue, checkQueue);
    }
  }

  #putBack(queue: ChannelQueue, checkQueue: CheckQueue, delivery: Delivery): void {
    const { waiting } = checkQueue;
    if (waiting === null) queue.wait(checkQueue, delivery);
    else if (this.#isNeededEnd(delivery, waiting)) this.#waitAside(queue, delivery);
    else this.#replace(checkQueue, delivery);
  }

  #waitAside(queue: ChannelQueue, delivery: Delivery): void {
    const checkQueue = queue.aside(delivery.checkId);
    queue.wait(checkQueue, delivery);
    this.#settle(queue, checkQueue);
  }

  /** What one attempt says of its integration, however many deliveries it was about. */
  #noteOutcome(queue: ChannelQueue, attempted: Pick<Delivery, 'attempts' | 'error'>, outcome: Outcome): void {
    const { sources } = this.#options;
    const channel = sources.channel(queue.channelId);
    if (channel) sources.attempted(channel, attempted, outcome);
    if (outcome.kind === 'delivered') queue.failures = 0;
    if (outcome.kind !== 'failed') return;
    queue.failures++;
    this.#pause(queue, outcome.retryAfterMs);
  }

  #finish(queue: ChannelQueue, checkQueue: CheckQueue, { delivery, outcome }: Ended): void {
    const channel = this.#options.sources.channel(delivery.channelId);
    if (outcome.kind === 'delivered') {
      if (channel) this.#repeat(queue, checkQueue, { delivery, channel });
      this.#notified.delivered(delivery);
      if (channel) this.#noteNotified(channel, delivery);
      if (outcome.message !== undefined)
        this.#notified.sentAs(delivery, outcome.message, this.#options.clock.nowMs());
      this.#endings.delivered(delivery, outcome.message);
    } else if (outcome.kind === 'refused') this.#endings.givenUp(delivery, outcome.error);
    else this.#tryAgain(queue, checkQueue, { delivery, outcome });
  }

  #noteNotified({ kind }: Channel, { channelId, checkId, incident, change }: Delivery): void {
    const notificationKind = notificationKindOf(change);
    if (kinds[kind].isRefreshed && notificationKind)
      this.#refreshes.notified({ channelId, checkId, incident }, notificationKind);
  }

  /** Sends again what an integration was notified of. Alerts come first. */
  #refresh(refreshed: Refreshed, failures: RefreshFailures): Promise<RefreshEnd> | RefreshEnd {
    const { sources, clock, limits, ids } = this.#options;
    const known = { sources, notified: this.#notified };
    if (isGone(known, refreshed)) return 'gone';
    const queue = this.#queue(refreshed.channelId);
    const nowMs = clock.nowMs();
    const isFree =
      !queue.hasReady && this.#mayBegin(queue) && this.#inFlight.size < limits.totalMax && !this.#stopped;
    const delivery =
      isFree && queue.notBeforeMs <= nowMs
        ? refreshOf(known, queue, { refreshed, nowMs, id: asDeliveryId(ids.newUuid()) })
        : null;
    if (!delivery) {
      this.#tidy(queue);
      return 'later';
    }
    const sent = this.#sendRefresh(queue, delivery, failures);
    this.#track(queue, sent);
    return sent;
  }

  /** Nothing else about the check, or the incident, is sent meanwhile: its end must not come first. */
  async #sendRefresh(
    queue: ChannelQueue,
    delivery: Delivery,
    failures: RefreshFailures,
  ): Promise<RefreshEnd> {
    const { incident, checkId } = delivery;
    const checkQueue = queue.forCheck(checkId);
    checkQueue.busy = delivery;
    if (incident !== undefined) queue.sending.add(incident);
    this.progress.made();
    const members = [delivery];
    const known = incident === undefined ? noIncident : await this.#knownOf(incident, members);
    const attempt = this.#newAttempt(delivery, { members, known: { ...known, isRefresh: true } });
    const end = await runAttempt(attempt);
    const isTried = typeof end !== 'string' && attempt.notice !== null && !this.#abort.signal.aborted;
    if (isTried) this.#noteRefresh(queue, failures, end);
    checkQueue.busy = null;
    this.#settle(queue, checkQueue);
    if (incident !== undefined) this.#sent(queue, incident);
    return isTried ? end : 'later';
  }

  /** Counts for the health of its integration, and is in no log of a check: nobody was notified. */
  #noteRefresh(queue: ChannelQueue, { count, sinceMs, error }: RefreshFailures, outcome: Outcome): void {
    const { sources, metrics, logger, clock } = this.#options;
    const channel = sources.channel(queue.channelId);
    const isDelivered = outcome.kind === 'delivered';
    if (channel) metrics.refresh(channel.kind, isDelivered ? 'delivered' : 'failed');
    if (!isDelivered && queue.failures === 0)
      logger.warn({ channel: queue.channelId, error: outcome.error }, 'refresh failed');
    // As with deliveries, that nothing is at an address is a proof only after an hour.
    const isLong = count > 0 && clock.elapsedMs() - sinceMs >= missingRefreshesMs;
    this.#noteOutcome(queue, { attempts: isLong ? count : 0, error }, outcome);
  }

  /** Called before the delivery's end is recorded: a crash between the two must not lose the repetition. */
  #repeat(
    queue: ChannelQueue,
    checkQueue: CheckQueue,
    { delivery, channel }: { readonly delivery: Delivery; readonly channel: Channel },
  ): void {
    const { repeatS } = settingsOf(channel);
    if (repeatS === 0 || notificationKindOf(delivery.change) !== 'down' || checkQueue.waiting) return;
    const sinceMs = this.#options.clock.nowMs();
    const id = asDeliveryId(this.#options.ids.newUuid());
    const reminder = reminderOf({ ...delivery, id }, sinceMs, repeatS * second);
    queue.wait(checkQueue, reminder);
    this.#options.outbox.put(reminder);
  }

  #tryAgain(queue: ChannelQueue, checkQueue: CheckQueue, { delivery, outcome }: Ended<'failed'>): void {
    const { clock, limits } = this.#options;
    const nowMs = clock.nowMs();
    const attempts = delivery.attempts + 1;
    const { waiting } = checkQueue;
    const isNeeded = waiting !== null && this.#isNeededEnd(delivery, waiting);
    if (waiting && !isNeeded) {
      this.#endings.superseded(
        { ...delivery, attempts },
        `${outcome.error}; ${notAgainReason(delivery, waiting)}`,
      );
      return;
    }
    if (isTooLate(attempts, nowMs - delivery.sinceMs, limits.retry)) {
      this.#endings.givenUp(delivery, outcome.error);
      return;
    }
    const plainMs = pauseMs(attempts, limits.retry, this.#options.chance());
    const notBeforeMs = nowMs + pauseAsked(plainMs, outcome.retryAfterMs, limits.retry);
    const again: Delivery = { ...delivery, attempts, notBeforeMs, error: outcome.error, triedMs: nowMs };
    if (isNeeded) this.#waitAside(queue, again);
    else queue.wait(checkQueue, again);
    this.#endings.failed(delivery, again);
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

interface Waiting {
  readonly delivery: Delivery;
  readonly channel: Channel;
}

/** By which window a step has kept it back; null for something else, and for a reminder in maintenance, which leaves no trace. */
function heldBy(step: Admission, { delivery, maintenance, quiet }: Candidate): string | null {
  if (step === notQuiet && quiet) return `quiet hours “${quiet.name}”${untilWords(quiet.untilMs)}`;
  if (step !== notInMaintenance || !maintenance || isReminder(delivery)) return null;
  const { name: about, untilMs } = maintenance;
  return heldWords({ reason: 'maintenance', about, untilMs });
}

/** A check of which a delivery is in flight. */
interface Member {
  readonly checkQueue: CheckQueue;
  readonly delivery: Delivery;
}

interface EndedAttempt {
  readonly members: readonly Member[];
  /** Those for which `end` is one. The others wait again. */
  readonly tried: Member | 'all';
  readonly end: AttemptEnd;
}

/** Its waiting delivery is in flight from now on, and what is behind it waits. */
function begun(queue: ChannelQueue, checkQueue: CheckQueue): Member {
  const { waiting: delivery } = checkQueue;
  assert(delivery !== null, 'what begins has waited');
  checkQueue.cancel?.();
  checkQueue.cancel = null;
  checkQueue.waiting = null;
  checkQueue.busy = delivery;
  queue.promote(checkQueue);
  return { checkQueue, delivery };
}

interface Ended<Kind extends Outcome['kind'] = Outcome['kind']> {
  readonly delivery: Delivery;
  readonly outcome: Extract<Outcome, { kind: Kind }>;
}
