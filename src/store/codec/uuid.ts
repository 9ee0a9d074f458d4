/**
 * UUIDs as the 16 bytes in which they are kept. Invariants: text and bytes turn into each other without loss; what is lent keeps apart
 * until it is returned.
 */
import { assert } from '../../lib/errors.ts';
import { UuidWords, uuidChars } from '../../lib/uuid-words.ts';
import { ByteWriter } from './byte-writer.ts';

export const uuidBytes = 16;

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hexCodes = new Uint16Array(256);
for (const [byte, pair] of hexPairs.entries()) {
  hexCodes[byte] = pair.charCodeAt(0) | (pair.charCodeAt(1) << 8);
}
const text = Buffer.alloc(36, '-');

/** The text of the UUID that begins at `start`, which 16 bytes must follow. */
export function uuidText(bytes: Uint8Array, start = 0): string {
  let to = 0;
  for (let index = 0; index < uuidBytes; index++) {
    const pair = hexCodes[bytes[start + index] ?? 0] ?? 0;
    text[to++] = pair & 255;
    text[to++] = pair >> 8;
    if (index === 3 || index === 5 || index === 7 || index === 9) to++;
  }
  return text.toString('latin1', 0, 36);
}

const wordBytes = Buffer.alloc(uuidBytes);

/** The usual form of a UUID that is words. */
export function textOfWords(words: UuidWords): string {
  putWords(wordBytes, words);
  return uuidText(wordBytes);
}

function putWords(bytes: Buffer, { w0, w1, w2, w3 }: UuidWords): void {
  bytes.writeInt32BE(w0, 0);
  bytes.writeInt32BE(w1, 4);
  bytes.writeInt32BE(w2, 8);
  bytes.writeInt32BE(w3, 12);
}

const words = new UuidWords();
/** As many as the record with the most had. */
const lendable: Buffer[] = [];
let lent = 0;

/**
 * Returns the bytes in memory that the first `lendUuid` after `returnUuids` uses again. For a record that is packed at once: where
 * thousands of checks go down, each has several UUIDs in its records, and each binary of its own is a memory that V8 has to track.
 */
export function lendUuid(uuid: string): Buffer {
  if (uuid.length !== uuidChars || !words.parse(uuid)) assert(false, `not a UUID: ${uuid}`);
  const bytes = lendable[lent] ?? Buffer.alloc(uuidBytes);
  lendable[lent++] = bytes;
  putWords(bytes, words);
  return bytes;
}

export function returnUuids(): void {
  lent = 0;
}

const writer = new ByteWriter(uuidBytes);

/** Returns the bytes in memory of their own. */
export function bytesOfUuid(uuid: string): Buffer {
  writer.clear();
  writer.uuid(uuid);
  return writer.copy();
}

/** One after the other. */
export function bytesOfUuids(uuids: readonly string[]): Buffer {
  writer.clear();
  writer.reserve(uuidBytes * uuids.length);
  for (const uuid of uuids) writer.uuid(uuid);
  return writer.copy();
}
