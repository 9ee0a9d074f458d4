/** Pings and remote commands through a real proxy, by the variables that name one. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { builtFile } from '../support/process/built.ts';
import { type Run, runProcess } from '../support/process/commands.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { certificateName, selfSigned } from '../support/wire/certificate.ts';
import { ForwardProxy } from '../support/wire/forward-proxy.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

let knell: Knell;
let plain: HttpReceiver;
let secure: Server;
let proxy: ForwardProxy;
let certFile = '';
const overTls: string[] = [];

beforeAll(async () => {
  knell = await Knell.start();
  plain = await HttpReceiver.start();
});

beforeEach(async () => {
  const files = selfSigned(tempDir());
  certFile = files.certFile;
  const options = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
  overTls.length = 0;
  secure = createServer(options, (request, response) => {
    overTls.push(request.url ?? '');
    response.end('OK');
  });
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const ports: Readonly<Record<string, () => number>> = {
    [certificateName]: () => (secure.address() as AddressInfo).port,
    'knell.example.org': () => Number(new URL(knell.app.httpUrl).port),
  };
  proxy = await ForwardProxy.start((host) => ports[host]?.() ?? plain.port);
  plain.all.length = 0;
  return () => {
    proxy.stop();
    secure.close();
  };
});

afterAll(async () => {
  await plain.stop();
  await knell.stop();
});

const uuid = '0c8983c9-9d73-446f-adb5-0641fdacc9d4';

function ping(host: string, env: Readonly<Record<string, string>>): Promise<Run> {
  return runProcess(['ping', '--retries', '0', '--data', 'hello'], {
    env: { KNELL_PING_URL: `${host}/ping/${uuid}`, ...env },
  });
}

test('plain HTTP is asked for by its whole URL, and the server gets its own name', async () => {
  const run = await ping('http://job.example', { HTTP_PROXY: proxy.url() });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(proxy.asked).toEqual([`POST http://job.example/ping/${uuid}`]);
  expect(plain.all).toMatchObject([{ body: 'hello', headers: { host: 'job.example' } }]);
});

test('HTTPS goes through a tunnel, with the certificate of the server', async () => {
  const env = { HTTPS_PROXY: proxy.url(), NODE_EXTRA_CA_CERTS: certFile };
  const run = await ping(`https://${certificateName}`, env);
  expect(run).toMatchObject({ status: 0, stderr: '' });
  expect(proxy.asked).toEqual([`CONNECT ${certificateName}:443`]);
  expect(overTls).toEqual([`/ping/${uuid}`]);
  const other = await ping('https://other.example', env);
  expect(other.status).toBe(1);
  expect(overTls).toHaveLength(1);
});

test('a proxy that wants a password gets it, and it shows nowhere', async () => {
  proxy.login = 'ann:s3cret p';
  const env = { NODE_EXTRA_CA_CERTS: certFile };
  for (const [host, name] of [
    ['http://job.example', 'HTTP_PROXY'],
    [`https://${certificateName}`, 'HTTPS_PROXY'],
  ] as const) {
    expect(await ping(host, { ...env, [name]: proxy.url('ann:s3cret%20p') })).toMatchObject({ status: 0 });
    const refused = await ping(host, { ...env, [name]: proxy.url('ann:wrong') });
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^knell: [^\n]+ answered 407[^\n]*\n$/),
    });
    expect(refused.stderr).not.toMatch(/wrong|s3cret/);
  }
});

test('NO_PROXY goes around it, and a proxy that is not there is named', async () => {
  const run = await ping('http://job.example', { HTTP_PROXY: 'http://127.0.0.1:1' });
  expect(run.stderr).toMatch(/the proxy 127\.0\.0\.1:1 refuses the connection/);
  const tunnel = await ping('https://job.example', { HTTPS_PROXY: 'http://127.0.0.1:1' });
  expect(tunnel.stderr).toMatch(/the proxy 127\.0\.0\.1:1 refuses the connection/);
  const around = await ping('http://job.invalid', { HTTP_PROXY: proxy.url(), NO_PROXY: '*' });
  expect(around.status).toBe(1);
  expect(proxy.asked).toEqual([]);
});

test('the single file obeys it, and a wrong variable harms no job', async () => {
  const run = (env: Readonly<Record<string, string>>) =>
    runProcess(['run', '--', process.execPath, '-e', 'process.exit(3)'], {
      env: { KNELL_PING_URL: `http://job.example/ping/${uuid}`, ...env },
    });
  expect(readFileSync(builtFile('knell-run.mjs'), 'utf8')).toContain('CONNECT');
  expect(await run({ http_proxy: proxy.url() })).toMatchObject({ status: 3, stderr: '' });
  expect(plain.all.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
    `/ping/${uuid}/start`,
    `/ping/${uuid}/3`,
  ]);
  expect(await run({ HTTP_PROXY: 'socks5://127.0.0.1:1' })).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('HTTP_PROXY must be the URL of a proxy'),
  });
});

test('remote commands obey it, with an API key and with an admin key', async () => {
  await knell.create({ name: 'through', slug: 'through' });
  const env = { HTTP_PROXY: proxy.url(), KNELL_SERVER: 'http://knell.example.org' };
  const list = await runProcess(['check', 'list'], { env: { ...env, KNELL_API_KEY: knell.keys.readWrite } });
  expect([list.status, list.stderr, list.stdout]).toEqual([0, '', expect.stringContaining('through')]);
  const local = { KNELL_DATA_DIR: knell.dataDir, KNELL_SMTP: 'off' };
  const created = await runProcess(['key', 'create-admin', 'ci', '--json'], { env: local });
  const { key } = JSON.parse(created.stdout);
  const exported = await runProcess(['export'], { env: { ...env, KNELL_ADMIN_KEY: key } });
  expect([exported.status, exported.stderr]).toEqual([0, '']);
  expect(exported.stdout).toContain('slug: through');
  expect(proxy.asked).toContain('POST http://knell.example.org/api/admin/config/show');
});

test('an admin key and what is sent with it follow no redirect', async () => {
  plain.answering = (_, response) => {
    response.writeHead(307, { Location: plain.url('/elsewhere') }).end();
  };
  const run = await runProcess(['export', '--server', plain.url(), '--key', 'hca_secret'], { env: {} });
  expect([run.status, run.stderr]).toEqual([
    1,
    expect.stringMatching(/redirects to [^\n]+elsewhere[^\n]*\n$/),
  ]);
  expect(plain.all).toHaveLength(1);
});
