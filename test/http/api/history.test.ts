import { describe, expect, it } from 'vitest';
import type { Ping } from '../../../src/domain/check/ping.ts';
import { createApi } from '../../../src/http/api/api.ts';
import { asProjectId, asRunId, uniqueKeyOf } from '../../../src/lib/ids.ts';
import { ApiEngine, makeCheck, uuid } from '../../support/engine/api-engine.ts';
import { send } from '../../support/wire/http-call.ts';

const at = Date.parse('2024-01-02T03:04:05.678Z');
const url = `/api/v3/checks/${uuid(1)}`;

function makePing(n: number, ping: Partial<Ping> = {}): Ping {
  return {
    n,
    atMs: at + n * 1000,
    signal: 'success',
    scheme: 'http',
    remoteAddr: '192.0.2.1',
    method: 'GET',
    ua: 'curl/8',
    byHand: false,
    rid: null,
    host: '',
    note: null,
    figures: [],
    about: '',
    results: [],
    exitStatus: null,
    bodyBytes: 0,
    ...ping,
  };
}

function house(nPings = 0) {
  const engine = new ApiEngine();
  engine.add(makeCheck(1, {}, { nPings }));
  engine.pings = Array.from({ length: nPings }, (_, index) => makePing(nPings - index));
  const { read, change } = engine;
  const route = createApi({ read, changeBy: () => change, baseUrl: () => 'http://k', rateLimitPerMinute: 0 });
  const key = engine.key(0, 'read-write');
  return { engine, get: (path: string, atMs = at) => send(route, { url: path, key, atMs }) };
}

describe('the list of pings', () => {
  it('shows each as the specification has it', async () => {
    const { engine, get } = house();
    const rid = asRunId(uuid(0xaa));
    engine.pings = [
      makePing(3, { signal: 'fail', rid, bodyBytes: 5, method: 'POST', atMs: at + 2345 }),
      makePing(2, { signal: 'start', rid, atMs: at }),
      makePing(1, { signal: 'log', scheme: 'email', method: '', ua: 'Email from a@example.org' }),
    ];
    const answer = await get(`${url}/pings/`);
    expect(answer.json).toEqual({
      pings: [
        {
          type: 'fail',
          date: '2024-01-02T03:04:08.023000+00:00',
          n: 3,
          scheme: 'http',
          remote_addr: '192.0.2.1',
          method: 'POST',
          ua: 'curl/8',
          rid,
          duration: 2.35,
          body_url: `http://k${url}/pings/3/body`,
        },
        {
          type: 'start',
          date: '2024-01-02T03:04:05.678000+00:00',
          n: 2,
          scheme: 'http',
          remote_addr: '192.0.2.1',
          method: 'GET',
          ua: 'curl/8',
          rid,
          body_url: null,
        },
        {
          type: 'log',
          date: '2024-01-02T03:04:06.678000+00:00',
          n: 1,
          scheme: 'email',
          remote_addr: '192.0.2.1',
          method: '',
          ua: 'Email from a@example.org',
          rid: null,
          body_url: null,
        },
      ],
    });
  });

  it('gives body URLs of the version asked for', async () => {
    const { engine, get } = house();
    engine.pings = [makePing(1, { bodyBytes: 1 })];
    const answer = await get(`/api/v1/checks/${uuid(1)}/pings/`);
    expect(answer.text).toContain(`"http://k/api/v1/checks/${uuid(1)}/pings/1/body"`);
  });

  it("holds no more than the project's plan lists", async () => {
    const { engine, get } = house(1200);
    expect(Object((await get(`${url}/pings/`)).json).pings).toHaveLength(1000);
    const free = { ...makeCheck(1), projectId: asProjectId('p2') };
    engine.add(free);
    const route = createApi({
      read: engine.read,
      changeBy: () => engine.change,
      baseUrl: () => '',
      rateLimitPerMinute: 0,
    });
    const answer = await send(route, { url: `${url}/pings/`, key: engine.key(1, 'read-write') });
    expect(Object(answer.json).pings).toHaveLength(100);
  });
});

describe('the body of a ping', () => {
  it('comes back byte for byte as plain text', async () => {
    const { engine, get } = house(3);
    engine.bodies.set(3, Buffer.from('{"done": "größe"}'));
    const answer = await get(`${url}/pings/3/body`);
    expect([answer.status, answer.text]).toEqual([200, '{"done": "größe"}']);
    expect(answer.headers['Content-Type']).toBe('text/plain');
  });

  it('is 404 when there is none, or no such ping', async () => {
    const { engine, get } = house(3);
    engine.bodies.set(1, Buffer.from(''));
    for (const n of ['0', '1', '2', '4', '999999999999999']) {
      expect((await get(`${url}/pings/${n}/body`)).status).toBe(404);
    }
  });

  it('is 404 once the ping is too old to be listed', async () => {
    const { engine, get } = house(1200);
    engine.bodies.set(200, Buffer.from('old'));
    engine.bodies.set(201, Buffer.from('listed'));
    expect((await get(`${url}/pings/200/body`)).status).toBe(404);
    expect((await get(`${url}/pings/201/body`)).status).toBe(200);
  });
});

describe('the list of flips', () => {
  const flips = [
    { timestamp: '2024-01-02T03:04:25+00:00', up: 0 },
    { timestamp: '2024-01-02T03:04:15+00:00', up: 1 },
    { timestamp: '2024-01-02T03:04:05+00:00', up: 0 },
  ];

  function withChanges() {
    const { engine, get } = house();
    engine.changes = [
      { atMs: at + 20_000, from: 'grace', to: 'down', cause: 'timeout' },
      { atMs: at + 15_000, from: 'up', to: 'grace', cause: 'timeout' },
      { atMs: at + 10_000, from: 'down', to: 'up', cause: 'success' },
      { atMs: at, from: 'new', to: 'down', cause: 'fail' },
    ];
    return get;
  }

  it('is a bare array in v3, and an object around it before', async () => {
    const get = withChanges();
    expect((await get(`${url}/flips/`)).json).toEqual(flips);
    expect((await get(`/api/v1/checks/${uuid(1)}/flips/`)).json).toEqual({ flips });
    expect((await get(`/api/v2/checks/${uuid(1)}/flips/`)).json).toEqual({ flips });
  });

  it('is found by the unique key too', async () => {
    const get = withChanges();
    expect((await get(`/api/v3/checks/${uniqueKeyOf(makeCheck(1).id)}/flips/`)).json).toEqual(flips);
  });

  it('is filtered by time', async () => {
    const get = withChanges();
    const from = Math.floor(at / 1000) + 15;
    expect((await get(`${url}/flips/?start=${from}`)).json).toEqual(flips.slice(0, 1));
    expect((await get(`${url}/flips/?end=${from}`)).json).toEqual(flips.slice(1));
    expect((await get(`${url}/flips/?seconds=10`, at + 30_000)).json).toEqual(flips.slice(0, 1));
  });

  it('comes by pages, whose next one is in the header Link', async () => {
    const get = withChanges();
    const seen: unknown[] = [];
    let next: string | undefined = `${url}/flips/?limit=2&start=0`;
    while (next !== undefined) {
      const { json, headers } = await get(next);
      const page = json as readonly unknown[];
      seen.push(...page);
      next = /^<[^>]*(\/api\/v3\/[^>]*)>; rel="next"$/.exec(headers.Link ?? '')?.[1];
      expect(page.length).toBe(next === undefined ? 1 : 2);
    }
    expect(seen).toEqual(flips);
    const old = (await get(`/api/v2/checks/${uuid(1)}/flips/?limit=2`)).json as { next: string };
    expect(old).toEqual({ flips: flips.slice(0, 2), next: expect.any(String) });
    const rest = (await get(`/api/v2/checks/${uuid(1)}/flips/?after=${old.next}`)).json;
    expect(rest).toEqual({ flips: flips.slice(2), next: null });
    for (const wrong of ['limit=0', 'limit=1001', 'after=x'])
      expect((await get(`${url}/flips/?${wrong}`)).status).toBe(400);
  });

  it('refuses filters that are none', async () => {
    const answer = await withChanges()(`${url}/flips/?start=yesterday`);
    expect([answer.status, answer.json]).toEqual([400, { error: 'start is not a valid UNIX timestamp' }]);
  });
});
