/**
 * Sorts with turns of the event loop between: a project can have a hundred thousand checks, and as many tags.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sortedPerTurn } from '../limits.ts';

export type Compare<Item> = (a: Item, b: Item) => number;

/** Returns all tags, sorted, each once. Each of `slices` has the tags of some checks. */
export async function tagsInTurns(slices: readonly Iterable<string>[]): Promise<readonly string[]> {
  const tags = new Set<string>();
  for (const slice of slices) {
    for (const tag of slice) tags.add(tag);
    await nextTurn();
  }
  return sortedInTurns([...tags], (a, b) => (a < b ? -1 : 1));
}

/** Sorts runs of `sortedPerTurn`, then merges them in pairs, with a turn of the event loop after as many. Stable. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += sortedPerTurn) {
    runs.push(items.slice(start, start + sortedPerTurn).sort(compare));
    if (start + sortedPerTurn < items.length) await nextTurn();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergedInTurns(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** In the first turn: what compares names for the first time takes as long as sorting two thousand of them later. */
const sortedAtFirst = 250;

/** Returns the first `max` in order, without sorting the others: most are compared once, with the last of those. Stable. */
export async function firstInTurns<Item>(
  items: readonly Item[],
  compare: Compare<Item>,
  max: number,
): Promise<readonly Item[]> {
  let first: Item[] = [];
  let size = sortedAtFirst;
  for (let start = 0; start < items.length; ) {
    const last = first[max - 1];
    const part = items.slice(start, start + size);
    const before = last === undefined ? part : part.filter((item) => compare(item, last) < 0);
    first = [...first, ...before].sort(compare).slice(0, max);
    start += size;
    size = Math.min(sortedPerTurn, size * 2);
    if (start < items.length) await nextTurn();
  }
  return first;
}

async function mergedInTurns<Item>(
  a: readonly Item[],
  b: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  if (b.length === 0) return a;
  const merged: Item[] = [];
  let [inA, inB] = [0, 0];
  while (inA < a.length && inB < b.length) {
    const [nextA, nextB] = [a[inA] as Item, b[inB] as Item];
    if (compare(nextA, nextB) <= 0) {
      merged.push(nextA);
      inA++;
    } else {
      merged.push(nextB);
      inB++;
    }
    if (merged.length % sortedPerTurn === 0) await nextTurn();
  }
  return merged.concat(a.slice(inA), b.slice(inB));
}
