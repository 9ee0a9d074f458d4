/**
 * The end of an attempt: when its time is over, or when Knell stops. By hand: `AbortSignal.any` leaks, and a signal of its own for
 * each request takes a tenth of the time of one.
 * Invariant: what is in flight is cut off at most once, and nothing is left behind at the signal.
 */

/** What is in flight until a signal comes. One listener for all: to take one off a signal goes through all before it. */
const inFlight = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `cut` when `signal` comes, unless the function that is returned is called first. */
function onAbort(signal: AbortSignal, cut: () => void): () => void {
  let cuts = inFlight.get(signal);
  if (!cuts) {
    const all = new Set<() => void>();
    signal.addEventListener('abort', () => {
      for (const one of [...all]) one();
    });
    inFlight.set(signal, all);
    cuts = all;
  }
  cuts.add(cut);
  return () => cuts.delete(cut);
}

export class Deadline {
  /** Whether the time was over: not where Knell stopped. */
  isOver = false;
  #isEnded: boolean;
  #cut: (() => void) | null = null;
  readonly #forget: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(totalMs: number, stop: AbortSignal) {
    this.#isEnded = stop.aborted;
    this.#forget = onAbort(stop, () => this.#end());
    this.#timer = setTimeout(() => {
      this.isOver = true;
      this.#end();
    }, totalMs);
  }

  /** Has `cut` called at the end, at once where that has come, in place of the function before. */
  onEnd(cut: () => void): void {
    this.#cut = cut;
    if (this.#isEnded) this.#end();
  }

  clear(): void {
    this.#cut = null;
    clearTimeout(this.#timer);
    this.#forget();
  }

  #end(): void {
    this.#isEnded = true;
    const cut = this.#cut;
    this.#cut = null;
    cut?.();
  }
}
