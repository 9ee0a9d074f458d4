/** What a proxy's headers do, and cannot be made to do, through the sockets of both HTTP listeners. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { bodyIn, exchange, statusesIn } from '../support/wire/raw-http.ts';

let knell: Knell;

/** One request a minute, and ten at once: the clock never moves. */
beforeAll(async () => {
  knell = await Knell.start({
    clock: new SimulatedClock(Date.UTC(2026, 0, 1)),
    env: {
      KNELL_API_RATE_LIMIT: '1',
      KNELL_HTTP_COMPAT: '127.0.0.1:0',
      KNELL_AUTH_PROXY_HEADER: 'Remote-User',
    },
  });
});

afterAll(() => knell.stop());

const listeners = [
  ['the first listener', () => knell.app.httpUrl],
  ['the second listener', () => knell.app.compatUrl ?? ''],
] as const;

function asking(url: string, path: string, ...lines: readonly string[]): Promise<string> {
  return exchange(
    url,
    [`GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`],
    1,
  );
}

/** The statuses of `count` API requests, whose headers `linesOf` makes of their number. */
async function apiStatuses(url: string, count: number, linesOf: (n: number) => string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) {
    statuses.push(...statusesIn(await asking(url, '/api/v3/checks/', ...linesOf(n))));
  }
  return statuses;
}

const tenThenRefused = [...Array(10).fill(401), 429, 429];

describe.each(listeners)('at %s', (name, url) => {
  const ownNet = name === listeners[0][0] ? 1 : 2;

  test('a client behind a proxy that adds a line of its own has one limit, whatever line it sends first', async () => {
    const statuses = await apiStatuses(url(), 12, (n) => [
      `X-Forwarded-For: 198.51.100.${n}`,
      `X-Forwarded-For: 203.0.113.${ownNet}`,
    ]);
    expect(statuses).toEqual(tenThenRefused);
  });

  test('the addresses of one IPv6 network have one limit', async () => {
    const statuses = await apiStatuses(url(), 12, (n) => [`X-Forwarded-For: 2001:db8:0:${ownNet}::${n}`]);
    expect(statuses).toEqual(tenThenRefused);
  });

  test('an IPv4 address has one limit in all its spellings', async () => {
    const spellings = [`192.0.2.${ownNet}`, `::ffff:192.0.2.${ownNet}`, `::FFFF:C000:20${ownNet}`];
    const statuses = await apiStatuses(url(), 12, (n) => [`X-Forwarded-For: ${spellings[n % 3]}`]);
    expect(statuses).toEqual(tenThenRefused);
  });

  test('the header of a sign-in proxy signs in when it comes in one line, and nobody when it comes in two', async () => {
    const userOf = async (...lines: readonly string[]) =>
      JSON.parse(bodyIn(await asking(url(), '/web/state', ...lines))).user;
    expect(await userOf('Remote-User: ada')).toMatchObject({ name: 'ada' });
    expect(await userOf('Remote-User: ada', 'Remote-User: eve')).toBeNull();
    expect(await userOf('remote-user: eve', 'Remote-User: ada')).toBeNull();
    expect(await userOf('Remote-User: ada', 'Remote-User: ada')).toBeNull();
  });

  test('a live connection is refused when that header comes in two lines', async () => {
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
      'Sec-WebSocket-Version: 13',
    ];
    const { csrf, projects } = JSON.parse(bodyIn(await asking(url(), '/web/state', 'Remote-User: ada')));
    const path = `/web/live?csrf=${csrf}&project=${projects[0].id}`;
    const expected = url() === knell.app.httpUrl ? [101, 403] : [501, 501];
    expect([
      Number(/^HTTP\/1\.1 (\d+)/.exec(await asking(url(), path, 'Remote-User: ada', ...upgrade))?.[1]),
      Number(
        /^HTTP\/1\.1 (\d+)/.exec(
          await asking(url(), path, 'Remote-User: eve', 'Remote-User: ada', ...upgrade),
        )?.[1],
      ),
    ]).toEqual(expected);
  });
});

describe('a body whose length is not clear', () => {
  const key = () => `X-Api-Key: ${knell.keys.readWrite}\r\nX-Forwarded-For: 192.0.2.77\r\n`;

  test.each([
    ['two lengths that differ', 'Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}'],
    ['an empty length', 'Content-Length: \r\nContent-Length: 2\r\n\r\n{}'],
    ['a coding that is not chunked', 'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
    [
      'two lines of codings',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
  ])('for %s is refused with 400 by both listeners, and the connection closed', async (_what, rest) => {
    for (const [, url] of listeners) {
      const smuggled = 'DELETE /api/v3/checks/ HTTP/1.1\r\nHost: x\r\n\r\n';
      const request = `POST /api/v3/checks/ HTTP/1.1\r\nHost: x\r\n${key()}${rest}${smuggled}`;
      // What comes behind is not looked at: the first listener then closes without a word.
      expect([[], [400]]).toContainEqual(statusesIn(await exchange(url(), [request])));
      expect(statusesIn(await exchange(url(), [request.slice(0, -smuggled.length)]))).toEqual([400]);
    }
    const list = await asking(
      knell.app.httpUrl,
      '/api/v3/checks/',
      key().trim(),
      'X-Forwarded-For: 192.0.2.78',
    );
    expect(JSON.parse(bodyIn(list)).checks).toEqual([]);
  });

  test.each(['xchunked', 'identity'])('for a ping sent as %s is refused too', async (coding) => {
    for (const [, url] of listeners) {
      const request = `POST /ping/x/y HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
      expect(statusesIn(await exchange(url(), [request]))).toEqual([400]);
    }
  });
});
