/** `knell doctor` beside a running Knell, beside none, and where something is wrong. */

import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expiryFinding, proxyFindings } from '../../../src/cli/doctor/doctor-network.ts';
import { asChannelId } from '../../../src/lib/ids.ts';
import { day } from '../../../src/lib/units.ts';
import { Knell } from '../../support/knell.ts';
import { CommandRunner, type Env } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';
import { HttpReceiver } from '../../support/wire/receivers.ts';

let knell: Knell;
let other: Knell;
let runner: CommandRunner;

beforeAll(async () => {
  knell = await Knell.start();
  other = await Knell.start();
  runner = CommandRunner.start();
});

afterAll(async () => {
  await runner.stop();
  await knell.stop();
  await other.stop();
});

interface Line {
  readonly what: string;
  readonly state: string;
  readonly text: string;
  readonly advice: string;
}

/** The findings by name. */
async function doctor(env: Env = {}, dataDir = knell.dataDir) {
  const all = { KNELL_DATA_DIR: dataDir, KNELL_SMTP: 'off', KNELL_HTTP: '127.0.0.1:0', ...env };
  const { status, stdout, stderr } = await runner.run(['doctor', '--json'], all);
  expect(stderr).toBe('');
  const lines: readonly Line[] = JSON.parse(stdout);
  expect(lines.every(({ state, advice }) => (state === 'ok') === (advice === ''))).toBe(true);
  expect(status).toBe(lines.some(({ state }) => state === 'failed') ? 1 : 0);
  return Object.fromEntries(lines.map((line) => [line.what, line]));
}

test('looks where the running server listens, whatever the settings of this shell', async () => {
  const found = await doctor({ KNELL_HTTP: '127.0.0.1:1', KNELL_SMTP: '127.0.0.1:1' });
  expect(found.http).toMatchObject({ state: 'ok' });
  expect(found.smtp?.state ?? 'ok').toBe('ok');
});

test('beside a running server: it answers, the outbox is empty, the base URL does not lead there', async () => {
  const found = await doctor();
  expect(found.server).toMatchObject({ state: 'ok' });
  expect(found.data).toMatchObject({ state: 'ok' });
  expect(found.outbox).toMatchObject({ state: 'ok', text: '0 pending, 0 failed' });
  expect(found['base URL']).toMatchObject({ state: 'failed', text: expect.stringContaining('knell.test') });
  expect(found.mail).toMatchObject({ state: 'warning' });
  for (const what of ['node', 'disk space', 'disk speed', 'clock', 'http'])
    expect(found).toHaveProperty([what]);
});

test('a slug that several checks have is a warning that names them', async () => {
  const [first, second] = [
    await knell.create({ name: 'First Saturday', slug: 'saturday' }),
    await knell.create({ name: 'Saturdays', slug: 'saturday' }),
  ];
  const found = await doctor();
  expect(found['slug saturday']).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(
      /^pings by it are refused: (First Saturday|Saturdays) and (First )?Saturdays? of /,
    ),
    advice: expect.stringMatching(/: knell check edit [0-9a-f-]{36} --slug saturday-2$/),
  });
  for (const { uuid } of [first, second]) await knell.api('DELETE', `/api/v3/checks/${uuid}`);
  expect(await doctor()).not.toHaveProperty(['slug saturday']);
});

test('an integration whose latest notification failed is a warning, until one is delivered', async () => {
  const args = {
    project: 'default',
    kind: 'webhook',
    value: '{"url_down":"http://127.0.0.1:9/"}',
    name: 'Hook',
  };
  const { id } = (await knell.app.admin({ command: 'channel create', args }, () => {})) as { id: string };
  const set = (lastError: string) =>
    knell.app.engine.change.editChannel(asChannelId(id), { settings: { lastError } });
  expect(await doctor()).not.toHaveProperty(['integration Hook']);
  await set('status 500');
  expect((await doctor())['integration Hook']).toMatchObject({
    state: 'warning',
    text: 'of default, its latest notification failed: status 500',
    advice: `mend it, then knell channel test ${id}`,
  });
  await set('');
  expect(await doctor()).not.toHaveProperty(['integration Hook']);
});

/** A proxy in front of a Knell, which adds headers. */
async function reverseProxy(
  target: () => string,
  added: () => Readonly<Record<string, string>>,
): Promise<Server> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, ...added() };
    const forwarded = ask(target() + request.url, { headers }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    forwarded.on('error', () => response.destroy());
    forwarded.end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

test('the base URL is this Knell, another one, or no Knell', async () => {
  const receiver = await HttpReceiver.start();
  const dataDir = tempDir();
  let added: Readonly<Record<string, string>> = {};
  let target = '';
  const proxy = await reverseProxy(
    () => target,
    () => added,
  );
  const { port } = proxy.address() as AddressInfo;
  const front = async (baseUrl: string, more: Env = {}) => {
    const one = await Knell.start({ dataDir, env: { KNELL_BASE_URL: baseUrl, ...more } });
    target = one.app.httpUrl;
    try {
      return await doctor(more, dataDir);
    } finally {
      await one.stop();
    }
  };
  const proxied = `http://127.0.0.1:${port}`;
  try {
    expect((await front(proxied))['base URL']).toEqual({
      what: 'base URL',
      state: 'ok',
      text: `${proxied} is this Knell, for this machine only: jobs and people on others need KNELL_HTTP and KNELL_BASE_URL`,
      advice: '',
    });
    added = { 'x-forwarded-for': '192.0.2.7' };
    expect((await front(proxied)).proxy).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('192.0.2.7'),
    });
    const untrusted = { KNELL_TRUST_PROXY: '192.0.2.1' };
    expect((await front(proxied, untrusted)).proxy).toMatchObject({
      state: 'failed',
      advice: expect.stringContaining('add 127.0.0.1 to KNELL_TRUST_PROXY'),
    });
    const is = async (url: string) => (await front(url))['base URL'];
    expect(await is(other.app.httpUrl)).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('another Knell'),
    });
    expect(await is(receiver.url('').replace(/\/$/, ''))).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('is no Knell'),
    });
    expect(await is('http://127.0.0.1:1')).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('refuses'),
    });
  } finally {
    proxy.close();
    await receiver.stop();
  }
});

test('without a server: ports must be free, and nothing is opened', async () => {
  const found = await doctor({ KNELL_HTTP: new URL(other.app.httpUrl).host }, join(tempDir(), 'none'));
  expect(found.server).toMatchObject({ state: 'warning' });
  expect(found.data).toMatchObject({ state: 'failed', text: expect.stringContaining('no Knell data') });
  expect(found.http).toMatchObject({ state: 'failed', text: expect.stringContaining('in use') });
  expect(found).not.toHaveProperty('outbox');
});

test('a data directory that others may read is a warning', async () => {
  chmodSync(other.dataDir, 0o755);
  expect((await doctor({}, other.dataDir)).data).toMatchObject({ state: 'warning' });
  chmodSync(other.dataDir, 0o700);
});

test('certificates that are no certificates, or expire, are found', async () => {
  const file = join(tempDir(), 'cert.pem');
  writeFileSync(file, 'nothing');
  const found = await doctor({ KNELL_HTTP_TLS_CERT: file, KNELL_HTTP_TLS_KEY: file });
  expect(found['http certificate']).toMatchObject({ state: 'failed', text: expect.stringContaining(file) });
  const inDays = (days: number): string => new Date(Date.now() + days * day).toUTCString();
  expect([-1, 5, 90].map((days) => expiryFinding('c', inDays(days)).state)).toEqual([
    'failed',
    'warning',
    'ok',
  ]);
});

test('what came with the request says which proxy there is', () => {
  const direct = {
    trusted: false,
    forwarded: '',
    remote_addr: '10.0.0.9',
    client_addr: '10.0.0.9',
    scheme: 'http',
  };
  const found = (url: string, more: Partial<typeof direct>) =>
    proxyFindings(url, { ...direct, ...more }, { http: { host: '0.0.0.0', port: 8000 } }).map(
      ({ state, text }) => [state, text],
    );
  expect(found('http://knell.example:8000', {})).toEqual([['ok', 'none']]);
  // This machine reaches Knell itself there, though this shell names another port.
  expect(found('http://localhost:8803', {})).toEqual([['ok', 'none']]);
  expect(found('https://knell.example', {})).toEqual([
    ['warning', expect.stringContaining('no address is forwarded')],
  ]);
  const proxied = { trusted: true, forwarded: '192.0.2.7', remote_addr: '192.0.2.7' };
  expect(found('https://knell.example', proxied)).toEqual([
    ['warning', expect.stringContaining('does not say so')],
  ]);
  expect(found('https://knell.example', { ...proxied, scheme: 'https' })).toEqual([
    ['ok', expect.stringContaining('192.0.2.7')],
  ]);
  expect(found('https://knell.example', { ...proxied, trusted: false })).toEqual([
    ['failed', expect.stringContaining('10.0.0.9 forwards addresses, and is not trusted')],
  ]);
});

test('prints a line for each, with what to do', async () => {
  const { stdout, status } = await runner.run(['doctor'], {
    KNELL_DATA_DIR: knell.dataDir,
    KNELL_SMTP: 'off',
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^CHECK +RESULT +DETAILS\nnode +(?:ok|warning) +Node /);
  expect(stdout).toMatch(/\nbase URL +failed +[^\n]+: set KNELL_BASE_URL /);
});

test('hints about checks whose pings say that their settings are wrong, and only about those', async () => {
  const { uuid } = await other.create({ name: 'Nightly' });
  const good = await other.create({ name: 'Good' });
  expect((await doctor({}, other.dataDir)).checks).toMatchObject({
    state: 'ok',
    text: 'checks looked at: 2, findings: 0',
  });
  for (let start = 0; start < 5; start++) await other.request(`/ping/${uuid}/start`);
  await other.request(`/ping/${good.uuid}`);
  const found = await doctor({}, other.dataDir);
  expect(found.checks?.text).toBe('checks looked at: 2, findings: 1, in the lines below');
  expect(found['check Nightly']).toEqual({
    what: 'check Nightly',
    state: 'warning',
    text: 'The job sent 5 starts and no end at all: it should report success or failure when it is done.',
    advice: `see knell log ${uuid}`,
  });
  expect(found).not.toHaveProperty(['check Good']);
});
