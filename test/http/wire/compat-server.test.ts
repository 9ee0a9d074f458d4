/** What the second listener takes and uWebSockets.js does not, over real sockets; and that both listeners answer alike. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../../support/knell.ts';
import { bodyIn, exchange, statusesIn } from '../../support/wire/raw-http.ts';

let knell: Knell;
let compat = '';
let uuid = '';

beforeAll(async () => {
  knell = await Knell.start({ env: { KNELL_HTTP_COMPAT: '127.0.0.1:0' } });
  compat = knell.app.compatUrl ?? '';
  uuid = (await knell.create()).uuid;
});

afterAll(() => knell.stop());

const nPings = async (): Promise<number> => (await knell.check(uuid)).n_pings;
const lastPing = async () => (await knell.pings(uuid))[0];

/** How many pings were recorded while `run` ran. */
async function recordedBy(run: () => Promise<unknown>): Promise<number> {
  const before = await nPings();
  await run();
  return (await nPings()) - before;
}

describe('a ping', () => {
  test('whose bytes come in two packets is recorded, wherever it is split', async () => {
    const whole = `GET /ping/${uuid} HTTP/1.1\r\nHost: knell\r\nConnection: close\r\n\r\n`;
    const recorded = await recordedBy(async () => {
      for (let at = 1; at < whole.length; at++) {
        const answer = await exchange(compat, [whole.slice(0, at), whole.slice(at)]);
        expect([at, statusesIn(answer), bodyIn(answer)]).toEqual([at, [200], 'OK']);
      }
    });
    expect(recorded).toBe(whole.length - 1);
  });

  test('whose bytes come one by one is recorded', async () => {
    const whole = `POST /ping/${uuid} HTTP/1.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`;
    const recorded = await recordedBy(async () =>
      expect(bodyIn(await exchange(compat, [...whole]))).toBe('OK'),
    );
    expect(recorded).toBe(1);
  });

  test.each([
    ['without Host, as HAProxy sends it', 'GET PING HTTP/1.0\r\n\r\n'],
    ['without Host, by HTTP/1.1', 'GET PING HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['by HTTP/1.0 with Host', 'GET PING HTTP/1.0\r\nHost: knell\r\nConnection: close\r\n\r\n'],
    [
      'in absolute form',
      'GET http://knell.example.org:8001PING HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ],
    ['in absolute form, by HTTP/1.0', 'GET http://knellPING HTTP/1.0\r\n\r\n'],
    ['as HEAD', 'HEAD PING HTTP/1.0\r\n\r\n'],
  ])('%s is recorded', async (_how, request) => {
    const recorded = await recordedBy(async () => {
      const answer = await exchange(compat, [request.replace('PING', `/ping/${uuid}`)]);
      expect(statusesIn(answer)).toEqual([200]);
    });
    expect(recorded).toBe(1);
  });

  test('by HTTP/1.0 with keep-alive is answered with its length, and the connection stays open', async () => {
    const one = `GET /ping/${uuid} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`;
    const recorded = await recordedBy(async () => {
      const answer = await exchange(compat, [one, one], 2);
      expect(statusesIn(answer)).toEqual([200, 200]);
      expect(answer).toMatch(/^connection: keep-alive\r$/im);
      expect(answer).toMatch(/^content-length: 2\r$/im);
    });
    expect(recorded).toBe(2);
  });

  test('comes as often as it is in one packet, and each is answered in its order', async () => {
    const request = (suffix: string, more = '') =>
      `GET /ping/${uuid}${suffix} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const packet =
      request('') + request('/nonsense') + request('/start') + request('', 'Connection: close\r\n');
    const recorded = await recordedBy(async () =>
      expect(statusesIn(await exchange(compat, [packet]))).toEqual([200, 404, 200, 200]),
    );
    expect(recorded).toBe(3);
  });

  test.each([
    ['by HTTP/1.0', 'HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello'],
    ['in chunks', '1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
    [
      'in chunks with extensions',
      '1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b;c="d"\r\nhello\r\n0\r\n\r\n',
    ],
    [
      'in chunks with trailers',
      '1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n',
    ],
    ['after 100-continue', '1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello'],
  ])('with a body %s keeps it', async (_how, rest) => {
    const head = rest.replace(/^1\.1\r\n/, 'HTTP/1.1\r\nConnection: close\r\n');
    expect(bodyIn(await exchange(compat, [`POST /ping/${uuid} ${head}`]))).toBe('OK');
    const { n, method } = await lastPing();
    const body = await knell.api('GET', `/api/v3/checks/${uuid}/pings/${n}/body`);
    expect([method, body.text]).toEqual(['POST', 'hello']);
  });

  test.each([
    ['two lengths that differ', 'Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['two lengths in one line', 'Content-Length: 3, 4\r\n\r\nabcd'],
    ['a length that is no number', 'Content-Length: 3x\r\n\r\nabc'],
    [
      'a length beside chunks',
      'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ],
    ['chunks under another name', 'Transfer-Encoding: xchunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
    [
      'chunks that are not the last coding',
      'Transfer-Encoding: chunked, identity\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ],
    ['a chunk longer than it says', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n'],
    ['a chunk whose size is no number', 'Transfer-Encoding: chunked\r\n\r\nx\r\nabc\r\n0\r\n\r\n'],
    ['a chunk line ended by a bare line feed', 'Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n'],
    ['a blank before the colon', 'X-Some : 1\r\nContent-Length: 0\r\n\r\n'],
    ['a header with a NUL', 'X-Some: a\0b\r\nContent-Length: 0\r\n\r\n'],
  ])('with %s is 400, and nothing is recorded', async (_what, rest) => {
    const recorded = await recordedBy(async () => {
      const answer = await exchange(compat, [`POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\n${rest}`]);
      expect(statusesIn(answer)).toEqual([400]);
    });
    expect(recorded).toBe(0);
  });

  test('whose body breaks off is not recorded, and its reply waits for nobody', async () => {
    const head = `POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc`;
    expect(await recordedBy(() => exchange(compat, [head], 0))).toBe(0);
  });

  test('has its client named as the other listener names it', async () => {
    const forwarded =
      'X-Forwarded-For: 198.51.100.7, 203.0.113.9\r\nX-Forwarded-Proto: https\r\nUser-Agent: d\xe9j\xe0 vu';
    for (const url of [compat, knell.app.httpUrl]) {
      const request = `GET /ping/${uuid} HTTP/1.1\r\nHost: x\r\n${forwarded}\r\n\r\n`;
      await exchange(url, [Buffer.from(request, 'latin1')], 1);
      expect(await lastPing()).toMatchObject({ remote_addr: '198.51.100.7', scheme: 'https', ua: 'déjà vu' });
    }
  });
});

test("HAProxy's health check is answered", async () => {
  expect(statusesIn(await exchange(compat, ['OPTIONS / HTTP/1.0\r\n\r\n']))).toEqual([204]);
  const probe = 'GET /api/v3/status/ HTTP/1.0\r\n\r\n';
  expect(statusesIn(await exchange(compat, [probe]))).toEqual([200]);
  expect(statusesIn(await exchange(compat, ['OPTIONS * HTTP/1.1\r\nConnection: close\r\n\r\n']))).toEqual([
    204,
  ]);
});

test('live updates are refused in one sentence', async () => {
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==';
  const answer = await exchange(
    compat,
    [`GET /web/live?project=x HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`],
    1,
  );
  expect(statusesIn(answer)).toEqual([501]);
  expect(bodyIn(answer)).toMatch(/no live updates: open the page on the address of KNELL_HTTP$/);
});

describe('both listeners', () => {
  const headersThatMatter = [
    ...['content-type', 'content-length', 'location', 'allow', 'cache-control', 'ping-body-limit', 'vary'],
    ...['retry-after', 'access-control-allow-origin', 'access-control-allow-headers', 'set-cookie', 'link'],
    ...['access-control-allow-methods', 'access-control-max-age', 'content-security-policy', 'etag'],
  ];
  const badge = async (): Promise<string> => {
    const { badges } = (await knell.api('GET', '/api/v3/badges/')).json();
    return new URL(badges['*'].svg).pathname;
  };
  const ping = () => `/ping/${uuid}`;

  type Sent = readonly [what: string, path: () => string | Promise<string>, init: RequestInit];
  const requests: readonly Sent[] = [
    ['a ping', ping, {}],
    ['a ping by HEAD', ping, { method: 'HEAD' }],
    ['a ping with a body', ping, { method: 'POST', body: 'some words' }],
    ['a ping with a body too long', ping, { method: 'POST', body: 'x'.repeat(150_000) }],
    ['a start with a run id', () => `${ping()}/start?rid=9b1e1f0e-7a4d-4a51-8f1e-2f8f2a6a3c11`, {}],
    ['a bad run id', () => `${ping()}?rid=x`, {}],
    ['a bad exit status', () => `${ping()}/256`, {}],
    ['a ping by slug', () => `/ping/${knell.keys.ping}/nothing`, {}],
    ['a slug in upper case', () => `/ping/${knell.keys.ping}/Nothing`, {}],
    ['a ping nowhere', () => '/ping/x', {}],
    ['a preflight of a ping', ping, { method: 'OPTIONS' }],
    ['the list of checks', () => '/api/v3/checks/', {}],
    ['the list without a key', () => '/api/v3/checks/', { headers: {} }],
    ['a wrong key', () => '/api/v3/checks/', { headers: { 'x-api-key': 'x'.repeat(32) } }],
    ['no slash', () => '/api/v3/checks?tag=x', {}],
    ['slashes before the API', () => '//api/v3/checks/', {}],
    ['slashes in the API', () => '/api///v3//checks/', {}],
    ['slashes and one too few', () => '//api//v3/checks?tag=x', {}],
    ['slashes before a ping', () => `//ping/${uuid}`, {}],
    ['slashes before nothing', () => '//x.example/api/v3/checks', {}],
    ['the API under another method', () => '/api/v3/checks/', { method: 'PATCH' }],
    ['a preflight of the API', () => '/api/v3/checks/', { method: 'OPTIONS' }],
    ['a body that is no JSON', () => '/api/v3/checks/', { method: 'POST', body: '{' }],
    ['a body that is not valid', () => '/api/v3/checks/', { method: 'POST', body: '{"timeout":1}' }],
    ['a body of over 1 MB', () => '/api/v3/checks/', { method: 'POST', body: 'x'.repeat(1_100_000) }],
    ['an update', () => `/api/v3/checks/${uuid}`, { method: 'POST', body: '{"name":"é"}' }],
    ['the service status', () => '/api/v3/status/', {}],
    ['the integrations', () => '/api/v3/channels/', {}],
    ['the badges', () => '/api/v3/badges/', {}],
    ['a badge', badge, {}],
    ['a badge by HEAD', badge, { method: 'HEAD' }],
    ['a badge of nothing', () => '/b/2/x.svg', {}],
    ['the page', () => '/', { headers: { 'accept-encoding': 'gzip' } }],
    ["the page's state", () => '/web/state', {}],
    [
      'a wrong password',
      () => '/web/sign-in',
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    ],
    ['a form', () => '/web/sign-in', { method: 'POST', body: 'a=b' }],
    ['nothing', () => '/nothing?at=all', {}],
  ];

  /** What changes between two requests. */
  const still = (text: string): string =>
    text.replace(/"(?:n_pings|nowMs)":\d+|"(?:last_ping|next_ping)":"[^"]*"|"last_duration":\d+/g, '');

  test.each(requests)('answer alike to %s', async (_what, path, init) => {
    const from = async (url: string) => {
      const headers = init.headers ?? { 'x-api-key': knell.keys.readWrite };
      const response = await fetch(url + (await path()), { redirect: 'manual', ...init, headers });
      const shown = headersThatMatter.map((name) => [name, response.headers.get(name)]);
      return {
        status: response.status,
        headers: Object.fromEntries(shown),
        text: still(await response.text()),
      };
    };
    const main = await from(knell.app.httpUrl);
    expect(await from(compat)).toEqual(main);
  });

  test('record the same ping', async () => {
    const seen: unknown[] = [];
    for (const url of [knell.app.httpUrl, compat]) {
      await fetch(`${url}/ping/${uuid}/7?rid=9b1e1f0e-7a4d-4a51-8f1e-2f8f2a6a3c11`, {
        method: 'POST',
        body: 'b',
      });
      const { n, date, body_url, duration, ...rest } = await lastPing();
      seen.push(rest);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ type: 'fail', method: 'POST', scheme: 'http' });
  });
});

describe('the listener', () => {
  test('sends a large list whole, to a client that reads it at once or slowly', async () => {
    for (let at = 0; at < 30; at++) await knell.create({ desc: 'x'.repeat(30_000), tags: 'large' });
    const of = async (url: string) =>
      (
        await fetch(`${url}/api/v3/checks/?tag=large`, { headers: { 'x-api-key': knell.keys.readWrite } })
      ).text();
    const large = await of(compat);
    expect(large.length).toBeGreaterThan(900_000);
    expect(large).toBe(await of(knell.app.httpUrl));
  });

  test('refuses a port that is taken, in one sentence', async () => {
    const { port } = new URL(compat);
    const second = Knell.start({ env: { KNELL_HTTP_COMPAT: `127.0.0.1:${port}` } });
    await expect(second).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: the port is in use`);
  });
});

test('without the setting there is no second listener', async () => {
  const plain = await Knell.start();
  expect(plain.app.compatUrl).toBeNull();
  await plain.stop();
});

describe('OPTIONS of no path', () => {
  test.each([
    ['as HAProxy checks a server', 'OPTIONS / HTTP/1.0\r\n\r\n'],
    ['of the server as a whole', 'OPTIONS * HTTP/1.0\r\n\r\n'],
    ['by HTTP/1.1', 'OPTIONS / HTTP/1.1\r\nHost: knell\r\nConnection: close\r\n\r\n'],
  ])('%s is answered 204', async (_, request) => {
    const answer = await exchange(compat, [request]);
    expect([statusesIn(answer), /^allow: (.*)$/im.exec(answer)?.[1]]).toEqual([[204], 'GET, HEAD, OPTIONS']);
  });

  test('is answered alike by the first listener', async () => {
    const { status, headers } = await knell.request('/', { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });
});

test('a control character in a header is answered 400, and nothing is recorded', async () => {
  const signs = [...Array(32).keys(), 127].filter((code) => ![9, 10, 13].includes(code));
  const recorded = await recordedBy(async () => {
    for (const code of signs) {
      const header = `X-Job: a${String.fromCharCode(code)}b`;
      const answer = await exchange(compat, [`GET /ping/${uuid} HTTP/1.1\r\nHost: k\r\n${header}\r\n\r\n`]);
      expect([code, statusesIn(answer)]).toEqual([code, [400]]);
    }
  });
  expect(recorded).toBe(0);
});
