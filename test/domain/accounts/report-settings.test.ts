/** What changes of a member's settings mean for the reports that are still to come. */
import { describe, expect, test } from 'vitest';
import { defaultPreferences } from '../../../src/domain/accounts/preferences.ts';
import {
  dueReport,
  reportZoneOf,
  withConfirmed,
  withReported,
  withReports,
} from '../../../src/domain/accounts/report-settings.ts';
import type { User } from '../../../src/domain/accounts/user.ts';
import { asUserId } from '../../../src/lib/ids.ts';
import { day, hour } from '../../../src/lib/units.ts';

/** A Monday, 07:00: the report of the last week is due at 08:00. */
const nowMs = Date.UTC(2026, 10, 23, 7);
const user: User = {
  id: asUserId('00000000-0000-4000-8000-00000000000a'),
  name: 'ada',
  role: 'owner',
  passwordHash: '',
  createdAtMs: 0,
};
const address = 'ada@example.org';
const weekly = (atMs: number) =>
  withConfirmed(withReports(user, { frequency: 'weekly', address }, 'UTC', atMs), 'UTC', atMs);

describe('the settings of reports', () => {
  test('turned on before 08:00 do not send the report of the time before', () => {
    const chosen = weekly(nowMs);
    expect(dueReport(chosen, 'UTC', nowMs + 6 * day)).toBeNull();
    expect(dueReport(chosen, 'UTC', nowMs + 7 * day + hour)).toMatchObject({ fromMs: nowMs - 7 * hour });
  });

  test('saved again without a change leave due what is due', () => {
    const chosen = weekly(nowMs - 3 * day);
    const saved = withReports(chosen, { frequency: 'weekly', address }, 'UTC', nowMs);
    expect(dueReport(saved, 'UTC', nowMs)).toBeNull();
    expect(dueReport(saved, 'UTC', nowMs + hour)).toMatchObject({ untilMs: nowMs - 7 * hour });
  });

  test('with another address wait for its agreement; letters of another case are the same address', () => {
    const chosen = weekly(nowMs - 3 * day);
    const other = withReports(chosen, { frequency: 'weekly', address: 'eve@example.org' }, 'UTC', nowMs);
    expect(dueReport(other, 'UTC', nowMs + 8 * day)).toBeNull();
    const same = withReports(chosen, { frequency: 'weekly', address: 'Ada@example.org' }, 'UTC', nowMs);
    expect(dueReport(same, 'UTC', nowMs + hour)).not.toBeNull();
  });

  test('are over for a report that was sent, and never go back', () => {
    const sent = withReported(weekly(nowMs), nowMs + 7 * day, '');
    expect(dueReport(withReported(sent, nowMs, ''), 'UTC', nowMs + 7 * day)).toBeNull();
  });

  test('go by the zone of the member, or that of the installation', () => {
    const preferences = { ...defaultPreferences, timeZone: 'Asia/Tokyo' };
    expect(reportZoneOf({ ...user, preferences }, 'Europe/Riga')).toBe('Asia/Tokyo');
    expect(reportZoneOf(user, 'Europe/Riga')).toBe('Europe/Riga');
    expect(reportZoneOf({ ...user, preferences: { ...preferences, timeZone: 'No/Where' } }, 'UTC')).toBe(
      'UTC',
    );
  });
});
