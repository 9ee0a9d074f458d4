/**
 * The bytes of a journal batch: a version byte, then records, each a type byte, its length and its parts. The bytes of a
 * check are in `check`, those of a ping in `ping`, those of what is written seldom in `rows`.
 *
 * Invariant: a record can be stepped over by knowing only its length, and the parts that the fold carries on (check row, state,
 * changes, ping, body) have the same bytes as in the history.
 */

import { auditKey, auditKeyBytes } from '../codec/audit-key.ts';
import type { ByteWriter } from '../codec/byte-writer.ts';
import { stateBytesMax, writeState } from '../codec/check.ts';
import { writeDeliveries } from '../codec/delivery.ts';
import { changeBytes, pingBytesMax, writeChanges, writePing } from '../codec/ping.ts';
import { auditRow, endingRow, notificationRow, rows } from '../codec/rows.ts';
import { type ConfigFacts, type ConfigKind, kinds, removalOf } from '../kinds.ts';
import { deliveryEndings, type JournalRecord, type PingEntry } from '../store.ts';

/** Version of the written batches. Every batch begins with it. */
export const batchVersion = 1;

/** Whether a newer Knell wrote the batch, of which this one can read nothing. In every version the first byte is its number. */
export function isNewerBatch(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) > batchVersion;
}

/** Records of configuration have the numbers of their kinds (`kinds`). */
export const recordTypes = {
  ping: 1,
  state: 2,
  check: 3,
  'check-deleted': 4,
  notification: 5,
  delivery: 6,
  'delivery-ended': 7,
  alive: 8,
  audit: 9,
  asked: 10,
  'run-ending': 11,
} as const satisfies Record<Exclude<JournalRecord['type'], 'put' | 'removed'>, number>;

/** The number of the record in the journal. */
function typeOf(record: JournalRecord): number {
  if (record.type === 'put') return kinds[record.kind].number;
  return record.type === 'removed' ? removalOf(record.kind) : recordTypes[record.type];
}

/** Type byte and length. */
export const recordHeadBytes = 5;

export function beginBatch(writer: ByteWriter): void {
  writer.clear();
  writer.reserve(1);
  writer.u8(batchVersion);
}

/** Appends `record` to the batch in `writer`. */
export function writeRecord(writer: ByteWriter, record: JournalRecord): void {
  const start = writer.length;
  writer.reserve(recordHeadBytes);
  writer.u8(typeOf(record));
  writer.u32(0);
  writeParts(writer, record);
  writer.patchU32(start + 1, writer.length - start - recordHeadBytes);
}

/** Does what `writeRecord` does, for a ping without changes. */
export function writePingRecord(writer: ByteWriter, { id, state, ping, body }: PingEntry): void {
  writer.reserve(recordHeadBytes + 17 + stateBytesMax + pingBytesMax(ping) + body.length);
  const start = writer.length;
  writer.u8(recordTypes.ping);
  writer.u32(0);
  writer.uuidWords(id);
  writeState(writer, state);
  writer.u8(0);
  writePing(writer, ping);
  if (body.length > 0) writer.raw(body);
  writer.patchU32(start + 1, writer.length - start - recordHeadBytes);
}

function writeParts(writer: ByteWriter, record: JournalRecord): void {
  switch (record.type) {
    case 'ping':
      writePingParts(writer, record);
      break;
    case 'state':
      writer.reserve(17 + stateBytesMax + changeBytes * record.changes.length);
      writer.uuid(record.check.id);
      writeState(writer, record.check.state);
      writeChanges(writer, record.changes);
      if (record.changes.length > 0) writeDeliveries(writer, record.deliveries);
      break;
    case 'check':
      writeCheckParts(writer, record);
      break;
    case 'check-deleted':
      writer.reserve(16);
      writer.uuid(record.id);
      break;
    case 'put':
      writeRow(writer, rowOf(record));
      break;
    case 'removed':
      writeRow(writer, kinds[record.kind].id.bytes(record.id));
      break;
    case 'delivery':
      writeRow(writer, rows.delivery.write(record.delivery));
      break;
    case 'delivery-ended':
      writer.reserve(17);
      writer.uuid(record.id);
      writer.u8(deliveryEndings.indexOf(record.ending));
      break;
    case 'notification':
      writer.reserve(16);
      writer.uuid(record.checkId);
      writeRow(writer, notificationRow.write(record.notification));
      break;
    case 'run-ending':
      writer.reserve(16);
      writer.uuid(record.checkId);
      writeRow(writer, endingRow.write(record.ending));
      break;
    case 'audit':
      writer.reserve(auditKeyBytes);
      writer.raw(auditKey(record.entry));
      writeRow(writer, auditRow.write(record.entry));
      break;
    case 'asked':
      writer.reserve(12);
      writer.u32(record.client);
      writer.f64(record.number);
      break;
    case 'alive':
      writer.reserve(8);
      writer.f64(record.atMs);
      break;
  }
}

type PingRecord = Extract<JournalRecord, { type: 'ping' }>;
type CheckRecord = Extract<JournalRecord, { type: 'check' }>;

function rowOf<Kind extends ConfigKind>({
  kind,
  fact,
}: {
  readonly kind: Kind;
  readonly fact: ConfigFacts[Kind];
}) {
  return kinds[kind].row.write(fact);
}

/** Id, state, changes and their deliveries, ping; the rest of the record is the body. */
function writePingParts(writer: ByteWriter, { check, ping, body, changes, deliveries }: PingRecord): void {
  writer.reserve(17 + stateBytesMax + changeBytes * changes.length + pingBytesMax(ping) + body.length);
  writer.uuid(check.id);
  writeState(writer, check.state);
  writeChanges(writer, changes);
  if (changes.length > 0) {
    writeDeliveries(writer, deliveries);
    writer.reserve(pingBytesMax(ping) + body.length);
  }
  writePing(writer, ping);
  if (body.length > 0) writer.raw(body);
}

/** Id, state, changes and their deliveries; the rest of the record is the check's row. */
function writeCheckParts(writer: ByteWriter, { check, changes, deliveries }: CheckRecord): void {
  writer.reserve(17 + stateBytesMax + changeBytes * changes.length);
  writer.uuid(check.id);
  writeState(writer, check.state);
  writeChanges(writer, changes);
  if (changes.length > 0) writeDeliveries(writer, deliveries);
  writeRow(writer, rows.check.write(check));
}

function writeRow(writer: ByteWriter, row: Uint8Array): void {
  writer.reserve(row.length);
  writer.raw(row);
}
