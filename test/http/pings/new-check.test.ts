/** A ping that creates its check says what the check is to be: over real sockets, of one Knell and of a standby of a cluster. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventLoop } from '../../../src/store/disk/scheduler.ts';
import { memoryLink } from '../../support/cluster/memory-link.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';
import { MemoryCluster } from '../../support/store/memory-log.ts';

let knell: Knell;
beforeAll(async () => {
  knell = await Knell.start();
});
afterAll(() => knell.stop());

async function ping(path: string, of = knell): Promise<readonly [number, string]> {
  const { status, text } = await of.request(`/ping/${of.keys.ping}/${path}`);
  return [status, text];
}

async function bySlug(slug: string, of = knell): Promise<Json> {
  const { checks } = (await of.api('GET', `/api/v3/checks/?slug=${slug}`)).json();
  expect(checks.length).toBeLessThan(2);
  return checks[0];
}

describe('at the creation', () => {
  test('each of the parameters is set', async () => {
    const query =
      'create=1&schedule=30+3+*+*+*&tz=Europe/Riga&grace=2h&tags=db+nightly&name=The+report&channels=';
    expect(await ping(`report/start?${query}`)).toEqual([201, 'Created']);
    expect(await bySlug('report')).toMatchObject({
      ...{ name: 'The report', schedule: '30 3 * * *', tz: 'Europe/Riga', grace: 7200, tags: 'db nightly' },
      ...{ started: true, channels: '' },
    });
  });

  test.each([
    ['timeout=3600', { timeout: 3600, grace: 3600, name: 'a' }],
    ['timeout=90m&grace=60', { timeout: 5400, grace: 60, name: 'b' }],
    ['timeout=60&timeout=1D', { timeout: 86_400, name: 'c' }],
    ['name=&tags=x', { tags: 'x', name: 'd' }],
    ['schedule=daily', { schedule: 'daily', name: 'e' }],
  ])('%s', async (query, expected) => {
    const slug = (expected as Json).name;
    expect(await ping(`${slug}?create=1&${query}`)).toEqual([201, 'Created']);
    expect(await bySlug(slug)).toMatchObject(expected);
  });

  test('nothing is set without create=1, and nothing that is no such parameter', async () => {
    expect(await ping('plain?timeout=60')).toEqual([404, 'not found']);
    expect(await ping('plain?create=1&desc=x&methods=POST')).toEqual([201, 'Created']);
    expect(await bySlug('plain')).toMatchObject({ timeout: 86_400, desc: '', methods: '' });
  });

  test('integrations are named as in the API', async () => {
    const args = {
      project: 'default',
      kind: 'webhook',
      name: 'Ops',
      value: '{"url_down":"http://127.0.0.1:9/"}',
    };
    await knell.app.admin({ command: 'channel create', args }, () => {});
    await ping('all?create=1');
    await ping('none?create=1&channels=');
    await ping('named?create=1&channels=Ops');
    const { channels } = await bySlug('all');
    expect(channels).toMatch(/^[-0-9a-f]{36}$/);
    expect([(await bySlug('none')).channels, (await bySlug('named')).channels]).toEqual(['', channels]);
  });
});

test('a check that exists stays as it is, whatever the parameters say, and the ping counts', async () => {
  const { uuid } = await knell.create({ slug: 'there', timeout: 600 });
  for (const query of ['timeout=60&tags=x', 'timeout=never', 'channels=nobody'])
    expect(await ping(`there?create=1&${query}`)).toEqual([200, 'OK']);
  expect(await knell.check(uuid)).toMatchObject({ timeout: 600, tags: '', n_pings: 3 });
  expect((await knell.request(`/ping/${uuid}?create=1&timeout=never`)).text).toBe('OK');
});

test('the same request again, also at once, creates one check', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => ping('twice?create=1&timeout=1h')));
  expect(answers.map(([status]) => status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(await bySlug('twice')).toMatchObject({ n_pings: 20, timeout: 3600 });
});

describe('what cannot be is answered with the name of the parameter, and creates nothing', () => {
  test.each([
    ['timeout=59', 'timeout is too small'],
    ['timeout=367d', 'timeout is too large'],
    ['grace=soon', 'grace is not a number'],
    ['grace=', 'grace is not a number'],
    ['grace=-1', 'grace is not a number'],
    ['schedule=x', 'schedule is not a valid cron or OnCalendar expression'],
    ['tz=Mars', 'tz is not a valid timezone'],
    [`tags=${'x'.repeat(501)}`, 'tags is too long'],
    [`name=${'x'.repeat(101)}`, 'name is too long'],
    [`channels=${'x'.repeat(2001)}`, 'channels is too long'],
    ['channels=x', 'channels names an integration that the project does not have, or has twice'],
  ])('%s', async (query, words) => {
    expect(await ping(`bad?create=1&${query}`)).toEqual([400, words]);
    expect(await bySlug('bad')).toBeUndefined();
    // A wrong key learns nothing.
    expect((await knell.request(`/ping/wrong/bad?create=1&${query}`)).status).toBe(404);
  });
});

test.runIf(isLong)('a node of a cluster that does not lead hands the parameters to the leader', async () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes: Knell[] = [];
  for (const name of ['a', 'b', 'c']) {
    const env = { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name };
    nodes.push(await Knell.start({ link: memoryLink(cluster, name), env }));
  }
  try {
    const leader = await Promise.race(nodes.map((node) => node.leading().then(() => node)));
    const standby = nodes.find((node) => node !== leader) as Knell;
    standby.keys = leader.keys;
    expect(await ping('far?create=1&timeout=1h&tags=a', standby)).toEqual([201, 'Created']);
    expect(await bySlug('far', leader)).toMatchObject({ timeout: 3600, tags: 'a' });
    expect(await ping('bad?create=1&tz=Mars', standby)).toEqual([400, 'tz is not a valid timezone']);
    expect(await ping('far?create=1&tz=Mars', standby)).toEqual([200, 'OK']);
    expect((await ping('bad?create=1&channels=x', standby))[0]).toBe(400);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
  }
});
