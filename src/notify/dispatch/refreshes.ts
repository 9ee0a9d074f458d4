/**
 * When a service that keeps alerts in memory only is sent again what it was notified of: every few minutes, one after the other. Not
 * here: what is sent (`refresh-due`), nor the sending (`dispatch`).
 *
 * Nothing of it is stored: that an integration was notified is in the log of the check, and is looked up again after a start
 * (`refreshed-checks`). So a refresh leaves no trace there, and ten thousand cost no write.
 * Invariants: what an integration was not notified of is not refreshed. Of one integration few are in flight, and a refresh
 * begins in a turn of its own.
 */
import type { NotificationKind } from '../../domain/deliveries/delivery.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ChannelId, CheckId, IncidentId } from '../../lib/ids.ts';
import type { Outcome } from '../contract/channel.ts';
import { refreshesInFlightMax, refreshGapMsMax } from '../contract/limits.ts';

/** What an integration was notified of, and is sent again: a check that is down, or an incident. */
export interface Refreshed {
  readonly channelId: ChannelId;
  /** Of an incident: any of its checks. */
  readonly checkId: CheckId;
  readonly incident: IncidentId | undefined;
}

/** `gone`: never again. `later`: not now, maybe at the next interval. */
export type RefreshEnd = Outcome | 'gone' | 'later';

/** What went wrong lately with one of them. */
export interface RefreshFailures {
  readonly count: number;
  /** On the clock that never jumps. */
  readonly sinceMs: number;
  readonly error: string;
}

const noFailures: RefreshFailures = { count: 0, sinceMs: 0, error: '' };

interface Entry {
  readonly refreshed: Refreshed;
  dueMs: number;
  failures: RefreshFailures;
  isInFlight: boolean;
}

/** Those of one integration: the next one first, as all have the same interval. */
interface ChannelRefreshes {
  readonly entries: Map<string, Entry>;
  inFlight: number;
  /** Nothing begins before it, on the clock that never jumps. */
  notBeforeMs: number;
  cancel: (() => void) | null;
}

interface RefreshesOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Sends one. Rejects never. */
  refresh(refreshed: Refreshed, failures: RefreshFailures): Promise<RefreshEnd> | RefreshEnd;
}

export class Refreshes {
  readonly #options: RefreshesOptions;
  readonly #byChannel = new Map<ChannelId, ChannelRefreshes>();
  #isStopped = false;

  constructor(options: RefreshesOptions) {
    this.#options = options;
  }

  /** The integration was notified: of an outage, or of its end. */
  notified(refreshed: Refreshed, kind: NotificationKind): void {
    if (kind === 'down') this.add(refreshed);
    else if (kind === 'up' && refreshed.incident === undefined) this.#remove(refreshed);
  }

  /** To be sent again, first when the interval is over. */
  add(refreshed: Refreshed): void {
    if (this.#isStopped) return;
    const { clock, everyMs } = this.#options;
    const key = keyOf(refreshed);
    const channel = this.#channel(refreshed.channelId);
    channel.entries.delete(key);
    const dueMs = clock.elapsedMs() + everyMs;
    channel.entries.set(key, { refreshed, dueMs, failures: noFailures, isInFlight: false });
    this.#schedule(channel);
  }

  has(refreshed: Refreshed): boolean {
    return this.#byChannel.get(refreshed.channelId)?.entries.has(keyOf(refreshed)) ?? false;
  }

  stop(): void {
    this.#isStopped = true;
    for (const channel of this.#byChannel.values()) channel.cancel?.();
  }

  #channel(id: ChannelId): ChannelRefreshes {
    const known = this.#byChannel.get(id);
    if (known) return known;
    const channel: ChannelRefreshes = { entries: new Map(), inFlight: 0, notBeforeMs: 0, cancel: null };
    this.#byChannel.set(id, channel);
    return channel;
  }

  #remove(refreshed: Refreshed): void {
    const channel = this.#byChannel.get(refreshed.channelId);
    channel?.entries.delete(keyOf(refreshed));
    if (channel?.entries.size === 0 && channel.inFlight === 0) {
      channel.cancel?.();
      this.#byChannel.delete(refreshed.channelId);
    }
  }

  /** One timer for each integration. */
  #schedule(channel: ChannelRefreshes): void {
    if (this.#isStopped || channel.cancel || channel.inFlight >= refreshesInFlightMax) return;
    const [next] = channel.entries.values();
    if (!next) return;
    const { clock } = this.#options;
    const afterMs = Math.max(next.dueMs, channel.notBeforeMs) - clock.elapsedMs();
    channel.cancel = clock.after(Math.max(0, afterMs), () => {
      channel.cancel = null;
      this.#begin(channel);
    });
  }

  #begin(channel: ChannelRefreshes): void {
    const { clock, everyMs } = this.#options;
    const nowMs = clock.elapsedMs();
    const [first] = channel.entries;
    // It may have been notified anew since the timer was set.
    if (first && first[1].dueMs <= nowMs) {
      const [key, entry] = first;
      channel.entries.delete(key);
      channel.entries.set(key, entry);
      entry.dueMs = nowMs + everyMs;
      channel.notBeforeMs = nowMs + Math.min(refreshGapMsMax, everyMs / 2 / channel.entries.size);
      if (!entry.isInFlight) void this.#refresh(channel, entry);
    }
    this.#schedule(channel);
  }

  async #refresh(channel: ChannelRefreshes, entry: Entry): Promise<void> {
    const { refresh, clock } = this.#options;
    channel.inFlight++;
    entry.isInFlight = true;
    const end = await refresh(entry.refreshed, entry.failures);
    channel.inFlight--;
    entry.isInFlight = false;
    if (end === 'gone') this.#remove(entry.refreshed);
    else if (end !== 'later') entry.failures = failuresAfter(entry.failures, end, clock.elapsedMs());
    this.#schedule(channel);
  }
}

function failuresAfter({ count, sinceMs }: RefreshFailures, end: Outcome, nowMs: number): RefreshFailures {
  if (end.kind === 'delivered') return noFailures;
  return { count: count + 1, sinceMs: count === 0 ? nowMs : sinceMs, error: end.error };
}

function keyOf({ checkId, incident }: Refreshed): string {
  return incident ?? checkId;
}
