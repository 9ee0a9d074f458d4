/**
 * Batches mails that arrive together. A commit holds the thread while the disk syncs, and a mail takes three more round
 * trips besides its final dot: fewer and larger commits leave time for those.
 * Invariant: a mail that comes alone never waits, and none waits longer than `waitMs`.
 */
export class MailBatcher {
  readonly #waitMs: number;
  /** How many mails have started whose final dot has not come yet. */
  #incoming = 0;
  #completed: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  start(): void {
    this.#incoming++;
  }

  /** Reports that a mail is complete: `deliver` is called now or with the rest of the batch. */
  complete(deliver: () => void): void {
    this.#completed.push(deliver);
    this.#oneDone();
    if (this.#completed.length > 0) this.#timer ??= setTimeout(() => this.#deliver(), this.#waitMs);
  }

  /** Reports that a mail will not be complete, because its connection has gone. */
  abort(): void {
    this.#oneDone();
  }

  #oneDone(): void {
    this.#incoming--;
    if (this.#incoming === 0) this.#deliver();
  }

  #deliver(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const completed = this.#completed;
    this.#completed = [];
    for (const deliver of completed) deliver();
  }
}
