/**
 * The leader's appends, several in flight at once, in the order of their places. `placement` does one append; `claim` gives
 * the right to append.
 * Invariants: outcomes settle in order. Behind one that is not `written`, nothing is: all that follow have its outcome, since
 * what they follow may be another node's.
 */
import { assert } from '../../lib/errors.ts';
import type { AppendOutcome } from '../journal/batch-log.ts';
import { Placement, type PlacementOptions } from './placement.ts';
import { appendsInFlightMax } from './replicated-log.ts';

interface Append {
  readonly placement: Placement;
  readonly seq: number;
  resolve(outcome: AppendOutcome): void;
}

export class AppendWindow {
  nextSeq: number;
  readonly #written: (startedMs: number) => void;
  readonly #inFlight: Append[] = [];
  #idle: (() => void)[] = [];

  /** `written` is called for each append at its place, in order, with when it began. */
  constructor(nextSeq: number, written: (startedMs: number) => void) {
    this.nextSeq = nextSeq;
    this.#written = written;
  }

  append(options: PlacementOptions): Promise<AppendOutcome> {
    const { seq } = options.message;
    assert(seq === this.nextSeq, `append ${seq} follows the one before it, ${this.nextSeq - 1}`);
    assert(this.#inFlight.length < appendsInFlightMax, `at most ${appendsInFlightMax} appends are in flight`);
    this.nextSeq++;
    return new Promise((resolve) => {
      this.#inFlight.push({ placement: new Placement(options), seq, resolve });
      if (this.#inFlight.length === 1) void this.#settleInOrder();
    });
  }

  /** Resolves when nothing is in flight. */
  async idle(): Promise<void> {
    if (this.#inFlight.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
  }

  /** All that are in flight are `unknown`. */
  abandon(): void {
    this.#inFlight[0]?.placement.abandon();
  }

  async #settleInOrder(): Promise<void> {
    for (let first = this.#inFlight[0]; first; first = this.#inFlight[0]) {
      const { kind } = await first.placement.settled;
      if (kind !== 'written') {
        this.#refuse(kind === 'taken' ? 'fenced' : kind);
        break;
      }
      this.#inFlight.shift();
      this.#written(first.placement.startedMs);
      first.resolve('written');
      this.#inFlight[0]?.placement.expedite();
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #refuse(outcome: AppendOutcome): void {
    const all = this.#inFlight.splice(0);
    this.nextSeq = all[0]?.seq ?? this.nextSeq;
    for (const { placement, resolve } of all) {
      placement.abandon();
      resolve(outcome);
    }
  }
}
