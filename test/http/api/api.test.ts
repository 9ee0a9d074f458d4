import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApi } from '../../../src/http/api/api.ts';
import { asProjectId } from '../../../src/lib/ids.ts';
import { ApiEngine, makeCheck, uuid } from '../../support/engine/api-engine.ts';
import { callsOnOneCheck, type Received, type Sent, send } from '../../support/wire/http-call.ts';

function house(rateLimitPerMinute = 0) {
  const engine = new ApiEngine();
  const keys = {
    rw: engine.key(0, 'read-write'),
    ro: engine.key(0, 'read-only'),
    ping: engine.key(0, 'ping'),
  };
  const other = engine.key(1, 'read-write');
  engine.add(makeCheck(1, { name: 'Backup' }), { ...makeCheck(2), projectId: asProjectId('p2') });
  const { read, change } = engine;
  const route = createApi({
    read,
    changeBy: () => change,
    baseUrl: () => 'https://knell.example',
    rateLimitPerMinute,
  });
  return { engine, keys, other, call: (sent: Sent): Promise<Received> => send(route, sent) };
}

const check1 = `/api/v3/checks/${uuid(1)}`;
const check2 = `/api/v3/checks/${uuid(2)}`;
const nowhere = `/api/v3/checks/${uuid(999)}`;
const uniqueKey = 'a'.repeat(40);

const readable = ['/api/v3/checks/', check1, `${check1}/flips/`, '/api/v3/badges/'];
const readableByWriters = [`${check1}/pings/`, `${check1}/pings/1/body`, '/api/v3/channels/'];
type Target = readonly [method: string, url: string];
const get = (url: string): Target => ['GET', url];
const writable: readonly Target[] = [
  ['POST', '/api/v3/checks/'],
  ['POST', check1],
  ['POST', `${check1}/pause`],
  ['POST', `${check1}/resume`],
  ['DELETE', check1],
];

describe('keys', () => {
  it.each([...readable, ...readableByWriters].map(get).concat(writable))(
    'are needed to %s %s',
    async (method, url) => {
      const { call, keys } = house();
      const missing = await call({ method, url });
      expect([missing.status, missing.json]).toEqual([401, { error: 'missing api key' }]);
      for (const key of ['x'.repeat(32), keys.ping]) {
        const wrong = await call({ method, url, key });
        expect([wrong.status, wrong.json]).toEqual([401, { error: 'wrong api key' }]);
      }
    },
  );

  it.each(readable)('of either kind open GET %s', async (url) => {
    const { call, keys } = house();
    expect((await call({ url, key: keys.ro })).status).toBe(200);
    expect((await call({ url, key: keys.rw })).status).toBe(200);
  });

  it.each(readableByWriters.map(get).concat(writable))('that only read do not %s %s', async (method, url) => {
    const { call, keys } = house();
    const answer = await call({ method, url, key: keys.ro });
    expect([answer.status, answer.json]).toEqual([401, { error: 'wrong api key' }]);
  });

  it('may stand in the body of a POST, and nowhere else', async () => {
    const { call, keys } = house();
    const json = { api_key: keys.rw };
    expect((await call({ method: 'POST', url: '/api/v3/checks/', json })).status).toBe(201);
    expect((await call({ method: 'POST', url: `${check1}/pause`, json })).status).toBe(200);
    expect((await call({ method: 'GET', url: check1, json })).status).toBe(401);
    expect((await call({ method: 'DELETE', url: check1, json })).status).toBe(401);
    expect((await call({ method: 'POST', url: check1, json: { api_key: 5 } })).json).toEqual({
      error: 'missing api key',
    });
  });

  it('are the one in the header when there are two', async () => {
    const { call, keys } = house();
    const answer = await call({
      method: 'POST',
      url: check1,
      key: 'x'.repeat(32),
      json: { api_key: keys.rw },
    });
    expect(answer.json).toEqual({ error: 'wrong api key' });
  });
});

describe('which check is meant', () => {
  it.each(callsOnOneCheck)('%s …%s is 403 for the check of another project', async (method, tail) => {
    const { call, keys } = house();
    const answer = await call({ method, url: check2 + tail, key: keys.rw });
    expect(answer.status).toBe(403);
    expect(answer.json).toHaveProperty('error');
  });

  it.each(callsOnOneCheck)('%s …%s is 404 for a check that does not exist', async (method, tail) => {
    const { call, keys } = house();
    const answer = await call({ method, url: nowhere + tail, key: keys.rw });
    expect([answer.status, answer.json]).toEqual([404, { error: 'not found' }]);
  });

  it('is 404 for a unique key of another project', async () => {
    const { call, keys } = house();
    expect((await call({ url: `/api/v3/checks/${uniqueKey}`, key: keys.rw })).status).toBe(404);
    expect((await call({ url: `/api/v3/checks/${uniqueKey}/flips/`, key: keys.ro })).status).toBe(404);
  });

  it('is looked up again when what a refusal rests on is rolled back', async () => {
    const { call, keys, engine } = house();
    const [check] = [...engine.checks.values()];
    engine.checks.delete(uuid(1));
    engine.onRolledBack = () => check && engine.add(check);
    expect((await call({ method: 'POST', url: `${check1}/pause`, key: keys.rw })).status).toBe(200);
  });
});

describe('paths', () => {
  it.each([
    '/api/',
    '/api/v3/',
    '/api/v4/checks/',
    '/api/v3/checks/not-uuid',
    `/api/v3/checks/${uuid(1).toUpperCase().replace('4', 'A')}`,
    `${check1}/`,
    `${check1}/unpause`,
    `${check1}/pings/-1/body`,
    `${check1}/pings/${'9'.repeat(16)}/body`,
    '/api/v3/checks/%2e%2e',
    '/api/v3/__proto__/',
  ])('%s leads nowhere', async (url) => {
    const { call, keys } = house();
    const answer = await call({ url, key: keys.rw });
    expect([answer.status, answer.json]).toEqual([404, { error: 'not found' }]);
    expect(answer.headers['Access-Control-Allow-Origin']).toBe('*');
  });

  it.each([
    '/api/v1/checks',
    '/api/v3/channels',
    '/api/v2/badges',
    '/api/v3/status',
    `${check1}/pings`,
    `${check1}/flips`,
  ])('%s redirects to itself with a slash, before any key is asked for', async (url) => {
    const { call } = house();
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD']) {
      const answer = await call({ method, url: `${url}?tag=a%20b&x` });
      expect([answer.status, answer.headers.Location]).toEqual([301, `${url}/?tag=a%20b&x`]);
    }
    expect((await call({ url })).headers.Location).toBe(`${url}/`);
  });

  it.each([
    ['/api/v3/checks/', 'PUT', 'GET, POST, OPTIONS'],
    [check1, 'PATCH', 'GET, POST, DELETE, OPTIONS'],
    [`/api/v3/checks/${uniqueKey}`, 'POST', 'GET, OPTIONS'],
    [`${check1}/pause`, 'GET', 'POST, OPTIONS'],
    ['/api/v3/channels/', 'POST', 'GET, OPTIONS'],
    ['/api/v3/checks/', 'HEAD', 'GET, POST, OPTIONS'],
  ])('%s does not take %s, and says what it takes', async (url, method, methods) => {
    const { call } = house();
    const answer = await call({ method, url });
    expect(answer.status).toBe(405);
    expect(answer.headers.Allow).toBe(methods);
    expect(answer.headers['Access-Control-Allow-Methods']).toBe(methods);
    const preflight = await call({ method: 'OPTIONS', url });
    expect([preflight.status, preflight.text]).toEqual([204, '']);
    expect(preflight.headers).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'X-Api-Key',
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Max-Age': '600',
    });
  });
});

describe('bodies', () => {
  it('that are no JSON, no object or too long are refused', async () => {
    const { call, keys } = house();
    const post = (sent: Partial<Sent>) => call({ method: 'POST', url: check1, key: keys.rw, ...sent });
    expect((await post({ body: 'this is not json' })).json).toEqual({
      error: 'could not parse request body',
    });
    expect(await post({ body: '123' })).toMatchObject({
      status: 400,
      json: { error: 'json validation error: value is not an object' },
    });
    expect((await post({ body: '{"a', bodyCut: true })).status).toBe(413);
  });

  it('are not read for a wrong key in the header', async () => {
    const { call } = house();
    const answer = await call({ method: 'POST', url: check1, key: 'x'.repeat(32), body: 'no json' });
    expect(answer.status).toBe(401);
  });
});

describe('the rate limit', () => {
  it('answers 429 with the seconds to wait, to each client by itself', async () => {
    const { call, keys } = house(1);
    for (let i = 0; i < 10; i += 1)
      expect((await call({ url: '/api/v3/checks/', key: keys.rw })).status).toBe(200);
    const answer = await call({ url: '/api/v3/checks/', key: keys.rw });
    expect([answer.status, answer.headers['Retry-After']]).toEqual([429, '60']);
    expect(answer.json).toEqual({ error: 'too many requests, try again in 60 s' });
    expect(answer.headers['Access-Control-Allow-Origin']).toBe('*');
    expect((await call({ url: '/api/v3/checks/', clientAddr: '192.0.2.2' })).status).toBe(401);
    expect((await call({ url: '/api/v3/checks/', key: keys.rw, atMs: 60_000 })).status).toBe(200);
  });

  it('counts wrong keys, but neither preflights nor probes', async () => {
    const { call, keys } = house(1);
    for (let i = 0; i < 20; i += 1) {
      await call({ method: 'OPTIONS', url: '/api/v3/checks/' });
      await call({ url: '/api/v3/status/' });
    }
    for (let i = 0; i < 10; i += 1) await call({ url: '/api/v3/checks/', key: 'x'.repeat(32) });
    expect((await call({ url: '/api/v3/checks/', key: keys.rw })).status).toBe(429);
    expect((await call({ url: '/api/v3/status/' })).status).toBe(200);
  });
});

describe('the status', () => {
  it.each([1, 2, 3])('is sent in v%i without a key', async (version) => {
    const { call } = house();
    expect(await call({ url: `/api/v${version}/status/` })).toMatchObject({ status: 200, text: 'OK' });
  });

  it('is 500 while nothing can be written', async () => {
    const { call, engine } = house();
    engine.writable = false;
    const answer = await call({ url: '/api/v3/status/' });
    expect([answer.status, Object.keys(Object(answer.json))]).toEqual([500, ['error']]);
    expect((await call({ method: 'HEAD', url: '/api/v3/status/' })).status).toBe(500);
  });
});

describe('the API as a whole', () => {
  it('answers every request with a reply that any page may read', async () => {
    const { call, keys } = house();
    const path = fc.oneof(
      fc.constantFrom('/api/v3/checks/', check1, `${check1}/pause`, `${check1}/flips/`, '/api/v2/badges/'),
      fc.string().map((tail) => `/api/v3/${tail}`),
      fc.webPath().map((tail) => `/api${tail}`),
    );
    const anyCall = fc.record({
      method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'FOO'),
      url: fc.tuple(path, fc.oneof(fc.webQueryParameters(), fc.string())).map((parts) => parts.join('?')),
      key: fc.constantFrom(keys.rw, keys.ro, keys.ping, null, ''),
      body: fc.oneof(fc.json(), fc.string(), fc.uint8Array()),
      bodyCut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyCall, async (sent) => {
        const answer = await call(sent);
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(answer.status).not.toBe(500);
        expect(answer.headers['Access-Control-Allow-Origin']).toBe('*');
        if (answer.status >= 400) expect(answer.json).toHaveProperty('error');
      }),
      { numRuns: 1000 },
    );
  });
});
