/** `knell doctor` beside a running Knell, beside none, and where something is wrong. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expiryFinding, proxyFinding } from '../../src/cli/doctor-network.ts';
import { day } from '../../src/lib/units.ts';
import { CommandRunner, type Env } from '../support/commands.ts';
import { Knell } from '../support/knell.ts';
import { HttpReceiver } from '../support/receivers.ts';
import { tempDir } from '../support/temp-dirs.ts';

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

test('beside a running server: it answers, the outbox is empty, the base URL does not lead there', async () => {
  const found = await doctor();
  expect(found.server).toMatchObject({ state: 'ok' });
  expect(found.data).toMatchObject({ state: 'ok' });
  expect(found.outbox).toMatchObject({ state: 'ok', text: '0 pending, 0 failed' });
  expect(found['base URL']).toMatchObject({ state: 'failed', text: expect.stringContaining('knell.test') });
  expect(found.mail).toMatchObject({ state: 'warning' });
  for (const what of ['node', 'disk space', 'disk speed', 'clock', 'http', 'proxy'])
    expect(found).toHaveProperty([what]);
});

test('the base URL is this Knell, another one, or no Knell', async () => {
  const receiver = await HttpReceiver.start();
  const dataDir = tempDir();
  const front = async (baseUrl: string) => {
    const env = { KNELL_BASE_URL: baseUrl };
    const one = await Knell.start({ dataDir, env });
    try {
      return (await doctor({}, dataDir))['base URL'];
    } finally {
      await one.stop();
    }
  };
  receiver.answering = ({ path }, response) => {
    response.statusCode = path === '/api/v3/status/' ? 200 : 200;
    response.end();
  };
  expect(await front(receiver.url('').replace(/\/$/, ''))).toMatchObject({ state: 'ok' });
  expect(await front(other.app.httpUrl)).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('another Knell'),
  });
  expect(await front('http://127.0.0.1:1')).toMatchObject({
    state: 'failed',
    text: expect.stringContaining('refuses'),
  });
  await receiver.stop();
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

test('a proxy on another machine must be trusted', () => {
  const stateOf = (host: string, url: string) => proxyFinding(url, { http: { host, port: 8000 } }).state;
  expect(stateOf('127.0.0.1', 'https://knell.example')).toBe('ok');
  expect(stateOf('0.0.0.0', 'http://knell.example:8000')).toBe('ok');
  expect(stateOf('0.0.0.0', 'https://knell.example')).toBe('warning');
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
