/** The order in the log of a check of what has the same time. */
import { expect, test } from 'vitest';
import { sortedLog } from '../../../src/domain/views/check-log.ts';
import type { LogEntry } from '../../../src/domain/views/log-view.ts';

const of = (what: LogEntry['what'], atMs = 1) => ({ what, atMs }) as LogEntry;

test('of one time, a cause is before its effects: the ping, the change, what kept alerts back, and what was sent', () => {
  const all = [of('alert'), of('change'), of('notification'), of('ping'), of('maintenance'), of('run', 2)];
  expect(sortedLog(all).map(({ what }) => what)).toEqual([
    ...['run', 'notification', 'alert', 'maintenance', 'change', 'ping'],
  ]);
});
