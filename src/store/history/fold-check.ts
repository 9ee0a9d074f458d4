/**
 * Writes what journal batches say of one check into its history rows, and keeps these within the limits.
 * Runs inside the fold's transaction. Invariant: the counters agree with the rows when `foldCheck` returns.
 *
 * Pings are deleted in batches, an eighth of the plan's limit at a time: deleting the oldest at every fold would
 * dirty a second page for each check. Reads go by `listedFrom`, so that the surplus is never shown.
 */
import type { ProjectId } from '../../lib/ids.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { nPingsOfState } from '../codec/check.ts';
import { changeBytes } from '../codec/ping.ts';
import { notificationRow, rows } from '../codec/rows.ts';
import { bytesOfUuid } from '../codec/uuid.ts';
import type { Table } from '../lmdb-env.ts';
import { type Group, type GroupedRecords, numbersPerPing } from './fold-groups.ts';
import { bodiesToDrop, listedFrom } from './retention.ts';
import {
  changeKey,
  counterBytes,
  type HistoryTables,
  nOfPingKey,
  notificationKey,
  pingKey,
  pingKeyBytes,
  type RetentionCounters,
  readCounters,
  setPingKey,
  writeCounters,
} from './tables.ts';

export interface FoldRules {
  readonly bodyBudgetBytes: number;
  /** Status changes before this may go. */
  readonly changesCutoffMs: number;
  /** What the plan of a project allows. */
  pingsMaxOf(project: ProjectId): number;
}

interface Work {
  readonly tables: HistoryTables;
  readonly rules: FoldRules;
  readonly group: Group;
  readonly counters: RetentionCounters;
  /** The lowest n that is still listed after this fold. */
  readonly floor: number;
}

const reader = new ByteReader();
const scratchKey = Buffer.alloc(pingKeyBytes);
let chunk = Buffer.allocUnsafeSlow(64 * 1024);

export function foldCheck(
  tables: HistoryTables,
  rules: FoldRules,
  grouped: GroupedRecords,
  group: Group,
): void {
  if (group.deleted) {
    writeTombstone(tables, group.uuid);
    return;
  }
  const stored = tables.states.get(group.uuid);
  if (!stored && !group.row) return;
  const counters = stored ? readCounters(reader.open(stored)) : freshCounters();
  if (group.row) {
    tables.checks.put(group.uuid, group.row);
    counters.pingsMax = rules.pingsMaxOf(rows.check.read(group.row).projectId);
  }
  const state = stateOf(grouped, group) ?? Buffer.from(stored?.subarray(counterBytes) ?? []);
  const floor = listedFrom(nPingsOfState(reader.open(state)), counters.pingsMax);
  const work: Work = { tables, rules, group, counters, floor };
  putPings(work, grouped.batches);
  trimPings(work);
  putBodies(work);
  putChanges(work);
  putNotifications(work);
  putState(work, state);
}

function stateOf({ batches }: GroupedRecords, { stateBatch, stateStart, stateEnd }: Group): Buffer | null {
  return batches[stateBatch]?.subarray(stateStart, stateEnd) ?? null;
}

function freshCounters(): RetentionCounters {
  return { pingsMax: 0, oldestN: 0, bodyFrom: 1, bodyBytes: 0, changes: 0 };
}

/** The check is gone from loads and reads at once; its other rows go with the sweep. */
function writeTombstone(tables: HistoryTables, uuid: Buffer): void {
  if (!tables.states.get(uuid)) return;
  tables.checks.remove(uuid);
  tables.states.remove(uuid);
  tables.tombstones.put(uuid, Buffer.alloc(1));
}

/** All pings of the group as one value, without those that would not be listed anyway. */
function putPings({ tables, group, counters, floor }: Work, batches: readonly Buffer[]): void {
  const { pings, uuid } = group;
  let size = 0;
  let firstN = 0;
  for (let at = 0; at < pings.length; at += numbersPerPing) {
    const n = pings[at + 3] ?? 0;
    if (n < floor) continue;
    const start = pings[at + 1] ?? 0;
    const end = pings[at + 2] ?? 0;
    if (firstN === 0) firstN = n;
    ensureChunk(size + end - start, size);
    batches[pings[at] ?? 0]?.copy(chunk, size, start, end);
    size += end - start;
  }
  if (size === 0) return;
  scratchKey.set(uuid);
  tables.pings.put(setPingKey(scratchKey, firstN), chunk.subarray(0, size));
  if (counters.oldestN === 0) counters.oldestN = firstN;
}

function ensureChunk(size: number, used: number): void {
  if (size <= chunk.length) return;
  const grown = Buffer.allocUnsafeSlow(Math.max(size, chunk.length * 2));
  chunk.copy(grown, 0, 0, used);
  chunk = grown;
}

function trimPings(work: Work): void {
  const { tables, group, counters, floor } = work;
  const surplus = floor - counters.oldestN;
  if (counters.oldestN === 0 || surplus < counters.pingsMax / 8) return;
  const keys: Buffer[] = [];
  const range = { start: pingKey(group.uuid, counters.oldestN), end: pingKey(group.uuid, floor + 1) };
  tables.pings.scan(range, (key) => {
    keys.push(Buffer.from(key));
  });
  // The last of them holds the lowest listed ping, or pings after it.
  const kept = keys.pop();
  for (const key of keys) tables.pings.remove(key);
  if (kept) counters.oldestN = nOfPingKey(kept);
  if (counters.bodyBytes > 0) dropBodies(work, floor);
}

/** Removes the bodies of all pings below `floor`. */
function dropBodies({ tables, group, counters }: Work, floor: number): void {
  if (floor <= counters.bodyFrom) return;
  const keys: Buffer[] = [];
  const range = { start: pingKey(group.uuid, counters.bodyFrom), end: pingKey(group.uuid, floor) };
  tables.bodies.scan(range, (key, body) => {
    keys.push(Buffer.from(key));
    counters.bodyBytes -= body.length;
  });
  for (const key of keys) tables.bodies.remove(key);
  counters.bodyFrom = floor;
}

function putBodies(work: Work): void {
  const { tables, rules, group, counters, floor } = work;
  if (group.bodies.length === 0) return;
  const listed = group.bodies.filter((body) => body.n >= floor);
  // What would have to go at once is not written at all.
  const kept = listed.slice(
    bodiesToDrop(
      listed.map((body) => body.bytes.length),
      rules.bodyBudgetBytes,
    ),
  );
  const first = kept[0];
  if (!first) return;
  if (kept.length < group.bodies.length) dropBodies(work, first.n);
  for (const body of kept) {
    tables.bodies.put(pingKey(group.uuid, body.n), body.bytes);
    counters.bodyBytes += body.bytes.length;
  }
  keepBudget(work);
}

function keepBudget(work: Work): void {
  const { tables, rules, group, counters, floor } = work;
  let excess = counters.bodyBytes - rules.bodyBudgetBytes;
  const newest = group.bodies.at(-1);
  if (excess <= 0 || !newest) return;
  let keepFrom = Math.max(counters.bodyFrom, 1);
  const range = { start: pingKey(group.uuid, keepFrom), end: pingKey(group.uuid, Math.max(newest.n, floor)) };
  tables.bodies.scan(range, (key, body) => {
    if (excess <= 0) return false;
    excess -= body.length;
    keepFrom = nOfPingKey(key) + 1;
    return true;
  });
  dropBodies(work, keepFrom);
}

function putChanges({ tables, rules, group, counters }: Work): void {
  if (group.changes.length === 0) return;
  for (const run of group.changes) {
    for (let at = 0; at < run.length; at += changeBytes) {
      const atMs = reader.open(run.subarray(at)).f64();
      const key = changeKey(group.uuid, atMs, counters.changes++ % 2 ** 32);
      tables.changes.put(key, run.subarray(at, at + changeBytes));
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

function putState({ tables, group, counters }: Work, state: Buffer): void {
  const row = Buffer.allocUnsafe(counterBytes + state.length);
  writeCounters(row, { ...counters, changes: counters.changes % 2 ** 32 });
  row.set(state, counterBytes);
  tables.states.put(group.uuid, row);
}
