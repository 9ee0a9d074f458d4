/** What `kill -9` may take away of pending deliveries: nothing, whenever it comes. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runAdmin } from '../../src/cli/io/admin-client.ts';
import { readConfig } from '../../src/config.ts';
import { second } from '../../src/lib/units.ts';
import { eventually } from '../support/patience.ts';
import { ChildKnell } from '../support/process/child-knell.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { HttpReceiver, type Received } from '../support/wire/receivers.ts';

const checks = 12;
const env = { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' };

let receiver: HttpReceiver;
let knell: ChildKnell;
let dataDir: string;
let key: string;
let uuids: string[];

async function api(path: string, body: unknown): Promise<{ uuid: string; status: string }> {
  const init = { method: 'POST', headers: { 'X-Api-Key': key }, body: JSON.stringify(body) };
  const answer = await fetch(`${knell.url}/api/v3/${path}`, init);
  return answer.json() as Promise<{ uuid: string; status: string }>;
}

const admin = (command: string, args: Readonly<Record<string, unknown>>) =>
  runAdmin(readConfig({ KNELL_DATA_DIR: dataDir }, {}).config, { command, args }, () => {});

beforeEach(async () => {
  receiver = await HttpReceiver.start();
  dataDir = tempDir();
  knell = await ChildKnell.start(dataDir, env, (text) => {
    key = /hcw_\w+/.exec(text)?.[0] ?? '';
  });
  const value = JSON.stringify({
    url_down: receiver.url('/down/$CODE'),
    url_up: receiver.url('/up/$CODE'),
  });
  await admin('channel create', { project: 'default', kind: 'webhook', name: 'hook', value });
  uuids = [];
  for (let count = 0; count < checks; count++) uuids.push((await api('checks/', { channels: '*' })).uuid);
});

afterEach(async () => {
  await knell.kill();
  await receiver.stop();
});

interface Failing {
  /** Resolves when `count` pings were answered. */
  answered(count: number): Promise<void>;
  /** Resolves to the checks whose ping was acknowledged, once every ping was answered or cut off. */
  readonly acknowledged: Promise<readonly string[]>;
}

/** Lets every check fail. */
function failAll(): Failing {
  const acknowledged: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const wake = (count: number): void => {
    for (const one of waiting) if (count >= one.count) one.resolve();
  };
  const all = Promise.all(
    uuids.map(async (uuid) => {
      const answer = await fetch(`${knell.url}/ping/${uuid}/fail`).catch(() => null);
      if (answer?.ok) wake(acknowledged.push(uuid));
    }),
  );
  return {
    answered: (count) =>
      new Promise((resolve) => {
        waiting.push({ count, resolve });
        wake(acknowledged.length);
      }),
    acknowledged: all.then(() => acknowledged),
  };
}

/** Starts Knell again, and waits until nothing is pending any more. */
async function startAgain(): Promise<void> {
  receiver.answering = (_, response) => void response.end();
  knell = await ChildKnell.start(dataDir, env);
  await nothingPending();
}

async function nothingPending(): Promise<void> {
  await eventually(async () => expect(await admin('outbox list', {})).toEqual([]));
}

function expectDelivered(direction: string, acknowledged: readonly string[]): void {
  const byCheck = new Map<string, Received[]>();
  for (const received of receiver.all) {
    if (!received.path.startsWith(`/${direction}/`)) continue;
    const uuid = received.path.slice(direction.length + 2);
    byCheck.set(uuid, [...(byCheck.get(uuid) ?? []), received]);
  }
  for (const uuid of acknowledged) expect([...byCheck.keys()]).toContain(uuid);
  for (const times of byCheck.values()) {
    expect(new Set(times.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  }
}

interface Moment {
  readonly when: string;
  /** Kills at its moment; resolves when it has. */
  killed(failing: Failing): Promise<void>;
}

const moments: readonly Moment[] = [
  {
    when: 'while the pings are in flight',
    killed: async (failing) => {
      await failing.answered(1);
      await knell.kill();
    },
  },
  {
    when: 'as soon as they are answered',
    killed: async (failing) => {
      await failing.acknowledged;
      await knell.kill();
    },
  },
  {
    when: 'when the receiver has a request, before it answers',
    killed: () =>
      new Promise((resolve) => {
        receiver.answering = () => void knell.kill().then(resolve);
      }),
  },
  {
    when: 'when the receiver has answered, before that is recorded',
    killed: () =>
      new Promise((resolve) => {
        receiver.answering = (_, response) => void response.end(() => knell.kill().then(resolve));
      }),
  },
  {
    when: 'a little after the first answer',
    killed: () =>
      new Promise((resolve) => {
        receiver.answering = (_, response) =>
          void response.end(async () => {
            await fetch(`${knell.url}/api/v3/status/`).catch(() => null);
            await knell.kill();
            resolve();
          });
      }),
  },
  {
    when: 'between two attempts',
    killed: async () => {
      receiver.answering = (_, response) => void response.writeHead(503).end();
      await someTried();
      await knell.kill();
    },
  },
  {
    when: 'after the deliveries were folded into the history',
    killed: async (failing) => {
      receiver.answering = (_, response) => void response.writeHead(503).end();
      await failing.acknowledged;
      await someTried();
      // A snapshot is written of the history, once everything was folded into it.
      await admin('snapshot', { file: join(dataDir, 'folded.knell') });
      await knell.kill();
    },
  },
];

/** Resolves when an attempt of some delivery has failed and is recorded. */
async function someTried(): Promise<void> {
  const tried = { state: 'waiting', error: expect.stringContaining('503') };
  await eventually(async () =>
    expect(await admin('outbox list', {})).toContainEqual(expect.objectContaining(tried)),
  );
}

test.each(moments)(
  'killed $when, it sends every pending delivery, again with the same keys',
  async ({ killed }) => {
    const failing = failAll();
    await killed(failing);
    const acknowledged = await failing.acknowledged;
    await startAgain();
    expectDelivered('down', acknowledged);
    for (const uuid of uuids) {
      const answer = await fetch(`${knell.url}/api/v3/checks/${uuid}`, { headers: { 'X-Api-Key': key } });
      const { status } = (await answer.json()) as { status: string };
      if (status === 'down') expectDelivered('down', [uuid]);
    }
  },
);

test('killed again and again, it loses nothing and keeps the order', async () => {
  let acknowledged: readonly string[] = [];
  for (const count of [1, checks / 3, checks]) {
    const failing = failAll();
    await failing.answered(count);
    await knell.kill();
    acknowledged = [...new Set([...acknowledged, ...(await failing.acknowledged)])];
    receiver.answering = (_, response) => void response.end();
    knell = await ChildKnell.start(dataDir, env);
  }
  acknowledged = [...new Set([...acknowledged, ...(await failAll().acknowledged)])];
  expect(acknowledged.length).toBe(checks);
  await knell.kill('SIGTERM');
  await startAgain();
  expectDelivered('down', uuids);
  await Promise.all(uuids.map((uuid) => fetch(`${knell.url}/ping/${uuid}`)));
  await nothingPending();
  expectDelivered('up', uuids);
  for (const uuid of uuids) {
    const delivered = receiver.all
      .filter(({ path }) => path.endsWith(uuid))
      .map(({ path }) => path.split('/')[1]);
    expect(delivered.lastIndexOf('down')).toBeLessThan(delivered.indexOf('up'));
  }
});

/** On a machine so slow that the snooze ends before the kill, its alerts may be in flight: then they come under the same key. */
test('a snooze that ended while Knell was away is carried out at the start: each alert comes once', async () => {
  const until = Math.ceil(Date.now() / second) + 2;
  for (const uuid of uuids) await api(`checks/${uuid}/snooze`, { until });
  const acknowledged = await failAll().acknowledged;
  await knell.kill();
  await eventually(() => expect(Date.now()).toBeGreaterThan(until * second));
  await startAgain();
  await eventually(() => expect(receiver.all.length).toBeGreaterThanOrEqual(checks));
  await nothingPending();
  await knell.kill();
  await startAgain();
  expectDelivered('down', acknowledged);
  expect(acknowledged).toHaveLength(checks);
});
