/**
 * Pieces of memory that two threads have, filled by one of them and emptied by the other, in turn. Both wait by blocking, so that
 * neither needs an event loop for it.
 * Invariant: a slot belongs to one side at a time; the counts in `control` say to which.
 */
export interface RingMemory {
  readonly control: Int32Array;
  readonly slots: readonly SharedArrayBuffer[];
}

/** Places in `control`. How many slots were filled and emptied since the beginning says whose each one is. */
const place = { changes: 0, filled: 1, emptied: 2, end: 3 } as const;
const places = 4;

/** What is in `end` once it is over. */
const ended = { whole: 1, early: 2 } as const;

export function createRing(slots: number, slotBytes: number): RingMemory {
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * places)),
    slots: Array.from({ length: slots }, () => new SharedArrayBuffer(slotBytes)),
  };
}

abstract class RingSide {
  readonly #control: Int32Array;
  readonly #slots: readonly SharedArrayBuffer[];

  constructor({ control, slots }: RingMemory) {
    this.#control = control;
    this.#slots = slots;
  }

  protected get slots(): number {
    return this.#slots.length;
  }

  protected slot(turn: number): SharedArrayBuffer {
    return this.#slots[turn % this.#slots.length] as SharedArrayBuffer;
  }

  protected count(index: number): number {
    return Atomics.load(this.#control, index);
  }

  protected setCount(index: number, value: number): void {
    Atomics.store(this.#control, index, value);
    this.#signal();
  }

  protected get end(): number {
    return Atomics.load(this.#control, place.end);
  }

  /** Who says so first has the last word. */
  protected finishAs(value: number): void {
    Atomics.compareExchange(this.#control, place.end, 0, value);
    this.#signal();
  }

  #signal(): void {
    Atomics.add(this.#control, place.changes, 1);
    Atomics.notify(this.#control, place.changes);
  }

  /** Blocks until `isThere`, or until the other side has changed nothing for so long. */
  protected wait(isThere: () => boolean, patienceMs: number): void {
    for (;;) {
      // Before the look: a change behind it ends the wait at once.
      const seen = Atomics.load(this.#control, place.changes);
      if (isThere()) return;
      if (Atomics.wait(this.#control, place.changes, seen, patienceMs) === 'timed-out') return;
    }
  }
}

/** The side that fills. */
export class RingWriter extends RingSide {
  #filled = 0;

  /** The slot to be filled. Blocks until one is free; null when nobody empties any more. */
  free(): SharedArrayBuffer | null {
    const isFree = (): boolean => this.#filled - this.count(place.emptied) < this.slots;
    this.wait(() => this.end !== 0 || isFree(), Number.POSITIVE_INFINITY);
    return this.end === 0 ? this.slot(this.#filled) : null;
  }

  /** The slot that `free` gave is full, or has what is left. */
  pass(): void {
    this.#filled++;
    this.setCount(place.filled, this.#filled);
  }

  /** `isWhole`: nothing is missing behind the last slot that was passed. */
  finish(isWhole: boolean): void {
    this.finishAs(isWhole ? ended.whole : ended.early);
  }
}

/** The side that empties. */
export class RingReader extends RingSide {
  readonly #patienceMs: number;
  #emptied = -1;

  /** `patienceMs`: when nothing came for so long, nothing more is expected. */
  constructor(memory: RingMemory, patienceMs: number) {
    super(memory);
    this.#patienceMs = patienceMs;
  }

  /** The next slot that was filled; the one before is given back. Blocks until there is one; null after the last. */
  next(): SharedArrayBuffer | null {
    this.#emptied++;
    this.setCount(place.emptied, this.#emptied);
    const isFilled = (): boolean => this.count(place.filled) > this.#emptied;
    this.wait(() => isFilled() || this.end !== 0, this.#patienceMs);
    // What was filled before the end counts too.
    return isFilled() ? this.slot(this.#emptied) : null;
  }

  /** After the last slot: whether nothing is missing. */
  get isWhole(): boolean {
    return this.end === ended.whole;
  }

  /** Nothing more is taken: the other side is to end. */
  stop(): void {
    this.finishAs(ended.early);
  }
}
