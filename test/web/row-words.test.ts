/** Words of a row of the list: pure, without a browser. */
import { expect, test } from 'vitest';
import type { RunEntry } from '../../src/domain/views/log-view.ts';
import type { CheckRow, RunView } from '../../src/domain/views/page-view.ts';
import { expectedWords, lastRunWords, statusReason } from '../../src/web/core/status-words.ts';
import { heldBackWords, missingWords, timeWords } from '../../src/web/core/words.ts';
import { maintainedUntil } from '../../src/web/rows/maintained.ts';
import { heldSign, stateWords } from '../../src/web/rows/row-words.ts';
import { progressOf, progressWords } from '../../src/web/rows/run-progress.ts';

const nowMs = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;

const row: CheckRow = {
  ...{
    id: 'a',
    name: 'dump',
    slug: '',
    tags: '',
    status: 'up',
    sinceMs: nowMs - 100 * minute,
    cause: 'success',
  },
  ...{
    startedMs: null,
    startedLateMs: 0,
    kind: 'simple',
    timeoutS: 3600,
    graceS: 600,
    schedule: '',
    tz: 'UTC',
  },
  ...{
    lastPingMs: nowMs,
    lastDurationMs: 20 * minute,
    nextPingMs: null,
    downAtMs: null,
    runs: [],
    uptime: null,
  },
  ...{ nPings: 1, channels: [], acknowledged: null, snoozedUntilMs: null },
};

test('a run in flight says how far along the usual duration it is, once that is known', () => {
  const running = { ...row, startedMs: nowMs - 17 * minute };
  expect(progressWords(running, nowMs)).toBe('Last took 20 min');
  const runs = [34, 33, 36, 34, 35].map((took) => [nowMs, 'succeeded', took * minute] as const);
  expect(progressWords({ ...running, runs }, nowMs)).toBe('50 %, usually 34 min');
});

test('the usual duration that the server has learned comes first; none of them is shown of what is not running', () => {
  const running = { ...row, startedMs: nowMs - 17 * minute };
  const learned = { ...running, usualMs: 10 * minute };
  expect(progressOf(learned, nowMs)).toEqual({ share: 1.7, words: '170 %, usually 10 min' });
  expect(progressWords({ ...learned, startedMs: nowMs - 109 * minute }, nowMs)).toBe('10× the usual 10 min');
  expect(progressOf(running, nowMs)).toBeNull();
  expect(progressOf({ ...learned, startedMs: null }, nowMs)).toBeNull();
});

test('a check that is down says which machines have not reported', () => {
  expect(missingWords({ hosts: ['db-3'], of: 5 })).toBe('db-3 has not reported; 4 of 5 have');
  expect(missingWords({ hosts: ['a', 'b'], of: 3 })).toBe('a, b have not reported; 1 of 3 have');
});

test.each([
  ['parent-down', 'db', null, 'Held back by db'],
  ['parent-back', 'db', nowMs + minute, 'Held back after db'],
  ['awaiting-parent', 'db, tag:core', nowMs + minute, 'Waiting for db, tag:core'],
  ['alert-after', '1 of 3 failures', null, 'Held back: 1 of 3 failures'],
  ['maintenance', 'DB move', null, 'In maintenance'],
  ['unstable', 'more than 4 changes in 30 min', null, 'Unstable'],
] as const)('a check that is down says what holds its alert back: %s', (reason, about, untilMs, said) => {
  expect(heldBackWords({ reason, about, untilMs }, nowMs)).toBe(said);
});

const window = {
  id: 'w',
  name: 'Move',
  untilMs: nowMs + 7 * 24 * 60 * minute,
  checks: [] as string[],
  tags: [] as string[],
  count: 1,
};

test('a check is in maintenance that is named, has a tag, or is of a project that is, unless it is paused', () => {
  const until = (of: Partial<typeof window>, about: Partial<CheckRow> = {}) =>
    maintainedUntil({ ...row, tags: 'prod db', ...about }, [{ ...window, ...of }]);
  expect(until({})).toBe(window.untilMs);
  expect(until({ checks: ['a'] })).toBe(window.untilMs);
  expect(until({ tags: ['db'] })).toBe(window.untilMs);
  expect(until({ checks: ['b'] })).toBeNull();
  expect(until({ tags: ['d'] })).toBeNull();
  expect(until({ checks: ['b'], tags: ['x'] })).toBeNull();
  expect(until({}, { status: 'paused' })).toBeNull();
  expect(maintainedUntil(row, [])).toBeNull();
});

test('of a check that is down, the last run is followed by when the next one is expected', () => {
  const last = { ...row, lastPingMs: nowMs - 90 * minute };
  const said = (of: Partial<CheckRow>, reason = '', nextMs: number | null = null): string =>
    lastRunWords({ ...last, ...of }, { reason, nextMs, nowMs }).replaceAll('\u202f', ' ');
  expect(said({})).toBe('Last run 1 h ago, took 20 min');
  expect(said({ status: 'down' })).toBe('Last run 1 h ago, took 20 min · expected every hour');
  // The reason says how long it took.
  const failed = 'Exit status 3 after 20 min';
  expect(said({ status: 'down', timeoutS: 90_000 }, failed)).toBe(
    'Last run 1 h ago · expected every 25 hours',
  );
  const cron = { status: 'down', kind: 'cron', schedule: '15 2 * * *' } as const;
  expect(said(cron, failed, nowMs + 30 * minute)).toMatch(/^Last run 1 h ago · next expected \S.*\d:\d\d/);
  expect(said(cron, failed)).toBe('Last run 1 h ago');
  // One in flight is what is expected.
  expect(said({ ...cron, startedMs: nowMs }, failed, nowMs + 30 * minute)).toBe('Last run 1 h ago');
  expect(said({ status: 'down', lastPingMs: null, lastDurationMs: null })).toBe(
    'No run yet · expected every hour',
  );
});

test('a check that is down keeps its reason, whatever holds its alerts back', () => {
  const down = { ...row, status: 'down', cause: 'fail' } as const;
  const said = (of: Partial<CheckRow>, untilMs: number | null = null): string =>
    stateWords({ ...down, ...of }, nowMs, untilMs).second.replaceAll(/\d+:\d\d(?:\s[AP]M)?/g, '…');
  const acknowledged = { atMs: nowMs, by: 'ada' };
  expect(said({})).toBe('The job failed');
  expect(said({ exitStatus: 3, acknowledged })).toBe('Exit status 3 · Acknowledged by ada');
  expect(said({ acknowledged })).toBe('The job failed · Acknowledged by ada');
  expect(said({ acknowledged, snoozedUntilMs: nowMs + minute })).toBe(
    'The job failed · Snoozed until … · Acknowledged by ada',
  );
  expect(said({ heldBack: { reason: 'parent-down', about: 'db', untilMs: null } })).toBe(
    'The job failed · Held back by db',
  );
  expect(said({}, nowMs + minute)).toBe('The job failed · In maintenance until …');
  // Of what is not down the next run is said elsewhere.
  expect(said({ status: 'up', cause: 'success', snoozedUntilMs: nowMs + minute })).toBe('Snoozed until …');
  expect(stateWords({ ...down, acknowledged }, nowMs).held).toBe('Acknowledged by ada');
});

test('of a check without a ping in time it is said when that was expected, and when the last one came', () => {
  const runs = [[nowMs - 90 * minute, 'succeeded', null] as const];
  const down = { ...row, status: 'down', cause: 'timeout', sinceMs: nowMs - 20 * minute, runs } as const;
  const said = (of: Partial<CheckRow> = {}): string =>
    expectedWords({ ...down, ...of }, nowMs).replaceAll(/\d+:\d\d(?:\s[AP]M)?/g, (time) =>
      time.replace(/\s/, ' '),
    );
  const time = (ms: number) => timeWords(ms).replace(/\s/, ' ');
  const last = `last success at ${time(nowMs - 90 * minute)}`;
  expect(said()).toBe(`Expected at ${time(nowMs - 30 * minute)}, every hour; ${last}`);
  const cron = { kind: 'cron', schedule: '30 * * * *' } as const;
  expect(said({ ...cron, runs: [] })).toMatch(
    new RegExp(`^Expected at ${time(nowMs - 30 * minute)}, .*[^;]$`),
  );
  expect(said({ overrunMs: 10 * minute })).toBe(
    `Started at ${time(nowMs - 30 * minute)}, every hour; ${last}`,
  );
  expect(said({ cause: 'fail' })).toBe('');
  expect(said({ status: 'up' })).toBe('');
});

test('a check that is up says of its last ping what its row has, until the log has that ping', () => {
  const { sinceMs } = row;
  const old = [
    {
      what: 'run',
      id: 'r1',
      atMs: sinceMs - 90_000_000,
      endedMs: sinceMs - 90_000_000,
      outcome: 'succeeded',
    } as RunEntry,
  ];
  const of = (...outcomes: readonly RunView[1][]) =>
    outcomes.map((outcome, at) => [sinceMs - (outcomes.length - 1 - at) * minute, outcome, null] as const);
  const says = (runs: CheckRow['runs'], entries: readonly RunEntry[]) =>
    statusReason({ ...row, runs }, entries, nowMs);
  for (const entries of [old, []]) {
    expect(says(of('succeeded', 'missed', 'succeeded'), entries)).toBe('Recovered with the last ping.');
    expect(says(of('failed', 'succeeded'), entries)).toBe('Recovered with the last ping.');
    expect(says(of('succeeded', 'late'), entries)).toBe('The last ping arrived late.');
    expect(says(of('succeeded', 'succeeded'), entries)).toBe('The last ping arrived on time.');
  }
  const after = (ms: number): CheckRow['runs'] => [
    [sinceMs - ms, 'succeeded', null],
    [sinceMs, 'succeeded', null],
  ];
  const everyMs = row.timeoutS * 1000;
  expect(says(after(everyMs + 25_000), [])).toBe('The last ping arrived 25 s late.');
  expect(says(after(everyMs + 2000), [])).toBe('The last ping arrived on time.');
  // Another interval counted then.
  expect(says(after(everyMs + row.graceS * 1000 + 1000), [])).toBe('The last ping arrived on time.');
  expect(says([], [])).toBe('The last ping arrived.');
  expect(says([], old)).toBe('The last ping arrived on time.');
});

test.each([
  ['Acknowledged by ada', 'acknowledged', 'by ada'],
  ['Acknowledged by ops@example.org', 'acknowledged', 'by ops'],
  ['Acknowledged by Ada of the ops@example team', 'acknowledged', 'by Ada of the ops@example team'],
  ['Snoozed until 14:00', 'snoozed', 'until 14:00'],
] as const)('has a sign for “%s”, and short words beside it', (held, sign, beside) => {
  expect(heldSign(held)).toMatchObject({ sign, beside });
});
