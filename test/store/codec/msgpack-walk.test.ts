import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';
import { MsgpackWalk } from '../../../src/store/codec/msgpack-walk.ts';

const packr = new Packr({ useRecords: false, variableMapSize: true, int64AsType: 'number' });

const value = fc.anything({
  maxDepth: 4,
  withDate: true,
  withTypedArray: false,
  values: [
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    fc.double(),
    fc.float(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  ],
});

test('steps over any value to its very end', () => {
  fc.assert(
    fc.property(value, (any) => {
      const bytes = packr.pack(any);
      const walk = new MsgpackWalk().open(bytes);
      walk.skip();
      expect(walk.isAtEnd).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('reads texts and numbers as they were written', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 70_000 }),
      fc.double({ min: 0, noNaN: true }),
      fc.boolean(),
      (text, number, flag) => {
        const walk = new MsgpackWalk().open(packr.pack({ text, number, whole: Math.trunc(number), flag }));
        expect(walk.map()).toBe(4);
        walk.skip();
        walk.content();
        expect(walk.bytes.toString('utf8', walk.start, walk.end)).toBe(Buffer.from(text).toString('utf8'));
        walk.skip();
        expect(walk.kind()).toBe('number');
        expect(walk.number()).toBe(number);
        walk.skip();
        expect(walk.number()).toBe(Math.trunc(number));
        walk.skip();
        expect(walk.flag()).toBe(flag);
      },
    ),
  );
});

test('what is nested without end is refused', () => {
  expect(() => new MsgpackWalk().open(Buffer.alloc(100, 0x91)).skip()).toThrow('nested');
});
