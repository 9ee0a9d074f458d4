/**
 * The history as tables: which there are, what their keys look like, and the counters that precede a check's state.
 * The fold fills them (`fold`); `read` and `load` read them.
 *
 * Invariant: a check has a row in `states` exactly while it has one in `checks`; rows of the other tables without one are
 * leftovers of a deleted check, which the sweep removes.
 *
 *     checks        uuid                  the check without its state (codec/check)
 *     states        uuid                  counters, state
 *     pings         uuid, n of the first  pings, one after the other (codec/ping), but for those still in `runs`
 *     pings         uuid, 255, …          what is counted of the check (statistics-layout)
 *     bodies        uuid, n               body, likewise
 *     runs          partition, fold, uuid the latest pings and bodies of many checks (runs)
 *     changes       uuid, time, counter   status change
 *     notifications uuid, time, delivery  what became of a delivery (codec/rows); the first four bytes of its id
 *     endings       uuid, time, hash      how a run ended without a ping (codec/rows); four bytes of the hash of its row
 *     config        kind, id              installation, projects, keys, channels, users, ended sessions, status pages (codec/rows)
 *     outbox        delivery's id         delivery (codec/rows)
 *     audit         time, id              entry of the audit log (codec/rows)
 *     snoozed       uuid, time, id        nothing: which entries of `audit` are about snoozing a check (snooze-index)
 *     events        batch, place          event that is no ping (event-rows)
 *     event-pings   batch                 numbers of the pings of a batch (event-rows)
 *     event-checks  uuid                  batch, project and name of a deleted check, for its earlier events (event-rows)
 *     tombstones    uuid                  nothing (a tombstone): a deleted check whose rows are still to be swept
 *     meta          name                  f64; `folding` also the UUID up to which a fold in flight has come
 */
import { createHash } from 'node:crypto';
import { ByteReader } from '../../codec/byte-reader.ts';
import { uuidBytes } from '../../codec/uuid.ts';
import type { LmdbEnv, Table } from '../../disk/lmdb-env.ts';

export interface HistoryTables {
  readonly checks: Table;
  readonly states: Table;
  readonly pings: Table;
  readonly bodies: Table;
  readonly runs: Table;
  readonly changes: Table;
  readonly notifications: Table;
  readonly endings: Table;
  readonly config: Table;
  readonly outbox: Table;
  readonly audit: Table;
  readonly snoozed: Table;
  readonly events: Table;
  readonly eventPings: Table;
  readonly eventChecks: Table;
  readonly tombstones: Table;
  readonly meta: Table;
}

export function openHistoryTables(env: LmdbEnv): HistoryTables {
  return {
    checks: env.table('checks'),
    states: env.table('states'),
    pings: env.table('pings'),
    bodies: env.table('bodies'),
    runs: env.table('runs'),
    changes: env.table('changes'),
    notifications: env.table('notifications'),
    endings: env.table('endings'),
    config: env.table('config'),
    outbox: env.table('outbox'),
    audit: env.table('audit'),
    snoozed: env.table('snoozed'),
    events: env.table('events'),
    eventPings: env.table('event-pings'),
    eventChecks: env.table('event-checks'),
    tombstones: env.table('tombstones'),
    meta: env.table('meta'),
  };
}

const metaKeys = {
  folded: Buffer.from('folded'),
  alive: Buffer.from('alive'),
  compacting: Buffer.from('compacting'),
  eventsFrom: Buffer.from('events-from'),
  eventPingsFrom: Buffer.from('event-pings-from'),
  since: Buffer.from('since'),
  eventPingBytes: Buffer.from('event-ping-bytes'),
} as const;
const foldingKey = Buffer.from('folding');

/**
 * `folded`: the last journal batch that is in the history; `alive`: the latest alive mark; `compacting`: the partition of the
 * runs that is compacted after the last fold. `eventsFrom`, `eventPingsFrom`: the batch behind which all events, or all numbers
 * of pings, are kept; `eventPingBytes`: length of the rows of these;
 * `since`: when this history was created, epoch milliseconds. Null for none.
 */
export function readMeta(tables: HistoryTables, name: keyof typeof metaKeys): number | null {
  const value = tables.meta.get(metaKeys[name]);
  return value ? new ByteReader(value).f64() : null;
}

/** A fold in flight: it goes up to batch `lastSeq`, and checks up to `throughUuid` have it already. */
interface FoldMark {
  readonly lastSeq: number;
  readonly throughUuid: Buffer;
}

export function readFoldMark(tables: HistoryTables): FoldMark | null {
  const value = tables.meta.get(foldingKey);
  if (!value) return null;
  return { lastSeq: value.readDoubleLE(0), throughUuid: Buffer.from(value.subarray(8)) };
}

/** Null: no fold is in flight. */
export function writeFoldMark(tables: HistoryTables, mark: FoldMark | null): void {
  if (mark === null) {
    tables.meta.remove(foldingKey);
    return;
  }
  const value = Buffer.alloc(8 + uuidBytes);
  value.writeDoubleLE(mark.lastSeq);
  value.set(mark.throughUuid, 8);
  tables.meta.put(foldingKey, value);
}

/** The last journal batch that the history's rows of this check hold. */
export function foldedSeqOf(tables: HistoryTables, uuid: Buffer): number {
  const mark = readFoldMark(tables);
  if (mark && uuid.compare(mark.throughUuid) <= 0) return mark.lastSeq;
  return readMeta(tables, 'folded') ?? 0;
}

export function writeMeta(tables: HistoryTables, name: keyof typeof metaKeys, value: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  tables.meta.put(metaKeys[name], bytes);
}

export const pingKeyBytes = uuidBytes + 6;
const changeKeyBytes = uuidBytes + 12;

/** Writes the key of ping `n` (big-endian, so that keys sort by n) behind the UUID in `key`. */
export function setPingKey(key: Buffer, n: number): Buffer {
  key.writeUIntBE(n, uuidBytes, 6);
  return key;
}

/** A key of `pings` or `bodies`. */
export function pingKey(uuid: Uint8Array, n: number): Buffer {
  const key = Buffer.allocUnsafe(pingKeyBytes);
  key.set(uuid);
  return setPingKey(key, n);
}

export function nOfPingKey(key: Buffer): number {
  return key.readUIntBE(uuidBytes, 6);
}

/** Above all keys of a check's pings: no number comes so far. Its statistics follow. */
export function abovePings(uuid: Uint8Array): Buffer {
  return Buffer.concat([uuid, aboveNumbers]);
}

const aboveNumbers = Buffer.of(255);

export const statisticsKeyBytes = uuidBytes + 4;

/** A key of a row of statistics; `kind` below 255, `period` of two bytes. */
export function statisticsKey(uuid: Uint8Array, kind: number, period: number): Buffer {
  const key = Buffer.allocUnsafe(statisticsKeyBytes);
  key.set(uuid);
  key[uuidBytes] = 255;
  key[uuidBytes + 1] = kind;
  key.writeUInt16BE(period, uuidBytes + 2);
  return key;
}

/** A key of `changes`: positive doubles sort by their big-endian bytes; the counter distinguishes equal times. */
export function changeKey(uuid: Uint8Array, atMs: number, counter: number): Buffer {
  const key = Buffer.allocUnsafe(changeKeyBytes);
  key.set(uuid);
  key.writeDoubleBE(Math.max(0, atMs), uuidBytes);
  key.writeUInt32BE(counter, uuidBytes + 8);
  return key;
}

/** A key of `sent`. Without `id`: before all of that instant. */
export function notificationKey(uuid: Uint8Array, atMs: number, id?: Uint8Array): Buffer {
  const key = changeKey(uuid, atMs, 0);
  if (id) key.set(id.subarray(0, 4), uuidBytes + 8);
  return key;
}

/** A key of `endings`: several runs may end at one instant. Without `row`: before all of that instant. */
export function endingKey(uuid: Uint8Array, atMs: number, row?: Uint8Array): Buffer {
  const key = changeKey(uuid, atMs, 0);
  if (row) key.set(createHash('sha256').update(row).digest().subarray(0, 4), uuidBytes + 8);
  return key;
}

/** Counters that the fold keeps about a check's rows, so that it keeps within limits without counting rows. */
export interface RetentionCounters {
  /** Pings that the plan of its project allows. */
  pingsMax: number;
  /** A rule may keep failures beyond those: only the retention drops pings of it then. In the highest bit of `pingsMax`. */
  keepsFailures: boolean;
  /** No row of `pings` begins below it, nor does any that comes out of `runs`; 0 while there are none. */
  oldestN: number;
  /** Bodies of pings below this are gone. */
  bodyFrom: number;
  /** Length of all bodies that are kept, in `bodies` and in `runs`. */
  bodyBytes: number;
  /** Status changes ever written; the counter of the next one's key. */
  changes: number;
}

export const counterBytes = 26;

const keepsFailuresBit = 2 ** 15;

export function readCounters(reader: ByteReader): RetentionCounters {
  const pings = reader.u16();
  return {
    pingsMax: pings % keepsFailuresBit,
    keepsFailures: pings >= keepsFailuresBit,
    oldestN: reader.u48(),
    bodyFrom: reader.u48(),
    bodyBytes: reader.f64(),
    changes: reader.u32(),
  };
}

export function writeCounters(target: Buffer, counters: RetentionCounters): void {
  target.writeUInt16LE(counters.pingsMax + (counters.keepsFailures ? keepsFailuresBit : 0), 0);
  target.writeUIntLE(counters.oldestN, 2, 6);
  target.writeUIntLE(counters.bodyFrom, 8, 6);
  target.writeDoubleLE(counters.bodyBytes, 14);
  target.writeUInt32LE(counters.changes, 22);
}

/** A key above all of a check's keys in `pings`, `bodies` and `changes`. */
export function aboveCheck(uuid: Uint8Array): Buffer {
  return Buffer.concat([uuid, Buffer.alloc(13, 255)]);
}
