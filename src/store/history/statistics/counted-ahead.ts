/**
 * Counts in short turns what the tail has of a check's statistics, where that is much, before it is read: a read takes one turn, and
 * goes through all that is not folded yet. Not here: the reads (`read-statistics`).
 * Invariant: what is kept belongs to one state of the check's history, and counts no more once that is another; reads leave it as it is.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Status } from '../../../domain/check/check.ts';
import { isEnd } from '../../../domain/runs/run-statistics.ts';
import { checksCountedAheadMax, stepsCountedPerTurn, stepsLeftMax } from '../../disk/limits.ts';
import type { Tail, TailStep } from '../../journal/tail.ts';
import { OverlayTable } from '../rows/overlay-table.ts';
import { partsOfOne } from '../rows/run-reader.ts';
import { keysOf } from '../rows/statistics-layout.ts';
import type { StatisticsRows } from '../rows/statistics-rows.ts';
import { foldedSeqOf, type HistoryTables } from '../rows/tables.ts';
import { countedRows, countParts } from './count-pings.ts';

export interface CheckRead {
  readonly tables: HistoryTables;
  readonly tail: Tail;
  readonly uuid: Buffer;
}

interface Ahead {
  /** The state of the history that it was counted on. */
  readonly foldedSeq: number;
  readonly recent: Buffer | null;
  readonly table: OverlayTable;
  /** Number of the first record of the tail that is not counted. */
  next: number;
  /** The status after what is counted; null if nothing has changed it. */
  status: Status | null;
}

export class CountedAhead {
  readonly #kept = new Map<string, Ahead>();

  /** What is counted ahead of a check as its history is now; null for nothing. */
  of({ tables, uuid }: CheckRead): Ahead | null {
    const name = nameOf(uuid);
    const ahead = this.#kept.get(name);
    if (!ahead) return null;
    if (ahead.foldedSeq === foldedSeqOf(tables, uuid) && isSame(ahead.recent, recentOf(tables, uuid)))
      return ahead;
    this.#kept.delete(name);
    return null;
  }

  /** Counts what the tail has now, but for a few records that each read can count itself. */
  async count(read: CheckRead, nowMs: number): Promise<void> {
    const { tail, tables, uuid } = read;
    if (!tail.hasMore(uuid, stepsLeftMax)) return;
    const until = tail.nextNumber;
    for (;;) {
      const ahead = this.of(read);
      const next = ahead?.next ?? 0;
      const numbers = tail.numbers(uuid, foldedSeqOf(tables, uuid), next);
      if (next >= until || numbers.length <= stepsLeftMax) return;
      if (!this.#add(read, ahead ?? begun(read), numbers.slice(0, stepsCountedPerTurn), nowMs)) return;
      await nextTurn();
    }
  }

  /** False for a check that is deleted: nothing of it is read any more. */
  #add(read: CheckRead, ahead: Ahead, numbers: readonly number[], nowMs: number): boolean {
    const { tail, tables, uuid } = read;
    const name = nameOf(uuid);
    this.#kept.delete(name);
    const { deleted, items } = tail.stepsAt(uuid, numbers);
    if (deleted) return false;
    const parts = partsOfOne(tables.runs, uuid);
    const counted = { tables: { pings: ahead.table, changes: tables.changes }, uuid, parts, nowMs };
    const statistics = countedRows(counted);
    countParts(statistics, parts);
    addSteps(statistics, items);
    statistics.save();
    ahead.next = (numbers.at(-1) ?? 0) + 1;
    ahead.status = statusAfter(items) ?? ahead.status;
    this.#kept.set(name, ahead);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= checksCountedAheadMax) break;
      this.#kept.delete(oldest);
    }
    return true;
  }
}

function begun({ tables, uuid }: CheckRead): Ahead {
  return {
    foldedSeq: foldedSeqOf(tables, uuid),
    recent: recentOf(tables, uuid),
    table: new OverlayTable(tables.pings),
    next: 0,
    status: null,
  };
}

export function addSteps(statistics: StatisticsRows, steps: readonly TailStep[]): void {
  for (const { ping, durationMs, changes } of steps) {
    const isEndOfRun = ping !== null && isEnd(ping.signal);
    if (isEndOfRun) statistics.addEnd(ping.atMs, ping.signal, { durationMs, results: ping.results });
    for (const change of changes) statistics.addChange(change, isEndOfRun ? durationMs : null);
  }
}

/** The status after the steps; null if none changes it. */
export function statusAfter(steps: readonly TailStep[]): Status | null {
  return steps.findLast(({ changes }) => changes.length > 0)?.changes.at(-1)?.to ?? null;
}

function nameOf(uuid: Buffer): string {
  return uuid.toString('latin1');
}

function recentOf(tables: HistoryTables, uuid: Buffer): Buffer | null {
  const row = tables.pings.get(keysOf.recent(uuid));
  return row && Buffer.from(row);
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
