/** Errors of the network as people read them: those that Node really throws. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { networkErrorText } from '../../../src/notify/wire/network-error.ts';
import { createHttpClient } from '../../../src/notify/wire/send-http.ts';
import { createMailClient, type OutgoingMail } from '../../../src/notify/wire/send-mail.ts';

const http = createHttpClient(limits.notify.http, { contains: () => true });
const signal = new AbortController().signal;
const get = (url: string) =>
  http.send({ method: 'GET', url, headers: {}, body: null }, signal).then(
    () => 'delivered',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );

const mail: OutgoingMail = {
  to: 'a@example.org',
  subject: '',
  text: '',
  html: '',
  id: 'x',
  thread: null,
  dateMs: 0,
  list: null,
  attachment: null,
};

async function mailTo(url: string): Promise<unknown> {
  const client = createMailClient(url, 'Knell <knell@example.org>', limits.notify.mail);
  const outcome = await client?.send(mail);
  client?.close();
  return outcome;
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

test('a host that does not exist, and a port that is closed', async () => {
  const port = await closedPort();
  expect(await get('http://nowhere.invalid/')).toMatch(
    /^the host nowhere\.invalid (was not found|could not be looked up)/,
  );
  expect(await get(`http://127.0.0.1:${port}/`)).toBe(`127.0.0.1:${port} refused the connection`);
  const refused = `127.0.0.1:${port} refused the connection`;
  expect(await mailTo(`smtp://127.0.0.1:${port}`)).toEqual({ kind: 'failed', error: refused });
  http.close();
});

test.each([
  ['getaddrinfo ENOTFOUND ntfy.sh', 'ENOTFOUND', 'the host ntfy.sh was not found'],
  ['getaddrinfo ENOTFOUND ntfy.sh', 'EDNS', 'the host ntfy.sh was not found'],
  [
    'getaddrinfo EAI_AGAIN ntfy.sh',
    'EAI_AGAIN',
    'the host ntfy.sh could not be looked up: the name server did not answer',
  ],
  ['connect ETIMEDOUT 192.0.2.1:443', 'ETIMEDOUT', '192.0.2.1:443 did not answer in time'],
  ['', 'ECONNREFUSED', 'the server refused the connection'],
  ['read ECONNRESET', 'ECONNRESET', 'the connection was reset'],
  ['certificate has expired', 'CERT_HAS_EXPIRED', 'the certificate of the server has expired'],
])('%s (%s) is: %s', (message, code, text) => {
  expect(networkErrorText(Object.assign(new Error(message), { code }))).toBe(text);
});

test('what is not of the network keeps its words', () => {
  expect(networkErrorText(new Error('too many redirects'))).toBeNull();
  expect(networkErrorText(new Error('ERROR of a kind'))).toBeNull();
});
