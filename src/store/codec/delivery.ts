/**
 * The short form of a delivery, by hand: a status change's record has its deliveries, none of which has been tried yet. Not
 * here: a delivery's own record (`rows`).
 * Invariant: a delivery in this form has a fixed length, so that one can step over them by knowing only their number.
 */
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { assert } from '../../lib/errors.ts';
import { asChannelId, asDeliveryId, type CheckId } from '../../lib/ids.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { changeBytes, readChange, writeChange } from './ping.ts';

/** Delivery, integration, change, the instant before which it is not sent. */
export const deliveryBytes = 16 + 16 + changeBytes + 8;

const noDeliveries: readonly Delivery[] = [];

/** Reserves its own space. */
export function writeDeliveries(writer: ByteWriter, deliveries: readonly Delivery[] = noDeliveries): void {
  assert(deliveries.length < 65_536, 'a check has few integrations');
  writer.reserve(2 + deliveries.length * deliveryBytes);
  writer.u16(deliveries.length);
  for (const delivery of deliveries) {
    writer.uuid(delivery.id);
    writer.uuid(delivery.channelId);
    writeChange(writer, delivery.change);
    writer.f64(delivery.notBeforeMs);
  }
}

/** The deliveries in a record of check `checkId`. */
export function readDeliveries(reader: ByteReader, checkId: CheckId): readonly Delivery[] {
  const count = reader.u16();
  if (count === 0) return noDeliveries;
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
