import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstInTurns, sortedInTurns } from '../../../src/http/wire/sorted-in-turns.ts';

interface Item {
  readonly value: number;
  readonly place: number;
}

const items = fc
  .array(fc.nat(300), { minLength: 0, maxLength: 9000, size: 'max' })
  .map((values) => values.map((value, place): Item => ({ value, place })));

test('the first items are those of the whole order, and equal ones keep theirs', async () => {
  const compare = (a: Item, b: Item): number => a.value - b.value;
  const property = fc.asyncProperty(items, fc.integer({ min: 1, max: 500 }), async (given, max) => {
    const sorted = [...given].sort(compare);
    expect(await sortedInTurns(given, compare)).toEqual(sorted);
    expect(await firstInTurns(given, compare, max)).toEqual(sorted.slice(0, max));
  });
  await fc.assert(property, { numRuns: 30 });
});
