/** The words of a check's log that need no browser: what became of the alerts of one change. */
import { expect, test } from 'vitest';
import type { NotificationEntry, RunEntry } from '../../../src/domain/views/log-view.ts';
import { hour, minute } from '../../../src/lib/units.ts';
import { errorWords } from '../../../src/web/core/words.ts';
import {
  foldDurations,
  foldedItems,
  type LogItem,
  lastResults,
  ofOneMinute,
  runDetails,
  sentTitle,
  sentTogetherMs,
  sentWords,
} from '../../../src/web/log/log-words.ts';

const downMs = new Date(2026, 10, 27, 1, 0).getTime();
const sent = (outcome: NotificationEntry['outcome'], afterMs: number): NotificationEntry => ({
  ...{ what: 'notification', id: `${outcome} ${afterMs}`, atMs: downMs + afterMs, kind: 'down' },
  ...{
    isReminder: false,
    changedMs: downMs,
    channelId: `of ${afterMs}`,
    channelName: '',
    channelKind: 'email',
    outcome,
  },
  ...{ attempts: 1, error: '', nextMs: null, deliveryId: null },
});
const delivered = [sent('delivered', 2000), sent('delivered', 1000)];

test('alerts of one change are counted, and what took long says when the last was over', () => {
  const nowMs = downMs + 12 * hour;
  expect(sentWords(delivered, nowMs)).toBe('2 delivered');
  expect(sentWords([sent('failed', 99 * minute), ...delivered], nowMs)).toMatch(
    /^2 delivered, 1 failed, the last at 0?2:39/,
  );
  const later = [sent('failed', 30 * hour), ...delivered];
  expect(sentWords(later, downMs + 31 * hour)).toMatch(/^2 delivered, 1 failed, the last today 0?7:00/);
  expect(sentWords(later, downMs + 60 * hour)).toMatch(/the last yesterday 0?7:00/);
});

test('a change has one line for its alerts where there are several, and a reminder is none of them', () => {
  const reminders = delivered.map((one) => ({ ...one, isReminder: true }));
  expect([...sentTogetherMs(foldedItems(delivered))]).toEqual([downMs]);
  expect([...sentTogetherMs(foldedItems(delivered.slice(1)))]).toEqual([]);
  expect([...sentTogetherMs(foldedItems(reminders))]).toEqual([]);
});

test('of each integration what came last counts, wherever it is in the log, and a reminder does not', () => {
  const [one, other] = [{ channelId: 'one' }, { channelId: 'other' }];
  const failed = { ...sent('failed', 1000), ...one };
  const retried = { ...sent('delivered', hour), ...one };
  const fine = { ...sent('delivered', 1000), ...other };
  const reminder = { ...sent('failed', 2 * hour), ...other, isReminder: true };
  const log = [reminder, retried, { ...sent('failed', minute), changedMs: 0 }, failed, fine];
  const fold = foldedItems(log).find((item) => item.kind === 'sent');
  expect(fold?.entries).toEqual([failed, fine]);
  expect(fold?.kind === 'sent' && sentWords(fold.results, downMs + 3 * hour)).toMatch(
    /^2 delivered, the last/,
  );
  expect(lastResults([reminder])).toEqual([reminder]);
});

test('what was sent at once of one change is one line, alerts and reminders, and what was before or after is not', () => {
  const of = (channelId: string, afterMs: number, isReminder: boolean) => ({
    ...sent(channelId === 'fine' ? 'delivered' : 'failed', afterMs),
    ...{ id: `${channelId} ${afterMs}`, channelId, isReminder },
  });
  const later = [of('fine', 3 * hour, true), of('wrong', 3 * hour, true)];
  const atOnce = [of('fine', hour + 30, true), of('wrong', hour + 20, false), of('other', hour, true)];
  const first = [of('fine', 1000, false), of('wrong', 900, false)];
  const folds = foldedItems([...later, ...atOnce, ...first]).flatMap((item) =>
    item.kind === 'sent' ? [item] : [],
  );
  expect(folds.map(({ entries }) => entries)).toEqual([later, atOnce, first]);
  expect(folds.map(({ entries }) => sentTitle(entries))).toEqual([
    'Reminder',
    'Down alert and reminder',
    'Down alert',
  ]);
  expect([...sentTogetherMs(folds.slice(0, 2))]).toEqual([]);
});

test('neighbours of one minute have their seconds', () => {
  const items = [0, 59_000, minute, 3 * minute].map((afterMs) => ({
    ...{ kind: 'entry', entry: sent('failed', afterMs) },
  })) as LogItem[];
  expect([...ofOneMinute(items)]).toEqual(['failed 0', 'failed 59000']);
});

test('a run that somebody ended by hand has a line of its own, without how long its job took', () => {
  const from = { scheme: 'https', method: 'POST', remoteAddr: '', ua: '', byHand: '' };
  const run = (n: number, byHand: string) =>
    ({
      ...{ what: 'run', id: `run-${n}`, atMs: downMs, n, endedMs: downMs, outcome: 'succeeded' },
      ...{ durationMs: 89 * minute, exitStatus: null, host: '', note: null, results: [] },
      from: { ...from, byHand },
    }) as unknown as RunEntry;
  const runs = Array.from({ length: 11 }, (_, n) => run(n, n === 7 ? 'ada' : ''));
  expect(foldedItems(runs).map((item) => (item.kind === 'entry' ? item.entry.id : item.kind))).toEqual([
    ...['run-0', 'run-1', 'run-2', 'runs', 'run-7', 'run-8', 'run-9', 'run-10'],
  ]);
  expect(runDetails(run(7, 'ada'), new Map())).toBe('ended by hand, by ada');
});

test('runs that are one line say how long each took', () => {
  const run = (durationMs: number | null) => ({ durationMs }) as RunEntry;
  expect(foldDurations([run(2 * minute), run(2 * minute)])).toBe(' · each took 2 min');
  expect(foldDurations([run(2 * minute), run(3 * minute)])).toBe(' · each took 2 min to 3 min');
  expect(foldDurations([run(2 * minute), run(null)])).toBe(' · took 2 min');
  expect(foldDurations([run(null)])).toBe('');
});

test('an instant in a sentence is said as one says it: at an hour, on a day, or yesterday', () => {
  const nowMs = downMs + 12 * hour;
  const iso = (atMs: number): string => new Date(atMs).toISOString();
  expect(errorWords(`Delivered at ${iso(downMs)}.`, nowMs)).toMatch(/^Delivered at 0?1:00[^,]*\.$/);
  expect(errorWords(`Delivered at ${iso(downMs - 12 * hour)}.`, nowMs)).toMatch(
    /^Delivered yesterday 0?1:00.*\.$/,
  );
  expect(errorWords(`Given up at ${iso(downMs - 60 * hour)} after one attempt.`, nowMs)).toMatch(
    /^Given up on Tue, Nov 24, 0?1:00.* after one attempt\.$/,
  );
  expect(errorWords(`At ${iso(downMs - 12 * hour)} it was down, since ${iso(downMs)}.`, nowMs)).toMatch(
    /^Yesterday 0?1:00.* it was down, since 0?1:00.*\.$/,
  );
  expect(errorWords('answered with 404 at 3', nowMs)).toBe('answered with 404 at 3');
});
