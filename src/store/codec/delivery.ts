/**
 * Deliveries as bytes; the same in journal, history and snapshot. And the short form in which a status change's record
 * carries what it owes: there nothing has been tried yet.
 * Invariant: an owed delivery has a fixed length, so that one can step over them by their number alone.
 */
import { type Delivery, deliveryStates } from '../../domain/delivery.ts';
import { assert } from '../../lib/errors.ts';
import { asChannelId, asCheckId, asDeliveryId, type CheckId } from '../../lib/ids.ts';
import type { ByteReader } from './byte-reader.ts';
import { type ByteWriter, stringBytesMax } from './byte-writer.ts';
import { changeBytes, readChange, writeChange } from './ping.ts';

/** Delivery, integration, change, the instant before which it is not sent. */
export const owedBytes = 16 + 16 + changeBytes + 8;

const noneOwed: readonly Delivery[] = [];

/** Reserves its own room. */
export function writeOwed(writer: ByteWriter, owed: readonly Delivery[] = noneOwed): void {
  assert(owed.length < 65_536, 'a check has few integrations');
  writer.reserve(2 + owed.length * owedBytes);
  writer.u16(owed.length);
  for (const delivery of owed) {
    writer.uuid(delivery.id);
    writer.uuid(delivery.channelId);
    writeChange(writer, delivery.change);
    writer.f64(delivery.notBeforeMs);
  }
}

/** The deliveries that the record of check `checkId` owes. */
export function readOwed(reader: ByteReader, checkId: CheckId): readonly Delivery[] {
  const count = reader.u16();
  if (count === 0) return noneOwed;
  return Array.from({ length: count }, () => readOne(reader, checkId));
}

function readOne(reader: ByteReader, checkId: CheckId): Delivery {
  const id = asDeliveryId(reader.uuid());
  const channelId = asChannelId(reader.uuid());
  const change = readChange(reader);
  const notBeforeMs = reader.f64();
  const fresh = { state: 'waiting', attempts: 0, error: '', endedMs: 0 } as const;
  return { id, checkId, channelId, change, notBeforeMs, sinceMs: change.atMs, ...fresh };
}

/** A row of the outbox. Reserves its own room. */
export function writeDelivery(writer: ByteWriter, delivery: Delivery): void {
  writer.reserve(48 + changeBytes + 32 + stringBytesMax(delivery.error));
  writer.uuid(delivery.id);
  writer.uuid(delivery.checkId);
  writer.uuid(delivery.channelId);
  writeChange(writer, delivery.change);
  writer.u8(deliveryStates.indexOf(delivery.state));
  writer.u32(delivery.attempts);
  writer.f64(delivery.notBeforeMs);
  writer.f64(delivery.sinceMs);
  writer.f64(delivery.endedMs);
  writer.string(delivery.error);
}

export function readDelivery(reader: ByteReader): Delivery {
  const id = asDeliveryId(reader.uuid());
  const checkId = asCheckId(reader.uuid());
  const channelId = asChannelId(reader.uuid());
  const change = readChange(reader);
  const state = reader.oneOf(deliveryStates, reader.u8());
  const attempts = reader.u32();
  const notBeforeMs = reader.f64();
  const sinceMs = reader.f64();
  const endedMs = reader.f64();
  return {
    id,
    checkId,
    channelId,
    change,
    state,
    attempts,
    notBeforeMs,
    sinceMs,
    endedMs,
    error: reader.string(),
  };
}
