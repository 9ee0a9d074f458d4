/**
 * A project's checks, read in slices with a turn of the event loop between them, so that a list of ten thousand
 * holds up no ping.
 * Invariant: each slice is sent only when all it shows is durable; one that turns out not to be is read again, and
 * no other slice with it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import { type ListedCheck, listedOf } from '../../domain/check/listed-check.ts';
import type { CheckId, ProjectId } from '../../lib/ids.ts';
import type { EngineRead } from '../contract/engine.ts';
import { checksPerSlice, sliceMs } from '../contract/limits.ts';

/** Checks in the first slice, which is read at once: code that has never run takes twenty times as long. */
const checksAtFirst = 50;

interface Slice<Result> {
  readonly result: Promise<Result>;
  readonly last: boolean;
}

interface Known {
  readonly id: CheckId;
}

interface Walk<Item, Result> {
  readonly durably: EngineRead['durably'];
  readonly items: Iterator<Item>;
  /** Null for a check that is gone. */
  readonly again: (id: CheckId) => Item | null;
  readonly visit: (items: readonly Item[]) => Result;
  size: number;
}

/** `visit` sees each check of the project once, oldest first, and may be called again for a slice. */
export function visitChecks<Result>(
  read: EngineRead,
  projectId: ProjectId,
  nowMs: number,
  visit: (checks: readonly Check[]) => Result,
): Promise<Result[]> {
  return visitItems({
    durably: read.durably,
    items: read.checks(projectId, nowMs)[Symbol.iterator](),
    again: (id) => read.check(id, nowMs),
    visit,
    size: checksAtFirst,
  });
}

/** The same of what a list shows of each. */
export function visitListed<Result>(
  read: EngineRead,
  projectId: ProjectId,
  nowMs: number,
  visit: (checks: readonly ListedCheck[]) => Result,
): Promise<Result[]> {
  const again = (id: CheckId): ListedCheck | null => {
    const check = read.check(id, nowMs);
    return check?.projectId === projectId ? listedOf(check) : null;
  };
  return visitItems({
    durably: read.durably,
    items: read.checksListed(projectId, nowMs)[Symbol.iterator](),
    again,
    visit,
    size: checksAtFirst,
  });
}

async function visitItems<Item extends Known, Result>(walk: Walk<Item, Result>): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  for (;;) {
    const startMs = performance.now();
    const slice = visitSlice(walk);
    walk.size = nextSize(walk.size, performance.now() - startMs);
    results.push(slice.result);
    // If a later slice throws, as at the end of Knell, nobody waits for this one any more.
    slice.result.catch(() => {});
    if (slice.last) return Promise.all(results);
    await nextTurn();
  }
}

function nextSize(size: number, tookMs: number): number {
  if (tookMs < sliceMs) return Math.min(checksPerSlice, size * 2);
  return tookMs > 2 * sliceMs ? Math.max(1, size >> 1) : size;
}

/** The second reading goes by id: the iterator is past the slice, and what it yielded is what did not last. */
function visitSlice<Item extends Known, Result>({
  durably,
  items,
  again,
  visit,
  size,
}: Walk<Item, Result>): Slice<Result> {
  let ids: readonly CheckId[] | null = null;
  let last = false;
  const result = durably(() => {
    if (ids !== null) return visit(ids.map(again).filter((item) => item !== null));
    const slice = take(items, size);
    ids = slice.map((check) => check.id);
    last = slice.length < size;
    return visit(slice);
  });
  return { result, last };
}

function take<Item>(items: Iterator<Item>, count: number): readonly Item[] {
  const taken: Item[] = [];
  while (taken.length < count) {
    const next = items.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}
