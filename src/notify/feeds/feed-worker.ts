/**
 * One event subscription: reads what is behind its place, sends it event by event, and notes how far it has come.
 *
 * The note is written once a second at most while events are sent, so that after a crash some are sent again, with the ids that
 * they had. What it does not want moves its place in memory only: the note itself is in the journal, and would call for the next.
 * Invariant: its place goes on only when the event there was taken, or is among those given up.
 */
import type { DeadEvent, EventFeed } from '../../domain/accounts/event-feed.ts';
import { type Channel, getsAlerts, settingsOf } from '../../domain/accounts/project.ts';
import type { Clock } from '../../lib/clock.ts';
import { messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Outcome } from '../contract/channel.ts';
import type { FeedEvent, FeedPlace, FeedReads } from '../contract/feeds.ts';
import { deadEventsMax, feedNoteEveryMs, feedRestNoteMs } from '../contract/limits.ts';
import { isTooLate, pauseAsked, pauseMs, type RetryLimits } from '../contract/retry.ts';

export interface FeedWorkerOptions {
  readonly reads: FeedReads;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retry: RetryLimits;
  /** 0..1. */
  chance(): number;
  channel(): Channel | null;
  /** One attempt. Never rejects. */
  send(channel: Channel, event: FeedEvent, signal: AbortSignal): Promise<Outcome>;
  /** An attempt has ended; `attempts`: those before it. */
  attempted(
    channel: Channel,
    before: { readonly attempts: number; readonly error: string },
    outcome: Outcome,
  ): void;
}

export class FeedWorker {
  readonly #options: FeedWorkerOptions;
  readonly #abort = new AbortController();
  #feed: EventFeed;
  #isRunning = false;
  /** Reads that failed one after the other, and when the next is due: a damaged row stays damaged. */
  #readFailures = 0;
  #readAgainMs = 0;
  /** Whether something was sent or given up since the last note, and when that was written. */
  #isDirty = false;
  #notedMs: number;
  #noting: Promise<void> = Promise.resolve();
  /** Ends the pause before the next attempt. */
  #wake: () => void = () => {};

  constructor(feed: EventFeed, options: FeedWorkerOptions) {
    this.#feed = feed;
    this.#options = options;
    this.#notedMs = options.clock.nowMs();
  }

  get feed(): EventFeed {
    return this.#feed;
  }

  /** Sends what is behind its place, unless it does so already. */
  look(): void {
    const { reads, clock } = this.#options;
    const nowMs = clock.nowMs();
    const isIdle = !this.#isRunning && !this.#abort.signal.aborted && nowMs >= this.#readAgainMs;
    if (isIdle && reads.until().seq > this.#feed.seq) void this.#run();
    const sinceMs = nowMs - this.#notedMs;
    if (sinceMs >= (this.#isDirty ? feedNoteEveryMs : feedRestNoteMs)) this.#note();
  }

  /** Tries at once what waits: its owner has changed it. */
  expedite(): void {
    this.#wake();
    this.look();
  }

  /** Resolves when nothing is in flight, and what was sent is noted. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake();
    this.#note();
    await this.#noting;
  }

  /** Sends an event that was given up once more; why it was not taken this time is noted. Never rejects. */
  async retry(dead: DeadEvent): Promise<void> {
    const error = await this.#errorOfRetry(dead);
    if (error === null) this.drop(dead);
    else this.#setDead(this.#feed.dead.map((one) => (one === dead ? { ...one, error } : one)));
  }

  drop(dead: DeadEvent): void {
    this.#setDead(this.#feed.dead.filter((one) => one !== dead));
  }

  /** Null for an event that was taken. */
  async #errorOfRetry(dead: DeadEvent): Promise<string | null> {
    const { reads, send } = this.#options;
    const channel = this.#options.channel();
    if (channel === null) return 'the integration was deleted';
    try {
      const event = await reads.event(channel, dead.id);
      if (event === null) return 'this event is not kept any more: drop it';
      const outcome = await send(channel, event, this.#abort.signal);
      return outcome.kind === 'delivered' ? null : outcome.error;
    } catch (error) {
      return messageOf(error);
    }
  }

  #setDead(dead: readonly DeadEvent[]): void {
    this.#feed = { ...this.#feed, dead };
    this.#isDirty = true;
    this.#note();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (!this.#abort.signal.aborted) {
        const channel = this.#options.channel();
        if (channel === null || !isServed(channel)) return;
        const page = await this.#options.reads.page(channel, this.#feed);
        this.#readFailures = 0;
        for (const { at, ...event } of page.events) {
          if (!(await this.#deliver(event))) return;
          this.#moveTo(at);
        }
        this.#feed = { ...this.#feed, ...page.until };
        if (page.isAtEnd) return;
      }
    } catch (error) {
      // The store is closed when Knell ends.
      if (!this.#abort.signal.aborted) this.#readFailed(messageOf(error));
    } finally {
      this.#isRunning = false;
    }
  }

  #readFailed(error: string): void {
    const { logger, clock, retry, chance } = this.#options;
    this.#readAgainMs = clock.nowMs() + pauseMs(++this.#readFailures, retry, chance());
    logger.error({ channel: this.#feed.id, error }, 'an event subscription could not read');
  }

  #moveTo(at: FeedPlace): void {
    this.#feed = { ...this.#feed, ...at };
    this.#isDirty = true;
    if (this.#options.clock.nowMs() - this.#notedMs >= feedNoteEveryMs) this.#note();
  }

  /** False when it is not decided: Knell ends, or the integration is gone or disabled. */
  async #deliver(event: FeedEvent): Promise<boolean> {
    const { clock, retry, chance, send, attempted } = this.#options;
    const { signal } = this.#abort;
    const beganMs = clock.nowMs();
    let last = { attempts: 0, error: '' };
    for (;;) {
      const channel = this.#options.channel();
      if (channel === null || !isServed(channel) || signal.aborted) return false;
      const outcome = await send(channel, event, signal);
      if (signal.aborted && outcome.kind !== 'delivered') return false;
      attempted(channel, last, outcome);
      if (outcome.kind === 'delivered') return true;
      last = { attempts: last.attempts + 1, error: outcome.error };
      if (outcome.kind === 'refused' && outcome.gone) continue;
      if (outcome.kind === 'refused' || isTooLate(last.attempts, clock.nowMs() - beganMs, retry)) {
        this.#giveUp(event, last);
        return true;
      }
      await this.#pause(pauseAsked(pauseMs(last.attempts, retry, chance()), outcome.retryAfterMs, retry));
    }
  }

  #giveUp({ id, type, about }: FeedEvent, { attempts, error }: { attempts: number; error: string }): void {
    const dead = { id, type, about, endedMs: this.#options.clock.nowMs(), attempts, error };
    this.#options.logger.error({ channel: this.#feed.id, event: id, error }, 'an event was given up');
    this.#feed = { ...this.#feed, dead: [...this.#feed.dead, dead].slice(-deadEventsMax) };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #note(): void {
    this.#notedMs = this.#options.clock.nowMs();
    this.#isDirty = false;
    // A full disk is reported elsewhere, and an integration that is gone needs no note.
    this.#noting = this.#options.reads.put(this.#feed).catch(() => {});
  }
}

/** Another kind of integration may have taken its place, which is known here a moment later. */
function isServed(channel: Channel): boolean {
  return !getsAlerts(channel) && !settingsOf(channel).disabled;
}
