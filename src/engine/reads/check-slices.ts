/**
 * A project's checks, read in slices with a turn of the event loop between them, so that a list of ten thousand
 * holds up no ping.
 * Invariant: each slice is sent only when all it shows is durable; one that turns out not to be is read again, and
 * no other slice with it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../../domain/check/check.ts';
import type { CheckId, ProjectId } from '../../lib/ids.ts';
import type { EngineRead } from '../contract/engine.ts';
import { checksPerSlice, sliceMs } from '../contract/limits.ts';

/** Checks in the first slice, which is read at once: code that has never run takes twenty times as long. */
const checksAtFirst = 50;

interface Slice<Result> {
  readonly result: Promise<Result>;
  readonly last: boolean;
}

interface Walk<Result> {
  readonly read: EngineRead;
  readonly nowMs: number;
  readonly checks: Iterator<Check>;
  readonly visit: (checks: readonly Check[]) => Result;
  size: number;
}

/** `visit` sees each check of the project once, oldest first, and may be called again for a slice. */
export async function visitChecks<Result>(
  read: EngineRead,
  projectId: ProjectId,
  nowMs: number,
  visit: (checks: readonly Check[]) => Result,
): Promise<Result[]> {
  const checks = read.checks(projectId, nowMs)[Symbol.iterator]();
  const walk: Walk<Result> = { read, nowMs, visit, checks, size: checksAtFirst };
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
function visitSlice<Result>({ read, nowMs, checks, visit, size }: Walk<Result>): Slice<Result> {
  let ids: readonly CheckId[] | null = null;
  let last = false;
  const result = read.durably(() => {
    if (ids !== null) return visit(present(ids, (id) => read.check(id, nowMs)));
    const slice = take(checks, size);
    ids = slice.map((check) => check.id);
    last = slice.length < size;
    return visit(slice);
  });
  return { result, last };
}

function take(checks: Iterator<Check>, count: number): readonly Check[] {
  const taken: Check[] = [];
  while (taken.length < count) {
    const next = checks.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

function present(ids: readonly CheckId[], find: (id: CheckId) => Check | null): readonly Check[] {
  return ids.map(find).filter((check) => check !== null);
}
