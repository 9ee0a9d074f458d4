/**
 * Chance that follows from a seed: choices, and ids of every kind. Ids have a stream of their own, so that a change of
 * what the engine creates does not change what the world chooses.
 * Invariant: the same seed gives the same numbers, whatever the machine.
 */
import type { Ids } from '../../src/lib/ids.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const hexDigits = '0123456789abcdef';

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 0 to 1, without 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** One of the names of `weights`, as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    const sum = names.reduce((total, name) => total + weights[name], 0);
    let at = this.next() * sum;
    for (const name of names) {
      at -= weights[name];
      if (at < 0) return name;
    }
    return this.pick(names);
  }

  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join('');
  }
}

/** Ids as the system makes them, but from `random`. */
export function simulatedIds(random: Random): Ids {
  return {
    newUuid() {
      const hex = random.text(32, hexDigits);
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    randomBase62: (length) => random.text(length, base62),
    randomHex: (bytes) => random.text(bytes * 2, hexDigits),
  };
}
