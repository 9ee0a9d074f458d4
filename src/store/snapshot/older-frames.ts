/**
 * Frames of snapshots up to format 3, in which rows were written by hand, as frames of today's format: all that reads a
 * snapshot sees only these. Invariant: a frame that says nothing else today passes as it is.
 */
import { ByteReader } from '../codec/byte-reader.ts';
import { toNamed } from '../codec/legacy.ts';
import { uuidBytes } from '../codec/uuid.ts';
import { frameKinds, rowKindsOfFrames } from './format.ts';

/** The first format whose rows have named fields. */
const namedFormat = 4;

const reader = new ByteReader();

export function frameOfToday(format: number, kind: number, payload: Buffer): Buffer {
  if (format >= namedFormat) return payload;
  if (kind === frameKinds.check) return checkOfToday(payload);
  const row = rowKindsOfFrames.get(kind);
  return row ? toNamed[row](payload) : payload;
}

/** Id and state have not changed. */
function checkOfToday(payload: Buffer): Buffer {
  reader.open(payload).skip(uuidBytes);
  reader.skip(reader.u8());
  return Buffer.concat([payload.subarray(0, reader.at), toNamed.check(payload.subarray(reader.at))]);
}
