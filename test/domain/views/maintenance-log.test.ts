/** Maintenance in the log of a check: the times of the windows that are there, and who has ended one before its time. */
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/domain/accounts/audit.ts';
import { endedNow, type MaintenanceWindow } from '../../../src/domain/alerting/maintenance.ts';
import { maintenanceEntries } from '../../../src/domain/views/maintenance-log.ts';
import { day, hour, minute } from '../../../src/lib/units.ts';
import { checkOf, maintenanceOf } from '../../support/store/store-facts.ts';

const nowMs = Date.UTC(2026, 4, 20, 12);
const check = { ...checkOf(1), createdAtMs: nowMs - 60 * day };
const windowOf = (number: number, facts: Partial<MaintenanceWindow> = {}): MaintenanceWindow =>
  maintenanceOf(number, {
    ...{ checks: [], tags: [], integrations: [], schedule: '', tz: 'UTC', durationS: 0, dates: [] },
    ...{ except: [], fromMs: nowMs - hour, untilMs: nowMs + hour, createdAtMs: nowMs - 90 * day },
    ...facts,
  });

interface Asked {
  readonly max?: number;
  readonly beforeMs?: number;
  readonly fromMs?: number;
  readonly audited?: readonly AuditEntry[];
}

function logOf(windows: readonly MaintenanceWindow[], asked: Asked = {}) {
  const { max = 100, beforeMs = nowMs + 1, fromMs = nowMs - 90 * day, audited = [] } = asked;
  const range = { fromMs, untilMs: beforeMs };
  return maintenanceEntries(check, { windows, range, max, nowMs, auditedAt: () => audited });
}
const hoursOf = (windows: readonly MaintenanceWindow[], asked: Asked = {}) =>
  logOf(windows, asked).entries.map(({ action, atMs }) => [action, (atMs - nowMs) / hour]);

const audited = (window: MaintenanceWindow, atMs: number): AuditEntry =>
  ({
    ...{ id: 'a', atMs, action: 'changed', subject: 'maintenance', subjectId: window.id, name: window.name },
    ...{ projectId: '', projectName: '', fields: ['times'], detail: '' },
    actor: { kind: 'member', id: 'm', name: 'Ada', address: '' },
  }) as unknown as AuditEntry;

test('one that is on has begun, and says until when', () => {
  expect(logOf([windowOf(1)]).entries).toMatchObject([
    { action: 'began', atMs: nowMs - hour, name: 'Umzug 1', untilMs: nowMs + hour },
  ]);
  expect(hoursOf([windowOf(1, { fromMs: nowMs + 1, untilMs: nowMs + hour })])).toEqual([]);
  expect(hoursOf([windowOf(1, { fromMs: nowMs })])).toEqual([['began', 0]]);
});

test('only windows about the check count, and no quiet hours', () => {
  const quiet = ['5a0c8f5e-6c1d-4b2a-9f3e-7d8c9b0a1e2f'] as unknown as MaintenanceWindow['integrations'];
  const others = [windowOf(1, { tags: ['elsewhere'] }), windowOf(2, { integrations: quiet })];
  expect(hoursOf([...others, windowOf(3, { checks: [check.id] })])).toEqual([['began', -1]]);
});

test('one that comes again has all of its times since it was created', () => {
  const weekly = { schedule: '0 2 * * *', durationS: 7200, fromMs: 0, untilMs: 0 };
  expect(hoursOf([windowOf(1, { ...weekly, createdAtMs: nowMs - 2 * day })])).toEqual([
    ...[
      ['began', -10],
      ['ended', -8],
      ['began', -34],
      ['ended', -32],
    ],
  ]);
});

test('it has begun when it was created at the earliest, and what was before the check is left out', () => {
  const once = { fromMs: nowMs - 3 * hour, untilMs: nowMs - hour };
  expect(hoursOf([windowOf(1, { ...once, createdAtMs: nowMs - 2 * hour })])).toEqual([
    ['began', -2],
    ['ended', -1],
  ]);
  expect(hoursOf([windowOf(1, { ...once, createdAtMs: nowMs })])).toEqual([]);
  // What began before the range has only its end in it.
  expect(hoursOf([windowOf(1, once)], { fromMs: nowMs - 2 * hour })).toEqual([['ended', -1]]);
});

test('one that somebody has ended before its time says who, as long as the audit log knows', () => {
  const nightly = windowOf(1, { schedule: '0 11 * * *', durationS: 7200, fromMs: 0, untilMs: 0 });
  for (const window of [windowOf(2), nightly]) {
    const ended = endedNow(window, nowMs);
    const end = (more: Asked) => logOf([ended], more).entries.find(({ action }) => action === 'ended');
    expect(end({ audited: [audited(ended, nowMs)] })).toMatchObject({ isEarly: true, by: 'Ada' });
    for (const other of [audited(windowOf(3), nowMs), audited(ended, nowMs - 1)])
      expect(end({ audited: [other] })?.by).toBe('');
  }
});

test('a page has a bounded number of times, and the next one goes on before them', () => {
  const often = windowOf(1, { schedule: '*/10 * * * *', durationS: 60, fromMs: 0, untilMs: 0 });
  const beganIn = (beforeMs?: number) => {
    const { entries, floorMs } = logOf([often, windowOf(2)], { max: 6, ...(beforeMs ? { beforeMs } : {}) });
    const began = entries.filter(({ action, atMs }) => action === 'began' && atMs >= floorMs);
    return { floorMs, names: began.map(({ name }) => name) };
  };
  const first = beganIn();
  expect(first).toEqual({ floorMs: nowMs - 20 * minute, names: ['Umzug 1', 'Umzug 1', 'Umzug 1'] });
  const second = beganIn(first.floorMs);
  expect(second).toEqual({ floorMs: nowMs - 50 * minute, names: ['Umzug 1', 'Umzug 1', 'Umzug 1'] });
  expect(beganIn(second.floorMs).names).toEqual(['Umzug 1', 'Umzug 2', 'Umzug 1', 'Umzug 1']);
  expect(logOf([windowOf(2)], { max: 5 }).floorMs).toBe(0);
});
