import { expect, test } from 'vitest';
import { noTiming, Timings } from '../../../src/engine/contract/timings.ts';
import { NEVER } from '../../../src/lib/units.ts';

test("equal schedules have one number, which is another's once no check has them", () => {
  const timings = new Timings();
  const hourly = timings.acquire('0 * * * *', 'UTC');
  expect(timings.acquire('0 * * * *', 'UTC')).toBe(hourly);
  expect(timings.acquire('0 * * * *', 'Europe/Riga')).not.toBe(hourly);
  expect(hourly).not.toBe(noTiming);
  timings.release(hourly);
  expect(timings.acquire('0 * * * *', 'UTC')).toBe(hourly);
  timings.release(hourly);
  timings.release(hourly);
  timings.release(noTiming);
  expect(timings.acquire('*/5 * * * *', 'UTC')).toBe(hourly);
});

test('says when a schedule occurs next', () => {
  const timings = new Timings();
  const from = Date.UTC(2026, 0, 1, 12, 30);
  expect(timings.after(timings.acquire('0 * * * *', 'UTC'), from)).toBe(Date.UTC(2026, 0, 1, 13));
  expect(timings.after(timings.acquire('2001-01-01', 'UTC'), from)).toBe(NEVER);
});
