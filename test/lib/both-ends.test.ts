/** What is kept of a text that is longer than its limit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bothEnds, endsIn, writeEnds } from '../../src/lib/both-ends.ts';

const line = /\n\[(\d+) bytes left out\]\n/;
const longText = fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀'), minLength: 800, maxLength: 4000 });
const limit = fc.integer({ min: 1000, max: 3000 });

test('a text within its limit is the same object', () => {
  const whole = Buffer.from('ä'.repeat(500));
  expect(bothEnds(whole, 1000)).toBe(whole);
});

test('of a longer one the beginning and the end are kept, every missing byte is counted, and no character is broken', () => {
  fc.assert(
    fc.property(longText, limit, (text, bytesMax) => {
      const whole = Buffer.from(text);
      fc.pre(whole.length > bytesMax);
      const bytes = bothEnds(whole, bytesMax);
      expect(bytes.length).toBeLessThanOrEqual(bytesMax);
      expect(bytes.length).toBeGreaterThan(bytesMax - 6);
      const kept = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      const [start = '', missing, end = ''] = kept.split(line);
      expect([text.startsWith(start), text.endsWith(end)]).toEqual([true, true]);
      const sizes = [start, end].map((part) => Buffer.byteLength(part));
      expect(sizes[0]).toBeGreaterThanOrEqual(Math.floor(bytesMax / 10));
      expect((sizes[0] ?? 0) + (sizes[1] ?? 0) + Number(missing)).toBe(whole.length);
    }),
  );
});

test('of bytes that are no text no more than three are lost at a cut', () => {
  const whole = new Uint8Array(300_000).fill(0x80);
  const bytes = bothEnds(whole, 100_000);
  expect(bytes.length).toBeLessThanOrEqual(100_000);
  expect(bytes.length).toBeGreaterThan(99_990);
});

test('of a small limit it is the end', () => {
  expect(Buffer.from(bothEnds(Buffer.from('one€two'), 5)).toString()).toBe('two');
  expect(bothEnds(Buffer.from('x'), 0).length).toBe(0);
});

test('pieces in a buffer of the limit give what the whole gives', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 3000 }), (parts, bytesMax) => {
      const whole = Buffer.concat(parts);
      fc.pre(whole.length > bytesMax);
      const buffer = new Uint8Array(bytesMax);
      let total = 0;
      for (const part of parts) {
        writeEnds(buffer, total, part);
        total += part.length;
      }
      expect(Buffer.from(endsIn(buffer, total, bytesMax))).toEqual(Buffer.from(bothEnds(whole, bytesMax)));
    }),
  );
});
