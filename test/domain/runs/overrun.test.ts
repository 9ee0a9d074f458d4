/** A run that did not end within the grace time, and so took its check down: whether that is why, and the words of every place. */
import { expect, test } from 'vitest';
import { overrunMs, overrunWords } from '../../../src/domain/runs/overrun.ts';
import type { ChangeEntry } from '../../../src/domain/views/log-view.ts';
import type { CheckRow } from '../../../src/domain/views/page-view.ts';
import { statusReason, wentDownWords } from '../../../src/web/core/status-words.ts';
import { changeWords } from '../../../src/web/log/log-words.ts';
import { causeWords, stateWords } from '../../../src/web/rows/row-words.ts';

const minute = 60_000;
const hour = 60 * minute;
const downMs = Date.UTC(2026, 2, 2, 12);
const nowMs = downMs + minute;

const down = { atMs: downMs, to: 'down', cause: 'timeout' } as const;
const missed = (startedMs: number | null) => [{ atMs: downMs, outcome: 'missed', startedMs }] as const;
const words = 'The run did not end within the grace time of 1 h';

test('a run is the reason if it had the whole grace time', () => {
  expect(overrunMs(down, missed(downMs - hour), 3600)).toBe(hour);
  // It began so late that the missing ping took the check down.
  expect(overrunMs(down, missed(downMs - hour + 1), 3600)).toBeNull();
  expect(overrunMs(down, missed(null), 3600)).toBeNull();
  expect(overrunMs(down, [], 3600)).toBeNull();
  expect(overrunMs({ ...down, cause: 'update' }, missed(downMs - hour), 3600)).toBeNull();
  expect(overrunMs({ ...down, to: 'grace' }, missed(downMs - hour), 3600)).toBeNull();
  expect(overrunWords(hour)).toBe(words);
  // Stored instants have parts of a millisecond.
  expect(overrunWords(hour + 0.4)).toBe(words);
});

const row = {
  ...{ id: 'a', name: 'dump', slug: '', tags: '', status: 'down', sinceMs: downMs, cause: 'timeout' },
  ...{ startedMs: downMs - hour, startedLateMs: 0, overrunMs: hour, kind: 'simple', timeoutS: 86_400 },
  ...{ graceS: 3600, schedule: '', tz: 'UTC', lastPingMs: downMs - 5 * hour, lastDurationMs: null },
  ...{ nextPingMs: null, downAtMs: null, runs: [], uptime: null, nPings: 2, channels: [] },
  ...{ acknowledged: null, snoozedUntilMs: null },
} as const satisfies CheckRow;

const change: ChangeEntry = {
  ...{ what: 'change', id: 'c', atMs: downMs, from: 'up', to: 'down', cause: 'timeout', byHand: '' },
  ...{ overrunMs: hour, isPinged: true, isWait: false },
};

test('the page of a check says it, and what runs by now', () => {
  expect(statusReason(row, [], nowMs)).toBe(`${words}. Running 1 h 1 min.`);
  expect(statusReason({ ...row, startedMs: null }, [], nowMs)).toBe(`${words}.`);
  expect(statusReason({ ...row, startedMs: nowMs - 3000 }, [], nowMs)).toBe(
    `${words}. Running again for 3 s.`,
  );
  // Once it is over, its log says it.
  expect(wentDownWords({ cause: 'timeout', sinceMs: downMs }, [change], nowMs)).toBe(`${words}.`);
  expect(wentDownWords({ cause: 'timeout', sinceMs: downMs }, [], nowMs)).toBe('No ping arrived in time.');
});

test('so do the log and the list of incidents', () => {
  expect(changeWords(change)).toBe(words.replace('The', 'the'));
  const { overrunMs: _, ...other } = change;
  expect(changeWords(other)).toBe('no ping in time');
  expect(causeWords('timeout', hour)).toBe(words);
  expect(causeWords('timeout')).toBe('No ping in time');
});

test('a row has little space for it', () => {
  const second = (of: Partial<CheckRow>) => stateWords({ ...row, ...of }, nowMs).second;
  expect(second({})).toBe('Running 1 h 1 min, limit 1 h');
  expect(second({ startedMs: null })).toBe('The run did not end within 1 h');
  expect(second({ startedMs: nowMs })).toBe('The run did not end within 1 h');
});
