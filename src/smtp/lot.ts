/**
 * Mails that arrive together are handed on together. A commit holds the thread while the disk syncs, and a mail takes
 * three more round trips besides its dot: with fewer and larger commits there is time for those.
 * Invariant: a mail that comes alone never waits, and none waits longer than `waitMs`.
 */
export class Lot {
  readonly #waitMs: number;
  /** Mails whose dot has not been seen yet. */
  #coming = 0;
  #arrived: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  begin(): void {
    this.#coming++;
  }

  /** One that had begun has arrived: `handOn` is called now or with the others. */
  arrive(handOn: () => void): void {
    this.#arrived.push(handOn);
    this.#oneLess();
    if (this.#arrived.length > 0) this.#timer ??= setTimeout(() => this.#handOn(), this.#waitMs);
  }

  /** One that had begun will not arrive. */
  vanish(): void {
    this.#oneLess();
  }

  #oneLess(): void {
    this.#coming--;
    if (this.#coming === 0) this.#handOn();
  }

  #handOn(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const handOn of arrived) handOn();
  }
}
