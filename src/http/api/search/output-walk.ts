/**
 * Goes through the outputs of many checks, the newest of all first, without reading the outputs themselves. It knows of each check
 * where it is, and reads on a few pings at a time.
 *
 * The order is that of the time, then of the check, then of the number, downward. Within a check the number decides: an output is
 * never before one with a higher number, so it counts with the time of that if the clock was set back in between.
 *
 * Cost: a check is placed by one read of its log, some 50 µs; after that the next output is a step in a heap.
 * Invariant: what is behind a place stays behind it, whichever pings come in: they are newer, or come later in the walk.
 */
import type { PingOutput } from '../../../domain/check/ping.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { outputSearchLimits } from '../../limits.ts';

/** The last output that was searched. */
export interface WalkPlace {
  /** The time that it counts with. */
  readonly atMs: number;
  readonly id: string;
  readonly n: number;
}

export interface WalkRange {
  /** Null for the newest. */
  readonly after: WalkPlace | null;
  /** Outputs before this instant. */
  readonly untilMs: number;
}

/** A check with its outputs that were read and are not passed yet. */
interface Placed {
  readonly id: CheckId;
  atMs: number;
  n: number;
  /** Newest first; the first one is at the place. */
  outputs: PingOutput[];
}

export interface WalkStep extends WalkPlace {
  readonly id: CheckId;
  readonly output: PingOutput;
}

const { outputsPerRead, outputsAtFirst, outputsToPlace } = outputSearchLimits;

export class OutputWalk {
  readonly #read: Pick<EngineRead, 'outputs'>;
  readonly #range: WalkRange;
  readonly #unplaced: CheckId[];
  /** The next output of all is that of the first: a binary heap. */
  readonly #heap: Placed[] = [];
  #place: WalkPlace | null;

  constructor(read: Pick<EngineRead, 'outputs'>, ids: readonly CheckId[], range: WalkRange) {
    this.#read = read;
    this.#range = range;
    this.#unplaced = [...ids];
    this.#place = range.after;
  }

  /** The last output that was passed; null for none. */
  get place(): WalkPlace | null {
    return this.#place;
  }

  get untilMs(): number {
    return this.#range.untilMs;
  }

  /** Number of checks in it. */
  get size(): number {
    return this.#unplaced.length + this.#heap.length;
  }

  /** Finds the place of one more check. False when all have theirs. */
  placeNext(): boolean {
    const id = this.#unplaced.pop();
    if (id === undefined) return false;
    const { after, untilMs } = this.#range;
    // The newest outputs are mostly the first; those behind a place may be many pings back.
    const limit = after === null && untilMs === Number.POSITIVE_INFINITY ? outputsAtFirst : outputsToPlace;
    let atMs = Number.POSITIVE_INFINITY;
    for (let below = Number.POSITIVE_INFINITY; ; ) {
      const outputs = this.#read.outputs(id, below, limit);
      for (const [at, output] of outputs.entries()) {
        below = output.n;
        if (output.atMs >= untilMs) continue;
        atMs = Math.min(atMs, output.atMs);
        const { n } = output;
        if (after !== null && compare({ atMs, id, n }, after) <= 0) continue;
        this.#push({ id, atMs, n, outputs: outputs.slice(at, at + outputsPerRead) });
        return true;
      }
      if (outputs.length < limit) return true;
    }
  }

  /** The next output, once all checks have their place; null for none. It is passed by `pass`. */
  peek(): WalkStep | null {
    const first = this.#heap[0];
    if (!first) return null;
    if (first.outputs.length === 0) {
      // They were dropped to save memory. The one at the place may be gone meanwhile.
      first.outputs = [...this.#read.outputs(first.id, first.n + 1, outputsPerRead)];
      if (first.outputs[0]?.n !== first.n) {
        this.#moveOn(first);
        return this.peek();
      }
    }
    const [output] = first.outputs;
    return output ? { id: first.id, atMs: first.atMs, n: first.n, output } : null;
  }

  /** Passes the output that `peek` has given. */
  pass(): void {
    const first = this.#heap[0];
    if (!first) return;
    const { atMs, id, n } = first;
    this.#place = { atMs, id, n };
    first.outputs.shift();
    if (first.outputs.length === 0) first.outputs = [...this.#read.outputs(id, n, outputsPerRead)];
    this.#moveOn(first);
  }

  /** Drops what it can read again. */
  trim(): void {
    for (const placed of this.#heap) placed.outputs = [];
  }

  #moveOn(first: Placed): void {
    const [next] = first.outputs;
    if (next) {
      first.n = next.n;
      first.atMs = Math.min(first.atMs, next.atMs);
    } else {
      const last = this.#heap.pop();
      if (last === undefined || last === first) return;
      this.#heap[0] = last;
    }
    this.#sink();
  }

  #push(placed: Placed): void {
    const heap = this.#heap;
    let at = heap.push(placed) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Placed;
      if (compare(above, placed) <= 0) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = placed;
  }

  #sink(): void {
    const heap = this.#heap;
    const placed = heap[0] as Placed;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (!left) break;
      const isRight = right !== undefined && compare(right, left) < 0;
      const lower = isRight ? right : left;
      if (compare(placed, lower) <= 0) break;
      heap[at] = lower;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = placed;
  }
}

/** Below 0 if `one` comes before `other`. */
function compare(one: WalkPlace, other: WalkPlace): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs;
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  return other.n - one.n;
}
