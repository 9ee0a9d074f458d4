/**
 * Changes at a node whose leader makes them and is gone before its answers arrive: each is answered by the next leader as if it had
 * just been made, and is made once. Three whole Knells; the page, the management API and commands over their own endpoints.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { askRunningServer } from '../../src/cli/io/admin-client.ts';
import { asProjectId } from '../../src/lib/ids.ts';
import { type HeldCluster, startHeldCluster } from '../support/cluster/held-cluster.ts';
import type { Answer, Knell } from '../support/knell.ts';
import type { PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';

let held: HeldCluster;
let leader: Knell;
let client: Knell;
let page: PageClient;
let project: string;

beforeAll(async () => {
  held = await startHeldCluster();
  ({ leader, client, page, project } = held);
});

afterAll(() => held?.stop());

interface Before {
  readonly uuid: string;
  readonly paused: string;
  readonly gone: string;
  readonly key: string;
  readonly channel: string;
  readonly statusPage: string;
}

async function thingsBefore(): Promise<Before> {
  const { uuid } = await leader.create({ name: 'job', timeout: 3600 });
  const { uuid: paused } = await leader.create({ name: 'paused', timeout: 3600 });
  const { uuid: gone } = await leader.create({ name: 'gone', timeout: 3600 });
  await leader.api('POST', `/api/v3/checks/${paused}/pause`, {});
  const key = (await page.post(`/web/in/${project}/keys`, { scope: 'read-only' })).json().id;
  const channel = await page.post(`/web/in/${project}/channels`, webhook('first'));
  const statusPage = await page.post(`/web/in/${project}/status-pages`, { slug: 'first', title: 'First' });
  return { uuid, paused, gone, key, channel: channel.json().id, statusPage: statusPage.json().id };
}

function webhook(name: string): Readonly<Record<string, unknown>> {
  return { kind: 'webhook', name, fields: { url_down: 'http://127.0.0.1:9/down' } };
}

test('changes whose answers were lost with their leader are made once, and answered', async () => {
  const before = await thingsBefore();
  const at = (path: string): string => `/web/in/${project}/${path}`;
  const asBrowser = (method: string, path: string, body: unknown = {}): Promise<Answer> =>
    client.request(path, {
      method,
      headers: { cookie: page.cookie, 'content-type': 'application/json', 'x-knell-csrf': page.csrf },
      body: JSON.stringify(body),
    });
  const { proxy } = held;
  proxy.hold();
  const asked: Readonly<Record<string, Promise<Answer>>> = {
    'a project': asBrowser('POST', '/web/projects', { name: 'second' }),
    'a key': asBrowser('POST', at('keys'), { scope: 'read-write' }),
    'a key that is revoked': asBrowser('DELETE', at(`keys/${before.key}`)),
    'an integration': asBrowser('POST', at('channels'), webhook('second')),
    'an integration that is edited': asBrowser('POST', at(`channels/${before.channel}`), { name: 'edited' }),
    'a status page': asBrowser('POST', at('status-pages'), { slug: 'second', title: 'Second' }),
    'a notice': asBrowser('POST', at(`status-pages/${before.statusPage}/notices`), {
      ...{ title: 'Outage', stage: 'investigating', text: 'We look.' },
    }),
    'a user': asBrowser('POST', '/web/users', { name: 'grace', role: 'viewer' }),
    'a member': asBrowser('POST', at('members'), { name: 'alan', role: 'viewer' }),
    'a check of the page': asBrowser('POST', at('api/checks/'), { name: 'of the page' }),
    'a check that is resumed': asBrowser('POST', at(`api/checks/${before.paused}/resume`)),
    'a check that is deleted': asBrowser('DELETE', at(`api/checks/${before.gone}`)),
    'a check of the API': client.api('POST', '/api/v3/checks/', { name: 'of the API' }),
    'a check that is renamed': client.api('POST', `/api/v3/checks/${before.uuid}`, { name: 'renamed' }),
    'a maintenance window': client.api('POST', '/api/v3/maintenance/', { name: 'of the API', duration: 60 }),
    'maintenance by a ping key': client.request(`/ping/${client.keys.ping}/maintenance/2h`, {
      method: 'POST',
    }),
    'maintenance by a link': client.request(`/ping/${client.keys.ping}/maintenance/1h?tag=db`),
    'a ping by hand': asBrowser('POST', at(`checks/${before.uuid}/ping`)),
  };
  // Over the admin socket, but not in a process of its own: that might come so late that the leader drops what it asks.
  const named = { name: 'by command' };
  const created = askRunningServer({ dataDir: client.dataDir }, 'project create', named);
  await eventually(async () => {
    const { names, users, projects } = await facts(leader, page);
    expect(names).toContain('renamed');
    expect(users).toContain('alan');
    expect(projects).toContain('by command');
    expect(leader.app.engine.read.maintenance(asProjectId(project))).toHaveLength(3);
  });
  await leader.stop();
  const statuses = Object.fromEntries(
    await Promise.all(
      Object.entries(asked).map(async ([what, answer]) => [what, Math.floor((await answer).status / 100)]),
    ),
  );
  expect(statuses).toEqual(Object.fromEntries(Object.keys(asked).map((what) => [what, 2])));

  const { names, users, projects, channels, pages, notices } = await facts(client, page);
  expect(names.toSorted()).toEqual(['of the API', 'of the page', 'paused', 'renamed']);
  expect(users.toSorted()).toEqual(['ada', 'alan', 'grace']);
  expect(projects.toSorted()).toEqual(['by command', 'default', 'second']);
  expect(channels.toSorted()).toEqual(['edited', 'second']);
  expect(pages.toSorted()).toEqual(['first', 'second']);
  expect(notices).toBe(1);
  const { maintenance } = (await client.api('GET', '/api/v3/maintenance/')).json();
  expect(maintenance.map(({ name }: { readonly name: string }) => name).toSorted()).toEqual([
    ...['Maintenance', 'Maintenance db', 'of the API'],
  ]);
  expect(await client.check(before.uuid)).toMatchObject({ n_pings: 1 });
  expect(await client.check(before.paused)).toMatchObject({ status: 'new' });
  // Keys that were shown only in these answers are the ones that open something.
  const { key } = (await asked['a key'])?.json() ?? {};
  expect((await client.api('GET', '/api/v3/checks/', undefined, key)).status).toBe(200);
  const { keys } = (await created) ?? { keys: { read_write: '' } };
  expect((await client.api('GET', '/api/v3/checks/', undefined, keys.read_write)).status).toBe(200);
});

/** What there is, as `node` shows it to the owner whose session `page` has. */
async function facts(node: Knell, { cookie }: PageClient) {
  const get = async (path: string) => (await node.request(path, { headers: { cookie } })).json();
  const [{ checks }, state, settings, { channels }, { pages }] = await Promise.all([
    node.api('GET', '/api/v3/checks/').then((answer) => answer.json()),
    get('/web/state'),
    get(`/web/in/${project}/settings`),
    node.api('GET', '/api/v3/channels/').then((answer) => answer.json()),
    get(`/web/in/${project}/status-pages`),
  ]);
  const named = (all: readonly { readonly name: string }[]): readonly string[] => all.map(({ name }) => name);
  return {
    names: named(checks),
    users: named(settings.members),
    projects: named(state.projects),
    channels: named(channels),
    pages: pages.map(({ slug }: { readonly slug: string }) => slug) as readonly string[],
    notices: pages.reduce((sum: number, { notices }: { notices: unknown[] }) => sum + notices.length, 0),
  };
}
