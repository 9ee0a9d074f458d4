/** What the golden snapshot holds of alerts that are held back, and of an event subscription. */
import { type Hold, holdReasons } from '../../../src/domain/check/snooze.ts';
import { asChannelId } from '../../../src/lib/ids.ts';
import { NEVER } from '../../../src/lib/units.ts';
import type { JournalRecord } from '../../../src/store/store.ts';
import { checkOf, notificationOf, projectOf, uuidOf } from './store-facts.ts';

/** Checks whose alerts are held back, for each reason. */
export function heldRecords(bornMs: number): readonly JournalRecord[] {
  const checks = holdReasons.map((reason, index): JournalRecord => {
    const hold: Hold = {
      ...{
        atMs: bornMs + index,
        untilMs: index % 2 === 0 ? NEVER : bornMs + 900_000.5,
        reason,
        about: 'dätabase',
      },
      ...{ wasDown: index > 2, downAtMs: index > 2 ? bornMs : 0 },
      withheld: [{ atMs: bornMs + index, from: 'up', to: 'down', cause: 'timeout' }],
    };
    const alerting = {
      outcomes: 'sff',
      nextMissMs: index === 0 ? 0 : bornMs + 60_000,
      changesMs: [bornMs, bornMs + 0.5],
    };
    const check = checkOf(70 + index);
    const config = {
      ...check.config,
      alertAfter: 3,
      alertOfLast: 5,
      recoverAfter: 2,
      dependsOn: 'db tag:core',
      holdS: 60,
    };
    return {
      type: 'check',
      check: { ...check, config: { ...config, unstableChanges: 4, unstableWindowS: 600 }, hold, alerting },
      changes: [],
    };
  });
  const channelId = asChannelId(uuidOf(0, 0));
  const notification = notificationOf(91, {
    outcome: 'held',
    channelId,
    attempts: 0,
    atMs: bornMs + 400_002,
  });
  return [...checks, { type: 'notification', checkId: checkOf(70).id, notification }];
}

/** An event subscription that has given up an event. */
export function goldenFeed(bornMs: number): JournalRecord {
  const fact = {
    ...{ id: asChannelId(uuidOf(0xe0, 9)), projectId: projectOf(1).id },
    ...{ epoch: '3b90b', seq: 1234, place: 514 },
    dead: [
      {
        ...{ id: '3b90b-1000-0', type: 'status', about: 'Žižka', endedMs: bornMs },
        ...{ attempts: 12, error: 'status 503' },
      },
    ],
  };
  return { type: 'put', kind: 'event-feed', fact };
}
