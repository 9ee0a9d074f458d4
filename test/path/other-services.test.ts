/**
 * Clients of other services, unchanged, which ping Knell by another host name: `cronitor`, `opsgenie-sdk` and `sentry-sdk` from PyPI. Where they are not
 * installed, their tests are skipped: see `support/process/python`.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { type Json, Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { pythonWith, runPython } from '../support/process/python.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { selfSigned } from '../support/wire/certificate.ts';
import { ForwardProxy } from '../support/wire/forward-proxy.ts';

const withCronitor = pythonWith('cronitor');
const withOpsgenie = pythonWith('opsgenie_sdk');
const withSentry = pythonWith('sentry_sdk');

let knell: Knell;
beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_COMPAT_PINGS: 'all' } });
});
afterAll(() => knell.stop());

async function typesOf(of: Knell, uuid: string): Promise<readonly string[]> {
  return (await of.pings(uuid)).map(({ type }: Json) => type).reverse();
}

const cronitorProgram = `
import cronitor
monitor = cronitor.Monitor('backup')
print(monitor.ping(state='run', host='db-1').status_code)
print(monitor.ping(state='complete', message='all done', metrics={'count': 12, 'error_count': 0}).status_code)
print(cronitor.Monitor('nobody').ping(state='run').status_code)

@cronitor.job('backup')
def works():
    pass

@cronitor.job('backup')
def fails():
    raise RuntimeError('the disk is full')

works()
try:
    fails()
except RuntimeError:
    pass
`;

test('their addresses are there without any of those programs', async () => {
  const { uuid } = await knell.create({ slug: 'plain' });
  expect((await knell.request(`/p/${knell.keys.ping}/plain?state=complete`)).status).toBe(200);
  expect((await knell.request(`/api/push/${uuid}?status=down&msg=broken`)).status).toBe(200);
  expect(await typesOf(knell, uuid)).toEqual(['success', 'fail']);
});

/** Its host name, with HTTPS, is built in. So the requests go where a proxy leads them, and meet a certificate of that name. */
test.skipIf(!withCronitor)('cronitor: pings, a job that works and a job that fails', async () => {
  const { uuid } = await knell.create({ slug: 'backup' });
  const { certFile, keyFile } = selfSigned(tempDir(), 1, 'cronitor.link');
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const plainPort = Number(new URL(knell.app.httpUrl).port);
  const secure = createServer(files, (socket) => {
    const upstream = connect(plainPort, '127.0.0.1');
    for (const end of [socket, upstream]) end.on('error', () => {});
    socket.pipe(upstream).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const { port } = secure.address() as AddressInfo;
  const proxy = await ForwardProxy.start(() => port);
  try {
    const printed = await runPython(withCronitor ?? '', cronitorProgram, {
      CRONITOR_API_KEY: knell.keys.ping,
      HTTPS_PROXY: proxy.url(),
      REQUESTS_CA_BUNDLE: certFile,
    });
    expect(printed.trim().split('\n')).toEqual(['200', '200', '404']);
    expect(proxy.asked[0]).toBe('CONNECT cronitor.link:443');
  } finally {
    proxy.stop();
    secure.close();
  }
  expect(await typesOf(knell, uuid)).toEqual(['start', 'success', 'start', 'success', 'start', 'fail']);
  const pings = await knell.pings(uuid);
  expect(pings[4]).toMatchObject({ results: { count: 12, error_count: 0 } });
  // The library names each run by a series of its own.
  expect(pings[2].rid).toBe(pings[3].rid);
  expect((await knell.api('GET', `/api/v3/checks/${uuid}/pings/6/body`)).text).toContain('the disk is full');
});

const opsgenieProgram = `
import os, opsgenie_sdk
configuration = opsgenie_sdk.configuration.Configuration()
configuration.host = os.environ['HOST']
configuration.api_key['Authorization'] = os.environ['KEY']
heartbeats = opsgenie_sdk.HeartbeatApi(api_client=opsgenie_sdk.api_client.ApiClient(configuration=configuration))
print(heartbeats.ping('heartbeat').result)
try:
    heartbeats.ping('nobody')
except opsgenie_sdk.exceptions.ApiException as error:
    print(error.status)
`;

test.skipIf(!withOpsgenie)('opsgenie-sdk: a heartbeat, and one that nobody has', async () => {
  const { uuid } = await knell.create({ slug: 'heartbeat' });
  const printed = await runPython(withOpsgenie ?? '', opsgenieProgram, {
    HOST: knell.app.httpUrl,
    KEY: knell.keys.ping,
  });
  expect(printed.trim().split('\n')).toEqual(['PONG - Heartbeat received', '404']);
  expect(await typesOf(knell, uuid)).toEqual(['success']);
});

const sentryProgram = `
import os, sentry_sdk
from sentry_sdk.crons import monitor
sentry_sdk.init(dsn=os.environ['DSN'], traces_sample_rate=1.0)
config = {'schedule': {'type': 'crontab', 'value': '30 3 * * *'}, 'timezone': 'Europe/Riga', 'checkin_margin': 10}
with monitor(monitor_slug='nightly', monitor_config=config):
    pass
try:
    with monitor(monitor_slug='nightly', monitor_config=config):
        raise RuntimeError('the disk is full')
except RuntimeError as error:
    sentry_sdk.capture_exception(error)
sentry_sdk.capture_message('an event that is no check-in')
sentry_sdk.flush(10)
`;

async function ofNightly(of: Knell): Promise<Json> {
  const [check] = (await of.api('GET', '/api/v3/checks/?slug=nightly')).json().checks;
  return check;
}

test.skipIf(!withSentry)(
  'sentry-sdk: check-ins of a monitor that it creates, beside other events',
  async () => {
    const { host } = new URL(knell.app.httpUrl);
    await runPython(withSentry ?? '', sentryProgram, { DSN: `http://${knell.keys.ping}@${host}/1` });
    const check = await ofNightly(knell);
    expect(check).toMatchObject({ schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 600, status: 'down' });
    const uuid = check.ping_url.split('/').at(-1);
    expect(await typesOf(knell, uuid)).toEqual(['start', 'success', 'start', 'fail']);
    const [last, , first] = await knell.pings(uuid);
    expect([last.duration, first.duration]).toEqual([expect.any(Number), expect.any(Number)]);
  },
);

test.runIf(isLong && withSentry)('sentry-sdk: through a node of a cluster that does not lead', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes: Knell[] = [];
  for (const name of ['a', 'b', 'c']) {
    const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name, KNELL_COMPAT_PINGS: 'sentry' };
    nodes.push(await Knell.start({ link: memoryLink(cluster, name), env }));
  }
  try {
    const leader = await Promise.race(nodes.map((node) => node.leading().then(() => node)));
    const standby = nodes.find((node) => node !== leader) as Knell;
    const { host } = new URL(standby.app.httpUrl);
    await runPython(withSentry ?? '', sentryProgram, { DSN: `http://${leader.keys.ping}@${host}/1` });
    expect(await ofNightly(leader)).toMatchObject({ schedule: '30 3 * * *', n_pings: 4, status: 'down' });
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
});
