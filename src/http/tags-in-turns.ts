/**
 * All tags of a project, sorted, with turns of the event loop between: a project can have a hundred thousand.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** About a millisecond. */
export const tagsPerTurn = 2000;

/** Each once. `slices`: those of some checks each. */
export async function tagsInTurns(slices: readonly Iterable<string>[]): Promise<readonly string[]> {
  const tags = new Set<string>();
  for (const slice of slices) {
    for (const tag of slice) tags.add(tag);
    await nextTurn();
  }
  return sortedInTurns([...tags]);
}

/** Runs of `tagsPerTurn` are sorted, then merged in pairs, with a turn of the event loop after as many. */
async function sortedInTurns(texts: readonly string[]): Promise<readonly string[]> {
  let runs: (readonly string[])[] = [];
  for (let start = 0; start < texts.length; start += tagsPerTurn) {
    runs.push(texts.slice(start, start + tagsPerTurn).sort());
    await nextTurn();
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergedInTurns(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns(a: readonly string[], b: readonly string[]): Promise<readonly string[]> {
  const merged: string[] = [];
  let [inA, inB] = [0, 0];
  while (merged.length < a.length + b.length) {
    const [nextA, nextB] = [a[inA], b[inB]];
    const takesA = nextB === undefined || (nextA !== undefined && nextA <= nextB);
    merged.push((takesA ? nextA : nextB) ?? '');
    if (takesA) inA++;
    else inB++;
    if (merged.length % tagsPerTurn === 0) await nextTurn();
  }
  return merged;
}
