/** HTTPS on both HTTP listeners, and certificates that are renewed while connections are open. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { type Certificate, certificateName, replaceWith, selfSigned } from '../support/wire/certificate.ts';
import { MailClient } from '../support/wire/mail-client.ts';

let knell: Knell;
let place: Certificate;
let directory: string;
let uuid = '';

/** The certificates here are nobody's: no client can check them. */
const anyone = { rejectUnauthorized: false };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'knell-test-'));
  place = selfSigned(directory);
  const { certFile, keyFile } = place;
  knell = await Knell.start({
    env: {
      KNELL_HTTP_TLS_CERT: certFile,
      KNELL_HTTP_TLS_KEY: keyFile,
      KNELL_HTTP_COMPAT: '127.0.0.1:0',
      KNELL_SMTP: '127.0.0.1:0',
      KNELL_SMTP_TLS_CERT: certFile,
      KNELL_SMTP_TLS_KEY: keyFile,
    },
  });
  const { keys } = knell;
  const made = await ask(`${knell.app.httpUrl}/ping/${keys.ping}/under-tls?create=1`);
  expect([made.status, made.body]).toEqual([201, 'Created']);
  const list = await ask(`${knell.app.httpUrl}/api/v3/checks/`, { headers: { 'x-api-key': keys.readWrite } });
  uuid = JSON.parse(list.body).checks[0].uuid;
});

afterAll(async () => {
  await knell.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly serial: string;
}

function ask(
  url: string,
  options: { headers?: Record<string, string>; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { ...anyone, ...options }, async (response) => {
      const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
      let body = '';
      for await (const part of response) body += part;
      const { statusCode: status = 0, headers } = response;
      resolve({ status, body, headers, serial: serialNumber });
    });
    request.once('error', reject);
  });
}

async function serialOf(url: string, servername?: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const named = servername === undefined ? {} : { servername };
  const socket = connect({ host: hostname, port: Number(port), ...anyone, ...named });
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
  });
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function serialByMail(): Promise<string> {
  const client = await MailClient.greeted(knell.app.smtp);
  await client.ask('STARTTLS');
  const socket = await client.startTls();
  const { serialNumber } = socket.getPeerCertificate();
  client.vanish();
  return serialNumber;
}

describe('with a certificate', () => {
  test('both listeners speak HTTPS, and every address that Knell gives out says so', async () => {
    const { app } = knell;
    expect([app.httpUrl, app.compatUrl]).toEqual([
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    ]);
    for (const url of [app.httpUrl, app.compatUrl]) {
      expect(await ask(`${url}/ping/${uuid}`)).toMatchObject({ status: 200, body: 'OK' });
    }
    const key = { 'x-api-key': knell.keys.readWrite };
    const { pings } = JSON.parse(
      (await ask(`${app.httpUrl}/api/v3/checks/${uuid}/pings/`, { headers: key })).body,
    );
    expect(pings.map(({ scheme }: { scheme: string }) => scheme)).toEqual(['https', 'https', 'https']);
  });

  test('what a trusted proxy forwards counts for more', async () => {
    await ask(`${knell.app.httpUrl}/ping/${uuid}`, { headers: { 'x-forwarded-proto': 'http' } });
    const key = { 'x-api-key': knell.keys.readWrite };
    const answer = await ask(`${knell.app.httpUrl}/api/v3/checks/${uuid}/pings/`, { headers: key });
    expect(JSON.parse(answer.body).pings[0].scheme).toBe('http');
  });

  test('a renewed one is served to new connections of all listeners, and open ones go on', async () => {
    const kept = new Agent({ keepAlive: true, maxSockets: 1, ...anyone });
    const { httpUrl, compatUrl } = knell.app;
    const ping = `${httpUrl}/ping/${uuid}`;
    expect((await ask(ping, { agent: kept })).serial).toBe('01');
    replaceWith(selfSigned(directory, 2), place);
    await eventually(async () => {
      // Without a name, as with an address for a host, and with one.
      expect(await serialOf(httpUrl)).toBe('02');
      expect(await serialOf(httpUrl, certificateName)).toBe('02');
      expect(await serialOf(compatUrl ?? '')).toBe('02');
      expect(await serialByMail()).toBe('02');
      expect(await ask(ping, { agent: kept })).toMatchObject({ status: 200, serial: '01' });
    });
    kept.destroy();
  });

  test('one that does not fit its key is not taken; the next one that does is', async () => {
    const [three, four] = [selfSigned(directory, 3), selfSigned(directory, 4)];
    copyFileSync(three.certFile, place.certFile);
    copyFileSync(four.certFile, place.certFile);
    expect(await serialOf(knell.app.httpUrl)).toBe('02');
    copyFileSync(four.keyFile, place.keyFile);
    await eventually(async () => {
      expect(await serialOf(knell.app.httpUrl)).toBe('04');
      expect((await ask(`${knell.app.httpUrl}/ping/${uuid}`)).status).toBe(200);
    });
  });
});

test('a certificate that cannot be used is refused at the start, by the name of its setting', async () => {
  const other = tempDir();
  const { certFile } = selfSigned(other, 1);
  const { keyFile } = selfSigned(other, 2);
  const env = { KNELL_HTTP_TLS_CERT: certFile, KNELL_HTTP_TLS_KEY: keyFile };
  await expect(Knell.start({ env })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('KNELL_HTTP_TLS_CERT and KNELL_HTTP_TLS_KEY: '),
  });
  expect(readFileSync(certFile).length).toBeGreaterThan(0);
  expect(() => readConfig({ KNELL_HTTP_TLS_KEY: keyFile }, {})).toThrow(
    'KNELL_HTTP_TLS_CERT and KNELL_HTTP_TLS_KEY must be set together',
  );
});
