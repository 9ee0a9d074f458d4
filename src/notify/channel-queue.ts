/**
 * What one integration still has to be told: a lane for each check, so that their order is kept, and how the integration is
 * doing. Not who is served next among integrations (`dispatch`), what is sent.
 * Invariant: of a check, at most one delivery is under way and at most one waits: a later state supersedes an earlier one
 * that nobody was told of.
 */
import type { Delivery } from '../domain/delivery.ts';
import type { ChannelId, CheckId } from '../lib/ids.ts';

export interface Lane {
  readonly checkId: CheckId;
  waiting: Delivery | null;
  busy: Delivery | null;
  /** In the line of those that are due. */
  isReady: boolean;
  /** Cancels the timer of one that is not due yet. */
  cancel: (() => void) | null;
}

export class ChannelQueue {
  readonly channelId: ChannelId;
  /** Under way. */
  running = 0;
  /** Failures since the last success. */
  failures = 0;
  /** Nothing begins before this instant. */
  notBeforeMs = 0;
  readonly #lanes = new Map<CheckId, Lane>();
  #ready: Lane[] = [];
  #served = 0;

  constructor(channelId: ChannelId) {
    this.channelId = channelId;
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  get hasReady(): boolean {
    return this.#served < this.#ready.length;
  }

  lane(checkId: CheckId): Lane {
    const known = this.#lanes.get(checkId);
    if (known) return known;
    const lane: Lane = { checkId, waiting: null, busy: null, isReady: false, cancel: null };
    this.#lanes.set(checkId, lane);
    return lane;
  }

  /** Puts a lane whose delivery is due at the end of the line. */
  enqueue(lane: Lane): void {
    if (lane.isReady || lane.busy) return;
    lane.isReady = true;
    this.#ready.push(lane);
  }

  /** The lane that is due for longest, taken out of the line; null when none is. */
  dequeue(): Lane | null {
    while (this.#served < this.#ready.length) {
      const lane = this.#ready[this.#served++];
      if (this.#served > 1024 && this.#served * 2 > this.#ready.length) this.#compact();
      if (!lane) continue;
      lane.isReady = false;
      if (lane.waiting && !lane.busy) return lane;
    }
    this.#compact();
    return null;
  }

  /** Forgets the lane if nothing is left in it. */
  tidy(lane: Lane): void {
    if (lane.waiting || lane.busy) return;
    lane.cancel?.();
    lane.cancel = null;
    this.#lanes.delete(lane.checkId);
  }

  #compact(): void {
    this.#ready = this.#ready.slice(this.#served);
    this.#served = 0;
  }
}
