/**
 * Puts one message at one place of the stream: sends it, sends it again on silence under the same id, and on a refusal looks
 * at what has that place. `append-window` keeps several in order.
 * Invariant: `written` only when this very message is at its place.
 */
import { messageOf } from '../../lib/errors.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import type { EntryStream, PublishAnswer, StoredMessage, StreamMessage } from './entry-stream.ts';

/**
 * - `written`: it is at its place.
 * - `taken`: another message is.
 * - `disk-full`: nothing was stored, and nothing will be.
 * - `unknown`: no answer that decides it, in all the time.
 */
export type PlacementOutcome =
  | { readonly kind: 'written' | 'disk-full' | 'unknown' }
  | { readonly kind: 'taken'; readonly by: StoredMessage };

export interface PlacementTimes {
  /** Without an answer for so long it is sent again: a leader that died is silent. */
  readonly resendMs: number;
  /** After so long nobody knows. Longer than the stream takes to elect a leader: 4 to 9 s, and its outcome is worth waiting for. */
  readonly giveUpMs: number;
}

export interface PlacementOptions {
  readonly stream: EntryStream;
  readonly scheduler: Scheduler;
  readonly times: PlacementTimes;
  readonly message: StreamMessage;
  /** When the first attempt began under the message's id: that one may have been stored. */
  readonly startedMs: number;
}

export class Placement {
  readonly startedMs: number;
  readonly settled: Promise<PlacementOutcome>;
  readonly #options: PlacementOptions;
  #settle: ((outcome: PlacementOutcome) => void) | null = null;
  #attempts = 0;
  #isLooking = false;
  /** Refused since the message before it is not there yet, or so it seems. */
  #isWaiting = false;
  #cancelTimer: () => void = () => {};
  readonly #cancelGivingUp: () => void;

  constructor(options: PlacementOptions) {
    const { scheduler, times } = options;
    this.#options = options;
    this.startedMs = options.startedMs;
    this.settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#cancelGivingUp = scheduler.after(times.giveUpMs, () => this.#end({ kind: 'unknown' }));
    this.#send();
  }

  /** The message before this one is at its place: one that was refused meanwhile need not wait any longer. */
  expedite(): void {
    if (this.#isWaiting && this.#settle) this.#send();
  }

  /** Nobody waits for the outcome any more. The message may be stored all the same. */
  abandon(): void {
    this.#end({ kind: 'unknown' });
  }

  #send(): void {
    const { stream, scheduler, times, message } = this.#options;
    this.#attempts++;
    this.#isWaiting = false;
    this.#cancelTimer();
    this.#cancelTimer = scheduler.after(times.resendMs, () => this.#send());
    const { id, bytes, seq } = message;
    stream.publish({ id, bytes, expectedSeq: seq - 1 }, (answer) => this.#answered(answer));
  }

  #answered(answer: PublishAnswer): void {
    if (!this.#settle) return;
    switch (answer.kind) {
      case 'stored':
        // An id belongs to one place: at another one, it is not this message.
        if (answer.seq === this.#options.message.seq) this.#end({ kind: 'written' });
        else void this.#look();
        return;
      case 'refused':
        void this.#look();
        return;
      case 'full':
        // If it was sent several times, another attempt may still be stored.
        if (this.#attempts === 1) this.#end({ kind: 'disk-full' });
        return;
      case 'busy':
        return;
    }
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { stream, message } = this.#options;
    const there = await stream.get(message.seq).catch((error: unknown) => messageOf(error));
    this.#isLooking = false;
    if (!this.#settle || typeof there === 'string') return;
    if (there === null) this.#isWaiting = true;
    else if (there.id === message.id) this.#end({ kind: 'written' });
    else this.#end({ kind: 'taken', by: there });
  }

  #end(outcome: PlacementOutcome): void {
    this.#cancelTimer();
    this.#cancelGivingUp();
    this.#settle?.(outcome);
    this.#settle = null;
  }
}
