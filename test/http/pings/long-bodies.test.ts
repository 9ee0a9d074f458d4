/** What is kept of a ping's body over the limit, however it comes over the wire. */
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../../src/config.ts';
import { bothEnds } from '../../../src/lib/both-ends.ts';
import { Knell } from '../../support/knell.ts';
import { eventually } from '../../support/patience.ts';
import { exchange, OpenExchange, statusesIn } from '../../support/wire/raw-http.ts';

let knell: Knell;
const listeners = [() => knell.app.httpUrl, () => knell.app.compatUrl ?? ''];
const long = Buffer.from(Array.from({ length: 40_000 }, (_, line) => `line ${line} ☂\n`).join(''));
const kept = Buffer.from(bothEnds(long, 100_000)).toString();

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_HTTP_COMPAT: '127.0.0.1:0' } });
});

afterAll(() => knell.stop());

const bodyOf = async (uuid: string, n: number, version = 3): Promise<string> =>
  (await knell.api('GET', `/api/v${version}/checks/${uuid}/pings/${n}/body`)).text;

const chunked = (uuid: string): string =>
  `POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

const whole = (uuid: string, body: string): string =>
  `POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const inFlight = (): number => {
  const found = knell.app.meter.collect().find(({ name }) => name === 'knell_http_bodies_bytes');
  return found?.kind === 'gauge' ? (found.series[0]?.value ?? -1) : -1;
};

describe.each(listeners)('a long body at listener %#', (url) => {
  test('of slow chunks is kept at both ends, and takes no more memory than its limit', async () => {
    const { uuid } = await knell.create();
    const sender = await OpenExchange.begin(url(), chunked(uuid));
    for (let at = 0; at < long.length; at += 70_001) {
      sender.write(chunk(long.subarray(at, at + 70_001)));
      await eventually(() => expect(inFlight()).toBeGreaterThan(0));
      expect(inFlight()).toBeLessThanOrEqual(limits.pingBodyBytesMax);
    }
    sender.write('0\r\n\r\n');
    expect(statusesIn(await sender.replies(1))).toEqual([200]);
    sender.vanish();
    expect(await bodyOf(uuid, 1)).toBe(kept);
    await eventually(() => expect(inFlight()).toBe(0));
  });

  test('between short ones on one connection changes none of them', async () => {
    const { uuid } = await knell.create();
    const bodies = ['first', long.toString(), 'x'.repeat(100_000), 'last'];
    const sender = await OpenExchange.begin(url(), '');
    for (const [at, body] of bodies.entries()) {
      sender.write(whole(uuid, body));
      expect(statusesIn(await sender.replies(at + 1))).toHaveLength(at + 1);
    }
    sender.vanish();
    const stored = await Promise.all([1, 2, 3, 4].map((n) => bodyOf(uuid, n)));
    expect(stored).toEqual(['first', kept, bodies[2], 'last']);
    for (const version of [1, 2, 3]) expect(await bodyOf(uuid, 2, version)).toBe(kept);
  });

  test('without a length is none', async () => {
    const { uuid } = await knell.create();
    const { hostname, port } = new URL(url());
    const socket = createConnection(Number(port), hostname).on('error', () => {});
    socket.write(`POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await eventually(async () => expect(await knell.pings(uuid)).toMatchObject([{ body_url: null }]));
    socket.destroy();
  });

  test('is searched for keywords in its first 10,000 bytes, and nowhere else', async () => {
    const { uuid } = await knell.create({ filter_http_body: true, failure_kw: 'bytes left, ERROR' });
    const error = (at: number): string => `${'.'.repeat(at)}ERROR${'.'.repeat(150_000)}`;
    for (const body of [error(9995), error(9996), `${'.'.repeat(150_000)}ERROR`])
      await exchange(url(), [whole(uuid, body)], 1);
    const types = (await knell.pings(uuid)).map(({ type }: { type: string }) => type);
    expect(types).toEqual(['ign', 'ign', 'fail']);
  });
});

test('pipelined long bodies, which the listener for devices takes, are kept one by one', async () => {
  const { uuid } = await knell.create();
  const bodies = ['first', long.toString(), 'last'];
  const sent = bodies.map((body) => whole(uuid, body)).join('');
  expect(statusesIn(await exchange(knell.app.compatUrl ?? '', [sent], 3))).toEqual([200, 200, 200]);
  const stored = await Promise.all([1, 2, 3].map((n) => bodyOf(uuid, n)));
  expect(stored.toSorted()).toEqual(['first', 'last', kept].toSorted());
});
