/** The day on which a key was used, in a cluster: the leader writes it, whichever node was asked, and every node reads it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asProjectId } from '../../src/lib/ids.ts';
import { type HeldCluster, startHeldCluster } from '../support/cluster/held-cluster.ts';
import type { Json, Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';

let cluster: HeldCluster;

beforeAll(async () => {
  cluster = await startHeldCluster();
});

afterAll(() => cluster?.stop());

test('a node that does not lead writes nothing; a request that it passes on is noted', async () => {
  const { leader, client, page, project } = cluster;
  const keyAt = ({ app }: Knell) =>
    app.engine.read.keys(asProjectId(project)).find(({ scope }) => scope === 'read-only');
  const { id } = await eventually(() => {
    const key = keyAt(client);
    if (!key) throw new Error('it has not read it yet');
    return key;
  });
  client.app.engine.change.noteKeyUse(id, Date.now());
  expect([keyAt(client)?.usedDay, keyAt(leader)?.usedDay]).toEqual([null, null]);
  expect((await client.api('GET', '/api/v3/checks/', undefined, leader.keys.readOnly)).status).toBe(200);
  const { keys } = (await page.get(`/web/in/${project}/settings`)).json();
  const { lastUsed } = keys.find((key: Json) => key.id === id);
  expect(lastUsed).toMatch(/^\d{4}-\d\d-\d\d$/);
  await eventually(() => expect(keyAt(client)?.usedDay).toBe(Date.parse(lastUsed) / 86_400_000));
});
