/** Who is notified when, on a simulated clock and a simulated disk: order, superseding, retries, bounds, full disks. */

import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import type { Channel, ChannelSettings } from '../../../src/domain/accounts/project.ts';
import { defaultChannelSettings } from '../../../src/domain/accounts/project.ts';
import type { ActiveWindow } from '../../../src/domain/alerting/maintenance.ts';
import { type Check, freshState, type Status } from '../../../src/domain/check/check.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { asChannelId, asIncidentId, type CheckId, systemIds } from '../../../src/lib/ids.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { createMeter } from '../../../src/lib/meter.ts';
import { hour, minute, NEVER, second } from '../../../src/lib/units.ts';
import { createOutboxAdmin } from '../../../src/notify/admin/outbox-admin.ts';
import type { Notice, Outcome } from '../../../src/notify/contract/channel.ts';
import type { FeedReads } from '../../../src/notify/contract/feeds.ts';
import { unnoticedLookEveryMs, unnoticedWaitMsMax } from '../../../src/notify/contract/limits.ts';
import { RecentNotifications } from '../../../src/notify/contract/recent-notifications.ts';
import { Dispatcher } from '../../../src/notify/dispatch/dispatch.ts';
import { createNotifyMetrics } from '../../../src/notify/dispatch/metrics.ts';
import { Outbox } from '../../../src/notify/dispatch/outbox.ts';
import type { StoreLimits } from '../../../src/store/disk/limits.ts';
import type { Store } from '../../../src/store/store.ts';
import { noticeOf, testSettings } from '../../support/engine/notices.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { loadDurable, openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { checkOf, deliveryOf, Loaded, uuidOf } from '../../support/store/store-facts.ts';

const startMs = Date.UTC(2024, 5, 15);

interface Attempted {
  readonly channel: number;
  readonly check: number;
  readonly notificationKind: string;
  readonly id: string;
  readonly atS: number;
  finish(outcome: Outcome): void;
}

/** Lets everything that is ready to happen, happen. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 60; turns++) await new Promise((resolve) => setImmediate(resolve));
}

const down = { atMs: startMs, from: 'up', to: 'down', cause: 'timeout' } as const;
const up = { atMs: startMs + 1, from: 'down', to: 'up', cause: 'success' } as const;
const failed: Outcome = { kind: 'failed', error: 'status 500' };
const delivered: Outcome = { kind: 'delivered' };

class Scene {
  readonly meter = createMeter();
  readonly clock: SimulatedClock;
  readonly machine: SimulatedMachine;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly attempts: Attempted[] = [];
  readonly statuses = new Map<string, Status>();
  readonly outcomes: Outcome[] = [];
  settings: Partial<ChannelSettings> = {};
  /** Check and integration are deleted. */
  isDeleted = false;
  /** Nothing may be read any more. */
  isClosed = false;
  /** No deadline has passed unnoticed. */
  isCaughtUp = true;
  maintenance: ActiveWindow | null = null;
  isAcknowledged = false;
  /** The types of the records that the outbox has written, in their order. */
  readonly written: string[] = [];
  /** Answers at once when set. */
  answer: ((attempted: Attempted) => Outcome) | null = () => delivered;
  readonly dispatcher: Dispatcher;
  snoozedUntilMs: number | null = null;
  /** What the attempts in flight are cut off by. */
  cutOff: AbortSignal | null = null;

  /** On an empty disk. */
  static async begin(storeLimits: Partial<StoreLimits> = {}): Promise<Scene> {
    const clock = new SimulatedClock(startMs);
    const machine = new SimulatedMachine();
    const nowMs = () => clock.nowMs();
    const store = await openSimulatedStore({ machine, scheduler: clock, limits: storeLimits, nowMs });
    await store.load(new Loaded());
    return new Scene(clock, machine, store);
  }

  private constructor(clock: SimulatedClock, machine: SimulatedMachine, store: Store) {
    this.clock = clock;
    this.machine = machine;
    this.store = store;
    const append: Store['append'] = (record, waiter) => {
      this.written.push(record.type);
      return store.append(record, waiter);
    };
    this.outbox = new Outbox({ store: { append }, deliveries: [], clock, rewriteMs: second, gatherMs: 0 });
    this.dispatcher = this.#createDispatcher();
  }

  #createDispatcher(): Dispatcher {
    return new Dispatcher({
      outbox: this.outbox,
      clock: this.clock,
      logger: silentLogger,
      metrics: createNotifyMetrics(this.meter),
      recent: new RecentNotifications(limits.notify.recentMax),
      limits: limits.notify.dispatch,
      chance: () => 0.5,
      ids: systemIds,
      sources: {
        channel: (id) => (this.isDeleted ? null : this.channel(id)),
        check: (id) => {
          if (this.isClosed) throw new Error('the store is closed');
          return this.isDeleted ? null : this.check(id);
        },
        maintenance: () => this.maintenance,
        quietUntil: () => null,
        durably: (read) => this.durably(read),
        isCaughtUp: () => this.isCaughtUp,
        isAcknowledged: () => this.isAcknowledged,
        statusOf: (id) => (this.isDeleted ? null : this.check(id).state.status),
        notice: ({ members }, check, channel) => this.notice(members, check, channel),
        incidentChecks: () => [],
        sent: (id) => this.store.notifications(id, { fromMs: 0, untilMs: NEVER }, 10),
        isOpenIn: () => false,
        lastChange: () => null,
        refreshed: () => [],
        attempted: (_channel, _delivery, outcome) => this.outcomes.push(outcome),
        send: (notice, cutOff) => {
          this.cutOff = cutOff;
          return this.send(notice);
        },
      },
    });
  }

  /** As the engine reads. */
  durably<T>(read: () => T): Promise<T> {
    return new Promise((resolve) => {
      const value = read();
      this.store.barrier({
        durable: () => resolve(value),
        rolledBack: () => queueMicrotask(() => resolve(this.durably(read))),
      });
    });
  }

  check(id: CheckId): Check {
    return {
      ...checkOf(1),
      id,
      state: { ...freshState, status: this.statuses.get(id) ?? 'down' },
      ...(this.snoozedUntilMs === null ? {} : { snooze: snoozeUntil(this.snoozedUntilMs) }),
    };
  }

  channel(id: string): Channel {
    const { channel } = noticeOf('webhook', 'down');
    return { ...channel, id: asChannelId(id), settings: { ...defaultChannelSettings, ...this.settings } };
  }

  notice([delivery]: readonly Delivery[], check: Notice['check'], channel: Channel): Notice {
    if (!delivery) throw new Error('a message is about something');
    const notificationKind = delivery.change.to === 'up' ? 'up' : 'down';
    return noticeOf('webhook', notificationKind, { deliveryId: delivery.id, check, channel });
  }

  send(notice: Notice): Promise<Outcome> {
    return new Promise((finish) => {
      const attempted: Attempted = {
        channel: Number.parseInt(notice.channel.id.slice(-4), 16),
        check: Number.parseInt(notice.check.id.slice(-4), 16),
        notificationKind: notice.notificationKind,
        id: notice.deliveryId,
        atS: Math.round((this.clock.nowMs() - startMs) / second),
        finish,
      };
      this.attempts.push(attempted);
      if (this.answer) finish(this.answer(attempted));
    });
  }

  /** Adds delivery `number`: of check and integration 1 unless it says otherwise. */
  async addDelivery(number: number, facts: Partial<Delivery> = {}): Promise<void> {
    const delivery = deliveryOf(number, { change: down, sinceMs: down.atMs, ...facts });
    this.store.append({ type: 'delivery', delivery }, null);
    this.outbox.add(delivery);
    this.dispatcher.take(delivery);
    await settle();
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await settle();
  }

  async onDisk(): Promise<readonly Delivery[]> {
    return [...(await loadDurable(this.machine, new Loaded())).outbox.values()];
  }
}

const snoozeUntil = (untilMs: number) => ({
  atMs: startMs,
  by: 'ann',
  untilMs,
  wasDown: true,
  downAtMs: startMs,
  withheld: [],
});
const onCheck = (number: number): Partial<Delivery> => ({ checkId: checkOf(number).id });
const onChannel = (number: number): Partial<Delivery> => ({ channelId: asChannelId(uuidOf(0xcc, number)) });

describe('a delivery', () => {
  test('goes out once, and is over', async () => {
    const scene = await Scene.begin();
    await scene.addDelivery(1);
    expect(scene.attempts.length).toBe(1);
    expect(await scene.onDisk()).toEqual([]);
    expect(scene.outbox.size).toBe(0);
  });

  test('that fails is tried after 1, 2, 4 … seconds up to an hour, for a day, and then is a dead letter', async () => {
    const scene = await Scene.begin();
    scene.answer = () => failed;
    await scene.addDelivery(1);
    for (let step = 0; step < 40; step++) await scene.pass(second / 2);
    for (let step = 0; step < 160 && (await scene.onDisk())[0]?.state !== 'dead'; step++)
      await scene.pass(600 * second);
    const times = scene.attempts.map(({ atS }) => atS);
    expect(times.slice(0, 5)).toEqual([0, 1, 3, 7, 15]);
    expect(new Set(scene.attempts.map(({ id }) => id)).size).toBe(1);
    expect((times.at(-1) ?? 0) / 3600).toBeGreaterThan(23);
    expect((times.at(-1) ?? 0) / 3600).toBeLessThan(26);
    expect(await scene.onDisk()).toMatchObject([{ state: 'dead', error: 'status 500' }]);
    expect(scene.outcomes[0]).toEqual(failed);
  });

  test('waits as long as Retry-After says, and so does everything for that integration', async () => {
    const scene = await Scene.begin();
    scene.answer = () => ({ kind: 'failed', error: 'status 429', retryAfterMs: 30_000 });
    await scene.addDelivery(1);
    scene.answer = () => delivered;
    await scene.addDelivery(2, onCheck(2));
    await scene.addDelivery(3, onChannel(2));
    await scene.pass(29_000);
    expect(scene.attempts.map(({ channel, check }) => [channel, check])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    await scene.pass(2000);
    expect(scene.attempts.length).toBe(4);
    expect(await scene.onDisk()).toEqual([]);
  });

  test('that is refused is a dead letter at once', async () => {
    const scene = await Scene.begin();
    scene.answer = () => ({ kind: 'refused', error: 'status 410' });
    await scene.addDelivery(1);
    await scene.pass(hour);
    expect(scene.attempts.length).toBe(1);
    expect(await scene.onDisk()).toMatchObject([{ state: 'dead', error: 'status 410', attempts: 1 }]);
    expect(scene.outcomes).toEqual([{ kind: 'refused', error: 'status 410' }]);
  });
});

describe('of one check and integration', () => {
  test('that fails while check and integration are deleted is over at once, and nothing is kept of it', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    await scene.addDelivery(1);
    scene.isDeleted = true;
    scene.attempts[0]?.finish(failed);
    await settle();
    expect(await scene.onDisk()).toEqual([]);
    expect(scene.outbox.size).toBe(0);
    expect(scene.written).toEqual(['delivery-ended']);
    await scene.pass(hour);
    expect(scene.attempts).toHaveLength(1);
  });

  test('that goes out leaves its repetition in the outbox before it is over', async () => {
    const scene = await Scene.begin();
    scene.settings = { repeatS: 60 };
    await scene.addDelivery(1);
    expect(scene.written.filter((type) => type.startsWith('delivery'))).toEqual([
      'delivery',
      'delivery-ended',
    ]);
    await scene.pass(60 * second);
    expect(scene.attempts.map(({ atS }) => atS)).toEqual([0, 60]);
  });

  test('a repetition waits for the end of maintenance, and for no longer where that ends sooner', async () => {
    const scene = await Scene.begin();
    scene.settings = { repeatS: 60 };
    await scene.addDelivery(1);
    scene.maintenance = { name: 'moving', untilMs: scene.clock.nowMs() + hour } as ActiveWindow;
    await scene.pass(10 * minute);
    expect(scene.attempts).toHaveLength(1);
    scene.maintenance = null;
    await scene.pass(minute);
    expect(scene.attempts).toHaveLength(2);
  });

  test('the later state waits for the earlier one that is in flight', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    await scene.addDelivery(1);
    await scene.addDelivery(2, { change: up });
    expect(scene.attempts.map(({ notificationKind }) => notificationKind)).toEqual(['down']);
    scene.attempts[0]?.finish(delivered);
    await settle();
    expect(scene.attempts.map(({ notificationKind }) => notificationKind)).toEqual(['down', 'up']);
    expect((await scene.onDisk()).map(({ id }) => id)).toEqual([deliveryOf(2).id]);
  });

  test('a check that is down for a moment while its alert is in flight is up at the end, and the integration is notified', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    await scene.addDelivery(1);
    scene.answer = () => delivered;
    const later = (ms: number) => ({ atMs: startMs + ms });
    await scene.addDelivery(2, { change: { ...up, ...later(1) } });
    await scene.addDelivery(3, {
      change: { ...down, ...later(2) },
      notBeforeMs: scene.clock.nowMs() + minute,
    });
    await scene.addDelivery(4, { change: { ...up, ...later(3) } });
    scene.statuses.set(checkOf(1).id, 'up');
    scene.attempts[0]?.finish(delivered);
    await scene.pass(10 * minute);
    expect(scene.attempts.map(({ notificationKind }) => notificationKind)).toEqual(['down', 'up']);
    expect(await scene.onDisk()).not.toContainEqual(expect.objectContaining({ state: 'waiting' }));
  });

  test('a check that is down for a moment while its recovery cannot be sent is up at the end, and the integration is notified', async () => {
    const scene = await Scene.begin();
    await scene.addDelivery(1);
    scene.answer = () => failed;
    await scene.addDelivery(2, { change: up });
    await scene.addDelivery(3, {
      change: { ...down, atMs: startMs + 2 },
      notBeforeMs: scene.clock.nowMs() + minute,
    });
    scene.answer = () => delivered;
    await scene.addDelivery(4, { change: { ...up, atMs: startMs + 3 } });
    scene.statuses.set(checkOf(1).id, 'up');
    await scene.pass(10 * minute);
    expect(scene.attempts.map(({ notificationKind }) => notificationKind)).toEqual(['down', 'up', 'up']);
  });

  test('the later state supersedes the earlier one that failed, and that is recorded', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    await scene.addDelivery(1);
    await scene.addDelivery(2, { change: up });
    scene.attempts[0]?.finish(failed);
    await scene.pass(10 * second);
    expect(scene.attempts.map(({ notificationKind }) => notificationKind)).toEqual(['down', 'up']);
    expect(await scene.onDisk()).toMatchObject([
      { state: 'superseded', error: 'status 500; then the check was up' },
      { state: 'waiting' },
    ]);
  });

  test('an alert that failed and made way for a newer one of the same outage says so', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    await scene.addDelivery(1);
    await scene.addDelivery(2);
    scene.attempts[0]?.finish(failed);
    await scene.pass(10 * second);
    expect(await scene.onDisk()).toMatchObject([
      { state: 'superseded', error: 'status 500; a newer alert about it takes its place' },
      { state: 'waiting' },
    ]);
  });

  test('what is not sent since the check is down anew says so', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    const downAt = (atMs: number) => ({ ...up, from: 'up', to: 'down', cause: 'fail', atMs }) as const;
    await scene.addDelivery(1);
    await scene.addDelivery(2, { change: up });
    await scene.addDelivery(3, { change: downAt(startMs + 3) });
    await scene.addDelivery(4, { change: downAt(startMs + 4) });
    expect((await scene.onDisk()).map(({ error }) => error)).toEqual([
      ...['', 'the check was down again before this was sent', 'a newer outage came first', ''],
    ]);
  });

  test('a start finds what waits and sends only the latest', async () => {
    const scene = await Scene.begin();
    scene.statuses.set(checkOf(1).id, 'up');
    for (const [number, change] of [
      [2, up],
      [1, down],
    ] as const) {
      scene.outbox.add(deliveryOf(number, { change, sinceMs: change.atMs }));
    }
    scene.dispatcher.start();
    await settle();
    expect(scene.attempts.map(({ notificationKind }) => notificationKind)).toEqual(['up']);
    expect(await scene.onDisk()).toMatchObject([{ id: deliveryOf(1).id, state: 'superseded' }]);
  });
});

test('about one incident an integration is sent one message at a time, in their order', async () => {
  const scene = await Scene.begin();
  scene.answer = null;
  const incident = asIncidentId(uuidOf(0x1c, 1));
  await scene.addDelivery(1, { incident });
  await scene.addDelivery(2, { incident, ...onCheck(2), change: up });
  await scene.addDelivery(3, { ...onCheck(3) });
  await scene.pass(second);
  expect(scene.attempts.map(({ check }) => check)).toEqual([1, 3]);
  scene.attempts[0]?.finish(failed);
  await settle();
  expect(scene.attempts.map(({ check }) => check)).toEqual([1, 3, 2]);
  // What failed goes along with it.
  scene.attempts[2]?.finish(delivered);
  await scene.pass(10 * second);
  expect(scene.attempts.map(({ check }) => check)).toEqual([1, 3, 2]);
  expect((await scene.onDisk()).map(({ id }) => id)).toEqual([deliveryOf(3).id]);
});

test('nothing is read for what waits once Knell has stopped', async () => {
  const scene = await Scene.begin();
  await scene.addDelivery(1, { notBeforeMs: startMs + second });
  await scene.dispatcher.stop(0);
  scene.isClosed = true;
  scene.dispatcher.snoozeChanged(deliveryOf(1).checkId);
  await scene.pass(2 * second);
  expect(scene.attempts).toEqual([]);
});

describe('a message that collects', () => {
  const incident = asIncidentId(uuidOf(0x1c, 1));
  const collected = { incident, notBeforeMs: startMs + second };
  const behind = async (settings: Partial<ChannelSettings>): Promise<Scene> => {
    const scene = await Scene.begin();
    Object.assign(scene, { isCaughtUp: false, settings });
    await scene.addDelivery(1, collected);
    await scene.pass(second);
    return scene;
  };

  test('waits for deadlines before it that are not noticed yet, and lists what went down by then', async () => {
    const scene = await behind({ collectS: 1 });
    await scene.pass(500);
    expect(scene.attempts).toEqual([]);
    await scene.addDelivery(2, { ...collected, ...onCheck(2) });
    scene.isCaughtUp = true;
    await scene.pass(unnoticedLookEveryMs);
    expect(scene.attempts.map(({ check }) => check)).toEqual([1]);
    await scene.pass(second);
    expect(scene.attempts.length).toBe(1);
    expect(await scene.onDisk()).toEqual([]);
  });

  test('does not wait for more than a second', async () => {
    const scene = await behind({ collectS: 1 });
    await scene.pass(unnoticedWaitMsMax - unnoticedLookEveryMs);
    expect(scene.attempts).toEqual([]);
    await scene.pass(unnoticedLookEveryMs);
    expect(scene.attempts.length).toBe(1);
  });

  test('does not wait longer for a disk that is full, or a log that does not answer', async () => {
    const scene = await behind({ collectS: 1 });
    Object.assign(scene, { isCaughtUp: true, durably: () => new Promise(() => {}) });
    await scene.pass(unnoticedWaitMsMax - unnoticedLookEveryMs);
    expect(scene.attempts).toEqual([]);
    await scene.pass(unnoticedLookEveryMs);
    expect(scene.attempts.length).toBe(1);
  });

  test('is the only one that waits: others go out at once', async () => {
    expect((await behind({ collectS: 0 })).attempts.length).toBe(1);
  });

  test('does not keep Knell from stopping', async () => {
    const scene = await behind({ collectS: 1 });
    const stopped = scene.dispatcher.stop(minute);
    await scene.pass(unnoticedLookEveryMs);
    await stopped;
    expect(scene.attempts.length).toBe(1);
  });
});

describe('of a check that goes from one incident to the next, the end of the first', () => {
  const [first, next] = [asIncidentId(uuidOf(0x1c, 1)), asIncidentId(uuidOf(0x1c, 2))];
  const downAnew = { ...down, atMs: startMs + 2 };
  const sent = (scene: Scene) => scene.attempts.map(({ id, atS }) => `${deliveryIds.indexOf(id)} at ${atS}`);
  const passing = async (scene: Scene, seconds: number) => {
    for (let at = 0; at < seconds; at++) await scene.pass(second);
  };
  const deliveryIds = [0, 1, 2, 3, 4].map((number) => deliveryOf(number).id as string);

  test('is sent though it was to be collected, as its service would keep that open', async () => {
    const scene = await Scene.begin();
    await scene.addDelivery(1, { incident: first });
    await scene.addDelivery(2, { incident: first, change: up, notBeforeMs: startMs + 4 * second });
    await scene.addDelivery(3, { incident: next, change: downAnew });
    await passing(scene, 10);
    expect(sent(scene)).toEqual(['1 at 0', '3 at 0', '2 at 4']);
    expect(await scene.onDisk()).toEqual([]);
  });

  test('is tried again though it failed, and holds up nothing of the next', async () => {
    const scene = await Scene.begin();
    await scene.addDelivery(1, { incident: first });
    scene.answer = null;
    await scene.addDelivery(2, { incident: first, change: up });
    await scene.addDelivery(3, { incident: next, change: downAnew });
    scene.answer = () => delivered;
    scene.attempts[1]?.finish(failed);
    await settle();
    await passing(scene, 10);
    expect(sent(scene)).toEqual(['1 at 0', '2 at 0', '3 at 0', '2 at 1']);
    expect(await scene.onDisk()).toEqual([]);
  });

  test('is sent after a restart in between', async () => {
    const scene = await Scene.begin();
    await scene.addDelivery(1, { incident: first });
    const waits = { notBeforeMs: startMs + 4 * second };
    for (const delivery of [
      deliveryOf(3, { incident: next, change: downAnew, sinceMs: downAnew.atMs, ...waits }),
      deliveryOf(2, { incident: first, change: up, sinceMs: up.atMs, ...waits }),
    ])
      scene.outbox.add(delivery);
    scene.dispatcher.start();
    await passing(scene, 10);
    expect(sent(scene)).toEqual(['1 at 0', '2 at 4', '3 at 4']);
  });

  test('is sent to nobody who was not notified of its beginning', async () => {
    const scene = await Scene.begin();
    await scene.addDelivery(2, { incident: first, change: up, notBeforeMs: startMs + 4 * second });
    await scene.addDelivery(3, { incident: next, change: downAnew });
    await passing(scene, 10);
    expect(sent(scene)).toEqual(['3 at 0']);
    expect(await scene.onDisk()).toMatchObject([{ id: deliveryIds[2], state: 'superseded' }]);
  });
});

describe('a start takes what waits', () => {
  /** As a restart finds them: whatever the order in which the store reports them. */
  const restartedWith = async (scene: Scene, ...deliveries: readonly Delivery[]): Promise<void> => {
    for (const delivery of deliveries) scene.outbox.add(delivery);
    scene.dispatcher.start();
    await settle();
  };
  const at = (number: number, facts: Partial<Delivery> = {}): Delivery => {
    const change = { ...down, atMs: startMs - 100_000 + number * 1000 };
    return deliveryOf(number, { ...onCheck(number), change, sinceMs: change.atMs, ...facts });
  };

  test('oldest first, whichever check it is of', async () => {
    const scene = await Scene.begin();
    await restartedWith(scene, at(3), at(1), at(5), at(2), at(4));
    expect(scene.attempts.map(({ check }) => check)).toEqual([1, 2, 3, 4, 5]);
  });

  test('from the disk oldest first, several of each check, to one integration and to another', async () => {
    const before = await Scene.begin();
    // In no order of time, as records of different checks may follow each other; some are attempts written again.
    for (const number of [8, 3, 11, 1, 6, 12, 2, 9, 4, 7, 10, 5]) {
      const isUp = number > 6;
      const change = { ...(isUp ? up : down), atMs: startMs - 100_000 + number * 1000 };
      const facts = { ...onCheck(((number - 1) % 6) + 1), ...onChannel((number % 2) + 1) };
      const delivery = deliveryOf(number, { ...facts, change, sinceMs: change.atMs, attempts: number % 3 });
      before.store.append({ type: 'delivery', delivery }, null);
    }
    await settle();
    const stored = await before.onDisk();
    expect(stored.length).toBe(12);

    const after = await Scene.begin();
    for (let check = 1; check <= 6; check++) after.statuses.set(checkOf(check).id, 'up');
    await restartedWith(after, ...stored);
    const sent = (channel: number) =>
      after.attempts
        .filter((one) => one.channel === channel)
        .map(({ check, notificationKind: kind }) => [check, kind]);
    // Each check went down and came up again: its later state is sent, and the order is that of the later states.
    expect(sent(1)).toEqual([
      [2, 'up'],
      [4, 'up'],
      [6, 'up'],
    ]);
    expect(sent(2)).toEqual([
      [1, 'up'],
      [3, 'up'],
      [5, 'up'],
    ]);
  });

  test('so that the later of two states is the one that is sent, though the check is paused by now', async () => {
    const scene = await Scene.begin();
    scene.statuses.set(checkOf(1).id, 'paused');
    const laterUp = { ...up, atMs: startMs - 1000 };
    await restartedWith(scene, at(2, { ...onCheck(1), change: laterUp, sinceMs: laterUp.atMs }), at(1));
    expect(scene.attempts.map(({ notificationKind, id }) => [notificationKind, id])).toEqual([
      ['up', deliveryOf(2).id],
    ]);
    expect(await scene.onDisk()).toMatchObject([{ id: deliveryOf(1).id, state: 'superseded' }]);
  });

  test('so that a repetition follows what it repeats', async () => {
    const scene = await Scene.begin();
    const first = at(1);
    const repetition = at(2, {
      ...onCheck(1),
      change: first.change,
      sinceMs: startMs,
      notBeforeMs: startMs + 60 * second,
    });
    await restartedWith(scene, repetition, first);
    expect(scene.attempts).toEqual([]);
    await scene.pass(60 * second);
    expect(scene.attempts.map(({ id }) => id)).toEqual([repetition.id]);
  });
});

describe('bounds', () => {
  test('an integration has 16 attempts in flight at once, all together 256', async () => {
    const scene = await Scene.begin();
    scene.answer = null;
    for (let channel = 1; channel <= 40; channel++) {
      for (let check = 1; check <= 10; check++) {
        const delivery = deliveryOf(channel * 100 + check, {
          ...onCheck(check),
          ...onChannel(channel),
          change: down,
          sinceMs: down.atMs,
        });
        scene.outbox.add(delivery);
        scene.dispatcher.take(delivery);
      }
    }
    for (let round = 0; round < 4; round++) await settle();
    const perChannel = new Map<number, number>();
    for (const { channel } of scene.attempts) perChannel.set(channel, (perChannel.get(channel) ?? 0) + 1);
    expect(scene.attempts.length).toBe(256);
    expect(Math.max(...perChannel.values())).toBeLessThanOrEqual(16);
    for (let at = 0; at < scene.attempts.length; at++) {
      scene.attempts[at]?.finish(delivered);
      if (at % 16 === 0) await settle();
    }
    await settle();
    expect(scene.attempts.length).toBe(400);
    expect(new Set(scene.attempts.map(({ id }) => id)).size).toBe(400);
  });

  test('one that keeps failing is tried one at a time, with pauses', async () => {
    const scene = await Scene.begin();
    scene.answer = () => failed;
    for (let check = 1; check <= 100; check++) {
      const delivery = deliveryOf(check, { ...onCheck(check), change: down, sinceMs: down.atMs });
      scene.outbox.add(delivery);
      scene.dispatcher.take(delivery);
    }
    await settle();
    expect(scene.attempts.length).toBeLessThanOrEqual(16);
    await scene.pass(60 * second);
    expect(scene.attempts.length).toBeLessThan(28);
    scene.answer = () => delivered;
    await scene.pass(60 * second);
    await scene.pass(60 * second);
    expect(await scene.onDisk()).toEqual([]);
    expect(scene.outbox.size).toBe(0);
  });
});

test('an outbox in which something is due but nothing is tried any more is a problem', async () => {
  const scene = await Scene.begin();
  const problem = (): string | null => scene.dispatcher.progress.health.problem();
  scene.dispatcher.start();
  await scene.clock.advance(hour);
  expect(problem()).toBeNull();
  scene.answer = null;
  scene.outbox.add(deliveryOf(1));
  scene.dispatcher.take(deliveryOf(1));
  await settle();
  await scene.clock.advance(100 * second);
  // The wall clock decides nothing here.
  scene.clock.jump(10 * hour);
  expect(problem()).toBeNull();
  await scene.clock.advance(100 * second);
  expect(problem()).toBe('notifications are due, but none was tried for 200 s');
  scene.attempts[0]?.finish(failed);
  await settle();
  expect(problem()).toBeNull();
  // One that waits for its next attempt is not due.
  await scene.clock.advance(0.5 * second);
  expect(problem()).toBeNull();
});

describe('what a full disk undoes does not end a delivery:', () => {
  /** A change of the check that waits for the disk, in memory at once, as in the engine. */
  async function undone(scene: Scene, begin: () => void, end: () => void): Promise<void> {
    scene.machine.disk.stall();
    const [delivery] = scene.outbox.all();
    if (!delivery) throw new Error('there is one');
    begin();
    scene.store.append({ type: 'delivery', delivery }, { durable() {}, rolledBack: end });
    await scene.pass(5 * second);
    expect(await scene.onDisk()).toMatchObject([{ state: 'waiting' }]);
    scene.machine.disk.fill();
    scene.machine.disk.resume();
    await scene.pass(second);
    scene.machine.disk.free();
    scene.answer = () => delivered;
    await scene.pass(100 * second);
    expect(scene.attempts.length).toBeGreaterThan(0);
    expect(await scene.onDisk()).toEqual([]);
    expect(scene.outcomes.at(-1)).toEqual(delivered);
  }

  const slow = { slowCommitMs: -1 };

  test('a snooze', async () => {
    const scene = await Scene.begin(slow);
    scene.answer = () => failed;
    await scene.addDelivery(1);
    await undone(
      scene,
      () => {
        scene.snoozedUntilMs = startMs + hour;
      },
      () => {
        scene.snoozedUntilMs = null;
        queueMicrotask(() => scene.dispatcher.snoozeChanged(checkOf(1).id));
      },
    );
  });

  test('a ping by which a check that was down for the delay of its integration is up', async () => {
    const scene = await Scene.begin(slow);
    await scene.addDelivery(1, { notBeforeMs: startMs + 2 * second });
    const { id } = checkOf(1);
    await undone(
      scene,
      () => scene.statuses.set(id, 'up'),
      () => scene.statuses.set(id, 'down'),
    );
  });

  test('an end of the integration', async () => {
    const scene = await Scene.begin(slow);
    await scene.addDelivery(1, { notBeforeMs: startMs + 2 * second });
    const { settings } = scene;
    await undone(
      scene,
      () => {
        scene.settings = { ...settings, disabled: true };
      },
      () => {
        scene.settings = settings;
      },
    );
  });
});

test('an outcome that a full disk did not take is written once there is space, and nothing is sent twice', async () => {
  const scene = await Scene.begin();
  scene.answer = null;
  await scene.addDelivery(1);
  scene.machine.disk.fill();
  scene.attempts[0]?.finish(delivered);
  await scene.pass(5 * second);
  expect((await scene.onDisk()).length).toBe(1);
  scene.machine.disk.free();
  await scene.pass(5 * second);
  expect(await scene.onDisk()).toEqual([]);
  expect(scene.attempts.length).toBe(1);
});

test('an end that a full disk refuses after it refused the attempts before is on disk once there is space', async () => {
  const scene = await Scene.begin();
  scene.answer = null;
  await scene.addDelivery(1);
  scene.machine.disk.fill();
  scene.attempts[0]?.finish(failed);
  await settle();
  // By then the attempt was refused, and refused again a second later.
  await scene.pass(second);
  await scene.pass(second / 2);
  scene.attempts[1]?.finish(delivered);
  await settle();
  await scene.pass(second / 2);
  expect(scene.attempts.map(({ atS }) => atS)).toEqual([0, 1]);
  expect(await scene.onDisk()).toMatchObject([{ attempts: 0 }]);
  scene.machine.disk.free();
  await scene.pass(5 * second);
  expect(await scene.onDisk()).toEqual([]);
});

test('an end and the attempt before it that one full disk refuses together are on disk once there is space', async () => {
  // Each commit goes to a thread, as on a slow disk: it can stall, and what is appended meanwhile shares its outcome.
  const scene = await Scene.begin({ slowCommitMs: -1 });
  scene.answer = null;
  await scene.addDelivery(1);
  scene.machine.disk.stall();
  scene.attempts[0]?.finish(failed);
  await settle();
  await scene.pass(second);
  scene.attempts[1]?.finish(delivered);
  await settle();
  expect(await scene.onDisk()).toMatchObject([{ attempts: 0 }]);
  scene.machine.disk.fill();
  scene.machine.disk.resume();
  await scene.pass(second / 2);
  scene.machine.disk.free();
  await scene.pass(5 * second);
  expect(await scene.onDisk()).toEqual([]);
  expect(scene.attempts.length).toBe(2);
  // The log of the check has it as well, once.
  const range = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
  scene.store.append({ type: 'check', check: checkOf(1), changes: [] }, null);
  expect(scene.store.notifications(checkOf(1).id, range, 10)).toMatchObject([
    { outcome: 'delivered', attempts: 2, kind: 'down' },
  ]);
});

test('an attempt that is cut off by stopping stays pending, with nothing recorded against it', async () => {
  const scene = await Scene.begin();
  scene.answer = null;
  await scene.addDelivery(1);
  const stopping = scene.dispatcher.stop(0);
  if (!scene.cutOff) throw new Error('an attempt is in flight');
  await once(scene.cutOff, 'abort');
  scene.attempts[0]?.finish(failed);
  await stopping;
  expect(await scene.onDisk()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  expect((await scene.onDisk()).map(({ id }) => id)).toEqual([deliveryOf(1).id]);
});

test('dead letters are kept thirty days, superseded ones a day', async () => {
  const scene = await Scene.begin();
  const { deadKeptMs, supersededKeptMs, sweepEveryMs } = limits.notify;
  for (const [number, state] of [
    [1, 'dead'],
    [2, 'superseded'],
    [3, 'waiting'],
  ] as const) {
    scene.outbox.add(deliveryOf(number, { state, endedMs: state === 'waiting' ? 0 : startMs }));
  }
  const admin = createOutboxAdmin({
    outbox: scene.outbox,
    dispatcher: scene.dispatcher,
    recent: new RecentNotifications(limits.notify.recentMax),
    clock: scene.clock,
    notices: {
      store: scene.store,
      baseUrl: () => '',
      ids: systemIds,
      timeZone: 'UTC',
      nowMs: () => scene.clock.nowMs(),
      project: () => null,
      checkJson: () => '',
      checkCount: () => 1,
      checksDown: () => ({ count: 0, checks: [] }),
      maintenance: () => null,
      alertUrl: () => '',
      check: () => null,
      channel: () => null,
      incident: () => null,
    },
    reads: {
      isAcknowledged: () => false,
      isOpenIn: () => false,
      incident: () => null,
      incidentOf: () => null,
      statusOf: () => null,
      project: () => null,
      channel: () => null,
      check: () => null,
      maintenance: () => null,
      quietUntil: () => null,
      durably: async (read) => read(),
      isCaughtUp: () => true,
      checkJson: () => '',
      unsubscribeUrl: () => '',
      alertUrl: () => '',
      reports: {
        users: () => [],
        report: () => Promise.reject(new Error('not asked')),
        reported: async () => {},
        stopUrl: () => '',
      },
      readMail: async () => ({ subject: '', texts: [] }),
      checkCount: () => 1,
      checksDown: () => ({ count: 0, checks: [] }),
      channels: () => [],
      editChannel: async () => {},
      feeds: noFeeds,
    },
    feeds: { list: () => [], retry: () => 0, drop: () => 0, channelOf: () => null },
    send: (notice) => scene.send(notice),
    http: { refusal: async () => null },
    mail: () => null,
    settings: testSettings,
    limits: { deadKeptMs, supersededKeptMs, sweepEveryMs, endedMax: 100 },
  });
  const kept = (passedMs: number): readonly string[] => {
    scene.clock.jump(passedMs);
    admin.keepTidy();
    admin.stop();
    return [...scene.outbox.all()].map(({ state }) => state);
  };
  expect(kept(23 * hour)).toEqual(['dead', 'superseded', 'waiting']);
  expect(kept(2 * hour)).toEqual(['dead', 'waiting']);
  expect(kept(28 * 24 * hour)).toEqual(['dead', 'waiting']);
  expect(kept(24 * hour)).toEqual(['waiting']);
});

/** Event subscriptions have a test of their own. */
const noFeeds: FeedReads = {
  feeds: () => [],
  feed: () => null,
  until: () => ({ epoch: '', seq: 0, place: 0 }),
  page: async (_, after) => ({ events: [], until: after, isAtEnd: true }),
  event: async () => null,
  put: async () => {},
};
