/**
 * All event subscriptions: which there are, when they look for new events, and what an owner can do about events that were given up.
 * Invariant: without any there is no timer.
 */
import type { DeadEvent } from '../../domain/accounts/event-feed.ts';
import type { Channel } from '../../domain/accounts/project.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { feedPayload } from '../channels/feed-payload.ts';
import { tryRequest } from '../channels/http-response.ts';
import type { Outcome } from '../contract/channel.ts';
import type { FeedEvent } from '../contract/feeds.ts';
import { feedLookEveryMs } from '../contract/limits.ts';
import type { SendHttp } from '../wire/send-http.ts';

import { FeedWorker, type FeedWorkerOptions } from './feed-worker.ts';

interface FeedsOptions extends Omit<FeedWorkerOptions, 'channel' | 'send'> {
  channel(id: ChannelId): Channel | null;
  readonly http: SendHttp;
  /** Whether this process is certain to be the one that sends. */
  isCertain(): Promise<boolean>;
}

export class Feeds {
  readonly #options: FeedsOptions;
  readonly #workers = new Map<ChannelId, FeedWorker>();
  #cancel: (() => void) | null = null;
  #isStarted = false;

  constructor(options: FeedsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStarted = true;
    this.changed();
  }

  /** Subscriptions were created, changed or deleted. */
  changed(): void {
    if (!this.#isStarted) return;
    const { reads } = this.#options;
    for (const feed of reads.feeds()) {
      const known = this.#workers.get(feed.id);
      if (known) known.expedite();
      else this.#workers.set(feed.id, new FeedWorker(feed, this.#workerOptions(feed.id)));
    }
    for (const [id, worker] of this.#workers) {
      if (reads.feed(id) !== null) continue;
      this.#workers.delete(id);
      void worker.stop();
    }
    if (this.#workers.size > 0 && this.#cancel === null) this.#look();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#cancel?.();
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
    this.#workers.clear();
  }

  /** Events that were given up, oldest first. */
  list(): readonly GivenUp[] {
    return this.#dead();
  }

  /** The integration that has given up this one; null for none. */
  channelOf(wanted: string): ChannelId | null {
    return this.#dead().find(({ id }) => id === wanted)?.channel.id ?? null;
  }

  /** Sends again what was given up, `all` or one by its id; returns how many are tried. */
  retry(wanted: string): number {
    const chosen = this.#dead().filter(({ id }) => wanted === 'all' || id === wanted);
    for (const { worker, dead } of chosen) void worker.retry(dead);
    return chosen.length;
  }

  drop(wanted: string): number {
    const chosen = this.#dead().filter(({ id }) => wanted === 'all' || id === wanted);
    for (const { worker, dead } of chosen) worker.drop(dead);
    return chosen.length;
  }

  #look(): void {
    for (const worker of this.#workers.values()) worker.look();
    this.#cancel = null;
    if (this.#workers.size > 0 && this.#isStarted)
      this.#cancel = this.#options.clock.after(feedLookEveryMs, () => this.#look());
  }

  #workerOptions(id: ChannelId): FeedWorkerOptions {
    return {
      ...this.#options,
      chance: () => this.#options.chance(),
      channel: () => this.#options.channel(id),
      send: (channel, event, signal) => this.#send(channel, event, signal),
    };
  }

  async #send(channel: Channel, event: FeedEvent, signal: AbortSignal): Promise<Outcome> {
    const { clock, http, isCertain } = this.#options;
    if (!(await isCertain())) return { kind: 'failed', error: 'the log of the cluster does not answer' };
    const nowMs = clock.nowMs();
    const request = feedPayload(channel, event, nowMs);
    return tryRequest({ send: http, nowMs: () => nowMs }, { request, rules: {}, signal, ownAddress: true });
  }

  #dead(): readonly Dead[] {
    return [...this.#workers].flatMap(([channelId, worker]) => {
      const channel = this.#options.channel(channelId);
      if (!channel) return [];
      return worker.feed.dead.map((dead) => ({
        worker,
        channel,
        dead,
        id: `${dead.id}@${channelId.slice(0, idChars)}`,
      }));
    });
  }
}

/** Two subscriptions may have given up the same event: the beginning of the integration's id distinguishes them. */
const idChars = 8;

export interface GivenUp {
  readonly channel: Channel;
  readonly dead: DeadEvent;
  /** Distinguishes it from the same event of another subscription. */
  readonly id: string;
}

interface Dead extends GivenUp {
  readonly worker: FeedWorker;
}
