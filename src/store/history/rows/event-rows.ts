/**
 * The rows of the events of folded batches: put by the fold, the oldest removed when there are too many, read for listeners.
 * Facts lie in `events` as they are; of pings only the number is kept, in `event-pings`, one row a batch: the pings themselves
 * are in the history. `event-checks` has what is no longer known elsewhere of deleted checks.
 *
 * Invariant: what was put for batches above `eventsFrom`, and of pings above `eventPingsFrom`, is all there.
 */
import type { AuditEntry } from '../../../domain/accounts/audit.ts';
import { asCheckId, asProjectId, type CheckId, type ProjectId } from '../../../lib/ids.ts';
import { auditKeyBytes } from '../../codec/audit-key.ts';
import { auditRow } from '../../codec/rows.ts';
import { bytesOfUuid, uuidBytes, uuidText } from '../../codec/uuid.ts';
import { eventChecksMax, eventPingBytesMax, eventsMax, eventsRemovedPerFold } from '../../disk/limits.ts';
import { highestKey, lowestKey, type Table } from '../../disk/lmdb-env.ts';
import type { BatchCursor } from '../../journal/batch-cursor.ts';
import { type EventHandlers, endedRunMs, eventsOfRecord } from '../../journal/batch-events.ts';
import type { EventPlace } from '../../store.ts';
import { type HistoryTables, readMeta, writeMeta } from './tables.ts';

const seqBytes = 6;
export const eventKeyBytes = seqBytes + 4;
/** Place, the check's UUID, the ping's number; then the milliseconds of the run that it ended, where it has `endedRunBit`. */
const refBytes = 4 + uuidBytes + 6;
const durationBytes = 6;
const refsBytesAtFirst = 4 * (refBytes + durationBytes);
const largestDuration = 2 ** 48 - 1;
/** Bit of a ping's place, which is otherwise 0: it ended a run whose start was reported. */
const endedRunBit = 1;

/** The events of one batch, to be put. */
export interface EventsToPut {
  readonly seq: number;
  readonly facts: readonly { readonly place: number; readonly bytes: Buffer }[];
  /** Numbers of the pings, one after the other. */
  readonly pings: Buffer;
}

export function eventKey(seq: number, place: number): Buffer {
  const key = Buffer.alloc(eventKeyBytes);
  key.writeUIntBE(seq, 0, seqBytes);
  key.writeUInt32BE(place, seqBytes);
  return key;
}

export function placeOfKey(key: Buffer): EventPlace {
  return { seq: key.readUIntBE(0, seqBytes), place: key.readUInt32BE(seqBytes) };
}

export function seqKey(seq: number): Buffer {
  return eventKey(seq, 0).subarray(0, seqBytes);
}

/** Gathers the events of one batch, record by record. */
export class EventGatherer implements EventHandlers {
  readonly #facts: { place: number; bytes: Buffer }[] = [];
  #pings = Buffer.alloc(0);
  #size = 0;

  /** Takes those of the record at which the cursor is; `place` is the record's. */
  take(cursor: BatchCursor, place: number): void {
    eventsOfRecord(cursor, place, this);
  }

  fact(place: number, bytes: Buffer): void {
    this.#facts.push({ place, bytes });
  }

  ping(place: number, cursor: BatchCursor): void {
    const { bytes, start } = cursor;
    const at = this.#size;
    if (at + refBytes + durationBytes > this.#pings.length)
      this.#pings = Buffer.concat([this.#pings, Buffer.allocUnsafe(Math.max(at, refsBytesAtFirst))]);
    const pings = this.#pings;
    const durationMs = endedRunMs(cursor);
    pings.writeUInt32BE(durationMs === null ? place : place + endedRunBit, at);
    bytes.copy(pings, at + 4, start, start + uuidBytes);
    pings.writeUIntBE(cursor.pingNumber(), at + 4 + uuidBytes, 6);
    this.#size += refBytes;
    if (durationMs === null) return;
    const roundedMs = Math.min(Math.max(0, Math.round(durationMs)), largestDuration);
    pings.writeUIntBE(roundedMs, this.#size, durationBytes);
    this.#size += durationBytes;
  }

  /** Of the batch with this number; null for none. */
  gathered(seq: number): EventsToPut | null {
    if (this.#facts.length === 0 && this.#size === 0) return null;
    return { seq, facts: this.#facts, pings: this.#pings.subarray(0, this.#size) };
  }
}

/** The number of one ping as a batch's row has it. */
export interface PingRef {
  readonly place: number;
  readonly checkId: CheckId;
  readonly n: number;
  /** Null for a ping that ended no run whose start was reported. */
  readonly durationMs: number | null;
}

/** Calls `visit` with the pings of a row, until it answers false. */
export function eachRef(row: Buffer, visit: (ref: PingRef) => boolean): void {
  for (let at = 0; at + refBytes <= row.length; ) {
    const numbered = row.readUInt32BE(at);
    const ended = (numbered & endedRunBit) !== 0;
    const checkId = asCheckId(uuidText(row, at + 4));
    const n = row.readUIntBE(at + 4 + uuidBytes, 6);
    at += refBytes;
    const durationMs = ended ? row.readUIntBE(at, durationBytes) : null;
    if (ended) at += durationBytes;
    if (!visit({ place: ended ? numbered - endedRunBit : numbered, checkId, n, durationMs })) return;
  }
}

/** All events of batches above `seq` will be put, if none were before. */
export function beginEvents(tables: HistoryTables, seq: number): void {
  for (const from of ['eventsFrom', 'eventPingsFrom'] as const)
    if (readMeta(tables, from) === null) writeMeta(tables, from, seq);
}

/** In a transaction; putting them again changes nothing. */
export function putEvents(tables: HistoryTables, batches: readonly EventsToPut[]): void {
  let added = 0;
  for (const { seq, facts, pings } of batches) {
    for (const { place, bytes } of facts) tables.events.put(eventKey(seq, place), bytes);
    if (pings.length === 0) continue;
    const key = seqKey(seq);
    if (tables.eventPings.get(key) === null) added += pings.length;
    tables.eventPings.put(key, pings);
  }
  if (added > 0) writeMeta(tables, 'eventPingBytes', (readMeta(tables, 'eventPingBytes') ?? 0) + added);
}

/** The most that putting one batch's writes: its rows twice, since pages may be half full, and a page of each table. */
export function eventBytesMax({ facts, pings }: EventsToPut): number {
  const factBytes = facts.reduce((sum, { bytes }) => sum + bytes.length + 2 * eventKeyBytes, 0);
  return 2 * (factBytes + pings.length) + 64;
}

/** A check that is deleted, as the audit log has it: its earlier events belong to that project. */
export function noteDeletedChecks(tables: HistoryTables, entries: readonly Buffer[], seq: number): void {
  for (const bytes of entries) {
    const deleted = deletedCheckOf(auditRow.read(bytes.subarray(auditKeyBytes)));
    if (deleted === null) continue;
    const head = Buffer.concat([seqKey(seq), bytesOfUuid(deleted.projectId)]);
    tables.eventChecks.put(bytesOfUuid(deleted.id), Buffer.concat([head, Buffer.from(deleted.name)]));
  }
}

export interface DeletedCheck {
  readonly id: CheckId;
  readonly projectId: ProjectId;
  readonly name: string;
}

/** Null for an entry that is about something else. */
export function deletedCheckOf({
  action,
  subject,
  subjectId,
  projectId,
  name,
}: AuditEntry): DeletedCheck | null {
  if (action !== 'deleted' || subject !== 'check' || projectId === '') return null;
  return { id: asCheckId(subjectId), projectId: asProjectId(projectId), name };
}

export function readDeletedCheck(tables: HistoryTables, id: CheckId): DeletedCheck | null {
  const row = tables.eventChecks.get(bytesOfUuid(id));
  if (row === null) return null;
  const name = row.toString('utf8', seqBytes + uuidBytes);
  return { id, projectId: asProjectId(uuidText(row, seqBytes)), name };
}

/** Removes the oldest beyond the limits: so many at most, which is more than a fold adds. */
export function removeOldEvents(tables: HistoryTables, bounds: EventBounds = defaultBounds): void {
  removeFacts(tables, tables.events.count() - bounds.events);
  removePings(tables, bounds.pingBytes);
  if (tables.eventChecks.count() > bounds.checks) removeChecks(tables);
}

interface EventBounds {
  readonly events: number;
  readonly pingBytes: number;
  readonly checks: number;
}

const defaultBounds = { events: eventsMax, pingBytes: eventPingBytesMax, checks: eventChecksMax };

function removeFacts(tables: HistoryTables, surplus: number): void {
  const keys = oldestKeys(tables.events, Math.min(surplus, eventsRemovedPerFold));
  for (const key of keys) tables.events.remove(key);
  const last = keys.at(-1);
  if (last) writeMeta(tables, 'eventsFrom', placeOfKey(last).seq);
}

function removePings(tables: HistoryTables, bytesMax: number): void {
  let bytes = readMeta(tables, 'eventPingBytes') ?? 0;
  if (bytes <= bytesMax) return;
  const keys: Buffer[] = [];
  tables.eventPings.scan({ start: lowestKey, end: highestKey }, (key, row) => {
    keys.push(Buffer.from(key));
    bytes -= row.length;
    return bytes > bytesMax && keys.length < eventsRemovedPerFold;
  });
  for (const key of keys) tables.eventPings.remove(key);
  const last = keys.at(-1);
  if (last) writeMeta(tables, 'eventPingsFrom', last.readUIntBE(0, seqBytes));
  writeMeta(tables, 'eventPingBytes', bytes);
}

/** Those of which no event is kept any more. */
function removeChecks(tables: HistoryTables): void {
  const from = Math.min(readMeta(tables, 'eventsFrom') ?? 0, readMeta(tables, 'eventPingsFrom') ?? 0);
  const gone: Buffer[] = [];
  tables.eventChecks.scan({ start: lowestKey, end: highestKey }, (key, row) => {
    if (row.readUIntBE(0, seqBytes) <= from) gone.push(Buffer.from(key));
  });
  for (const key of gone) tables.eventChecks.remove(key);
}

function oldestKeys(table: Table, count: number): readonly Buffer[] {
  if (count <= 0) return [];
  const keys: Buffer[] = [];
  table.scan({ start: lowestKey, end: highestKey }, (key) => {
    keys.push(Buffer.from(key));
    return keys.length < count;
  });
  return keys;
}
