/** What a node serves itself, and what it hands to the leader: over the real mounts, with routes that say their names. */
import { expect, test } from 'vitest';
import { servedBy } from '../../../src/http/mounts/mounts.ts';
import { acceptAtLeader, servedAtLeader, serveForwarded } from '../../../src/http/mounts/node-mounts.ts';
import type { Served } from '../../../src/http/wire/listener.ts';
import type { HttpReply, HttpRequest } from '../../../src/http/wire/message.ts';
import { silentLogger } from '../../../src/lib/logger.ts';
import { limits } from '../../../src/limits.ts';
import { FakeCluster, type FakeNode, requestOf } from '../../support/cluster/fake-cluster.ts';

/** A node's mounts, as the listeners get them. */
function servedOn(
  node: FakeNode,
  isLeader: () => boolean,
  isLogSilent = () => false,
): { standby: Served; own: Served } {
  const named =
    (name: string) =>
    async ({ path }: HttpRequest): Promise<HttpReply> => ({
      status: 200,
      headers: [],
      body: `${node.name} ${name} ${path}`,
    });
  const certain = { mayAct: () => true, certainly: async () => true };
  const options = { isLeader, forwarder: node.forwarder, ...certain };
  const engine = { acceptPing: node.served(1).acceptPing };
  const own = servedBy({
    engine: {
      acceptPing: acceptAtLeader(options, engine),
      read: { holderOf: () => null } as never,
      changeBy: null as never,
    },
    api: named('api'),
    admin: named('admin'),
    badges: named('badges'),
    maintenance: named('maintenance'),
    statusPages: named('status page'),
    web: { route: named('page'), reads: [], single: [], isSignedIn: () => false, live: {} as never },
    monitoring: {
      reads: [],
      answer: (request) => (/^\/(healthz|metrics)$/.test(request.path) ? named('own')(request) : null),
    },
    logger: silentLogger,
    basePath: '/knell',
    compat: [],
    limits: { pingBodyBytesMax: 1, apiBodyBytesMax: 1, strangerBodyBytesMax: 1 },
  });
  const standbyOptions = {
    ...options,
    isLogSilent,
    statusPageLimits: limits.statusPage,
    knowsKey: () => false,
    newKey: () => 'new',
  };
  return { own, standby: servedAtLeader(standbyOptions, own) };
}

function twoNodes() {
  const cluster = new FakeCluster();
  const [leader, standby] = [cluster.node('leader'), cluster.node('standby')];
  leader.serve = serveForwarded(servedOn(leader, () => true).own);
  const log = { isSilent: false };
  const { standby: served } = servedOn(
    standby,
    () => false,
    () => log.isSilent,
  );
  /** As a listener chooses the mount and cuts off its base. */
  const ask = (method: string, url: string): Promise<HttpReply> =>
    new Promise((resolve) => {
      const mount = served.mounts.find(({ prefix }) => url.startsWith(prefix));
      mount?.route(requestOf(method, url.slice(mount.base.length)), { send: resolve });
    });
  return { cluster, leader, standby, ask, log };
}

function textOf({ body }: HttpReply): string {
  return typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : '';
}

test.each([
  ['/api/v3/checks/', 'leader api /api/v3/checks/'],
  ['/knell/api/v3/checks/', 'leader api /api/v3/checks/'],
  ['//api//v3/checks/', 'leader api /api/v3/checks/'],
  ['/badge/x.svg', 'leader badges /badge/x.svg'],
  ['/ping/key/maintenance/2h', 'leader maintenance /ping/key/maintenance/2h'],
  ['/knell/ping/key/job/maintenance/end', 'leader maintenance /ping/key/job/maintenance/end'],
  ['//ping//key//maintenance//end', 'leader maintenance /ping/key/maintenance/end'],
  ['/', 'leader page /'],
  ['/knell/web/state', 'leader page /web/state'],
  ['/healthz', 'standby own /healthz'],
  ['/knell/metrics', 'standby own /metrics'],
])('%s is answered by %s', async (url, answer) => {
  const { cluster, leader, ask } = twoNodes();
  cluster.claim(leader);
  const reply = ask('GET', url);
  await cluster.run(50);
  expect(textOf(await reply)).toBe(answer);
});

test.each(['/ping/key/job', '/knell/ping/key/job', '//ping//key/job'])(
  '%s is a ping for the leader, and the standby says what it has always said',
  async (url) => {
    const { cluster, leader, ask } = twoNodes();
    cluster.claim(leader);
    const reply = ask('GET', url);
    await cluster.run(50);
    expect([textOf(await reply), cluster.log.map(({ slug }) => slug)]).toEqual(['OK', ['job']]);
    expect(leader.requests).toEqual([]);
  },
);

test('without a leader a ping and a change are not recorded, and the client is asked to try again', async () => {
  const { cluster, ask, log } = twoNodes();
  void ask('GET', '/');
  await cluster.run(3000);
  const urls = ['/ping/key/job', '/api/v3/checks/', '/badge/x.svg'];
  const replies = await Promise.all(urls.map((url) => ask('POST', url)));
  expect(replies.map(textOf)).toEqual([
    'not recorded, try again',
    '{"error":"not recorded, try again"}',
    'not recorded, try again',
  ]);
  for (const { status, headers } of replies)
    expect([status, new Map(headers).get('Retry-After')]).toEqual([503, '2']);
  expect(textOf(await ask('GET', '/'))).toBe('no node of the cluster can answer now, try again');
  log.isSilent = true;
  for (const method of ['GET', 'POST'])
    expect(textOf(await ask(method, '/'))).toBe('the log of the cluster does not answer, try again');
});

test('a change in doubt says that it may have been done', async () => {
  const { cluster, leader, ask } = twoNodes();
  cluster.claim(leader);
  leader.serve = () => new Promise(() => {});
  const reply = ask('POST', '/api/v3/checks/');
  await cluster.run(limits.cluster.forward.requestMsMax + 1000);
  expect([(await reply).status, (await reply).headers]).toEqual([
    503,
    expect.not.arrayContaining([['Retry-After', '2']]),
  ]);
  expect(textOf(await reply)).toContain('it may have been done');
});

const publicPage = (body: string, ageS = 0): HttpReply => ({
  status: 200,
  headers: [
    ['Cache-Control', 'public, max-age=5'],
    ['Age', String(ageS)],
    ['ETag', 'W/"1"'],
    ['Content-Encoding', 'gzip'],
  ],
  body,
});

/** A node that is asked for status pages while another one leads. */
function standbyFor(answerOf: (request: HttpRequest) => HttpReply) {
  const nodes = twoNodes();
  const { cluster, leader, standby } = nodes;
  leader.serve = async (request) => answerOf(request);
  cluster.claim(leader);
  const { standby: served } = servedOn(standby, () => false);
  const ask = async (
    url: string,
    headers: HttpRequest['headers'] = {},
    method = 'GET',
  ): Promise<HttpReply> => {
    const mount = served.mounts.find(({ prefix }) => url.startsWith(prefix));
    const receivedAtMs = cluster.clock.nowMs();
    const reply = new Promise<HttpReply>((resolve) =>
      mount?.route(requestOf(method, url, { headers, receivedAtMs }), { send: resolve }),
    );
    return reply;
  };
  return { ...nodes, ask };
}

test('ten thousand readers of a status page at a standby cost the leader one request for each time that it makes the page', async () => {
  let made = 0;
  const { cluster, leader, ask } = standbyFor(() => publicPage(`made ${++made}`));
  for (let second = 0; second < 20; second++) {
    const replies = Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        ask('/status/northwind', { 'accept-encoding': 'gzip, br', cookie: n % 2 ? `theme=${n}` : '' }),
      ),
    );
    await cluster.run(50);
    expect(new Set((await replies).map(textOf)).size).toBe(1);
    await cluster.run(950);
  }
  expect(leader.requests.map(({ headers }) => headers)).toEqual(
    Array.from({ length: 4 }, () => ({ 'accept-encoding': 'gzip', cookie: '', 'if-none-match': '' })),
  );
  const known = ask('/status/northwind', { 'accept-encoding': 'gzip', 'if-none-match': 'W/"1"' }, 'HEAD');
  await cluster.run(50);
  const { status, body, headers } = await known;
  expect([status, body, new Map(headers).get('Content-Encoding')]).toEqual([304, '', undefined]);
});

test('what the leader made some time ago is kept for the rest of its time only', async () => {
  const { cluster, leader, ask } = standbyFor(() => publicPage('page', 4));
  for (let half = 0; half < 4; half++) {
    const reply = ask('/status/northwind');
    await cluster.run(50);
    expect(textOf(await reply)).toBe('page');
    await cluster.run(450);
  }
  expect(leader.requests).toHaveLength(2);
});

test('of a page with a password a standby keeps nothing, and nobody gets what another one may read', async () => {
  const { cluster, leader, ask } = standbyFor(({ headers, query }) => {
    const mayRead = headers.cookie?.includes('pass') || query === 'key=pass';
    const body = mayRead ? `secret for ${headers.cookie}` : 'password?';
    return { status: mayRead ? 200 : 401, headers: [['Cache-Control', 'private, no-cache']], body };
  });
  const asked = [
    ask('/status/secret', { cookie: 'pass=ada' }),
    ask('/status/secret', { cookie: 'pass=bob' }),
    ask('/status/secret'),
    ask('/status/secret', { cookie: 'other' }),
  ];
  await cluster.run(50);
  const said = (await Promise.all(asked)).map(textOf);
  expect(said).toEqual(['secret for pass=ada', 'secret for pass=bob', 'password?', 'password?']);
  const before = leader.requests.length;
  void ask('/status/secret', { cookie: 'pass=ada' });
  await cluster.run(50);
  expect(leader.requests.length).toBeGreaterThan(before);
  const entered = ask('/status/secret', {}, 'POST');
  await cluster.run(50);
  expect((await entered).status).toBe(401);
});
