/**
 * Messages that arrived before the one that comes next. `follower` fills the gap.
 * Invariant: holds at most `bytesMax`; what does not fit is forgotten and has to be fetched.
 */
import type { StoredMessage } from './entry-stream.ts';

export class AheadBuffer {
  readonly #bytesMax: number;
  readonly #messages = new Map<number, StoredMessage>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get hasAny(): boolean {
    return this.#messages.size > 0;
  }

  add(message: StoredMessage): void {
    if (this.#messages.has(message.seq) || this.#bytes + message.bytes.length > this.#bytesMax) return;
    this.#messages.set(message.seq, message);
    this.#bytes += message.bytes.length;
  }

  take(seq: number): StoredMessage | null {
    const message = this.#messages.get(seq);
    if (!message) return null;
    this.#messages.delete(seq);
    this.#bytes -= message.bytes.length;
    return message;
  }

  /** Forgets all below `seq`. */
  dropBelow(seq: number): void {
    for (const each of this.#messages.keys()) if (each < seq) this.take(each);
  }

  clear(): void {
    this.#messages.clear();
    this.#bytes = 0;
  }
}
