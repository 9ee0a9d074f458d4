/**
 * Long work in turns of the event loop, which ends each of them in time. A number of items alone does not: the first ones of a kind run
 * code that V8 has not compiled yet, and take longer than those after them.
 * Invariants: no turn is longer than one item after its time, and each has one at least, however late it begins. On a simulated clock,
 * which does not move within a turn, the number counts.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { collectYoungGarbage } from '../../lib/v8-tuning.ts';
import { turnMsMax, turnsPerCollection } from '../contract/limits.ts';

export class Turns {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #itemsMax: number;
  #items = 0;
  #endsMs: number;
  /** Those before this one. */
  #turns = 0;

  /** `itemsMax`: of one turn, at least 1. The first turn is this one. */
  constructor(clock: Pick<Clock, 'elapsedMs'>, itemsMax: number) {
    this.#clock = clock;
    this.#itemsMax = itemsMax;
    this.#endsMs = clock.elapsedMs() + turnMsMax;
  }

  /** Before each item: whether it belongs into another turn, so that `next` comes first. */
  isOver(): boolean {
    const before = this.#items++;
    return before > 0 && (before >= this.#itemsMax || this.#clock.elapsedMs() >= this.#endsMs);
  }

  /** Resolves in the next turn of the event loop, or in the one after it: young garbage may be collected first. */
  async next(): Promise<void> {
    await setImmediate();
    if (++this.#turns % turnsPerCollection === 0) {
      collectYoungGarbage();
      await setImmediate();
    }
    this.#items = 1;
    this.#endsMs = this.#clock.elapsedMs() + turnMsMax;
  }
}
