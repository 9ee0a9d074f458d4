/**
 * Changes at a node whose leader refuses them and is gone before its answers arrive: the next leader refuses them too, and says
 * nothing of having made them. Three whole Knells; the page and the management API over their own endpoints.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asCheckId, uniqueKeyOf } from '../../src/lib/ids.ts';
import { type HeldCluster, startHeldCluster } from '../support/cluster/held-cluster.ts';
import type { Answer, Knell } from '../support/knell.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';
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

test('what was refused is refused by the next leader', async () => {
  const { uuid } = await leader.create({ name: 'job', timeout: 3600 });
  const { uuid: down } = await leader.create({ name: 'down', timeout: 3600 });
  await leader.request(`/ping/${down}/fail`);
  const made = (await page.post('/web/users', { name: 'eve', role: 'viewer' })).json();
  const eve = new PageClient(leader);
  await eve.post('/web/set-password', { link: linkIn(made.link), password: goodPassword });
  await eve.signIn('eve');
  const key = uniqueKeyOf(asCheckId(uuid));
  const at = (path: string): string => `/web/in/${project}/${path}`;
  const json = { 'content-type': 'application/json' };
  const as = (who: PageClient, method: string, path: string, body: unknown = {}): Promise<Answer> => {
    const headers = { ...json, cookie: who.cookie, 'x-knell-csrf': who.csrf };
    return client.request(path, { method, headers, body: JSON.stringify(body) });
  };
  const all = () => ({
    'ping by hand of a check that is down, not confirmed': as(page, 'POST', at(`checks/${down}/ping`)),
    'ping by hand by a viewer': as(eve, 'POST', at(`checks/${uuid}/ping`)),
    'ping by hand by nobody': client.request(at(`checks/${uuid}/ping`), {
      method: 'POST',
      headers: json,
      body: '{}',
    }),
    'pause by a viewer': as(eve, 'POST', at(`api/checks/${key}/pause`)),
    'rename by a viewer': as(eve, 'POST', at(`api/checks/${key}`), { name: 'mine' }),
    'delete by a viewer': as(eve, 'DELETE', at(`api/checks/${key}`)),
    'invalid edit by the owner': as(page, 'POST', at(`api/checks/${uuid}`), { timeout: 'x' }),
    'pause with a read-only key': client.request(`/api/v3/checks/${uuid}/pause`, {
      method: 'POST',
      headers: { 'x-api-key': client.keys.readOnly },
      body: '{}',
    }),
  });
  const statuses = async (
    of: Readonly<Record<string, Promise<Answer>>>,
  ): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(
      await Promise.all(Object.entries(of).map(async ([name, answer]) => [name, (await answer).status])),
    );
  const usual = await statuses(all());
  expect(Object.values(usual).every((status) => status >= 400)).toBe(true);
  const { proxy } = held;
  proxy.hold();
  const asked = all();
  // What is allowed is done meanwhile, so that the leader has seen them all.
  const allowed = as(page, 'POST', at(`checks/${uuid}/ping`));
  await eventually(async () => expect((await leader.check(uuid)).n_pings).toBe(1));
  await leader.stop();
  // An edit that is allowed and does not show may have been done, and undone since.
  expect(await statuses(asked)).toEqual({ ...usual, 'invalid edit by the owner': 503 });
  expect((await allowed).status).toBe(200);
  expect(await client.check(uuid)).toMatchObject({ name: 'job', n_pings: 1, timeout: 3600 });
  expect(await client.check(down)).toMatchObject({ status: 'down', n_pings: 1 });
});
