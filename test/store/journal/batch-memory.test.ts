import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NumberedBatch } from '../../../src/store/journal/batch-log.ts';
import { BatchMemory } from '../../../src/store/journal/batch-memory.ts';

const size = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900_000, max: 1_200_000 }) },
);
const step = fc.record({ size, dropTo: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 3 }) });

test('bytes of a batch stay as they are until it is dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const memory = new BatchMemory();
      let kept: NumberedBatch[] = [];
      for (const [seq, { size, dropTo }] of steps.entries()) {
        const bytes = Buffer.alloc(size, seq + 1);
        kept.push(memory.copy({ seq, bytes }));
        if (dropTo !== null) {
          const until = Math.floor(dropTo * seq);
          memory.dropUntil(until);
          kept = kept.filter((batch) => batch.seq > until);
        }
        for (const batch of kept) {
          expect(batch.bytes.length).toBe(steps[batch.seq]?.size);
          expect(batch.bytes.equals(Buffer.alloc(batch.bytes.length, batch.seq + 1))).toBe(true);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('memory of batches that were dropped is used again', () => {
  const memory = new BatchMemory();
  const buffers = new Set<ArrayBufferLike>();
  for (let seq = 1; seq <= 1000; seq++) {
    buffers.add(memory.copy({ seq, bytes: Buffer.alloc(100_000) }).bytes.buffer);
    memory.dropUntil(seq - 20);
  }
  expect(buffers.size).toBeLessThan(6);
});
