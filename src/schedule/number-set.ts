/**
 * A small set of whole numbers that answers "which is the first member at or after v" in a few machine steps.
 * It is not a general collection: members lie within 0..59, the widest field of a time of day.
 * Invariant: immutable, so that one set may be shared by every schedule that names the same values.
 */
const lowBits = 30;
const lowMask = 2 ** lowBits - 1;

export class NumberSet {
  // Two 30-bit words: bit operations in JavaScript are 32 bits wide, and one of those is the sign.
  readonly #low: number;
  readonly #high: number;
  readonly first: number;

  /** values within 0..59, repeats allowed; an empty set is allowed and has first = -1. */
  constructor(values: Iterable<number>) {
    let low = 0;
    let high = 0;
    for (const value of values) {
      if (value < lowBits) low |= 1 << value;
      else high |= 1 << (value - lowBits);
    }
    this.#low = low;
    this.#high = high;
    this.first = this.atOrAfter(0);
  }

  /** The least member ≥ value, or -1. value may be anything from 0 to 60. */
  atOrAfter(value: number): number {
    if (value < lowBits) {
      const rest = this.#low & (lowMask << value);
      if (rest !== 0) return lowestBit(rest);
    }
    const from = Math.max(value - lowBits, 0);
    const rest = from < lowBits ? this.#high & (lowMask << from) : 0;
    return rest === 0 ? -1 : lowBits + lowestBit(rest);
  }

  has(value: number): boolean {
    return this.atOrAfter(value) === value;
  }
}

/** The index of the lowest bit set; mask must not be 0. */
export function lowestBit(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** The index of the highest bit set; mask must not be 0. */
export function highestBit(mask: number): number {
  return 31 - Math.clz32(mask);
}

/** Every whole number from first to last, by step. */
export function numbersFrom(first: number, last: number, step = 1): number[] {
  const numbers: number[] = [];
  for (let n = first; n <= last; n += step) numbers.push(n);
  return numbers;
}
