/** Which places of the list have rows that can be seen: those of no folded group. Pure. */
import type { ListGroup } from '../../domain/views/page-view.ts';

/** The places of the rows of what is not folded, from `from` on and before `end`; in the order of the list. */
export interface OpenRows {
  readonly from: number;
  readonly end: number;
}

export function openRows(
  total: number,
  groups: readonly ListGroup[],
  folded: ReadonlySet<string>,
): readonly OpenRows[] {
  if (groups.length === 0) return total === 0 ? [] : [{ from: 0, end: total }];
  const open = groups.filter(({ name, size }) => size > 0 && !folded.has(name));
  return open.map(({ from, size }) => ({ from, end: from + size }));
}

export function isOpenAt(open: readonly OpenRows[], at: number): boolean {
  return open.some(({ from, end }) => from <= at && at < end);
}

export function countOpen(open: readonly OpenRows[]): number {
  return open.reduce((sum, { from, end }) => sum + end - from, 0);
}

/** Returns the open place after `at`, or before it; at the end of them the last one. -1 where none is open. */
export function stepOver(open: readonly OpenRows[], at: number, by: 1 | -1): number {
  const first = open[0]?.from ?? -1;
  const last = (open.at(-1)?.end ?? 0) - 1;
  const next = at + by;
  if (by === 1) {
    const there = open.find(({ end }) => next < end);
    return there ? Math.max(next, there.from) : last;
  }
  const there = open.findLast(({ from }) => from <= next);
  return there ? Math.min(next, there.end - 1) : first;
}
