import { expect, test } from 'vitest';
import { beginsWithDate } from '../../src/lib/calendar-date.ts';

test.each(['2026-01-31', '2028-02-29T23:59:60Z', '0001-01-01 09:00', '9999-12-31'])('%s is a day', (text) => {
  expect(beginsWithDate(text)).toBe(true);
});

test.each([
  '',
  '2026-02-30',
  '2026-02-29T00:00Z',
  '2026-00-10',
  '2026-13-01',
  '2026-04-31',
  '2026-01-001',
  '5',
  ' 2026-01-31',
])('"%s" is none', (text) => {
  expect(beginsWithDate(text)).toBe(false);
});
