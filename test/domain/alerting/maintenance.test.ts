/** Maintenance windows: which check they are about, which of several counts, started and ended by hand. */
import { expect, test } from 'vitest';
import { activeAt, nextAfter } from '../../../src/domain/alerting/calendar.ts';
import {
  endedNow,
  isAbout,
  type MaintenanceWindow,
  startedId,
  startedNow,
  windowFor,
} from '../../../src/domain/alerting/maintenance.ts';
import { hour, minute } from '../../../src/lib/units.ts';
import { checkOf, maintenanceOf, projectOf } from '../../support/store/store-facts.ts';

const nowMs = Date.UTC(2026, 4, 4, 12);
const tagged = (number: number, tags: string) => {
  const check = checkOf(number);
  return { ...check, config: { ...check.config, tags } };
};
const once = (number: number, facts: Partial<MaintenanceWindow> = {}): MaintenanceWindow =>
  maintenanceOf(number, {
    ...{ checks: [], tags: [], schedule: '', durationS: 0, dates: [], except: [] },
    ...{ fromMs: nowMs - hour, untilMs: nowMs + hour },
    ...facts,
  });

test('is about the whole project, about named checks, and about those with one of its tags', () => {
  const about = (facts: Partial<MaintenanceWindow>) =>
    [checkOf(1), tagged(2, 'db prod'), tagged(3, 'dbs')].map((check) => isAbout(once(1, facts), check));
  expect(about({})).toEqual([true, true, true]);
  expect(about({ checks: [checkOf(1).id] })).toEqual([true, false, false]);
  expect(about({ tags: ['db'] })).toEqual([false, true, false]);
  expect(about({ checks: [checkOf(3).id], tags: ['web', 'prod'] })).toEqual([false, true, true]);
});

test('of several that are on, the one that ends last counts', () => {
  const windows = [
    once(1),
    once(2, { untilMs: nowMs + 3 * hour, tags: ['db'] }),
    once(3, { fromMs: nowMs + 1, untilMs: nowMs + 9 * hour }),
  ];
  expect(windowFor(windows, tagged(1, 'db'), nowMs)).toEqual({
    ...{ id: windows[1]?.id, name: 'Umzug 2', untilMs: nowMs + 3 * hour },
  });
  expect(windowFor(windows, checkOf(1), nowMs)?.name).toBe('Umzug 1');
  expect(windowFor(windows, checkOf(1), nowMs + hour)?.name).toBe('Umzug 3');
  expect(windowFor(windows, checkOf(1), nowMs - 2 * hour)).toBeNull();
});

test('one that is ended now is over, or for this time: what comes later is as it was', () => {
  const ended = endedNow(once(1), nowMs);
  expect([activeAt(ended, nowMs), ended.untilMs, nextAfter(ended, nowMs)]).toEqual([null, nowMs, null]);
  const nightly = once(2, { schedule: '0 11 * * *', tz: 'UTC', durationS: 4 * 3600 });
  const cut = endedNow(nightly, nowMs);
  expect(activeAt(cut, nowMs)).toBeNull();
  expect(activeAt(cut, nowMs - minute)?.untilMs).toBe(nowMs);
  expect(nextAfter(cut, nowMs)?.fromMs).toBe(Date.UTC(2026, 4, 5, 11));
});

test('one that is started while it is on goes on for longer, never for less', () => {
  const longer = startedNow(once(1), nowMs, nowMs + 2 * hour);
  expect(activeAt(longer, nowMs)).toEqual({ fromMs: nowMs - hour, untilMs: nowMs + 2 * hour });
  expect(startedNow(longer, nowMs, nowMs + minute).untilMs).toBe(nowMs + 2 * hour);
});

test('one that is started anew keeps when it was on before, and starts although it was ended', () => {
  const ended = endedNow(once(1), nowMs);
  const again = startedNow(ended, nowMs + hour, nowMs + 2 * hour);
  expect(again.dates).toEqual([{ fromMs: nowMs - hour, untilMs: nowMs }]);
  expect(activeAt(again, nowMs + hour)?.untilMs).toBe(nowMs + 2 * hour);
  const cut = { ...again, except: [{ fromMs: nowMs, untilMs: nowMs + 9 * hour }] };
  expect(activeAt(startedNow(cut, nowMs + 3 * hour, nowMs + 4 * hour), nowMs + 3 * hour)).not.toBeNull();
});

test('there is one window of a scope that is started, in whatever order the scope is said', () => {
  const id = (...tags: string[]) => startedId(projectOf(1).id, { checks: [], tags });
  expect(id('a', 'b')).toBe(id('b', 'a'));
  expect(new Set([id(), id('a'), startedId(projectOf(2).id, { checks: [], tags: [] })]).size).toBe(3);
});
