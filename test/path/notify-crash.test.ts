/** What `kill -9` may take away of what integrations are owed: nothing, whenever it comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAdmin } from '../../src/cli/admin-client.ts';
import { readConfig } from '../../src/config.ts';
import { ChildKnell } from '../support/child-knell.ts';
import { HttpReceiver, type Received } from '../support/receivers.ts';
import { tempDir } from '../support/temp-dirs.ts';

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

/** Lets every check fail; resolves to those whose ping was acknowledged. */
async function failAll(): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  await Promise.all(
    uuids.map(async (uuid) => {
      const answer = await fetch(`${knell.url}/ping/${uuid}/fail`).catch(() => null);
      if (answer?.ok) acknowledged.push(uuid);
    }),
  );
  return acknowledged;
}

/** Starts Knell again, and waits until nothing is owed any more. */
async function startAgain(): Promise<void> {
  receiver.answering = (_, response) => void response.end();
  knell = await ChildKnell.start(dataDir, env);
  await vi.waitFor(async () => expect(await admin('outbox list', {})).toEqual([]), {
    timeout: 15_000,
    interval: 50,
  });
}

function expectTold(direction: string, acknowledged: readonly string[]): void {
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
  killed(pinging: Promise<unknown>): Promise<void>;
}

const moments: readonly Moment[] = [
  {
    when: 'while the pings are under way',
    killed: async () => {
      await sleep(4);
      await knell.kill();
    },
  },
  {
    when: 'as soon as they are answered',
    killed: async (pinging) => {
      await pinging;
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
            await sleep(3);
            await knell.kill();
            resolve();
          });
      }),
  },
  {
    when: 'between two attempts',
    killed: async () => {
      receiver.answering = (_, response) => void response.writeHead(503).end();
      await receiver.until(checks / 2);
      await sleep(100);
      await knell.kill();
    },
  },
  {
    when: 'after what is owed was folded into the history',
    killed: async () => {
      receiver.answering = (_, response) => void response.writeHead(503).end();
      await sleep(6000);
      await knell.kill();
    },
  },
];

test.each(moments)(
  'killed $when, it tells everything it owes, again with the same keys',
  async ({ killed }) => {
    const pinging = failAll();
    await killed(pinging);
    const acknowledged = await pinging;
    await startAgain();
    expectTold('down', acknowledged);
    for (const uuid of uuids) {
      const answer = await fetch(`${knell.url}/api/v3/checks/${uuid}`, { headers: { 'X-Api-Key': key } });
      const { status } = (await answer.json()) as { status: string };
      if (status === 'down') expectTold('down', [uuid]);
    }
  },
  40_000,
);

test('killed again and again, it loses nothing and keeps the order', async () => {
  let acknowledged: readonly string[] = [];
  for (const pauseMs of [1, 5, 15, 40]) {
    const pinging = failAll();
    await sleep(pauseMs);
    await knell.kill();
    acknowledged = [...new Set([...acknowledged, ...(await pinging)])];
    receiver.answering = (_, response) => void response.end();
    knell = await ChildKnell.start(dataDir, env);
  }
  acknowledged = [...new Set([...acknowledged, ...(await failAll())])];
  expect(acknowledged.length).toBe(checks);
  await knell.kill('SIGTERM');
  await startAgain();
  expectTold('down', uuids);
  await Promise.all(uuids.map((uuid) => fetch(`${knell.url}/ping/${uuid}`)));
  await vi.waitFor(async () => expect(await admin('outbox list', {})).toEqual([]), { timeout: 10_000 });
  expectTold('up', uuids);
  for (const uuid of uuids) {
    const told = receiver.all.filter(({ path }) => path.endsWith(uuid)).map(({ path }) => path.split('/')[1]);
    expect(told.lastIndexOf('down')).toBeLessThan(told.indexOf('up'));
  }
}, 60_000);
