import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { SentNotification } from '../../../src/domain/deliveries/sent-notification.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { asChannelId, asCheckId, asDeliveryId, asIncidentId, type CheckId } from '../../../src/lib/ids.ts';
import { NotifiedIncidents } from '../../../src/notify/dispatch/notified-incidents.ts';

const uuid = (digit: number): string => '11111111-1111-4111-8111-11111111111'.concat(String(digit));
const [db, web] = [asCheckId(uuid(1)), asCheckId(uuid(2))];
const channelId = asChannelId(uuid(3));
const incident = asIncidentId(uuid(4));

function sent(kind: 'down' | 'up', atMs: number, message?: string): SentNotification {
  return {
    ...{ deliveryId: asDeliveryId(uuid(5)), kind, atMs, changedAtMs: atMs, channelId, outcome: 'delivered' },
    ...{ channelName: '', channelKind: 'discord', attempts: 1, error: '' },
    ...(message === undefined ? {} : { incident, message }),
  };
}

/** By their logs, newest first. */
function notified(logs: ReadonlyMap<CheckId, readonly SentNotification[]>): NotifiedIncidents {
  const sources = {
    incidentChecks: () => logs.keys(),
    sent: (id: CheckId) => logs.get(id) ?? [],
    isOpenIn: () => true,
  };
  return new NotifiedIncidents(sources, systemClock);
}

function delivery(checkId: CheckId, to: 'down' | 'up', atMs: number): Delivery {
  return {
    ...{
      id: asDeliveryId(uuid(6)),
      checkId,
      channelId,
      incident,
      state: 'waiting',
      notBeforeMs: 0,
      attempts: 0,
    },
    change: { atMs, from: to === 'down' ? 'up' : 'down', to, cause: to === 'down' ? 'fail' : 'success' },
    ...{ sinceMs: atMs, error: '', endedMs: 0 },
  };
}

describe('after a start', () => {
  test('the logs say what is down, and in which message that is read', async () => {
    const known = notified(
      new Map([
        [db, [sent('down', 10, 'a')]],
        [web, [sent('up', 20, 'a'), sent('down', 10, 'a')]],
      ]),
    );
    expect(await known.after(incident, [delivery(web, 'down', 30)])).toEqual({
      down: new Set([db, web]),
      message: { id: 'a', sentMs: 10 },
    });
  });

  test('the latest message is the one, since when it was sent first', async () => {
    const known = notified(
      new Map([
        [db, [sent('down', 50, 'b'), sent('down', 10, 'a')]],
        [web, [sent('up', 60, 'b')]],
      ]),
    );
    expect((await known.after(incident, [delivery(db, 'up', 70)])).message).toEqual({ id: 'b', sentMs: 50 });
  });

  test('two notifications of one millisecond are in the order of their changes', () => {
    const down = { ...sent('down', 20), changedAtMs: 10 };
    const up = { ...sent('up', 20), changedAtMs: 20 };
    for (const log of [
      [down, up],
      [up, down],
    ])
      expect(notified(new Map([[db, log]])).has(delivery(db, 'up', 30))).toBe(false);
  });
});

test('what follows the end is no update of its message', async () => {
  const known = notified(new Map([[db, []]]));
  const down = delivery(db, 'down', 10);
  expect((await known.after(incident, [down])).message).toBe(null);
  known.sentAs(down, 'a', 10);
  known.delivered(down);
  const up = delivery(db, 'up', 20);
  expect(await known.after(incident, [up])).toEqual({ down: new Set(), message: { id: 'a', sentMs: 10 } });
  known.sentAs(up, 'b', 20);
  known.delivered(up);
  expect((await known.after(incident, [delivery(db, 'down', 30)])).message).toBe(null);
});

test('an update leaves the time at which the message was new', async () => {
  const known = notified(new Map([[db, []]]));
  const down = delivery(db, 'down', 10);
  known.sentAs(down, 'a', 10);
  known.delivered(down);
  known.sentAs(delivery(web, 'down', 40), 'a', 40);
  expect((await known.after(incident, [delivery(web, 'up', 50)])).message).toEqual({ id: 'a', sentMs: 10 });
});

describe('of a check that is in another incident since', () => {
  const other = asIncidentId(uuid(7));

  test('the end of the former one ends it in both', async () => {
    // The latter is looked up before the end of the former was sent, and the log has no incidents.
    const known = notified(new Map([[db, [sent('down', 10)]]]));
    const later = { ...delivery(web, 'down', 20), incident: other };
    expect((await known.after(other, [later])).down).toEqual(new Set([db, web]));
    known.delivered(later);
    known.delivered(delivery(db, 'up', 15));
    const up = { ...delivery(web, 'up', 30), incident: other };
    expect((await known.after(other, [up])).down).toEqual(new Set());
  });

  test('what was sent of it since stays', async () => {
    const known = notified(new Map([[db, [sent('down', 10)]]]));
    const again = { ...delivery(db, 'down', 20), incident: other };
    await known.after(other, [again]);
    known.delivered(again);
    known.delivered(delivery(db, 'up', 15));
    const reminder = { ...delivery(web, 'down', 30), incident: other };
    expect((await known.after(other, [reminder])).down).toEqual(new Set([db, web]));
  });

  test('an end that is sent of the check by itself ends it, too', async () => {
    const known = notified(new Map([[db, [sent('down', 10)]]]));
    const { incident: _, ...plain } = delivery(db, 'up', 20);
    const down = delivery(web, 'down', 15);
    await known.after(incident, [down]);
    known.delivered(plain);
    expect((await known.after(incident, [down])).down).toEqual(new Set([web]));
  });
});
