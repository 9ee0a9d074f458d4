/** What a node serves itself, and what it hands to the owner: over the real mounts, with routes that say their names. */
import { expect, test } from 'vitest';
import { acceptAtOwner, servedAtOwner, serveForwarded } from '../../src/http/door-mounts.ts';
import type { Served } from '../../src/http/listener.ts';
import type { HttpReply, HttpRequest } from '../../src/http/message.ts';
import { servedBy } from '../../src/http/mounts.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { FakeCluster, type FakeNode, requestOf } from '../support/fake-cluster.ts';

/** A node's mounts, as the listeners get them. */
function servedOn(node: FakeNode, isOwner: () => boolean): { door: Served; own: Served } {
  const named =
    (name: string) =>
    async ({ path }: HttpRequest): Promise<HttpReply> => ({
      status: 200,
      headers: [],
      body: `${node.name} ${name} ${path}`,
    });
  const options = { isOwner, forwarder: node.forwarder };
  const engine = { acceptPing: node.served(1).acceptPing };
  const own = servedBy({
    engine: { acceptPing: acceptAtOwner(options, engine), read: { holderOf: () => null } as never },
    api: named('api'),
    admin: named('admin'),
    badges: named('badges'),
    statusPages: named('status page'),
    web: { route: named('page'), reads: [], single: [], isSignedIn: () => false, live: {} as never },
    monitoring: {
      reads: [],
      answer: (request) => (/^\/(healthz|metrics)$/.test(request.path) ? named('own')(request) : null),
    },
    logger: silentLogger,
    basePath: '/knell',
    limits: { pingBodyBytesMax: 1, apiBodyBytesMax: 1, strangerBodyBytesMax: 1 },
  });
  return { own, door: servedAtOwner(options, own) };
}

function twoNodes() {
  const cluster = new FakeCluster();
  const [owner, door] = [cluster.node('owner'), cluster.node('door')];
  owner.serve = serveForwarded(servedOn(owner, () => true).own);
  const { door: served } = servedOn(door, () => false);
  /** As a listener chooses the mount and cuts off its base. */
  const ask = (method: string, url: string): Promise<HttpReply> =>
    new Promise((resolve) => {
      const mount = served.mounts.find(({ prefix }) => url.startsWith(prefix));
      mount?.route(requestOf(method, url.slice(mount.base.length)), { send: resolve });
    });
  return { cluster, owner, door, ask };
}

function textOf({ body }: HttpReply): string {
  return typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : '';
}

test.each([
  ['/api/v3/checks/', 'owner api /api/v3/checks/'],
  ['/knell/api/v3/checks/', 'owner api /api/v3/checks/'],
  ['//api//v3/checks/', 'owner api /api/v3/checks/'],
  ['/badge/x.svg', 'owner badges /badge/x.svg'],
  ['/', 'owner page /'],
  ['/knell/web/state', 'owner page /web/state'],
  ['/healthz', 'door own /healthz'],
  ['/knell/metrics', 'door own /metrics'],
])('%s is answered by %s', async (url, answer) => {
  const { cluster, owner, ask } = twoNodes();
  cluster.claim(owner);
  const reply = ask('GET', url);
  await cluster.run(50);
  expect(textOf(await reply)).toBe(answer);
});

test.each(['/ping/key/job', '/knell/ping/key/job', '//ping//key/job'])(
  '%s is a ping for the owner, and the door says what it has always said',
  async (url) => {
    const { cluster, owner, ask } = twoNodes();
    cluster.claim(owner);
    const reply = ask('GET', url);
    await cluster.run(50);
    expect([textOf(await reply), cluster.log.map(({ slug }) => slug)]).toEqual(['OK', ['job']]);
    expect(owner.requests).toEqual([]);
  },
);

test('without an owner a ping and a change are not recorded, and the client is asked to try again', async () => {
  const { cluster, ask } = twoNodes();
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
});

test('a change in doubt says that it may have been done', async () => {
  const { cluster, owner, door, ask } = twoNodes();
  cluster.claim(owner);
  owner.serve = () => new Promise(() => {});
  const reply = ask('POST', '/api/v3/checks/');
  await cluster.run(50);
  cluster.claim(door);
  expect((await reply).status).toBe(503);
  expect(textOf(await reply)).toContain('it may have been done');
});
