/**
 * Events across `kill -9` and across damage, over a real process: a listener that comes back and a subscription get all that was
 * acknowledged, and a broken row ends its listener and nothing else.
 */

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { highestKey, lowestKey, openEnv } from '../../src/store/disk/lmdb-env.ts';
import { openHistoryTables } from '../../src/store/history/rows/tables.ts';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { runProcess } from '../support/process/commands.ts';
import { KnellProcess } from '../support/process/knell-process.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { EventStream } from '../support/wire/event-stream.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

let dataDir: string;
let knell: KnellProcess;
let readWriteKey: string;
let pingKey: string;

beforeEach(async () => {
  dataDir = join(tempDir(), 'data');
  knell = await start();
  ({ readWriteKey, pingKey } = knell);
});
afterEach(() => knell.end('SIGKILL'));

const start = (): Promise<KnellProcess> =>
  KnellProcess.start(dataDir, { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
/** Resolves to the status; 200 and 201 mean that it is on disk. */
const ping = async (): Promise<number> =>
  (await fetch(`${knell.httpUrl}/ping/${pingKey}/job?create=1`)).status;
const listen = (query: string, lastEventId = ''): Promise<EventStream> =>
  EventStream.open(`${knell.httpUrl}/api/v3/events?${query}`, {
    'X-Api-Key': readWriteKey,
    ...(lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }),
  });
const command = async (...args: readonly string[]): Promise<void> => {
  const { status, stderr } = await runProcess(args, { env: { KNELL_DATA_DIR: dataDir } });
  if (status !== 0) throw new Error(stderr);
};
/** Pings until the process is killed in their midst; returns how many were acknowledged. */
async function pingUntilKilled(): Promise<number> {
  let acknowledged = 0;
  const pinging = (async () => {
    for (;;) {
      await ping();
      acknowledged++;
    }
  })().catch(() => {});
  await eventually(() => expect(acknowledged).toBeGreaterThan(50));
  await knell.end('SIGKILL');
  await pinging;
  return acknowledged;
}

test('a listener that comes back after a kill gets each event that was acknowledged once', async () => {
  const first = await listen('types=ping');
  const acknowledged = await pingUntilKilled();
  await eventually(() => expect(first.isOver).toBe(true));
  knell = await start();
  const second = await listen('types=ping', first.lastEventId);
  expect(await ping()).toBe(200);
  const numbers = (): readonly number[] =>
    [...first.events, ...second.events].map(({ data }) => JSON.parse(data).n);
  // The one in flight when it was killed may be on disk, too.
  await eventually(() => expect(numbers().length).toBeGreaterThan(acknowledged));
  await second.end();
  expect(numbers()).toEqual(Array.from(numbers(), (_, at) => at + 1));
  expect(second.events.map(({ type }) => type)).not.toContain('gap');
});

test.runIf(isLong)(
  'a subscription goes on after a kill: nothing is left out, and what is sent again has its id',
  async () => {
    const receiver = await HttpReceiver.start();
    const value = JSON.stringify({ url: receiver.url('/events'), types: 'ping' });
    await command('channel', 'create', 'default', '--kind', 'events', '--name', 'feed', '--value', value);
    const acknowledged = await pingUntilKilled();
    knell = await start();
    expect(await ping()).toBe(200);
    const sent = (): readonly Json[] => receiver.all.map(({ body }) => JSON.parse(body).data);
    await eventually(() => expect(new Set(sent().map(({ n }) => n)).size).toBeGreaterThan(acknowledged));
    const byNumber = new Map<number, Set<string>>();
    for (const { n, id } of sent()) byNumber.set(n, (byNumber.get(n) ?? new Set()).add(id));
    expect([...byNumber.keys()]).toEqual(Array.from(byNumber.keys(), (_, at) => at + 1));
    expect([...byNumber.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    await receiver.stop();
  },
);

test('a broken row ends who listens there, in words, and Knell goes on', async () => {
  expect(await ping()).toBe(201);
  await command('snapshot', join(tempDir(), 'all-is-folded.snapshot'));
  await knell.end('SIGTERM');
  await breakOldestEvent();
  knell = await start();
  const stream = await listen('after=oldest');
  await eventually(() => expect(stream.isOver).toBe(true));
  expect(stream.events.at(-1)).toMatchObject({
    type: 'end',
    data: expect.stringContaining('could not be read'),
  });
  const newer = await listen('');
  expect(await ping()).toBe(200);
  expect(await (await fetch(`${knell.httpUrl}/ping/${pingKey}/job/fail`)).status).toBe(200);
  await eventually(() => expect(newer.events.map(({ type }) => type)).toContain('status'));
  await newer.end();
});

async function breakOldestEvent(): Promise<void> {
  const env = openEnv(dataDir, 'history');
  const { events } = openHistoryTables(env);
  const keys: Buffer[] = [];
  events.scan({ start: lowestKey, end: highestKey }, (key) => {
    keys.push(Buffer.from(key));
    return false;
  });
  const [oldest] = keys;
  if (!oldest) throw new Error('there is no event');
  env.write(() => events.put(oldest, Buffer.from([250, 1, 2])));
  await env.close();
}
