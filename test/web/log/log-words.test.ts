/** The words of a check's log that need no browser: what became of the alerts of one change. */
import { expect, test } from 'vitest';
import type { NotificationEntry } from '../../../src/domain/views/log-view.ts';
import { hour, minute } from '../../../src/lib/units.ts';
import { sentWords } from '../../../src/web/log/log-words.ts';

const downMs = new Date(2026, 10, 27, 1, 0).getTime();
const sent = (outcome: NotificationEntry['outcome'], afterMs: number): NotificationEntry => ({
  ...{ what: 'notification', id: `${outcome} ${afterMs}`, atMs: downMs + afterMs, kind: 'down' },
  ...{ isReminder: false, changedMs: downMs, channelName: '', channelKind: 'email', outcome },
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
