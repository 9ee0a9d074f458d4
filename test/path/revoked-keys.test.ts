/** A key that is revoked works no more: at once, on a connection that it was used on before, and after a restart. */
import { Agent, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { ownerPage } from '../support/page/page-client.ts';

let knell: Knell;
let agent: Agent;

beforeEach(async () => {
  knell = await Knell.start();
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});

afterEach(async () => {
  agent.destroy();
  await knell.stop();
});

interface Kept {
  readonly status: number;
  /** Whether it went over a connection that had served another request before. */
  readonly reused: boolean;
}

/** A request with `key`, over the one connection of `agent`. */
function ask(path: string, key = ''): Promise<Kept> {
  return new Promise((resolve, reject) => {
    const asked = request(knell.app.httpUrl + path, { agent, headers: { 'X-Api-Key': key } });
    asked.once('error', reject);
    asked.once('response', (reply) => {
      const { reusedSocket } = asked;
      reply.resume().once('end', () => resolve({ status: reply.statusCode ?? 0, reused: reusedSocket }));
    });
    asked.end();
  });
}

interface MadeKey {
  readonly id: string;
  readonly key: string;
}

async function makeKey(scope: string): Promise<MadeKey> {
  const asked = { command: 'key create', args: { project: 'default', scope } };
  return (await knell.app.admin(asked, () => {})) as MadeKey;
}

const byCommand = async ({ id }: MadeKey): Promise<void> => {
  await knell.app.admin({ command: 'key revoke', args: { id } }, () => {});
};

const byPage = async ({ id }: MadeKey): Promise<void> => {
  const owner = await ownerPage(knell);
  const project = (await owner.get('/web/state')).json().projects[0].id;
  expect((await owner.send('DELETE', `/web/in/${project}/keys/${id}`)).status).toBe(200);
};

describe.each([
  ['the command', byCommand],
  ['the page', byPage],
] as const)('revoked by %s', (_by, revoke) => {
  test.each(['read-write', 'read-only'])(
    'a %s key is refused from then on, and others are not',
    async (scope) => {
      const made = await makeKey(scope);
      expect((await ask('/api/v3/checks/', made.key)).status).toBe(200);
      expect(await ask('/api/v3/checks/', made.key)).toEqual({ status: 200, reused: true });
      await revoke(made);
      expect(await ask('/api/v3/checks/', made.key)).toEqual({ status: 401, reused: true });
      expect((await ask('/api/v3/checks/', knell.keys.readWrite)).status).toBe(200);
      await knell.restart();
      expect((await ask('/api/v3/checks/', made.key)).status).toBe(401);
      expect((await ask('/api/v3/checks/', knell.keys.readWrite)).status).toBe(200);
    },
  );

  test('a ping key pings nothing and creates nothing from then on, and others do', async () => {
    const made = await makeKey('ping');
    const path = (key: string, slug: string): string => `/ping/${key}/${slug}?create=1`;
    expect((await ask(path(made.key, 'job'))).status).toBe(201);
    expect(await ask(path(made.key, 'job'))).toEqual({ status: 200, reused: true });
    await revoke(made);
    for (const slug of ['job', 'another'])
      expect(await ask(path(made.key, slug))).toEqual({ status: 404, reused: true });
    expect((await ask(path(knell.keys.ping, 'job'))).status).toBe(200);
    const [job, ...others] = (await knell.api('GET', '/api/v3/checks/')).json().checks;
    expect([job.n_pings, others]).toEqual([3, []]);
    await knell.restart();
    expect((await ask(path(made.key, 'job'))).status).toBe(404);
    expect((await ask(path(knell.keys.ping, 'job'))).status).toBe(200);
  });
});
