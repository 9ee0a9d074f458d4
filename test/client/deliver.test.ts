import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliver } from '../../src/client/deliver.ts';
import { sendRequest } from '../../src/client/http-client.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

let server: HttpReceiver;

beforeAll(async () => {
  server = await HttpReceiver.start();
});

afterAll(() => server.stop());

beforeEach(() => {
  server.all.length = 0;
  server.answering = (_, response) => {
    response.statusCode = 500;
    response.end();
  };
});

const address = (): URL => new URL(server.url('/ping'));
const none = Buffer.alloc(0);

test('is tried as often as asked, within the time of all tries together', async () => {
  server.answering = (_, response) => {
    response.statusCode = 500;
    response.setHeader('Retry-After', '0');
    response.end();
  };
  const delivered = await deliver(address(), none, { retries: 2, timeoutMs: 60_000 });
  expect(delivered).toEqual({ ok: false, reason: expect.stringMatching(/ answered 500$/) });
  expect(server.all).toHaveLength(3);
});

test('is not tried again if the pause would outlast that time', async () => {
  server.answering = (_, response) => {
    response.statusCode = 503;
    response.setHeader('Retry-After', '3600');
    response.end();
  };
  expect(await deliver(address(), none, { retries: 3, timeoutMs: 1000 })).toMatchObject({ ok: false });
  expect(server.all).toHaveLength(1);
});

test('is not tried again once that is asked, in the pause or before it', async () => {
  const stop = new AbortController();
  const options = { retries: 10, timeoutMs: 60_000, stop: stop.signal };
  server.answering = (_, response) => {
    response.statusCode = 503;
    response.setHeader('Date', new Date(0).toUTCString());
    response.setHeader('Retry-After', new Date(4000).toUTCString());
    response.end(() => setImmediate(() => stop.abort()));
  };
  expect(await deliver(address(), none, options)).toMatchObject({ ok: false });
  expect(await deliver(address(), none, options)).toMatchObject({ ok: false });
  expect(server.all).toHaveLength(2);
});

test('is abandoned in the middle of a try', async () => {
  const abandon = new AbortController();
  server.answering = () => abandon.abort();
  const options = { retries: 10, timeoutMs: 60_000, abandon: abandon.signal };
  expect(await deliver(address(), none, options)).toMatchObject({ ok: false });
});

test.each([
  ['a loop', (url: string) => url, /redirects without end/],
  ['a scheme that is no HTTP', () => 'ftp://x/', /cannot be reached/],
])('follows no redirect to %s', async (_what, location, said) => {
  server.answering = (_, response) => {
    response.writeHead(302, { Location: location(server.url('/ping')) });
    response.end();
  };
  await expect(sendRequest(address(), { method: 'GET', timeoutMs: 60_000 })).rejects.toThrow(said);
});

test.each([
  ['a host that does not exist', 'http://knell.invalid/', /knell\.invalid/],
  ['a port where nothing listens', 'http://127.0.0.1:1/', /127\.0\.0\.1:1 refuses the connection/],
])('names %s', async (_what, url, said) => {
  await expect(sendRequest(new URL(url), { method: 'GET', timeoutMs: 60_000 })).rejects.toThrow(said);
});
