/**
 * The short form of a delivery, by hand: a status change's record carries what it owes, and nothing has been tried yet. Not
 * here: a delivery's own record (`rows`).
 * Invariant: an owed delivery has a fixed length, so that one can step over them by their number alone.
 */
import type { Delivery } from '../../domain/delivery.ts';
import { assert } from '../../lib/errors.ts';
import { asChannelId, asDeliveryId, type CheckId } from '../../lib/ids.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
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
