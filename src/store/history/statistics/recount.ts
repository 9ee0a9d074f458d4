/**
 * Counts a check whose statistics were never kept, out of the pings and changes that are left of it: one that was restored
 * or imported without them. When something is first added to its statistics; reads do the
 * same in memory until then, so that nothing has to be counted at a start.
 *
 * Invariant: it reads no more than a check keeps: as many pings as its plan lists and an eighth more, changes of three months.
 */
import type { StatusChange } from '../../../domain/check/flip.ts';
import { type Run, type RunPing, runsOf } from '../../../domain/runs/latest-runs.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { readChange, readRunPing } from '../../codec/ping.ts';
import { changesCutoffMs } from '../rows/retention.ts';
import type { FoundPart } from '../rows/runs.ts';
import type { StatisticsTable } from '../rows/statistics-layout.ts';
import type { StatisticsRows } from '../rows/statistics-rows.ts';
import { aboveCheck, abovePings, type HistoryTables } from '../rows/tables.ts';

/** The check that is counted; `parts`: what runs hold of it, oldest first. */
export interface CountedCheck {
  readonly tables: { readonly pings: StatisticsTable; readonly changes: HistoryTables['changes'] };
  readonly uuid: Buffer;
  readonly parts: readonly FoundPart[];
  readonly nowMs: number;
}

/** Adds what the rows hold; what is in runs is added by who counts those. */
export function recount(statistics: StatisticsRows, { tables, uuid, parts, nowMs }: CountedCheck): void {
  const inRows = pingsInRows(tables, uuid, firstN(parts));
  const changes = changesInRows(tables, uuid);
  const [oldest] = inRows;
  // Before that, changes may be missing.
  if (oldest) statistics.beginAt(Math.max(oldest.atMs, changesCutoffMs(nowMs)));
  // Changes are all in rows, also those of pings in runs.
  const runs = runsOf([...inRows, ...parts.flatMap(({ pings }) => pingsIn(pings))], changes);
  // Of several at the same instant the first made the change, so it is put last.
  const durations = new Map(runs.toReversed().map(({ atMs, durationMs }) => [atMs, roundedMs(durationMs)]));
  for (const change of changes) statistics.addChange(change, durations.get(change.atMs) ?? null);
  const lastN = inRows.at(-1)?.n ?? 0;
  for (const run of runs) if ((run.n ?? 0) <= lastN) addRun(statistics, run);
}

function addRun(statistics: StatisticsRows, { n, outcome, atMs, durationMs, results }: Run): void {
  if (n === null) return;
  const signal = outcome === 'failed' ? 'fail' : 'success';
  statistics.addEnd(atMs, signal, { durationMs: roundedMs(durationMs), results });
}

/** Rounds a duration as the statistics count it. */
export function roundedMs(durationMs: number | null): number | null {
  return durationMs === null ? null : Math.round(durationMs);
}

const reader = new ByteReader();

/** If a compaction was cut off, the pings that it was moving are in the rows too. */
function firstN(parts: readonly FoundPart[]): number {
  const [first] = parts;
  return first && first.pings.length > 0 ? readRunPing(reader.open(first.pings)).n : Number.POSITIVE_INFINITY;
}

function pingsInRows({ pings: table }: CountedCheck['tables'], uuid: Buffer, belowN: number): RunPing[] {
  const found: RunPing[] = [];
  table.scan({ start: uuid, end: abovePings(uuid) }, (_key, chunk) => {
    for (const ping of pingsIn(chunk)) if (ping.n < belowN) found.push(ping);
  });
  return found;
}

function pingsIn(chunk: Buffer): readonly RunPing[] {
  const found: RunPing[] = [];
  reader.open(chunk);
  while (reader.left > 0) found.push(readRunPing(reader));
  return found;
}

function changesInRows({ changes }: CountedCheck['tables'], uuid: Buffer): StatusChange[] {
  const found: StatusChange[] = [];
  changes.scan({ start: uuid, end: aboveCheck(uuid) }, (_key, value) => {
    found.push(readChange(new ByteReader(value)));
  });
  return found;
}
