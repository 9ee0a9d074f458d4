/** The HTTP listener for pings, over real sockets. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell.stop());

const rid = '9b1e1f0e-7a4d-4a51-8f1e-2f8f2a6a3c11';

test('every answer to a ping forbids caches to keep it', async () => {
  const { uuid } = await knell.create();
  const paths = [`/ping/${uuid}`, `/ping/${uuid}?rid=x`, '/ping/x/y', `/ping/${knell.keys.ping}/Upper`];
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      const { headers } = await knell.request(path, { method });
      expect([path, method, headers.get('cache-control')]).toEqual([
        path,
        method,
        expect.stringMatching(/no-cache/),
      ]);
    }
  }
});

describe('a ping by uuid', () => {
  test.each([
    ['', 'success', 'up'],
    ['/', 'success', 'up'],
    ['/start', 'start', 'new'],
    ['/fail', 'fail', 'down'],
    ['/log', 'log', 'new'],
    ['/0', 'success', 'up'],
    ['/1', 'fail', 'down'],
    ['/255', 'fail', 'down'],
  ])('with %j is a %s and leaves the check %s', async (suffix, type, status) => {
    const { uuid } = await knell.create();
    const answer = await knell.request(`/ping/${uuid}${suffix}`);
    expect([answer.status, answer.text]).toEqual([200, 'OK']);
    expect(await knell.check(uuid)).toMatchObject({ status, n_pings: 1 });
    expect(await knell.pings(uuid)).toMatchObject([{ n: 1, type, method: 'GET', scheme: 'http' }]);
  });

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('takes %s', async (method) => {
    const { uuid } = await knell.create();
    const answer = await knell.request(`/ping/${uuid}`, { method });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(method === 'HEAD' ? '' : 'OK');
    expect(answer.headers.get('ping-body-limit')).toBe('100000');
    expect((await knell.pings(uuid))[0].method).toBe(method);
  });

  test('records nothing for OPTIONS', async () => {
    const { uuid } = await knell.create();
    const answer = await knell.request(`/ping/${uuid}`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });

  test.each([
    ['/256', 400, 'invalid url format'],
    ['/9999999999999999999999', 400, 'invalid url format'],
    ['?rid=nonsense', 400, 'invalid uuid format'],
    ['?rid=', 400, 'invalid uuid format'],
    [`?rid=${rid}&rid=nonsense`, 400, 'invalid uuid format'],
    ['/nonsense', 404, 'not found'],
    ['/start/again', 404, 'not found'],
    ['/constructor', 404, 'not found'],
    ['/toString', 400, 'invalid url format'],
    ['/__proto__', 404, 'not found'],
    ['/-1', 404, 'not found'],
  ])('with %j is refused with %i, and nothing is recorded', async (suffix, status, words) => {
    const { uuid } = await knell.create();
    const answer = await knell.request(`/ping/${uuid}${suffix}`);
    expect([answer.status, answer.text]).toEqual([status, words]);
    expect(answer.headers.get('ping-body-limit')).toBe('100000');
    expect((await knell.check(uuid)).n_pings).toBe(0);
  });

  test.each([
    '/ping/00000000-0000-4000-8000-000000000000',
    '/ping/00000000-0000-4000-8000-000000000000?rid=nonsense',
    '/ping/',
    '/ping/x',
    '/ping/x/y/z/w',
    '/ping/%ff/%00',
    `/ping/${'a'.repeat(3000)}`,
  ])('to %s is unknown', async (path) => {
    const answer = await knell.request(path);
    expect([answer.status, answer.text]).toEqual([404, 'not found']);
  });

  test('keeps its run id and knows how long a run took, several at once', async () => {
    const { uuid } = await knell.create();
    const other = rid.replace('9b1e', '0000');
    for (const suffix of [`/start?rid=${rid}`, `/start?rid=${other}`, `?rid=${other}`, `?rid=${rid}`]) {
      await knell.request(`/ping/${uuid}${suffix}`);
    }
    const pings = await knell.pings(uuid);
    expect(pings.map((ping: { rid: string }) => ping.rid)).toEqual([rid, other, other, rid]);
    expect(pings[0].duration).toBeGreaterThanOrEqual(0);
    expect(pings[1].duration).toBeGreaterThanOrEqual(0);
    expect(pings[3]).not.toHaveProperty('duration');
  });

  test('by another method is ignored where only POST counts', async () => {
    const { uuid } = await knell.create({ methods: 'POST' });
    expect((await knell.request(`/ping/${uuid}`)).status).toBe(200);
    expect(await knell.check(uuid)).toMatchObject({ status: 'new', n_pings: 1 });
    await knell.request(`/ping/${uuid}`, { method: 'POST' });
    expect((await knell.check(uuid)).status).toBe('up');
  });
});

describe('a ping by slug', () => {
  const at = (slug: string, rest = ''): string => `/ping/${knell.keys.ping}/${slug}${rest}`;

  test('reaches the check of that slug', async () => {
    const { uuid } = await knell.create({ slug: 'nightly' });
    expect((await knell.request(at('nightly', '/7'))).text).toBe('OK');
    expect((await knell.check(uuid)).status).toBe('down');
  });

  test('with create=1 makes the check, with every integration, and says Created', async () => {
    const made = await knell.app.admin(
      {
        command: 'channel create',
        args: { project: 'default', kind: 'email', name: 'ops', value: 'ops@example.org' },
      },
      () => {},
    );
    const answer = await knell.request(at('brand-new', '/start?create=1'));
    expect([answer.status, answer.text]).toEqual([201, 'Created']);
    const [check] = (await knell.api('GET', '/api/v3/checks/?slug=brand-new')).json().checks;
    expect(check).toMatchObject({ name: 'brand-new', slug: 'brand-new', started: true, n_pings: 1 });
    expect(check.channels).toBe((made as { id: string }).id);
    expect((await knell.request(at('brand-new', '?create=1'))).text).toBe('OK');
  });

  test('is refused before anything is made', async () => {
    for (const rest of ['?create=1&rid=nonsense', '/300?create=1']) {
      expect((await knell.request(at('never-made', rest))).status).toBe(400);
    }
    expect((await knell.request(at('never-made', '/what?create=1'))).status).toBe(404);
    expect((await knell.api('GET', '/api/v3/checks/?slug=never-made')).json().checks).toEqual([]);
  });

  test.each([
    ['unknown-slug', '', 404, 'not found'],
    ['Upper-Case', '?create=1', 400, 'invalid url format'],
    ['s'.repeat(101), '?create=1', 400, 'invalid url format'],
    ['s'.repeat(101), '', 404, 'not found'],
    ['twice-said', '?create=1&create=0', 404, 'not found'],
    ['s'.repeat(100), '?create=0&create=1', 201, 'Created'],
  ])('to %s%s gets %i', async (slug, rest, status, words) => {
    const answer = await knell.request(at(slug, rest));
    expect([answer.status, answer.text]).toEqual([status, words]);
  });

  test('with a suffix that every object has is no ping, whatever the check is like', async () => {
    const { uuid } = await knell.create({ slug: 'plain' });
    await knell.request(at('plain'));
    for (const name of ['/constructor', '/toString', '/__proto__', '/valueOf']) {
      expect((await knell.request(at('plain', name))).status).toBe(404);
    }
    expect((await knell.check(uuid)).n_pings).toBe(1);
  });

  test('that two checks share is ambiguous', async () => {
    await knell.create({ slug: 'twice' });
    await knell.create({ slug: 'twice' });
    const answer = await knell.request(at('twice'));
    expect([answer.status, answer.text]).toEqual([409, 'ambiguous slug']);
  });

  test('with a wrong ping key, or an API key in its place, is unknown', async () => {
    await knell.create({ slug: 'keyed' });
    for (const key of ['nope', knell.keys.readWrite]) {
      expect((await knell.request(`/ping/${key}/keyed`)).status).toBe(404);
    }
  });
});

describe('a body', () => {
  const post = (uuid: string, body: Uint8Array | string) =>
    knell.request(`/ping/${uuid}`, { method: 'POST', body });
  const bodyOf = async (uuid: string, n: number): Promise<Buffer> => {
    const headers = { 'X-Api-Key': knell.keys.readWrite };
    const answer = await fetch(`${knell.app.httpUrl}/api/v3/checks/${uuid}/pings/${n}/body`, { headers });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };

  test('is kept verbatim, whatever its bytes', async () => {
    const { uuid } = await knell.create();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect((await post(uuid, bytes)).status).toBe(200);
    expect((await bodyOf(uuid, 1)).equals(bytes)).toBe(true);
  });

  test('of more than 100 kB is kept at both ends, without complaint', async () => {
    const { uuid } = await knell.create();
    for (const size of [100_000, 100_001, 5_000_000]) {
      expect((await post(uuid, Buffer.alloc(size, 'k'))).text).toBe('OK');
    }
    expect((await bodyOf(uuid, 1)).length).toBe(100_000);
    const cut = [await bodyOf(uuid, 2), await bodyOf(uuid, 3)];
    for (const body of cut) expect(body.length).toBeLessThanOrEqual(100_000);
    expect(cut.map((body) => /\n\[(\d+) bytes left out\]\n/.exec(body.toString())?.[1])).toEqual([
      '26',
      '4900026',
    ]);
  });

  test('decides by its keywords where the check filters', async () => {
    const { uuid } = await knell.create({ filter_http_body: true, failure_kw: 'ERROR', success_kw: 'done' });
    for (const body of ['done', 'done, ERROR', 'nothing']) await post(uuid, body);
    expect((await knell.pings(uuid)).map((ping: { type: string }) => ping.type)).toEqual([
      'ign',
      'fail',
      'success',
    ]);
  });

  test('of a GET is kept too', async () => {
    const { uuid } = await knell.create();
    const reply = await raw(
      `GET /ping/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`,
    );
    expect(reply).toContain('200 OK');
    expect((await bodyOf(uuid, 1)).toString()).toBe('hello');
  });
});

describe('where a ping came from', () => {
  const last = async (headers: Record<string, string>): Promise<Record<string, string>> => {
    const { uuid } = await knell.create();
    await knell.request(`/ping/${uuid}`, { headers });
    return (await knell.pings(uuid))[0];
  };

  test('is believed of a trusted proxy: the leftmost address, without its port', async () => {
    expect(
      await last({ 'X-Forwarded-For': '203.0.113.7:4711, 10.0.0.1', 'X-Forwarded-Proto': 'https' }),
    ).toMatchObject({
      remote_addr: '203.0.113.7',
      scheme: 'https',
    });
    expect(await last({ 'X-Forwarded-For': '[2001:db8::1]:443' })).toMatchObject({
      remote_addr: '2001:db8::1',
    });
  });

  test('is the peer when what is forwarded is no address', async () => {
    expect(await last({ 'X-Forwarded-For': 'unknown, <script>' })).toMatchObject({
      remote_addr: '127.0.0.1',
    });
  });

  test('is the peer when the proxy is not trusted', async () => {
    const strict = await Knell.start({ env: { KNELL_TRUST_PROXY: '10.0.0.0/8' } });
    try {
      const { uuid } = await strict.create();
      const headers = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };
      await strict.request(`/ping/${uuid}`, { headers });
      expect((await strict.pings(uuid))[0]).toMatchObject({ remote_addr: '127.0.0.1', scheme: 'http' });
    } finally {
      await strict.stop();
    }
  });

  test('is the peer when the address forwarded is longer than any', async () => {
    const scoped = `fe80::1%${'z'.repeat(1000)}`;
    expect((await last({ 'X-Forwarded-For': scoped })).remote_addr).toBe('127.0.0.1');
    expect((await last({ 'X-Forwarded-For': 'fe80::1%eth0' })).remote_addr).toBe('fe80::1%eth0');
  });

  test('includes the first 20 characters of the method', async () => {
    const { uuid } = await knell.create();
    expect(await raw(`${'M'.repeat(5000)} /ping/${uuid} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain('200 OK');
    expect((await knell.pings(uuid))[0].method).toBe('M'.repeat(20));
  });

  test('includes the first 200 characters of the user agent', async () => {
    expect((await last({ 'User-Agent': 'a'.repeat(300) })).ua).toBe('a'.repeat(200));
  });
});

describe('what no client should send', () => {
  test.each([
    ['a negative length', 'POST /ping/x HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n'],
    [
      'two lengths',
      'POST /ping/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    ],
    ['a line without end', `GET /${'x'.repeat(40_000)}`],
    ['forty thousand bytes of header', `GET /ping/x HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['a chunk of no size', 'POST /ping/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('such as %s gets a 4xx or a closed connection, and the next client is served', async (_what, bytes) => {
    const reply = await raw(bytes);
    expect(reply === '' || /^HTTP\/1\.1 [45]\d\d/.test(reply), reply.slice(0, 80)).toBe(true);
    expect((await knell.request('/api/v3/status/')).status).toBe(200);
  });

  test('such as no HTTP at all gets no answer, and the next client is served', async () => {
    // The server waits ten seconds for more; this client says that nothing more comes.
    expect(await raw('hello\r\n\r\n', true)).toBe('');
    expect((await knell.request('/api/v3/status/')).status).toBe(200);
  });

  test('clients that vanish before the answer disturb nobody', async () => {
    const { uuid } = await knell.create();
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = connect(Number(new URL(knell.app.httpUrl).port), '127.0.0.1');
        socket.on('error', () => {});
        socket.write(`GET /ping/${uuid} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.resetAndDestroy();
      }),
    );
    expect((await knell.request(`/ping/${uuid}`)).text).toBe('OK');
    const [newest] = await knell.pings(uuid);
    expect(newest.n).toBe((await knell.check(uuid)).n_pings);
  });

  test('HEAD leaves the connection open for the next ping', async () => {
    const { uuid } = await knell.create();
    const socket = connect(Number(new URL(knell.app.httpUrl).port), '127.0.0.1');
    for (let n = 1; n <= 3; n++) {
      const answered = new Promise((resolve, reject) => {
        socket.once('data', resolve);
        socket.once('close', () => reject(new Error(`closed before answer ${n}`)));
      });
      socket.write(`HEAD /ping/${uuid} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const answer = String(await answered);
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toMatch(/\r\nContent-Length: 2\r\n/);
      expect(answer).toMatch(/\r\n\r\n$/);
    }
    socket.destroy();
    expect((await knell.check(uuid)).n_pings).toBe(3);
  });

  test('a request half sent holds nobody up', async () => {
    const { uuid } = await knell.create();
    const socket = connect(Number(new URL(knell.app.httpUrl).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST /ping/${uuid} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf`);
    expect((await knell.request(`/ping/${uuid}`)).text).toBe('OK');
    socket.destroy();
    expect((await knell.check(uuid)).n_pings).toBe(1);
  });
});

/** Sends bytes as they are, and then perhaps the end; resolves with the reply, or with nothing once the connection is closed. */
function raw(bytes: string | Uint8Array, endsThere = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(knell.app.httpUrl).port), '127.0.0.1');
    let reply = '';
    const done = (): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1');
      if (reply.includes('\r\n\r\n')) setImmediate(done);
    });
    socket.on('error', done);
    socket.on('close', done);
    if (endsThere) socket.end(bytes);
    else socket.write(bytes);
  });
}
