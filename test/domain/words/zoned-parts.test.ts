import { expect, test } from 'vitest';
import { zonedParts } from '../../../src/domain/words/zoned-parts.ts';

const atMs = Date.UTC(2026, 10, 1, 23, 5, 9);

test('an instant has the parts of its zone, the half hours of some too', () => {
  const common = { month: 'Nov', year: '2026', second: '09', suffix: '' };
  expect(zonedParts(atMs, 'UTC')).toEqual({
    ...common,
    weekday: 'Sun',
    day: '1',
    hour: '23',
    minute: '05',
    offset: 'UTC',
  });
  expect(zonedParts(atMs, 'Asia/Kolkata')).toEqual({
    ...common,
    ...{ weekday: 'Mon', day: '2', hour: '04', minute: '35', offset: 'UTC+5:30' },
  });
});

test('midnight is hour 0, not 24', () => {
  expect(zonedParts(Date.UTC(2026, 0, 1), 'UTC')).toMatchObject({ day: '1', hour: '00', minute: '00' });
});

test('the hour that comes twice when summer time ends is written twice', () => {
  const firstMs = Date.UTC(2026, 9, 25, 0, 30);
  const hours = [firstMs, firstMs + 3_600_000].map((at) => zonedParts(at, 'Europe/Riga'));
  expect(hours.map(({ hour, minute }) => `${hour}:${minute}`)).toEqual(['03:30', '03:30']);
  expect(hours.map(({ offset }) => offset)).toEqual(['UTC+3', 'UTC+2']);
});

test('a zone that this machine does not know gives UTC, which says so, the second time too', () => {
  for (const zone of ['Mars/Olympus', 'Mars/Olympus', ''])
    expect(zonedParts(atMs, zone)).toMatchObject({ hour: '23', suffix: ' UTC' });
});
