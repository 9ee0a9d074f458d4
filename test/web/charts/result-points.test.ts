/** Where values are in a small chart. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelsOf, placesOf } from '../../../src/web/charts/result-points.ts';

const size = { width: 320, height: 64 };
const good = (value: number) => ({ value, isBad: false });

test('the least is at the bottom, the most at the top, limits included, one behind the other', () => {
  const values = [10, 20, 15].map(good);
  const places = placesOf(values, levelsOf([10, 20, 15], [0]), size);
  expect(places.map(({ x }) => x)).toEqual([5, 160, 315]);
  expect(places.map(({ y }) => y)).toEqual([32, 5, 18.5]);
});

test('values that are all the same, and a single one, are in the middle', () => {
  expect(placesOf([good(3), good(3)], levelsOf([3, 3], []), size).map(({ y }) => y)).toEqual([32, 32]);
  expect(placesOf([good(3)], levelsOf([3], []), size)).toEqual([{ x: 5, y: 32, isBad: false }]);
});

test('whatever the values are, all are within the chart', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 50 }),
      fc.array(value, { maxLength: 3 }),
      (values, limits) => {
        for (const { x, y } of placesOf(values.map(good), levelsOf(values, limits), size)) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(size.width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(size.height);
        }
      },
    ),
  );
});
