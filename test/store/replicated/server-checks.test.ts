import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { checkServers } from '../../../src/store/replicated/server-checks.ts';
import { freePort } from '../../support/wire/free-port.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** What answers like nats-server's monitoring port. */
async function monitor(varz: object, status = 200, host = '127.0.0.1'): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/varz' ? status : 404);
    response.end(JSON.stringify(varz));
  });
  closers.push(() => server.close());
  server.listen(0, host);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const synced = { version: '2.15.2', jetstream: { config: { sync_always: true } } };
const unsynced = { version: '2.15.2', jetstream: { config: {} } };
const check = (version: string, monitors: readonly string[] = [], relaxed = false) =>
  checkServers({ version, clusterName: 'ours', monitors, relaxed });

test.each(['2.12.4', '2.12.10', '2.15.2', 'v3.0.0'])(
  'nats-server %s is taken without a word',
  async (version) => {
    expect(await check(version, [await monitor(synced)])).toEqual([]);
  },
);

test.each(['2.10.23', '2.11.15', '2.12.3'])('nats-server %s is taken with a warning', async (version) => {
  expect(await check(version)).toEqual([
    expect.stringMatching(/older than Knell asks for.* 2\.12\.4 or later/),
  ]);
});

test.each(['2.9.10', '2.10.22', '1.4.1', ''])('nats-server %j is refused', async (version) => {
  await expect(check(version)).rejects.toMatchObject({ code: 'cluster-unfit' });
});

test('the version of every server counts', async () => {
  const old = await monitor({ ...synced, version: '2.10.22' });
  await expect(check('2.15.2', [await monitor(synced), old])).rejects.toThrow(
    `2.10.22, which answers at ${old}`,
  );
});

test('a server that does not sync is refused, or warned about where the leader accepts it', async () => {
  const address = await monitor(unsynced);
  await expect(check('2.15.2', [address])).rejects.toThrow('sync_interval: always');
  expect(await check('2.15.2', [address], true)).toEqual([expect.stringContaining('sync_interval: always')]);
});

test('what cannot be checked is warned about', async () => {
  const broken = await monitor(synced, 500);
  const closed = `http://127.0.0.1:${await freePort()}`;
  expect(await check('2.15.2', [broken, closed])).toEqual([
    expect.stringContaining(`at ${broken} syncs what it acknowledges (it answers 500)`),
    expect.stringContaining(`at ${closed} syncs what it acknowledges (ECONNREFUSED)`),
  ]);
});

/** What KNELL_CLUSTER calls it, when its file lets only its own machine ask: nothing listens there. */
const closedTo = (address: string) => address.replace('127.0.0.1', '127.0.0.2');

test('a server that only its own machine may ask is checked by the node beside it', async () => {
  const ours = { cluster: { name: 'ours' } };
  const beside = await monitor({ ...synced, ...ours });
  expect(await check('2.15.2', [closedTo(beside), 'http://127.0.0.2:1'])).toEqual([]);
  const lax = await monitor({ ...unsynced, ...ours });
  await expect(check('2.15.2', [closedTo(lax)])).rejects.toThrow(`at ${lax} acknowledges before`);
});

test('a server of another cluster that runs beside the node says nothing', async () => {
  const other = closedTo(await monitor({ ...unsynced, cluster: { name: 'other' } }));
  expect(await check('2.15.2', [other])).toEqual([expect.stringMatching(/cannot check .*\?monitor=PORT/)]);
});
