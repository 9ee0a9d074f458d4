/** A check-in with settings at a node that does not lead: the check is changed by the leader, once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';

const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
const nodes: Knell[] = [];
let leader: Knell;

beforeAll(async () => {
  const env = { KNELL_CLUSTER: 'nats://memory', KNELL_COMPAT_PINGS: 'sentry,sentry-upserts' };
  for (const name of ['a', 'b'])
    nodes.push(await Knell.start({ link: memoryLink(cluster, name), env: { ...env, KNELL_NODE: name } }));
  leader = await Promise.race(nodes.map((node) => node.leading().then(() => node)));
  for (const node of nodes) node.keys = leader.keys;
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
});

test('the schedule that it brings is that of the check on every node, and its ping counts once', async () => {
  const standby = nodes.find((node) => node !== leader);
  if (!standby) throw new Error('no standby');
  const { uuid } = await standby.create({ slug: 'nightly', timeout: 3600, grace: 900 });
  const schedule = { type: 'crontab', value: '30 3 * * *' };
  const checkIn = { monitor_slug: 'nightly', status: 'ok', monitor_config: { schedule } };
  const answer = await standby.request('/api/42/envelope/', {
    method: 'POST',
    headers: { 'X-Sentry-Auth': `Sentry sentry_key=${leader.keys.ping}` },
    body: ['{}', JSON.stringify({ type: 'check_in' }), JSON.stringify(checkIn), ''].join('\n'),
  });
  expect(answer.status).toBe(202);
  for (const node of nodes)
    expect(await node.check(uuid)).toMatchObject({ schedule: '30 3 * * *', grace: 900, n_pings: 1 });
});
