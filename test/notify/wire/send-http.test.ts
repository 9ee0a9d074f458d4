/** The one HTTP client: what it refuses, how long it waits, how far it follows. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CidrList, parseCidrList } from '../../../src/lib/addresses.ts';
import { mayReach } from '../../../src/notify/wire/blocked-addresses.ts';
import {
  BlockedAddress,
  createHttpClient,
  type HttpClient,
  type OutgoingRequest,
} from '../../../src/notify/wire/send-http.ts';
import { HttpReceiver } from '../../support/wire/receivers.ts';

function networks(text: string): CidrList {
  const list = parseCidrList(text);
  if (!list) throw new Error('not a list of networks');
  return list;
}

const none = networks('');
const loopback = networks('127.0.0.1/32');

const limits = { connectMs: 300, totalMs: 600, responseBytesMax: 1000, redirectsMax: 3 };
const signal = new AbortController().signal;
let receiver: HttpReceiver;
const clients: HttpClient[] = [];

beforeEach(async () => {
  receiver = await HttpReceiver.start();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await receiver.stop();
});

function client(allowed = loopback): HttpClient['send'] {
  const made = createHttpClient(limits, allowed);
  clients.push(made);
  return made.send;
}

function get(url: string, facts: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return { method: 'GET', url, headers: { Authorization: 'secret' }, body: null, ...facts };
}

describe('an address', () => {
  test.each([
    '127.0.0.1',
    '127.255.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'not an address',
  ])('%s is refused', (address) => expect(mayReach(address, none)).toBe(false));

  test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])(
    '%s is not',
    (address) => expect(mayReach(address, none)).toBe(true),
  );

  test('that the owner has opened is not', () => {
    expect(mayReach('127.0.0.1', loopback)).toBe(true);
    expect(mayReach('::ffff:127.0.0.1', loopback)).toBe(true);
    expect(mayReach('127.0.0.2', loopback)).toBe(false);
  });

  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://2130706433:PORT/',
  ])('of this machine is refused however it is written: %s', async (url) => {
    const refused = client(none)(get(url.replace('PORT', String(receiver.port))), signal);
    await expect(refused).rejects.toBeInstanceOf(BlockedAddress);
    expect(receiver.all).toEqual([]);
  });

  test('of a server of the owner himself may be private', async () => {
    const answer = await client(none)(get(receiver.url(), { trusted: true }), signal);
    expect(answer.status).toBe(200);
  });
});

describe('a redirect', () => {
  test('to a private address is refused, and the server behind it receives nothing', async () => {
    const inner = await HttpReceiver.start();
    receiver.answering = (_, response) =>
      void response.writeHead(307, { Location: `http://127.0.0.2:${inner.port}/` }).end();
    await expect(client()(get(receiver.url()), signal)).rejects.toBeInstanceOf(BlockedAddress);
    expect(inner.all).toEqual([]);
    await inner.stop();
  });

  test('to another host gets no secret, and 303 makes a GET of a POST', async () => {
    const other = await HttpReceiver.start();
    receiver.answering = (_, response) => void response.writeHead(303, { Location: other.url('/x') }).end();
    const post = get(receiver.url(), { method: 'POST', body: 'x' });
    expect((await client()(post, signal)).status).toBe(200);
    expect(other.all).toMatchObject([{ method: 'GET', path: '/x', body: '' }]);
    expect(other.all[0]?.headers.authorization).toBeUndefined();
    await other.stop();
  });

  test('keeps method and body with 307', async () => {
    receiver.answering = ({ path }, response) =>
      void response.writeHead(path === '/' ? 307 : 200, { Location: '/again' }).end();
    await client()(get(receiver.url(), { method: 'PUT', body: 'x' }), signal);
    expect(receiver.all).toMatchObject([
      { method: 'PUT', path: '/', body: 'x' },
      { method: 'PUT', path: '/again', body: 'x' },
    ]);
  });

  test('that goes round and round is given up', async () => {
    receiver.answering = (_, response) => void response.writeHead(302, { Location: '/' }).end();
    await expect(client()(get(receiver.url()), signal)).rejects.toThrow('too many redirects');
    expect(receiver.all.length).toBe(4);
  });

  test('to anything but HTTP is refused', async () => {
    receiver.answering = (_, response) =>
      void response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
    await expect(client()(get(receiver.url()), signal)).rejects.toBeInstanceOf(BlockedAddress);
  });
});

describe('time and size', () => {
  test('a server that does not answer is given up', async () => {
    receiver.answering = () => {};
    await expect(client()(get(receiver.url()), signal)).rejects.toThrow('no response within 0.6 s');
  });

  test('a server that drips is given up as well', async () => {
    receiver.answering = (_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    };
    await expect(client()(get(receiver.url()), signal)).rejects.toThrow('no response within 0.6 s');
  });

  test('a server that resets the connection is an error in words', async () => {
    const server: Server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(client()(get(`http://127.0.0.1:${port}/`), signal)).rejects.toThrow(
      'the connection was reset',
    );
    server.close();
  });

  test('an answer without end is cut', async () => {
    receiver.answering = (_, response) => void response.end('x'.repeat(100_000));
    const answer = await client()(get(receiver.url()), signal);
    expect(answer.status).toBe(200);
    expect(answer.body.length).toBeLessThan(100_000);
  });

  test('stopping ends a request at once', async () => {
    receiver.answering = () => {};
    const stop = new AbortController();
    const asked = client()(get(receiver.url()), stop.signal);
    await receiver.until(1);
    stop.abort();
    await expect(asked).rejects.toThrow('abort');
  });
});
