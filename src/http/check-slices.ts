/**
 * A project's checks, read in slices with a turn of the event loop between them, so that a list of ten thousand
 * holds up no ping.
 * Invariant: each slice is told only when all it shows is durable; one that turns out not to be is read again, and
 * no other slice with it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Check } from '../domain/check.ts';
import type { EngineRead } from '../engine/engine.ts';
import type { CheckId, ProjectId } from '../lib/ids.ts';

/** Under 2 ms of rendering; the first slice is read at once, so that short lists wait for nothing. */
export const checksPerSlice = 300;

interface Slice<Result> {
  readonly result: Promise<Result>;
  readonly last: boolean;
}

interface Walk<Result> {
  readonly read: EngineRead;
  readonly nowMs: number;
  readonly checks: Iterator<Check>;
  /** A check whose deletion is taken back meanwhile comes round again. */
  readonly seen: Set<CheckId>;
  readonly visit: (checks: readonly Check[]) => Result;
}

/** `visit` sees each check of the project once, oldest first, and may be called again for a slice. */
export async function visitChecks<Result>(
  read: EngineRead,
  projectId: ProjectId,
  nowMs: number,
  visit: (checks: readonly Check[]) => Result,
): Promise<Result[]> {
  const checks = read.checks(projectId, nowMs)[Symbol.iterator]();
  const walk: Walk<Result> = { read, nowMs, visit, checks, seen: new Set() };
  const results: Promise<Result>[] = [];
  for (;;) {
    const slice = visitSlice(walk);
    results.push(slice.result);
    if (slice.last) return Promise.all(results);
    await nextTurn();
  }
}

/** The second reading goes by id: the iterator is past the slice, and what it yielded is what did not last. */
function visitSlice<Result>({ read, nowMs, checks, seen, visit }: Walk<Result>): Slice<Result> {
  let ids: readonly CheckId[] | null = null;
  let last = false;
  const result = read.durably(() => {
    if (ids !== null) return visit(present(ids, (id) => read.check(id, nowMs)));
    const slice = take(checks, seen);
    ids = slice.map((check) => check.id);
    last = slice.length < checksPerSlice;
    return visit(slice);
  });
  return { result, last };
}

function take(checks: Iterator<Check>, seen: Set<CheckId>): readonly Check[] {
  const taken: Check[] = [];
  while (taken.length < checksPerSlice) {
    const next = checks.next();
    if (next.done) break;
    if (seen.has(next.value.id)) continue;
    seen.add(next.value.id);
    taken.push(next.value);
  }
  return taken;
}

function present(ids: readonly CheckId[], find: (id: CheckId) => Check | null): readonly Check[] {
  return ids.map(find).filter((check) => check !== null);
}
