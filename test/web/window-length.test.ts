/** The usual lengths of a maintenance window, and the words of one that repeats: without a browser. */
import { afterEach, expect, test } from 'vitest';
import type { MaintenanceAnswer } from '../../src/domain/views/maintenance-view.ts';
import { setTimeStyle } from '../../src/web/core/time-style.ts';
import { ruleWords, stateWords, timesWords } from '../../src/web/maintenance/maintenance-words.ts';
import { endOf, lengthOf } from '../../src/web/maintenance/window-length.ts';

const nowMs = Date.parse('2026-11-18T09:00:00Z');
const at = (text: string): number => Date.parse(text);

afterEach(() => setTimeStyle({ timeZone: '', clock: 'auto' }));

test('a window ends hours after it begins, or at the next eight in the morning of the reader', () => {
  setTimeStyle({ timeZone: 'Europe/Riga', clock: '24' });
  expect(endOf(4, nowMs)).toBe(at('2026-11-18T13:00:00Z'));
  expect(endOf('morning', nowMs)).toBe(at('2026-11-19T06:00:00Z'));
  expect(endOf('morning', at('2026-11-18T03:00:00Z'))).toBe(at('2026-11-18T06:00:00Z'));
  // The clock is set back in the night between.
  expect(endOf('morning', at('2026-10-24T18:00:00Z'))).toBe(at('2026-10-25T06:00:00Z'));
  expect(lengthOf(nowMs, at('2026-11-18T11:00:00Z'))).toBe(2);
  expect(lengthOf(nowMs, at('2026-11-19T06:00:00Z'))).toBe('morning');
  expect(lengthOf(nowMs, at('2026-11-18T11:05:00Z'))).toBeNull();
  expect(lengthOf(Number.NaN, nowMs)).toBeNull();
});

function repeated(schedule: string, ...next: readonly string[]): MaintenanceAnswer {
  const spans = next.map((from) => ({ from, until: new Date(at(from) + 7_200_000).toISOString() }));
  return {
    ...{ uuid: 'a', name: 'Nights', checks: [], tags: [], integrations: [], from: null, until: null },
    ...{ schedule, tz: 'Europe/Riga', duration: 7200, dates: [], counts_as_downtime: false, active: false },
    ...{ active_since: null, until_active: null, next: spans, times: '', created: '', by: 'ada' },
  };
}

test('a repeated window says its rule, then its next time and the days after that', () => {
  setTimeStyle({ timeZone: 'Europe/Riga', clock: '24' });
  const sundays = repeated(
    '0 2 * * 0',
    '2026-11-22T00:00:00Z',
    '2026-11-29T00:00:00Z',
    '2026-12-06T00:00:00Z',
  );
  expect(ruleWords(sundays)).toBe('Sundays at 02:00 for 2 hours');
  expect(stateWords(sundays, nowMs).replace(/\s/g, ' ')).toBe(
    'Next: Sun, Nov 22, 02:00 until 04:00, then Sun, Nov 29 and Sun, Dec 6',
  );
  expect(timesWords(sundays, nowMs)).toBe('');
  setTimeStyle({ timeZone: 'Asia/Tokyo', clock: '24' });
  expect(ruleWords(sundays)).toBe('Sundays at 02:00 (Europe/Riga) for 2 hours');
  expect(stateWords(sundays, nowMs).replace(/\s/g, ' ')).toMatch(
    /^Next, in Europe\/Riga: Sun, Nov 22, 02:00 until 04:00, then Sun, Nov 29 and Sun, Dec 6$/,
  );
});

test('several times of one day, and the same day of other years, are said as they are', () => {
  setTimeStyle({ timeZone: 'Europe/Riga', clock: '24' });
  const often = repeated(
    '0 */6 * * *',
    '2026-11-18T10:00:00Z',
    '2026-11-18T16:00:00Z',
    '2026-11-18T22:00:00Z',
  );
  expect(stateWords(often, nowMs).replace(/\s/g, ' ')).toBe(
    'Next: 12:00 until 14:00, then 18:00 and tomorrow 00:00',
  );
  const yearly = repeated('0 2 1 1 *', '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z');
  expect(stateWords(yearly, nowMs)).toContain('2028');
  const isOn = { ...often, active: true, until_active: '2026-11-18T10:00:00Z' };
  expect(ruleWords(isOn)).toBe('');
  expect(timesWords(isOn, nowMs)).toBe('Every 6 hours from 00:00 (Europe/Riga) for 2 hours');
});
