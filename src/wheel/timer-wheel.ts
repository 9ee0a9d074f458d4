/**
 * A hierarchical timing wheel (Varghese & Lauck 1987): it finds the handles that are due at a given time.
 *
 * Six levels of 64 slots at a tick of 1 ms reach 2.1 years; a later deadline is parked at the far end and armed anew
 * from there. Handles are small integers that the owner hands out; all state is in typed arrays, and nothing is
 * allocated per call. Time is an argument: the wheel has no clock, and it never goes back.
 *
 * | operation          | cost                                                         |
 * |--------------------|--------------------------------------------------------------|
 * | arm                | O(1); a deadline later than the slot it waits in is only noted |
 * | disarm             | O(1)                                                         |
 * | advance            | O(due + cascaded), at most one cascade a level and handle    |
 * | earliest           | O(levels): empty slots are skipped by bitmaps                |
 * | memory             | 26 bytes a handle                                            |
 *
 * Invariant: a handle fires once for a deadline, at the first `advance` whose time is not before it.
 */
import { NEVER } from '../lib/units.ts';

const slotBits = 6;
const slots = 64;
const levels = 6;
/** Ticks (ms) spanned by one slot of each level: 1, 64, 4096, … */
const slotSpan = Float64Array.from({ length: levels }, (_, level) => slots ** level);
const reachMs = slots ** levels - slots ** (levels - 1);
const none = -1;
/** Moves between two looks at `isSpent`: some 13 µs, and six times that before they are compiled. */
const movesPerLook = 128;

/** Limits the work of one call: a slot of hours can hold a million handles, and a due handle costs its owner far more. */
export interface AdvanceBudget {
  /** How many handles may be moved to a finer slot. */
  readonly moves: number;
  /** Number of moves that a due handle counts as. */
  readonly perDue: number;
  /** Whether enough has been done, however few those were: looked at after each due handle and now and then between moves. If absent, it never is. */
  readonly isSpent?: () => boolean;
}

export class TimerWheel {
  #nowMs: number;
  /** Deadline of each handle as the owner set it, in epoch milliseconds; NEVER when disarmed. */
  #deadlineMs = new Float64Array(0);
  /** Time at which the slot of each handle comes round: at or before its deadline. */
  #slotAtMs = new Float64Array(0);
  /** The list that each handle is in (level × 64 + slot), or `none`. */
  #bucket = new Int16Array(0);
  #next = new Int32Array(0);
  #previous = new Int32Array(0);
  readonly #heads = new Int32Array(levels * slots).fill(none);
  /** Which slots are occupied, two words a level: bit s of the pair is set while slot s has handles. */
  readonly #occupied = new Uint32Array(levels * 2);

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  /** Fires `handle` at `deadlineMs` (epoch milliseconds), in place of what it was armed for. NEVER disarms. */
  arm(handle: number, deadlineMs: number): void {
    if (handle >= this.#bucket.length) this.#grow(handle + 1);
    this.#deadlineMs[handle] = deadlineMs;
    const waits = this.#bucket[handle] !== none;
    if (deadlineMs === NEVER) {
      if (waits) this.#unlink(handle);
    } else if (!waits) {
      this.#link(handle);
    } else if (deadlineMs < (this.#slotAtMs[handle] ?? 0)) {
      this.#unlink(handle);
      this.#link(handle);
    }
  }

  /** Reserves memory for handles below `count`: without it, each step of growing copies what is there. */
  reserve(count: number): void {
    if (count > this.#bucket.length) this.#grow(count);
  }

  disarm(handle: number): void {
    if (handle < this.#bucket.length) this.arm(handle, NEVER);
  }

  /** Returns a time before which no handle fires; NEVER when none is armed. It may be early: then nothing is due yet. */
  earliest(): number {
    let earliestMs = NEVER;
    for (let level = 0; level < levels; level++) {
      const slot = this.#firstSlot(level);
      if (slot !== none) earliestMs = Math.min(earliestMs, this.#slotStart(level, slot));
    }
    return earliestMs;
  }

  /**
   * Moves time to `nowMs` and calls `due` for handles whose deadline has come, earlier slots first. Returns false when the
   * budget ended it: call again. `due` may arm and disarm.
   */
  advance(nowMs: number, due: (handle: number) => void, { moves, perDue, isSpent }: AdvanceBudget): boolean {
    let left = moves;
    for (;;) {
      const bucket = this.#earliestBucket(nowMs);
      if (bucket === none) break;
      const level = bucket >> slotBits;
      const startMs = this.#slotStart(level, bucket & (slots - 1));
      if (startMs > this.#nowMs) this.#nowMs = startMs;
      for (let handle = this.#head(bucket); handle !== none; handle = this.#head(bucket)) {
        if (left <= 0) return false;
        this.#unlink(handle);
        if ((this.#deadlineMs[handle] ?? NEVER) > this.#nowMs) {
          this.#link(handle);
          left--;
          if (left % movesPerLook === 0 && isSpent?.()) left = 0;
        } else {
          left -= perDue;
          this.#deadlineMs[handle] = NEVER;
          due(handle);
          if (isSpent?.()) left = 0;
        }
      }
    }
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
    return true;
  }

  /** The bucket that comes round first, coarser levels first among equals since their handles may be due sooner. */
  #earliestBucket(nowMs: number): number {
    let bucket = none;
    let earliestMs = nowMs;
    for (let level = levels - 1; level >= 0; level--) {
      const slot = this.#firstSlot(level);
      if (slot === none) continue;
      const startMs = this.#slotStart(level, slot);
      if (startMs < earliestMs || (startMs === earliestMs && bucket === none)) {
        earliestMs = startMs;
        bucket = level * slots + slot;
      }
    }
    return bucket;
  }

  #head(bucket: number): number {
    return this.#heads[bucket] ?? none;
  }

  #link(handle: number): void {
    const deadlineMs = Math.ceil(this.#deadlineMs[handle] ?? 0);
    const atMs = Math.min(Math.max(deadlineMs, this.#nowMs), this.#nowMs + reachMs);
    const level = this.#levelFor(atMs);
    const span = slotSpan[level] ?? 1;
    const bucket = level * slots + (Math.floor(atMs / span) % slots);
    this.#slotAtMs[handle] = Math.floor(atMs / span) * span;
    const head = this.#head(bucket);
    this.#next[handle] = head;
    this.#previous[handle] = none;
    if (head !== none) this.#previous[head] = handle;
    this.#heads[bucket] = handle;
    this.#bucket[handle] = bucket;
    this.#occupied[bucket >> 5] = (this.#occupied[bucket >> 5] ?? 0) | (1 << (bucket & 31));
  }

  /** The finest level on which the slot of `atMs` lies within one turn of the current one. */
  #levelFor(atMs: number): number {
    let level = 0;
    while (level < levels - 1) {
      const span = slotSpan[level] ?? 1;
      if (Math.floor(atMs / span) - Math.floor(this.#nowMs / span) < slots) return level;
      level++;
    }
    return level;
  }

  #unlink(handle: number): void {
    const bucket = this.#bucket[handle] ?? none;
    const next = this.#next[handle] ?? none;
    const previous = this.#previous[handle] ?? none;
    if (next !== none) this.#previous[next] = previous;
    if (previous !== none) this.#next[previous] = next;
    else this.#heads[bucket] = next;
    this.#bucket[handle] = none;
    if (this.#head(bucket) === none) {
      this.#occupied[bucket >> 5] = (this.#occupied[bucket >> 5] ?? 0) & ~(1 << (bucket & 31));
    }
  }

  /** The first occupied slot of a level, seen from the current one onward, once round. */
  #firstSlot(level: number): number {
    const low = this.#occupied[level * 2] ?? 0;
    const high = this.#occupied[level * 2 + 1] ?? 0;
    if ((low | high) === 0) return none;
    const current = Math.floor(this.#nowMs / (slotSpan[level] ?? 1)) % slots;
    const ahead = lowestBit(low, high, current);
    return ahead === none ? lowestBit(low, high, 0) : ahead;
  }

  /** Time at which a slot of a level comes round next; for the current slot, the time at which it began. */
  #slotStart(level: number, slot: number): number {
    const span = slotSpan[level] ?? 1;
    const current = Math.floor(this.#nowMs / span);
    return (current + ((slot - (current % slots) + slots) % slots)) * span;
  }

  #grow(capacity: number): void {
    const size = Math.max(1024, 2 ** Math.ceil(Math.log2(capacity)));
    const grown = <A extends Float64Array | Int32Array | Int16Array>(into: A, from: A): A => {
      into.set(from);
      return into;
    };
    this.#deadlineMs = grown(new Float64Array(size).fill(NEVER), this.#deadlineMs);
    this.#slotAtMs = grown(new Float64Array(size), this.#slotAtMs);
    this.#bucket = grown(new Int16Array(size).fill(none), this.#bucket);
    this.#next = grown(new Int32Array(size).fill(none), this.#next);
    this.#previous = grown(new Int32Array(size).fill(none), this.#previous);
  }
}

/** Returns the lowest set bit at or above `from` in a 64-bit pair, or `none`. */
function lowestBit(low: number, high: number, from: number): number {
  const lowRest = from < 32 ? low & (-1 << from) : 0;
  if (lowRest !== 0) return 31 - Math.clz32(lowRest & -lowRest);
  const highRest = from < 32 ? high : high & (-1 << (from - 32));
  if (highRest !== 0) return 63 - Math.clz32(highRest & -highRest);
  return none;
}
