/**
 * The notifications that one integration still has to receive: one queue per check, which keeps their order, and how well
 * the integration has worked lately. `dispatch` decides which integration is served next and what is sent.
 * Invariant: of one check, at most one delivery is in flight and at most one waits: a later state supersedes an earlier one
 * that was not sent, unless an owner asks for both. Two have a queue of their own beside that: warnings, which are about a moment and leave the state as it is, and the end
 * of an incident that the integration was notified of, once something of another incident comes.
 */
import type { StatusChange } from '../../domain/check/flip.ts';
import { type Delivery, notificationKindOf } from '../../domain/deliveries/delivery.ts';
import type { ChannelId, CheckId, IncidentId } from '../../lib/ids.ts';

export interface CheckQueue {
  readonly checkId: CheckId;
  waiting: Delivery | null;
  /** What is sent after `waiting`, in this order: its owner wants all of it. */
  behind: Delivery[];
  busy: Delivery | null;
  /** That of the delivery that waited last; undefined for none. */
  incident: IncidentId | undefined;
  /** Whether it is among those that are due. */
  isReady: boolean;
  /** Cancels the timer of one that is not due yet. */
  cancel: (() => void) | null;
}

export class ChannelQueue {
  readonly channelId: ChannelId;
  /** Number of attempts in flight. */
  running = 0;
  /** Failures since the last success. */
  failures = 0;
  /** Nothing begins before this instant. */
  notBeforeMs = 0;
  /** Incidents about which a message is being made or sent: no delivery of theirs begins by itself meanwhile. */
  readonly sending = new Set<IncidentId>();
  /** When the next of an incident's deliveries is looked at, and how to do without it. */
  readonly wakes = new Map<IncidentId, { readonly atMs: number; readonly cancel: () => void }>();
  readonly #byCheck = new Map<CheckId, CheckQueue>();
  readonly #warnings = new Map<CheckId, CheckQueue>();
  readonly #setAside = new Map<CheckId, Set<CheckQueue>>();
  /** By the incident of their last delivery. */
  readonly #byIncident = new Map<IncidentId, Set<CheckQueue>>();
  #ready: CheckQueue[] = [];
  #served = 0;

  constructor(channelId: ChannelId) {
    this.channelId = channelId;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Number of queues in which something waits or is in flight. */
  get size(): number {
    return this.#byCheck.size + this.#warnings.size + this.#setAside.size;
  }

  get hasReady(): boolean {
    return this.#served < this.#ready.length;
  }

  forCheck(checkId: CheckId): CheckQueue {
    return queueIn(this.#byCheck, checkId);
  }

  /** Where a delivery waits for its turn. */
  forDelivery({ checkId, change }: Delivery): CheckQueue {
    return queueIn(notificationKindOf(change) === 'warning' ? this.#warnings : this.#byCheck, checkId);
  }

  /** All in which something of the check waits or is in flight. */
  ofCheck(checkId: CheckId): readonly CheckQueue[] {
    const [current, warnings] = [this.#byCheck.get(checkId), this.#warnings.get(checkId)];
    const own = [current, warnings].filter((one) => one !== undefined);
    return [...(this.#setAside.get(checkId) ?? []), ...own];
  }

  /** What comes of the check from now on goes into another queue. */
  setAside(checkQueue: CheckQueue): void {
    const { checkId } = checkQueue;
    if (this.#byCheck.get(checkId) === checkQueue) this.#byCheck.delete(checkId);
    const others = this.#setAside.get(checkId);
    if (others) others.add(checkQueue);
    else this.#setAside.set(checkId, new Set([checkQueue]));
  }

  /** A queue beside that of the check, for the end of an incident before. */
  aside(checkId: CheckId): CheckQueue {
    const checkQueue = newCheckQueue(checkId);
    this.setAside(checkQueue);
    return checkQueue;
  }

  /** Lets a delivery wait, in place of the one that did. */
  wait(checkQueue: CheckQueue, delivery: Delivery): void {
    checkQueue.waiting = delivery;
    const { incident } = delivery;
    if (incident === checkQueue.incident) return;
    this.#leaveIncident(checkQueue);
    if (incident === undefined) return;
    checkQueue.incident = incident;
    const others = this.#byIncident.get(incident);
    if (others) others.add(checkQueue);
    else this.#byIncident.set(incident, new Set([checkQueue]));
  }

  #leaveIncident(checkQueue: CheckQueue): void {
    const { incident } = checkQueue;
    if (incident === undefined) return;
    const others = this.#byIncident.get(incident);
    others?.delete(checkQueue);
    if (others?.size === 0) {
      this.#byIncident.delete(incident);
      this.wakes.get(incident)?.cancel();
      this.wakes.delete(incident);
    }
    checkQueue.incident = undefined;
  }

  /** The first of those behind waits, once what did is in flight or gone. */
  promote(checkQueue: CheckQueue): void {
    const next = checkQueue.waiting === null ? checkQueue.behind.shift() : undefined;
    if (next) this.wait(checkQueue, next);
  }

  isSending({ waiting }: CheckQueue): boolean {
    return waiting?.incident !== undefined && this.sending.has(waiting.incident);
  }

  /** Those that had a delivery of the incident last; it may wait, be in flight, or be over. */
  ofIncident(incident: IncidentId): readonly CheckQueue[] {
    return [...(this.#byIncident.get(incident) ?? [])];
  }

  /** Adds a queue whose delivery is due, behind those that are due already. */
  enqueue(checkQueue: CheckQueue): void {
    if (checkQueue.isReady || checkQueue.busy) return;
    checkQueue.isReady = true;
    this.#ready.push(checkQueue);
  }

  /** Removes and returns the queue that has been due for longest; null when none is. */
  dequeue(): CheckQueue | null {
    while (this.#served < this.#ready.length) {
      const checkQueue = this.#ready[this.#served++];
      if (this.#served > 1024 && this.#served * 2 > this.#ready.length) this.#compact();
      if (!checkQueue) continue;
      checkQueue.isReady = false;
      if (checkQueue.waiting && !checkQueue.busy) return checkQueue;
    }
    this.#compact();
    return null;
  }

  /** Forgets the queue if it is empty. */
  tidy(checkQueue: CheckQueue): void {
    if (checkQueue.waiting || checkQueue.busy) return;
    checkQueue.cancel?.();
    checkQueue.cancel = null;
    this.#leaveIncident(checkQueue);
    const { checkId } = checkQueue;
    for (const queues of [this.#byCheck, this.#warnings])
      if (queues.get(checkId) === checkQueue) queues.delete(checkId);
    const others = this.#setAside.get(checkId);
    others?.delete(checkQueue);
    if (others?.size === 0) this.#setAside.delete(checkId);
  }

  /** Nothing is looked at again by itself: what waits stays where it is. */
  cancelTimers(): void {
    for (const { cancel } of this.wakes.values()) cancel();
    this.wakes.clear();
    for (const checkQueue of this.#all()) {
      checkQueue.cancel?.();
      checkQueue.cancel = null;
    }
  }

  *#all(): Generator<CheckQueue> {
    yield* this.#byCheck.values();
    yield* this.#warnings.values();
    for (const others of this.#setAside.values()) yield* others;
  }

  #compact(): void {
    this.#ready = this.#ready.slice(this.#served);
    this.#served = 0;
  }
}

function queueIn(queues: Map<CheckId, CheckQueue>, checkId: CheckId): CheckQueue {
  const known = queues.get(checkId);
  if (known) return known;
  const checkQueue = newCheckQueue(checkId);
  queues.set(checkId, checkQueue);
  return checkQueue;
}

function newCheckQueue(checkId: CheckId): CheckQueue {
  return {
    checkId,
    waiting: null,
    behind: [],
    busy: null,
    incident: undefined,
    isReady: false,
    cancel: null,
  };
}

/**
 * Oldest first; of one check's, that of its latest status change comes last, whatever the clock did. One that says what the check is
 * may be of an outage before: it is not the latest for that.
 */
export function inOrder(
  deliveries: readonly Delivery[],
  lastChangeOf: (id: CheckId) => StatusChange | null,
): Delivery[] {
  const latestMs = new Map<CheckId, number>();
  const counts = new Map<CheckId, number>();
  for (const { checkId, change } of deliveries) {
    latestMs.set(checkId, Math.max(latestMs.get(checkId) ?? 0, change.atMs));
    counts.set(checkId, (counts.get(checkId) ?? 0) + 1);
  }
  const placed = deliveries.map((delivery) => {
    const { checkId, change } = delivery;
    const last = counts.get(checkId) === 1 ? null : lastChangeOf(checkId);
    const isLast = last?.atMs === change.atMs && last.to === change.to;
    return { delivery, atMs: isLast ? (latestMs.get(checkId) ?? 0) : change.atMs, isLast: Number(isLast) };
  });
  placed.sort((a, b) => a.atMs - b.atMs || a.isLast - b.isLast || a.delivery.sinceMs - b.delivery.sinceMs);
  return placed.map(({ delivery }) => delivery);
}
