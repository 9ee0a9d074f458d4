/**
 * Writes what journal batches say of one check into its history rows, and keeps these within the limits.
 * Runs inside the fold's transaction. Invariant: the counters agree with rows and runs together when `foldCheck` returns.
 *
 * A few pings go into the run of this fold, beside those of other checks: in rows of their own they would dirty a page of 4 kB.
 * Many go into the check's rows at once. Those too old are deleted in batches, an eighth of the plan's limit at a time:
 * deleting the oldest at every fold would dirty a second page for each check. Reads go by `listedFrom`, so that the surplus
 * is never shown.
 */
import { keepsFailures } from '../../../domain/retention/kept-pings.ts';
import { isEnd } from '../../../domain/runs/run-statistics.ts';
import type { ProjectId } from '../../../lib/ids.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter, wholeBytesMax } from '../../codec/byte-writer.ts';
import { nPingsOfState } from '../../codec/check.ts';
import {
  atMsOfPing,
  changeBytes,
  readChange,
  resultsOfPing,
  signalOfPing,
  skipPing,
} from '../../codec/ping.ts';
import { endingRow, notificationRow, rows } from '../../codec/rows.ts';
import { writeDuration } from '../../codec/statistics.ts';
import { bytesOfUuid } from '../../codec/uuid.ts';
import type { Table } from '../../disk/lmdb-env.ts';
import { bodiesFromBelow, type CheckRows, dropBodies, withSpace } from '../rows/check-rows.ts';
import { bodiesToDrop, storedFrom } from '../rows/retention.ts';
import { noteRules } from '../rows/ruled-checks.ts';
import type { RunReader } from '../rows/run-reader.ts';
import { type NumberedBody, noDurations, type RunWriter } from '../rows/runs.ts';
import type { StatisticsRows } from '../rows/statistics-rows.ts';
import {
  changeKey,
  counterBytes,
  endingKey,
  type HistoryTables,
  nOfPingKey,
  notificationKey,
  pingKey,
  pingKeyBytes,
  type RetentionCounters,
  readCounters,
  setPingKey,
  writeCounters,
} from '../rows/tables.ts';
import { countedRows } from '../statistics/count-pings.ts';
import { type Group, type GroupedRecords, numbersPerPing } from './fold-groups.ts';

export interface FoldRules {
  readonly bodyBudgetBytes: number;
  readonly nowMs: number;
  /** Status changes before this may go. */
  readonly changesCutoffMs: number;
  projectOf(project: ProjectId): ProjectRules;
}

export interface ProjectRules {
  /** Pings that its plan allows for a check. */
  readonly pingsMax: number;
  /** Text of its rules of retention; empty for none. */
  readonly retention: string;
}

/** The runs that a fold uses: those of earlier folds, and its own. */
export interface FoldRuns {
  readonly earlier: RunReader;
  readonly own: RunWriter;
}

interface Work extends CheckRows {
  readonly rules: FoldRules;
  readonly runs: FoldRuns;
  readonly group: Group;
  /** Opens when something is added to it. */
  statistics: StatisticsRows | null;
}

/**
 * From so many bytes on, pings, and pings with bodies, go into the check's own rows. A run costs their bytes twice, since the
 * compaction writes them again; a row costs a page of 4 kB, and one more for the bodies.
 */
const rowPingBytesMin = 2048;
const rowBytesMin = 4096;

const reader = new ByteReader();
const scratchKey = Buffer.alloc(pingKeyBytes);
let chunk = Buffer.allocUnsafeSlow(64 * 1024);

export function foldCheck(
  tables: HistoryTables,
  { rules, runs }: { readonly rules: FoldRules; readonly runs: FoldRuns },
  grouped: GroupedRecords,
  group: Group,
): void {
  const { uuid } = group;
  if (group.deleted) {
    writeTombstone(tables, uuid);
    return;
  }
  const stored = tables.states.get(uuid);
  if (!stored && !group.row) return;
  const counters = stored ? readCounters(reader.open(stored)) : freshCounters();
  if (group.row) {
    tables.checks.put(uuid, group.row);
    const check = rows.check.read(group.row);
    const project = rules.projectOf(check.projectId);
    counters.pingsMax = project.pingsMax;
    counters.keepsFailures = keepsFailures(check.config.retention || project.retention);
    noteRules(tables, uuid, check);
  }
  const state = stateOf(grouped, group) ?? Buffer.from(stored?.subarray(counterBytes) ?? []);
  const floor = storedFrom(nPingsOfState(reader.open(state)), counters);
  const work: Work = { tables, uuid, rules, runs, group, counters, floor, statistics: null };
  trimPings(work);
  putPings(work, grouped.batches);
  putChanges(work);
  putNotifications(work);
  putEndings(work);
  work.statistics?.save();
  putState(work, state);
}

function stateOf({ batches }: GroupedRecords, { stateBatch, stateStart, stateEnd }: Group): Buffer | null {
  return batches[stateBatch]?.subarray(stateStart, stateEnd) ?? null;
}

function freshCounters(): RetentionCounters {
  return { pingsMax: 0, keepsFailures: false, oldestN: 0, bodyFrom: 1, bodyBytes: 0, changes: 0 };
}

/** The check is gone from loads and reads at once; its other rows go with the sweep. */
function writeTombstone(tables: HistoryTables, uuid: Buffer): void {
  if (!tables.states.get(uuid)) return;
  tables.checks.remove(uuid);
  tables.states.remove(uuid);
  tables.tombstones.put(uuid, Buffer.alloc(1));
}

/** The pings of the group without those that would not be listed anyway. A view that the next call overwrites. */
function listedPings({ group: { pings }, floor }: Work, batches: readonly Buffer[]): Buffer {
  let size = 0;
  for (let at = 0; at < pings.length; at += numbersPerPing) {
    if ((pings[at + 3] ?? 0) < floor) continue;
    const start = pings[at + 1] ?? 0;
    const end = pings[at + 2] ?? 0;
    chunk = withSpace(chunk, { used: size, size: size + end - start });
    batches[pings[at] ?? 0]?.copy(chunk, size, start, end);
    size += end - start;
  }
  return chunk.subarray(0, size);
}

/** The bodies of the group that the budget has space for; older ones of the check give way. */
function keptBodies(work: Work): readonly NumberedBody[] {
  const { rules, group, counters, floor } = work;
  if (group.bodies.length === 0) return [];
  const listed = group.bodies.filter((body) => body.n >= floor);
  // A body that would have to go at once is not written at all.
  const sizes = listed.map((body) => body.bytes.length);
  const kept = listed.slice(bodiesToDrop(sizes, rules.bodyBudgetBytes));
  const first = kept[0];
  if (!first) return [];
  for (const body of kept) counters.bodyBytes += body.bytes.length;
  const excess = counters.bodyBytes - rules.bodyBudgetBytes;
  const areSomeLeftOut = kept.length < group.bodies.length;
  if (!areSomeLeftOut && excess <= 0) return kept;
  const earlier = earlierBodies(work);
  const keepFrom = areSomeLeftOut ? first.n : bodiesFromBelow(work, earlier, { end: first.n, excess });
  dropBodies(work, earlier, keepFrom);
  return kept;
}

function earlierBodies({ uuid, runs }: Work): readonly NumberedBody[] {
  return runs.earlier.partsOf(uuid).flatMap(({ bodies }) => bodies);
}

function trimPings(work: Work): void {
  const { tables, uuid, counters, floor } = work;
  const surplus = floor - counters.oldestN;
  if (counters.oldestN === 0 || surplus < counters.pingsMax / 8) return;
  // They count also where they were never counted.
  statisticsOf(work);
  const keys: Buffer[] = [];
  const range = { start: pingKey(uuid, counters.oldestN), end: pingKey(uuid, floor + 1) };
  tables.pings.scan(range, (key) => {
    keys.push(Buffer.from(key));
  });
  // The last of them holds the lowest listed ping, or pings after it.
  const kept = keys.pop();
  for (const key of keys) tables.pings.remove(key);
  counters.oldestN = kept ? nOfPingKey(kept) : floor;
  if (counters.bodyBytes > 0) dropBodies(work, earlierBodies(work), floor);
}

function putPings(work: Work, batches: readonly Buffer[]): void {
  const { tables, uuid, counters, runs, group } = work;
  const pings = listedPings(work, batches);
  const bodies = keptBodies(work);
  if (group.pings.length === 0) return;
  const size = bodies.reduce((sum, { bytes }) => sum + bytes.length, pings.length);
  // Rows hold all that is older: not while earlier runs have some of it.
  const areFew = pings.length < rowPingBytesMin && size < rowBytesMin;
  const goIntoRun = areFew || runs.earlier.partsOf(uuid).length > 0;
  // A ping that is not listed is not in a run, and could not be counted out of it.
  const isCounted = !goIntoRun || isTrimmed(work);
  if (isCounted) countGroup(work, batches);
  if (pings.length === 0) return;
  const firstN = skipPing(reader.open(pings));
  if (counters.oldestN === 0) counters.oldestN = firstN;
  if (goIntoRun) {
    runs.own.add(uuid, { pings, durations: isCounted ? noDurations : durationsOf(group), isCounted, bodies });
    return;
  }
  scratchKey.set(uuid);
  tables.pings.put(setPingKey(scratchKey, firstN), pings);
  for (const { n, bytes } of bodies) tables.bodies.put(pingKey(uuid, n), bytes);
}

function isTrimmed({ group: { pings }, floor }: Work): boolean {
  return (pings[3] ?? 0) < floor;
}

/** The statistics to add to. If the check was never counted, its rows are counted first. */
function statisticsOf(work: Work): StatisticsRows {
  const { tables, uuid, runs, rules } = work;
  work.statistics ??= countedRows({ tables, uuid, parts: runs.earlier.partsOf(uuid), nowMs: rules.nowMs });
  return work.statistics;
}

/** All of them, listed or not. */
function countGroup(work: Work, batches: readonly Buffer[]): void {
  const statistics = statisticsOf(work);
  const { pings } = work.group;
  for (let at = 0; at < pings.length; at += numbersPerPing) {
    const batch = batches[pings[at] ?? 0];
    if (!batch) continue;
    const start = pings[at + 1] ?? 0;
    const signal = signalOfPing(batch, start);
    const durationMs = pings[at + 4] ?? -1;
    if (isEnd(signal))
      statistics.addEnd(atMsOfPing(batch, start), signal, {
        durationMs: durationMs < 0 ? null : durationMs,
        results: resultsOfPing(batch, start),
      });
  }
}

const durationWriter = new ByteWriter(256);

/** Durations of the group's pings, as a run keeps them; most jobs have none. A view that the next call overwrites. */
function durationsOf({ pings }: Group): Buffer {
  let count = pings.length / numbersPerPing;
  while (count > 0 && (pings[count * numbersPerPing - 1] ?? -1) < 0) count--;
  if (count === 0) return noDurations;
  durationWriter.clear();
  durationWriter.reserve(count * wholeBytesMax);
  for (let place = 1; place <= count; place++)
    writeDuration(durationWriter, pings[place * numbersPerPing - 1] ?? -1);
  return durationWriter.view();
}

function putChanges(work: Work): void {
  const { tables, rules, group, counters } = work;
  if (group.changes.length === 0) return;
  // Before they are in rows, out of which they would be counted.
  const statistics = statisticsOf(work);
  for (const { bytes, durationMs } of group.changes) {
    for (let at = 0; at < bytes.length; at += changeBytes) {
      const change = readChange(reader.open(bytes.subarray(at)));
      statistics.addChange(change, durationMs < 0 ? null : durationMs);
      const key = changeKey(group.uuid, change.atMs, counters.changes++ % 2 ** 32);
      tables.changes.put(key, bytes.subarray(at, at + changeBytes));
    }
  }
  dropBefore(tables.changes, group.uuid, rules.changesCutoffMs);
}

/** The keys of both tables begin with the check and the time. */
function dropBefore(table: Table, uuid: Buffer, cutoffMs: number): void {
  const old: Buffer[] = [];
  table.scan({ start: uuid, end: changeKey(uuid, cutoffMs, 0) }, (key) => {
    old.push(Buffer.from(key));
  });
  for (const key of old) table.remove(key);
}

function putNotifications({ tables, rules, group }: Work): void {
  if (group.notifications.length === 0) return;
  for (const row of group.notifications) {
    const { atMs, deliveryId } = notificationRow.read(row);
    tables.notifications.put(notificationKey(group.uuid, atMs, bytesOfUuid(deliveryId)), row);
  }
  dropBefore(tables.notifications, group.uuid, rules.changesCutoffMs);
}

/** A fold that was cut off puts the same rows again, under the same keys. */
function putEndings({ tables, rules, group }: Work): void {
  if (group.endings.length === 0) return;
  for (const row of group.endings)
    tables.endings.put(endingKey(group.uuid, endingRow.read(row).atMs, row), row);
  dropBefore(tables.endings, group.uuid, rules.changesCutoffMs);
}

function putState({ tables, group, counters }: Work, state: Buffer): void {
  const row = Buffer.allocUnsafe(counterBytes + state.length);
  writeCounters(row, { ...counters, changes: counters.changes % 2 ** 32 });
  row.set(state, counterBytes);
  tables.states.put(group.uuid, row);
}
