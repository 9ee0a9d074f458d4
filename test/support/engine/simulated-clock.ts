/** A clock that moves on request: timers run in order of their time, on the way. */
import type { Clock } from '../../../src/lib/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class SimulatedClock implements Clock {
  #nowMs: number;
  /** Wall time may jump; timers go by time elapsed. */
  #jumpedMs = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs + this.#jumpedMs;
  }

  /** Time passed, whatever the wall clock was set to. */
  elapsedMs(): number {
    return this.#nowMs;
  }

  /** For the store's `Scheduler`: when what runs now is over. */
  soon(run: () => void): () => void {
    let isCancelled = false;
    queueMicrotask(() => {
      if (!isCancelled) run();
    });
    return () => {
      isCancelled = true;
    };
  }

  after(delayMs: number, run: () => void): () => void {
    const timer: Timer = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets `ms` pass; whatever is due meanwhile runs at its time, and `turn` lets its consequences come before the next. */
  async advance(ms: number, turn: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.run();
      await turn();
    }
    this.#nowMs = untilMs;
  }

  /** Time passes in which nothing runs, as for a process that is stopped: what was due is late. */
  skip(ms: number): void {
    this.#nowMs += ms;
  }

  /** The wall clock is set forward or back; no timer notices. */
  jump(ms: number): void {
    this.#jumpedMs += ms;
  }

  #next(untilMs: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.atMs > untilMs) continue;
      if (!first || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}
