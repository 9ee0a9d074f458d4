/**
 * Reads of one check's pings, bodies and status changes: the folded history and the tail as one. Writes nothing.
 *
 * Invariant: history and tail meet at the history's own mark for the check, read in the same transaction as its rows, so that a fold which
 * ends in between neither hides a record nor shows it twice.
 */

import type { AuditEntry, AuditPlace } from '../../domain/accounts/audit.ts';
import { planLimits } from '../../domain/accounts/plan-limits.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import type { Ping, PingOutput } from '../../domain/check/ping.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import { KeptPings, keepsFailures, type Retention } from '../../domain/retention/kept-pings.ts';
import type { Run } from '../../domain/runs/latest-runs.ts';
import type { RunEnding } from '../../domain/runs/run-ending.ts';
import type { RunStatistics, Uptime } from '../../domain/runs/run-statistics.ts';
import type { CheckId } from '../../lib/ids.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { ByteWriter } from '../codec/byte-writer.ts';
import { nPingsOfState } from '../codec/check.ts';
import { readChange, readPing, readPingOutput, skipPing } from '../codec/ping.ts';
import { endingRow, notificationRow } from '../codec/rows.ts';
import type { Table } from '../disk/lmdb-env.ts';
import type { Tail, TailOf } from '../journal/tail.ts';
import type { ChangeRange, PingPlace } from '../store.ts';
import { createEventReads, type EventReads } from './read-events.ts';
import { readAudit } from './rows/audit-rows.ts';
import { lastRowN } from './rows/check-rows.ts';
import { listedFrom, storedFrom } from './rows/retention.ts';
import { partsOfOne, visitPartsOfOne } from './rows/run-reader.ts';
import { readSnoozeAudit } from './rows/snooze-index.ts';
import {
  aboveCheck,
  abovePings,
  changeKey,
  endingKey,
  foldedSeqOf,
  type HistoryTables,
  notificationKey,
  pingKey,
  type RetentionCounters,
  readCounters,
  readMeta,
} from './rows/tables.ts';
import { CountedAhead } from './statistics/counted-ahead.ts';
import { latestRuns, statisticsBetween, uptimesIn } from './statistics/read-statistics.ts';

export interface HistoryReads extends EventReads {
  pings(id: CheckId, limit: number, retention?: Retention | null): readonly Ping[];
  body(id: CheckId, n: number): Uint8Array | null;
  lookAtBody<Result>(id: CheckId, n: number, look: (body: Buffer) => Result): Result | null;
  outputs(id: CheckId, below: number, limit: number): readonly PingOutput[];
  prefetchBodies(wanted: readonly PingPlace[]): Promise<void>;
  changes(id: CheckId, range: ChangeRange, limit?: number): readonly StatusChange[];
  lastChange(id: CheckId): StatusChange | null;
  statistics(id: CheckId, edges: readonly number[], nowMs: number): readonly RunStatistics[];
  uptimes(id: CheckId, ranges: readonly ChangeRange[], nowMs: number): readonly Uptime[];
  countAhead(id: CheckId, nowMs: number): Promise<void>;
  latestRuns(id: CheckId, count: number, retention?: Retention | null): readonly Run[];
  notifications(id: CheckId, range: ChangeRange, limit: number): readonly SentNotification[];
  runEndings(id: CheckId, range: ChangeRange, limit: number): readonly RunEnding[];
  audit(before: AuditPlace | null, limit: number): readonly AuditEntry[];
  snoozeAudit(id: CheckId, range: ChangeRange, limit: number): readonly AuditEntry[];
}

export function createHistoryReads(tables: HistoryTables, tail: Tail): HistoryReads {
  const events = createEventReads({
    tables,
    tail,
    ping: (id, n) => foldedPing({ tables, tail, uuid: bytesOf(id) }, n),
  });
  const ahead = new CountedAhead();
  const counting = (id: CheckId) => ({ tables, tail, ahead, uuid: bytesOf(id) });
  return {
    pings: (id, limit, retention) =>
      retention
        ? retainedPings({ tables, tail, uuid: bytesOf(id) }, limit, retention)
        : pings({ tables, tail, uuid: bytesOf(id) }, limit),
    body: (id, n) => lookAtBody({ tables, tail, uuid: bytesOf(id) }, n, copyOf),
    lookAtBody: (id, n, look) => lookAtBody({ tables, tail, uuid: bytesOf(id) }, n, look),
    prefetchBodies: (wanted) => tables.bodies.prefetch(wanted.map(({ id, n }) => pingKey(bytesOf(id), n))),
    outputs: (id, below, limit) => outputs({ tables, tail, uuid: bytesOf(id) }, below, limit),
    changes: (id, range, limit) => changes({ tables, tail, uuid: bytesOf(id) }, range, limit),
    lastChange: (id) => lastChange({ tables, tail, uuid: bytesOf(id) }),
    statistics: (id, edges, nowMs) => statisticsBetween(counting(id), edges, nowMs),
    uptimes: (id, ranges, nowMs) => uptimesIn(counting(id), ranges, nowMs),
    countAhead: (id, nowMs) => ahead.count(counting(id), nowMs),
    latestRuns: (id, count, retention = null) =>
      latestRuns({ tables, tail, uuid: bytesOf(id) }, count, retention),
    notifications: (id, range, limit) => notifications({ tables, tail, uuid: bytesOf(id) }, range, limit),
    runEndings: (id, range, limit) => runEndings({ tables, tail, uuid: bytesOf(id) }, range, limit),
    audit: (before, limit) => readAudit(tables, tail.audit(readMeta(tables, 'folded') ?? 0), before, limit),
    events: events.events,
    eventsFrom: events.eventsFrom,
    get eventsUntil() {
      return events.eventsUntil;
    },
    get eventsEpoch() {
      return events.eventsEpoch;
    },
    deletedCheck: events.deletedCheck,
    snoozeAudit(id, range, limit) {
      const recent = tail.audit(readMeta(tables, 'folded') ?? 0);
      return readSnoozeAudit(tables, recent, { id, range, limit });
    },
  };
}

interface CheckRead {
  readonly tables: HistoryTables;
  readonly tail: Tail;
  readonly uuid: Buffer;
}

/** A folded check: its counters and how many pings it had then. */
interface Folded {
  readonly counters: RetentionCounters;
  readonly nPings: number;
}

function pings({ tables, tail, uuid }: CheckRead, limit: number): readonly Ping[] {
  const recent = tail.pings(uuid, foldedSeqOf(tables, uuid), limit);
  if (recent.deleted) return [];
  const folded = readFolded(tables, uuid);
  const nPings = recent.items.at(-1)?.n ?? folded?.nPings ?? 0;
  const pingsMax = folded?.counters.pingsMax ?? planLimits.paid.pingsMax;
  const from = Math.max(listedFrom(nPings, pingsMax), nPings - limit + 1);
  const listed = recent.items.filter((ping) => ping.n >= from).reverse();
  if (folded && folded.nPings >= from)
    addFolded(listed, { tables, uuid, from, bodyFrom: folded.counters.bodyFrom });
  return listed;
}

/**
 * The same where there are rules: not the newest numbers, but the newest pings that are kept. All of them have to be looked at, since
 * the rules count from the newest on.
 */
function retainedPings(
  { tables, tail, uuid }: CheckRead,
  limit: number,
  retention: Retention,
): readonly Ping[] {
  const kept = new KeptPings(retention);
  const listed: Ping[] = [];
  const add = (ping: Ping): void => {
    const keep = listed.length < limit ? kept.next(ping) : null;
    if (!keep) return;
    const isDropped = keep.bodyAgeMs !== null && ping.bodyBytes > 0;
    listed.push(isDropped ? { ...ping, bodyBytes: 0, bodyAgeMs: keep.bodyAgeMs } : ping);
  };
  // All others are beyond the limit of the plan.
  const tailMax = keepsFailures(retention.rules) ? Number.POSITIVE_INFINITY : retention.pingsMax;
  const recent = tail.pings(uuid, foldedSeqOf(tables, uuid), tailMax);
  if (recent.deleted) return [];
  for (const ping of recent.items.toReversed()) add(ping);
  const folded = readFolded(tables, uuid);
  if (!folded || listed.length >= limit) return listed;
  const { bodyFrom } = folded.counters;
  const parts = partsOfOne(tables.runs, uuid);
  const runsFrom = parts.length > 0 ? lastRowN(tables, uuid) + 1 : 1;
  for (const { pings } of parts.toReversed())
    for (const ping of pingsOf(pings, runsFrom, bodyFrom).reverse()) add(ping);
  tables.pings.scan({ start: abovePings(uuid), end: uuid, reverse: true }, (_key, chunk) => {
    for (const ping of pingsOf(chunk, 1, bodyFrom).reverse()) add(ping);
    return listed.length < limit;
  });
  return listed;
}

interface FoldedPings {
  readonly tables: HistoryTables;
  readonly uuid: Buffer;
  readonly from: number;
  readonly bodyFrom: number;
}

/** One ping that is folded, and still listed; null for any other. */
function foldedPing({ tables, uuid }: CheckRead, n: number): Ping | null {
  const folded = readFolded(tables, uuid);
  if (!folded || n < storedFrom(folded.nPings, folded.counters)) return null;
  const { bodyFrom } = folded.counters;
  for (const { pings } of partsOfOne(tables.runs, uuid)) {
    const [found] = pingsOf(pings, n, bodyFrom, 1);
    if (found?.n === n) return found;
  }
  let found: Ping | null = null;
  tables.pings.scan({ start: pingKey(uuid, n), end: uuid, reverse: true }, (_key, chunk) => {
    found = pingsOf(chunk, n, bodyFrom, 1).find((ping) => ping.n === n) ?? null;
    return false;
  });
  return found;
}

/** Adds the folded pings from the newest down to `from`: those in runs, then those in the check's own rows. */
function addFolded(listed: Ping[], { tables, uuid, from, bodyFrom }: FoldedPings): void {
  const parts = partsOfOne(tables.runs, uuid);
  const runsFrom = parts.length > 0 ? Math.max(from, lastRowN(tables, uuid) + 1) : from;
  let oldest = Number.POSITIVE_INFINITY;
  const add = (chunk: Buffer, lowest: number): void => {
    const found = pingsOf(chunk, lowest, bodyFrom);
    listed.push(...found.reverse());
    oldest = listed.at(-1)?.n ?? oldest;
  };
  for (const { pings } of parts.toReversed()) add(pings, runsFrom);
  if (oldest <= from) return;
  tables.pings.scan({ start: abovePings(uuid), end: uuid, reverse: true }, (_key, chunk) => {
    add(chunk, from);
    return oldest > from;
  });
}

/** The pings of a chunk that are not below `from`, oldest first, so many at most. */
function pingsOf(chunk: Buffer, from: number, bodyFrom: number, max = Number.POSITIVE_INFINITY): Ping[] {
  const reader = new ByteReader(chunk);
  const found: Ping[] = [];
  while (reader.left > 0 && found.length < max) {
    const start = reader.at;
    if (skipPing(reader) < from) continue;
    reader.at = start;
    found.push(readPing(reader, bodyFrom));
  }
  return found;
}

const copyOf = (body: Buffer): Uint8Array => Buffer.from(body);

/** `look` gets a view that the next read overwrites. */
function lookAtBody<Result>(
  { tables, tail, uuid }: CheckRead,
  n: number,
  look: (body: Buffer) => Result,
): Result | null {
  const seq = foldedSeqOf(tables, uuid);
  const folded = readFolded(tables, uuid);
  if (!folded || n > folded.nPings) {
    const [body] = tail.body(uuid, seq, n).items;
    return body && body.length > 0 ? look(body) : null;
  }
  // The tail has only later pings. Rows of a deleted check stay until they are swept.
  if (n < storedFrom(folded.nPings, folded.counters) || tail.pings(uuid, seq, 1).deleted) return null;
  const stored = tables.bodies.get(pingKey(uuid, n));
  if (stored) return look(stored);
  if (n < folded.counters.bodyFrom) return null;
  let result: Result | null = null;
  visitPartsOfOne(tables.runs, uuid, ({ bodies }) => {
    const found = bodies.find((one) => one.n === n);
    if (found) result = look(found.bytes);
    return !found;
  });
  return result;
}

/** The newest first. Like `pings`, without those that have no body (any more); of those that are not wanted only the numbers are read. */
function outputs({ tables, tail, uuid }: CheckRead, below: number, limit: number): readonly PingOutput[] {
  const seq = foldedSeqOf(tables, uuid);
  const newest = tail.pings(uuid, seq, 1);
  if (newest.deleted) return [];
  const folded = readFolded(tables, uuid);
  const nPings = newest.items.at(-1)?.n ?? folded?.nPings ?? 0;
  const from = listedFrom(nPings, folded?.counters.pingsMax ?? planLimits.paid.pingsMax);
  const found = [...tail.outputs(uuid, seq, { from, below, limit }).items].reverse();
  if (!folded || folded.nPings < from || found.length >= limit) return found;
  const { bodyFrom } = folded.counters;
  const add = (chunk: Buffer, lowest: number): boolean => {
    const reader = new ByteReader(chunk);
    const isLast = skipPing(reader) <= lowest;
    const starts = startsOf(reader.open(chunk), lowest, below);
    while (starts.length > 0 && found.length < limit) {
      reader.at = starts.pop() ?? 0;
      const output = readPingOutput(reader, bodyFrom);
      if (output.bodyBytes > 0) found.push(output);
    }
    return found.length < limit && !isLast;
  };
  const runsFrom = Math.max(from, lastRowN(tables, uuid) + 1);
  if (below > runsFrom) visitPartsOfOne(tables.runs, uuid, ({ pings }) => add(pings, runsFrom));
  if (found.length >= limit || runsFrom === from) return found;
  const start = Number.isFinite(below) ? pingKey(uuid, below) : abovePings(uuid);
  tables.pings.scan({ start, end: uuid, reverse: true }, (_key, chunk) => add(chunk, from));
  return found;
}

/** Where the pings of a chunk with the numbers `from` to below `below` begin, oldest first. */
function startsOf(reader: ByteReader, from: number, below: number): number[] {
  const starts: number[] = [];
  while (reader.left > 0) {
    const start = reader.at;
    const n = skipPing(reader);
    if (n >= below) break;
    if (n >= from) starts.push(start);
  }
  return starts;
}

function changes(
  { tables, tail, uuid }: CheckRead,
  { fromMs, untilMs }: ChangeRange,
  limit = Number.POSITIVE_INFINITY,
): readonly StatusChange[] {
  const recent = tail.changes(uuid, foldedSeqOf(tables, uuid));
  if (recent.deleted) return [];
  const found: StatusChange[] = [];
  if (readFolded(tables, uuid)) {
    // Scans from the newest on. The end is exclusive, and a change at `fromMs` itself is wanted.
    const end = fromMs > 0 ? changeKey(uuid, fromMs - 1, 0) : uuid;
    const range = { start: changeKey(uuid, untilMs, 0), end, reverse: true };
    tables.changes.scan(range, (_key, value) => {
      const change = readChange(new ByteReader(value));
      if (change.atMs >= fromMs && change.atMs < untilMs) found.push(change);
      return found.length < limit;
    });
    found.reverse();
  }
  for (const change of recent.items) {
    if (change.atMs >= fromMs && change.atMs < untilMs) found.push(change);
  }
  return found
    .sort((a, b) => a.atMs - b.atMs)
    .reverse()
    .slice(0, limit);
}

function lastChange({ tables, tail, uuid }: CheckRead): StatusChange | null {
  const recent = tail.changes(uuid, foldedSeqOf(tables, uuid), 1);
  if (recent.deleted) return null;
  const newest = recent.items.at(-1);
  if (newest) return newest;
  // Rows of a deleted check stay until they are swept.
  const folded = readFolded(tables, uuid);
  if (!folded || folded.counters.changes === 0) return null;
  let found: StatusChange | null = null;
  tables.changes.scan({ start: aboveCheck(uuid), end: uuid, reverse: true }, (_key, value) => {
    found = readChange(new ByteReader(value));
    return false;
  });
  return found;
}

function notifications(read: CheckRead, range: ChangeRange, limit: number): readonly SentNotification[] {
  const { tables, tail, uuid } = read;
  const recent = tail.notifications(uuid, foldedSeqOf(tables, uuid));
  const { notifications: table } = tables;
  return merged(read, recent, { table, key: notificationKey, row: notificationRow, range, limit });
}

function runEndings(read: CheckRead, range: ChangeRange, limit: number): readonly RunEnding[] {
  const { tables, tail, uuid } = read;
  const recent = tail.endings(uuid, foldedSeqOf(tables, uuid));
  return merged(read, recent, { table: tables.endings, key: endingKey, row: endingRow, range, limit });
}

interface DatedRows<Fact> {
  readonly table: Table;
  key(uuid: Uint8Array, atMs: number): Buffer;
  readonly row: { read(bytes: Uint8Array): Fact };
  readonly range: ChangeRange;
  readonly limit: number;
}

/** The newest first. Those in the tail may be older than some that are folded: the clock may have been set back. */
function merged<Fact extends { readonly atMs: number }>(
  { tables, uuid }: CheckRead,
  recent: TailOf<Fact>,
  { table, key, row, range: { fromMs, untilMs }, limit }: DatedRows<Fact>,
): readonly Fact[] {
  if (recent.deleted) return [];
  const found = recent.items.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  if (readFolded(tables, uuid)) {
    const range = { start: key(uuid, untilMs), end: key(uuid, fromMs), reverse: true };
    let left = limit;
    table.scan(range, (_key, bytes) => {
      found.push(row.read(bytes));
      return --left > 0;
    });
  }
  return found.sort((a, b) => b.atMs - a.atMs).slice(0, limit);
}

function readFolded(tables: HistoryTables, uuid: Buffer): Folded | null {
  const row = tables.states.get(uuid);
  if (!row) return null;
  const reader = new ByteReader(row);
  return { counters: readCounters(reader), nPings: nPingsOfState(reader) };
}

/** The 16 bytes of an id. */
export function bytesOf(id: string): Buffer {
  const writer = new ByteWriter(16);
  writer.uuid(id);
  return writer.view();
}
