/**
 * The events of a journal batch: what a listener of `GET /api/v3/events` can be sent of it. The fold keeps them in this form
 * (`history/rows/event-rows`), and those of the tail are read the same way.
 *
 * Events have the number of their batch and a place in it: 256 times that of the record, and one more for each further event of
 * the same record, whose ping comes first, then the run that it ended, then the status changes.
 * Invariant: an event has the same number on every node of a cluster, since all have the same batches.
 */
import { isEnd } from '../../domain/runs/run-statistics.ts';
import { asCheckId } from '../../lib/ids.ts';
import { auditKeyBytes } from '../codec/audit-key.ts';
import { ByteReader, damaged } from '../codec/byte-reader.ts';
import { durationInState } from '../codec/check.ts';
import { changeBytes, readChange, readPing, signalOfPing } from '../codec/ping.ts';
import { auditRow, endingRow, notificationRow, rows } from '../codec/rows.ts';
import { uuidBytes, uuidText } from '../codec/uuid.ts';
import { kinds } from '../kinds.ts';
import type { PingEvent, StoredFact } from '../store.ts';
import type { BatchCursor } from './batch-cursor.ts';
import { recordTypes } from './records.ts';

/** Places that each record has: one for its ping, one for the run, the rest for status changes. */
export const placesPerRecord = 256;
const runPlace = 1;
const changePlace = 2;

const factTypes = { status: 1, notification: 2, 'run-ending': 3, audit: 4, incident: 5 } as const;

/** What is found in a batch. `place`: see above. */
export interface EventHandlers {
  /** Everything but pings; the bytes are new. */
  fact(place: number, bytes: Buffer): void;
  /** The cursor is at the record of a ping; null where only facts are wanted. */
  readonly ping: ((place: number, cursor: BatchCursor) => void) | null;
}

/** Visits the events of the batch on which the cursor was opened, in their order. */
export function eachEvent(cursor: BatchCursor, handlers: EventHandlers): void {
  for (let place = 0; cursor.next(); place += placesPerRecord) eventsOfRecord(cursor, place, handlers);
}

/** Visits the events of the record at which the cursor is; `place` is the record's. */
export function eventsOfRecord(cursor: BatchCursor, place: number, handlers: EventHandlers): void {
  const { type } = cursor;
  if (type === recordTypes.ping) handlers.ping?.(place, cursor);
  if (type <= recordTypes.check) {
    if (cursor.changesStatus()) eachChange(cursor, place, handlers);
  } else if (type === recordTypes.notification) handlers.fact(place, factOf(factTypes.notification, cursor));
  else if (type === recordTypes['run-ending']) handlers.fact(place, factOf(factTypes['run-ending'], cursor));
  else if (type === recordTypes.audit) handlers.fact(place, factOf(factTypes.audit, cursor));
  else if (type === kinds.incident.number) handlers.fact(place, factOf(factTypes.incident, cursor));
}

function factOf(type: number, { bytes, start, end }: BatchCursor): Buffer {
  return Buffer.concat([Buffer.of(type), bytes.subarray(start, end)]);
}

function eachChange(cursor: BatchCursor, place: number, handlers: EventHandlers): void {
  const { bytes, start } = cursor;
  const uuid = bytes.subarray(start, start + uuidBytes);
  const reader = cursor.toChanges();
  const count = reader.u8();
  const from = reader.at;
  for (let at = 0; at < count; at++) {
    const change = bytes.subarray(from + at * changeBytes, from + (at + 1) * changeBytes);
    handlers.fact(place + changePlace + at, Buffer.concat([Buffer.of(factTypes.status), uuid, change]));
  }
}

/** Place of the run that the ping at `place` ended. */
export function placeOfRun(place: number): number {
  return place + runPlace;
}

/** Milliseconds of the run that a ping ended whose start was reported, else null. The cursor is at its record. */
export function endedRunMs(cursor: BatchCursor): number | null {
  const durationMs = durationInState(cursor.bytes, cursor.start + uuidBytes);
  if (durationMs === null) return null;
  const { at } = cursor.pastChanges();
  return isEnd(signalOfPing(cursor.bytes, at)) ? durationMs : null;
}

/** The ping at which the cursor is. */
export function pingEventOf(cursor: BatchCursor): PingEvent {
  const durationMs = endedRunMs(cursor);
  return {
    checkId: asCheckId(uuidText(cursor.bytes, cursor.start)),
    ping: readPing(cursor.pastChanges(), 0),
    durationMs,
  };
}

/** Throws a KnellError `store-broken` for bytes that are no fact. */
export function readFact(bytes: Buffer): StoredFact {
  const reader = new ByteReader(bytes);
  const type = reader.u8();
  if (type === factTypes.audit)
    return { type: 'audit', entry: auditRow.read(bytes.subarray(1 + auditKeyBytes)) };
  if (type === factTypes.incident)
    return { type: 'incident', incident: rows.incident.read(bytes.subarray(1)) };
  const checkId = asCheckId(reader.uuid());
  const row = bytes.subarray(reader.at);
  switch (type) {
    case factTypes.status:
      return { type: 'status', checkId, change: readChange(reader) };
    case factTypes.notification:
      return { type: 'notification', checkId, notification: notificationRow.read(row) };
    case factTypes['run-ending']:
      return { type: 'run-ending', checkId, ending: endingRow.read(row) };
  }
  throw damaged(`an event of the unknown type ${type}`);
}
