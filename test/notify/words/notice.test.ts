/** What a notice knows, of deliveries that a real engine created over a real store, on a simulated clock. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Channel, defaultChannelSettings } from '../../../src/domain/accounts/project.ts';
import { type CheckConfig, defaultConfig } from '../../../src/domain/check/check.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { Engine, PingOutcome, PingRequest } from '../../../src/engine/contract/engine.ts';
import {
  asCheckId,
  asMaintenanceId,
  asRunId,
  type CheckId,
  type ProjectId,
  systemIds,
  uniqueKeyOf,
} from '../../../src/lib/ids.ts';
import { hour, minute, second } from '../../../src/lib/units.ts';
import type { Notice } from '../../../src/notify/contract/channel.ts';
import {
  completeNoticeOf,
  type NoticeOptions,
  noticeOf,
  testNotice,
} from '../../../src/notify/words/notice.ts';
import type { Store } from '../../../src/store/store.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { startEngine } from '../../support/engine/start-engine.ts';
import { openSimulatedStore, SimulatedMachine } from '../../support/store/simulated-store.ts';
import { uuidOf } from '../../support/store/store-facts.ts';
import { words } from '../../support/words.ts';

const startMs = Date.UTC(2024, 5, 15);

let clock: SimulatedClock;
let store: Store;
let engine: Engine;
let projectId: ProjectId;
let channel: Channel;
let deliveries: Delivery[];

beforeEach(async () => {
  clock = new SimulatedClock(startMs);
  store = await openSimulatedStore({
    machine: new SimulatedMachine(),
    scheduler: clock,
    nowMs: () => clock.nowMs(),
  });
  engine = await startEngine({ store, clock });
  deliveries = [];
  engine.events.deliveriesDurable.subscribe((more) => {
    deliveries.push(...more);
  });
  projectId = (await engine.change.createProject('Acme', 'paid', startMs)).project.id;
  const settings = { ...defaultChannelSettings, late: true };
  const slack = { kind: 'slack', name: 'ops', value: 'https://hooks.slack.com/x', settings } as const;
  channel = await engine.change.createChannel(projectId, slack, startMs);
});

/** Due every hour, with ten minutes of grace, unless it says otherwise. */
async function create(name: string, config: Partial<CheckConfig> = {}): Promise<CheckId> {
  const base = { ...defaultConfig, timeoutS: 3600, graceS: 600, channels: [channel.id] };
  return (await engine.change.createCheck(projectId, { ...base, name, ...config }, clock.nowMs())).id;
}

function ping(uuid: CheckId, facts: Partial<PingRequest> = {}): Promise<PingOutcome> {
  const request: PingRequest = {
    ...{
      target: { by: 'uuid', uuid: words(uuid) },
      error: null,
      action: 'success',
      exitStatus: null,
      rid: null,
      host: '',
      results: [],
    },
    ...{ scheme: 'https', method: 'POST', remoteAddr: '192.0.2.1', ua: 'curl' },
    ...{ body: new Uint8Array(0), searchable: { via: 'mail-unread' }, receivedAtMs: clock.nowMs() },
    ...facts,
  };
  return new Promise((resolve) => engine.acceptPing(request, resolve, null));
}

async function pass(ms: number): Promise<void> {
  await clock.advance(ms, () => new Promise(setImmediate));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
}

function options(): NoticeOptions {
  return {
    store,
    ids: systemIds,
    baseUrl: () => 'https://knell.example.org',
    project: (id) => engine.read.project(id),
    checkJson: ({ config }) => JSON.stringify({ name: config.name }),
    checkCount: (id) => engine.read.checkCount(id),
    checksDown: (id) => engine.read.checksDown(id),
    maintenance: ({ config }) =>
      config.name === 'moving'
        ? { id: asMaintenanceId('m'), name: 'Move', untilMs: startMs + 5 * hour }
        : null,
    check: (id) => engine.read.check(id, clock.nowMs()),
    channel: (id) => engine.read.channel(id),
    incident: () => null,
    alertUrl: () => 'https://knell.example.org/alert/TOKEN',
    timeZone: 'Europe/Riga',
    nowMs: () => clock.nowMs(),
  };
}

/** That of the latest delivery. */
function latest(to: Channel = channel): Notice {
  const delivery = deliveries.at(-1);
  const check = delivery && engine.read.check(delivery.checkId, clock.nowMs());
  if (!delivery || !check) throw new Error('nothing was to be delivered');
  return noticeOf(options(), { delivery, check, channel: to, about: null });
}

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

describe('of a job that failed', () => {
  test('it knows the run, the exit status and the output', async () => {
    const id = await create('backup');
    await ping(id);
    await pass(hour);
    await ping(id, { action: 'start' });
    await pass(3 * minute);
    await ping(id, { action: 'fail', exitStatus: 3, body: text('disk full') });
    await pass(0);
    const notice = latest();
    expect(notice).toMatchObject({
      notificationKind: 'down',
      cause: 'fail',
      atMs: startMs + hour + 3 * minute,
    });
    expect(notice.ping).toMatchObject({ n: 3, signal: 'fail', exitStatus: 3 });
    expect(notice.runMs).toBe(3 * minute);
    expect(notice.lastSuccess).toEqual({ atMs: startMs, runMs: null });
    expect(notice.startedMs).toBeNull();
    expect(notice.expectedMs).toBe(startMs + hour);
    expect(notice.body).toBe('disk full');
    expect(notice.checkUrl).toBe(`https://knell.example.org/project/${projectId}/checks/${uniqueKeyOf(id)}`);
  });

  test('of several runs at once it takes the one that ended', async () => {
    const id = await create('backup');
    const [first, other] = [asRunId(uuidOf(1, 1)), asRunId(uuidOf(1, 2))];
    await ping(id, { action: 'start', rid: first });
    await pass(minute);
    await ping(id, { action: 'start', rid: other });
    await pass(minute);
    await ping(id, { action: 'fail', rid: first });
    await pass(0);
    expect(latest().runMs).toBe(2 * minute);
  });

  test('what comes after the failure is not shown as its cause', async () => {
    const id = await create('backup');
    await ping(id, { action: 'fail', body: text('disk full') });
    await pass(second);
    await ping(id, { action: 'log', body: text('retrying') });
    const notice = latest();
    expect([notice.ping?.n, notice.body]).toEqual([1, 'disk full']);
  });

  test('a warning of the same millisecond, before or after it, is not shown as its cause', async () => {
    const id = await create('backup', { exitCodes: '24=warning' });
    await ping(id, { action: 'fail', body: text('disk full') });
    await ping(id, { exitStatus: 24, body: text('files vanished') });
    await pass(second);
    const down = latest();
    expect([down.ping?.n, down.ping?.exitStatus, down.body]).toEqual([1, null, 'disk full']);
    const warned = await create('sync', { exitCodes: '24=warning' });
    await ping(warned, { exitStatus: 24, body: text('files vanished') });
    await ping(warned, { action: 'fail', exitStatus: 3, body: text('disk full') });
    await pass(second);
    const failed = latest();
    expect([failed.ping?.n, failed.ping?.exitStatus, failed.body]).toEqual([2, 3, 'disk full']);
  });

  test('a ping from before it was paused says nothing of when this one was due', async () => {
    const id = await create('backup');
    await ping(id);
    await engine.change.pauseCheck(id, clock.nowMs());
    await pass(3 * hour);
    await engine.change.resumeCheck(id, clock.nowMs());
    await pass(second);
    await ping(id, { action: 'fail' });
    await pass(0);
    expect(latest().expectedMs).toBeNull();
  });
});

describe('of a ping that did not come', () => {
  test('it knows when it was due, in both notices', async () => {
    const id = await create('backup');
    await ping(id);
    await pass(hour);
    expect(latest()).toMatchObject({ notificationKind: 'late', expectedMs: startMs + hour, ping: { n: 1 } });
    await pass(10 * minute);
    expect(latest()).toMatchObject({
      ...{ notificationKind: 'down', cause: 'timeout', expectedMs: startMs + hour },
      ...{ atMs: startMs + hour + 10 * minute, runMs: null, startedMs: null, downtimeMs: null },
    });
  });

  test('of a run that did not finish it knows the start, and nothing was due', async () => {
    const id = await create('backup');
    await ping(id);
    await pass(minute);
    await ping(id, { action: 'start' });
    await pass(10 * minute);
    expect(latest()).toMatchObject({
      ...{ notificationKind: 'down', cause: 'timeout', startedMs: startMs + minute, expectedMs: null },
    });
  });

  test('a run that began after the change is not its cause', async () => {
    const id = await create('backup');
    await ping(id);
    await pass(hour + 10 * minute);
    await pass(second);
    await ping(id, { action: 'start' });
    expect(latest()).toMatchObject({ notificationKind: 'down', startedMs: null, ping: { n: 1 } });
  });
});

describe('of an outage', () => {
  const down = (): Notice => {
    const [delivery] = deliveries;
    const check = delivery && engine.read.check(delivery.checkId, clock.nowMs());
    if (!delivery || !check) throw new Error('nothing was to be delivered');
    return noticeOf(options(), { delivery, check, channel, about: null });
  };

  test('it knows the end, and whether the check has been up since', async () => {
    const id = await create('backup');
    await ping(id, { action: 'fail' });
    await pass(5 * minute);
    expect(down().over).toBeNull();
    await ping(id, { action: 'fail' });
    await pass(2 * minute);
    expect(down().over).toBeNull();
    await ping(id);
    await pass(hour + minute);
    expect(down().over).toMatchObject({ atMs: startMs + 7 * minute, isUpSince: true });
    await ping(id, { action: 'fail' });
    await pass(0);
    expect(down().over).toMatchObject({ atMs: startMs + 7 * minute, isUpSince: false });
    expect(latest().over).toBeNull();
  });

  test('it takes a pause for its end, which is no recovery', async () => {
    const id = await create('backup');
    await ping(id, { action: 'fail' });
    await pass(minute);
    await engine.change.pauseCheck(id, clock.nowMs());
    await pass(0);
    expect(down().over).toMatchObject({ atMs: startMs + minute, isUpSince: false });
  });
});

test('of a recovery it knows how long the check was down, and how late the ping came', async () => {
  const id = await create('backup');
  await ping(id);
  await pass(3 * hour);
  await ping(id);
  await pass(0);
  expect(latest()).toMatchObject({
    ...{ notificationKind: 'up', cause: 'success', downtimeMs: 110 * minute },
    ...{ expectedMs: startMs + hour, ping: { n: 2 } },
  });
});

describe('of the others that are down', () => {
  test('it counts all and names ten, the last to go down first, without itself and those of other projects', async () => {
    const other = await engine.change.createProject('Other', 'paid', startMs);
    const foreign = await engine.change.createCheck(other.project.id, defaultConfig, startMs);
    await ping(foreign.id, { action: 'fail' });
    for (let number = 1; number <= 12; number++) {
      await ping(await create(`job ${String(number).padStart(2, '0')}`), { action: 'fail' });
      await pass(minute);
    }
    const id = await create('backup');
    await ping(id, { action: 'fail' });
    await pass(0);
    const { othersDown, othersDownChecks } = latest();
    expect([othersDown.count, othersDown.of]).toEqual([12, 12]);
    expect(othersDown.names).toEqual([
      ...['job 12', 'job 11', 'job 10', 'job 09', 'job 08'],
      ...['job 07', 'job 06', 'job 05', 'job 04', 'job 03'],
    ]);
    expect(othersDownChecks.map(({ name }) => name)).toEqual(othersDown.names);
    await ping(id);
    await pass(0);
    expect(latest()).toMatchObject({ notificationKind: 'up', othersDown: { count: 12 } });
  });

  test('it knows of which somebody has acknowledged, snoozed or planned that', async () => {
    const by = { untilMs: startMs + 2 * hour, by: 'ada' };
    const ids = new Map<string, CheckId>();
    for (const name of ['acknowledged', 'moving', 'new', 'snoozed', 'snoozed and acknowledged']) {
      const id = await create(name);
      ids.set(name, id);
      await ping(id, { action: 'fail' });
    }
    const of = (name: string): CheckId => ids.get(name) ?? asCheckId('');
    await engine.change.acknowledgeCheck(of('acknowledged'), 'ada', clock.nowMs());
    await engine.change.snoozeCheck(of('snoozed'), by, clock.nowMs());
    await engine.change.snoozeCheck(of('snoozed and acknowledged'), by, clock.nowMs());
    await engine.change.acknowledgeCheck(of('snoozed and acknowledged'), 'grace', clock.nowMs());
    await ping(await create('backup'), { action: 'fail' });
    await pass(0);
    expect(latest().othersDownChecks.map(({ name, held }) => [name, held])).toEqual([
      ['new', undefined],
      ['acknowledged', [{ by: 'ada' }]],
      ['moving', [{ until: 'in maintenance', untilMs: startMs + 5 * hour }]],
      ['snoozed', [{ until: 'snoozed', untilMs: by.untilMs }]],
      ['snoozed and acknowledged', [{ until: 'snoozed', untilMs: by.untilMs }, { by: 'grace' }]],
    ]);
  });

  test('it names none when it is the only one', async () => {
    await ping(await create('backup'), { action: 'fail' });
    await pass(0);
    expect(latest().othersDown).toEqual({ count: 0, of: 0, names: [] });
  });
});

describe('of a mail', () => {
  const source = text('Subject: failed\r\n\r\nSGVsbG8=');
  const decoded = { subject: 'failed', text: 'Hello' };

  test('it shows what was decoded, and has the source', async () => {
    await ping(await create('backup'), { action: 'fail', scheme: 'email', body: source });
    await pass(0);
    const [delivery] = deliveries;
    const check = delivery && engine.read.check(delivery.checkId, clock.nowMs());
    if (!delivery || !check) throw new Error('nothing was to be delivered');
    const complete = { ...options(), readMail: async () => decoded };
    const notice = await completeNoticeOf(
      complete,
      { members: [delivery], message: null, down: new Set() },
      check,
      channel,
    );
    expect(notice.mail).toEqual(decoded);
    expect([...(notice.mailSource ?? [])]).toEqual([...source]);
    expect(notice.body).toBe('failed\n\nHello');
  });
});

test('times are in the zone of the integration, else in that of the installation', async () => {
  await ping(await create('backup'), { action: 'fail' });
  await pass(0);
  expect(latest().timeZone).toBe('Europe/Riga');
  const settings = { ...defaultChannelSettings, timeZone: 'Asia/Tokyo' };
  expect(latest({ ...channel, settings }).timeZone).toBe('Asia/Tokyo');
});

describe('of a test', () => {
  test('it is of a check that there is not, and links to the integrations', () => {
    const notice = testNotice(options(), channel);
    expect(notice).toMatchObject({ test: true, notificationKind: 'down', ping: null, body: '' });
    expect(engine.read.check(asCheckId(notice.check.id), startMs)).toBeNull();
    expect(notice.checkUrl).toBe(`https://knell.example.org/project/${projectId}/integrations`);
  });

  test('it can be a recovery', () => {
    expect(testNotice(options(), channel, { kind: 'up' })).toMatchObject({
      ...{ notificationKind: 'up', cause: 'success', check: { state: { status: 'up' } } },
    });
  });
});
