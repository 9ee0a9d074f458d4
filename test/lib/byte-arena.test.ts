import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteArena } from '../../src/lib/byte-arena.ts';

const bytes = fc.oneof(
  { weight: 9, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 900_000, max: 1_200_000 }).map((size) => Buffer.alloc(size, size)),
  },
);
const step = fc.record({ bytes, frees: fc.boolean(), which: fc.nat() });

test('gives back what was put, whatever was freed in between', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const arena = new ByteArena();
      const pieces: [number, Buffer][] = [];
      for (const { bytes: own, frees, which } of steps) {
        const at = which % Math.max(1, pieces.length);
        const [freed] = frees ? pieces.splice(at, 1) : [];
        if (freed) arena.free(freed[0]);
        const head = own.subarray(0, 5);
        const rest = own.subarray(5);
        pieces.push([arena.put(head, rest), Buffer.from(own)]);
      }
      for (const [piece, own] of pieces) {
        expect(arena.bytes(piece).equals(own)).toBe(true);
        expect(arena.bufferOf(piece)[arena.startOf(piece)]).toBe(
          own[0] ?? arena.bufferOf(piece)[arena.startOf(piece)],
        );
      }
      for (const [piece] of pieces) arena.free(piece);
      expect(arena.usedBytes).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('what is replaced by something of the same size takes no more memory', () => {
  const arena = new ByteArena();
  const own = Buffer.alloc(200, 7);
  let piece = arena.put(own, own);
  const first = piece;
  for (let turn = 0; turn < 10_000; turn++) {
    arena.free(piece);
    piece = arena.put(own, own);
  }
  expect(piece).toBe(first);
});
