import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KnellError } from '../../../src/lib/errors.ts';
import { decodeEntry, encodeEntry, nodeNameBytesMax } from '../../../src/store/replicated/envelope.ts';
import { entryKinds, type LogEntry } from '../../../src/store/replicated/replicated-log.ts';

const anyEntry: fc.Arbitrary<LogEntry> = fc.record({
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  kind: fc.constantFrom(...entryKinds),
  epoch: fc.nat(Number.MAX_SAFE_INTEGER),
  node: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((name) => Buffer.byteLength(name) <= nodeNameBytesMax),
  bytes: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
});

function codeOf(message: Buffer, seq: number): string {
  try {
    decodeEntry(message, seq);
  } catch (error) {
    if (error instanceof KnellError) return error.code;
    throw error;
  }
  return 'no error';
}

/** With the checksum that belongs to what it says now. */
function sealed(message: Buffer): Buffer {
  message.writeUInt32LE(crc32(message.subarray(8), crc32(message.subarray(0, 4))), 4);
  return message;
}

test('an entry comes back as it was', () => {
  fc.assert(
    fc.property(anyEntry, (entry) => {
      expect(decodeEntry(encodeEntry(entry), entry.seq)).toEqual(entry);
    }),
  );
});

test('a flipped bit anywhere is damage', () => {
  fc.assert(
    fc.property(anyEntry, fc.nat(), fc.integer({ min: 0, max: 7 }), (entry, place, bit) => {
      const message = encodeEntry(entry);
      const at = place % message.length;
      message[at] = (message[at] ?? 0) ^ (1 << bit);
      expect(codeOf(message, entry.seq)).toBe('cluster-log-damaged');
    }),
  );
});

test('an entry that was cut off is damaged', () => {
  fc.assert(
    fc.property(anyEntry, fc.nat(), (entry, place) => {
      const message = encodeEntry(entry);
      expect(codeOf(message.subarray(0, place % message.length), entry.seq)).toBe('cluster-log-damaged');
    }),
  );
});

test('an entry at another place than its own is damage', () => {
  fc.assert(
    fc.property(anyEntry, fc.integer({ min: 1, max: 1000 }), (entry, other) => {
      fc.pre(other !== entry.seq);
      expect(codeOf(encodeEntry(entry), other)).toBe('cluster-log-damaged');
    }),
  );
});

test('what a newer version wrote is named as such: another format, or a kind that this one does not know', () => {
  fc.assert(
    fc.property(anyEntry, fc.integer({ min: 2, max: 255 }), (entry, newer) => {
      const format = encodeEntry(entry);
      format[0] = newer;
      const kind = encodeEntry(entry);
      kind[1] = entryKinds.length - 1 + newer;
      fc.pre(entryKinds.length - 1 + newer < 256);
      expect([codeOf(sealed(format), entry.seq), codeOf(sealed(kind), entry.seq)]).toEqual([
        'cluster-log-newer',
        'cluster-log-newer',
      ]);
    }),
  );
});
