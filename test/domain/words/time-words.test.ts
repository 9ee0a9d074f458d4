/** Times and spans as messages have them. */
import { describe, expect, test } from 'vitest';
import {
  dateText,
  relativeText,
  timeText,
  untilText,
  whenText,
} from '../../../src/domain/words/time-words.ts';
import { day, hour, minute, second } from '../../../src/lib/units.ts';

const nowMs = Date.UTC(2024, 5, 15, 12, 30, 5);
const riga = { nowMs, timeZone: 'Europe/Riga' };

test.each([
  [1999, 'just now'],
  [2 * second, '2 seconds ago'],
  [59 * second, '59 seconds ago'],
  [5 * minute + 59 * second, '5 minutes ago'],
  [hour + 2 * second, '1 hour ago'],
  [hour + 2 * minute, '1 hour 2 minutes ago'],
  [day + hour + 59 * minute, '1 day 1 hour ago'],
  [-2 * hour, 'in 2 hours'],
])('%i ms before now is %s', (ms, text) => {
  expect(relativeText(nowMs - ms, nowMs)).toBe(text);
});

describe('a date', () => {
  test('is in the zone of the reader, and names its distance from UTC', () => {
    expect(whenText(nowMs - hour, riga)).toBe('Sat 15 Jun 14:30 UTC+3 (1 hour ago)');
    expect(dateText(nowMs - hour, { nowMs, timeZone: 'America/New_York' })).toBe('Sat 15 Jun 07:30 UTC-4');
    expect(dateText(Date.UTC(2024, 5, 14, 21), riga)).toBe('Sat 15 Jun 00:00 UTC+3');
  });

  test('has its year only when that is not obvious', () => {
    expect(dateText(nowMs - 179 * day, riga)).toBe('Tue 19 Dec 14:30 UTC+2');
    expect(dateText(nowMs - 181 * day, riga)).toBe('Sun 17 Dec 2023 14:30 UTC+2');
  });

  test('is in UTC, and says so, when this machine does not know the zone', () => {
    expect(dateText(nowMs, { nowMs, timeZone: 'Mars/Olympus' })).toBe('Sat 15 Jun 12:30 UTC');
    expect(dateText(nowMs, { nowMs, timeZone: 'Asia/Kolkata' })).toBe('Sat 15 Jun 18:00 UTC+5:30');
  });

  test('is only a time of day within a day', () => {
    expect(timeText(nowMs - 23 * hour, riga)).toBe('16:30 UTC+3');
    expect(timeText(nowMs - 25 * hour, riga)).toBe('Fri 14 Jun 14:30 UTC+3');
  });

  test('that is to come says that it is tomorrow, by the clock of the reader', () => {
    expect(untilText(nowMs + 8 * hour, riga)).toBe('23:30 UTC+3');
    expect(untilText(nowMs + 9 * hour, riga)).toBe('tomorrow 00:30 UTC+3');
    expect(untilText(nowMs + 33 * hour, riga)).toBe('Mon 17 Jun 00:30 UTC+3');
  });
});
