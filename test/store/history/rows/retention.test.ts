/** The rules of what is kept. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodiesToDrop, changesCutoffMs, listedFrom } from '../../../../src/store/history/rows/retention.ts';

test('the newest pings are listed, as many as the plan allows', () => {
  expect(listedFrom(5, 100)).toBe(1);
  expect(listedFrom(100, 100)).toBe(1);
  expect(listedFrom(101, 100)).toBe(2);
});

test('what is left of the bodies is within the budget, or the newest alone, and never too little', () => {
  const property = fc.property(fc.array(fc.nat(100), { maxLength: 30 }), fc.nat(500), (sizes, budget) => {
    const drop = bodiesToDrop(sizes, budget);
    const sum = (from: number) => sizes.slice(from).reduce((total, size) => total + size, 0);
    if (sizes.length > 0) expect(drop).toBeLessThan(sizes.length);
    if (drop < sizes.length - 1) expect(sum(drop)).toBeLessThanOrEqual(budget);
    if (drop > 0) expect(sum(drop - 1)).toBeGreaterThan(budget);
  });
  fc.assert(property);
});

test('status changes of this month and the two before it stay, across the turn of the year', () => {
  expect(changesCutoffMs(Date.UTC(2024, 5, 30, 23))).toBe(Date.UTC(2024, 3, 1));
  expect(changesCutoffMs(Date.UTC(2024, 0, 1))).toBe(Date.UTC(2023, 10, 1));
});
