/** Three whole Knells in this process over a log in memory: every client serves, and the leader may go. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer } from '../../src/cli/io/admin-client.ts';
import type { ClusterLink } from '../../src/cluster/bus/link.ts';
import { readConfig } from '../../src/config.ts';
import { asCheckId } from '../../src/lib/ids.ts';
import { eventLoop } from '../../src/store/disk/scheduler.ts';
import { appendsInFlightMax } from '../../src/store/replicated/replicated-log.ts';
import { memoryLink } from '../support/cluster/memory-link.ts';
import { Knell } from '../support/knell.ts';
import { goodPassword, linkIn, listener, PageClient } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { MemoryCluster } from '../support/store/memory-log.ts';
import { MailClient } from '../support/wire/mail-client.ts';

describe('a cluster of three', () => {
  const cluster = new MemoryCluster({ scheduler: eventLoop, random: Math.random });
  const nodes: Knell[] = [];
  let leader: Knell;
  let standbys: Knell[];

  beforeAll(async () => {
    for (const name of ['a', 'b', 'c'])
      nodes.push(
        await Knell.start({
          link: memoryLink(cluster, name),
          env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: name, KNELL_SMTP: '127.0.0.1:0' },
        }),
      );
    leader = await Promise.race(
      nodes.map(async (node) => {
        await node.leading();
        return node;
      }),
    );
    standbys = nodes.filter((node) => node !== leader);
    for (const node of standbys) node.keys = leader.keys;
  });

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  });

  test('every node takes pings and requests, and all see the same', async () => {
    const check = await (standbys[0] as Knell).create({ name: 'Backup', timeout: 3600 });
    for (const node of nodes) expect((await node.request(`/ping/${check.uuid}`)).text).toBe('OK');
    for (const node of nodes) expect((await node.check(check.uuid)).n_pings).toBe(3);
    const made = await (standbys[1] as Knell).request(`/ping/${leader.keys.ping}/by-slug?create=1`);
    expect([made.status, made.text]).toEqual([201, 'Created']);
    const [first] = await (standbys[1] as Knell).pings(check.uuid);
    expect(first).toMatchObject({ n: 3, scheme: 'http', method: 'GET' });
  });

  test("mails, badges and the leader's commands come through a standby too", async () => {
    const [client] = standbys as [Knell];
    const { uuid } = await client.create({
      name: 'Mailed',
      tags: 'mail',
      subject: 'ok',
      filter_subject: true,
    });
    const mail = await MailClient.greeted(client.app.smtp);
    await mail.ask('MAIL FROM:<job@example.org>');
    expect(await mail.ask(`RCPT TO:<${uuid}@localhost>`)).toMatch(/^250 /);
    expect(await mail.ask('RCPT TO:<nobody@localhost>')).toMatch(/^550 /);
    await mail.ask('DATA');
    expect(await mail.ask('Subject: backup ok\r\n\r\ndone\r\n.')).toMatch(/^250 /);
    expect(await leader.check(uuid)).toMatchObject({ n_pings: 1, status: 'up' });
    const { badges } = (await client.api('GET', '/api/v3/badges/')).json();
    expect((await client.request(new URL(badges.mail.svg).pathname)).text).toContain('up');
    const run = (command: string, args: object) =>
      runningServer(readConfig({ KNELL_DATA_DIR: client.dataDir }, {}).config, {
        command,
        args: { ...args },
      });
    expect(await run('project list', {})).toMatchObject([{ name: 'default' }]);
    await expect(run('project rename', { project: 'no such', name: 'x' })).rejects.toThrow('no such');
    expect(await run('cluster status', {})).toMatchObject({
      nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
    expect(await run('snapshot', {})).toMatchObject({ file: expect.stringContaining(client.dataDir) });
  });

  test('status pages are made and read through every node, by password too', async () => {
    const [client] = standbys as [Knell];
    const { uuid } = await client.create({ name: 'Behind it' });
    await client.request(`/ping/${uuid}`);
    const run = (command: string, args: object) =>
      runningServer(readConfig({ KNELL_DATA_DIR: client.dataDir }, {}).config, {
        command,
        args: { ...args },
      });
    const services = [{ name: 'Backups', checks: [uuid] }];
    await run('status-page create', { project: 'default', slug: 'northwind', title: 'Northwind', services });
    for (const node of nodes) {
      const page = await node.request('/status/northwind');
      expect([page.status, page.text.includes('The service is up')]).toEqual([200, true]);
      const etag = page.headers.get('etag') ?? '';
      const again = await node.request('/status/northwind', { headers: { 'If-None-Match': etag } });
      expect(again.status).toBe(304);
    }
    await run('status-page edit', { page: 'northwind', password: goodPassword });
    const entered = await client.request('/status/northwind', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ password: goodPassword }).toString(),
    });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await leader.request('/status/northwind')).status).toBe(401);
    for (const node of nodes)
      expect((await node.request('/status/northwind', { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test('every node says what it is, and whether it is well', async () => {
    for (const node of nodes) {
      expect((await node.request('/healthz')).text).toBe('OK');
      expect((await node.request('/readyz')).json()).toMatchObject({ ready: true });
    }
  });

  test('a node that lacks what the log has discarded gets the data of another one', async () => {
    const uuid = (await leader.create({ name: 'Long ago' })).uuid;
    for (let n = 0; n < 3; n++)
      await leader.request(`/ping/${uuid}`, { method: 'POST', body: `output ${n}` });
    // A follower begins a window before the first entry that it needs: that much of the log is left.
    cluster.discardBelow(cluster.lastSeq - appendsInFlightMax + 2);
    const late = await Knell.start({
      link: memoryLink(cluster, 'd'),
      env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: 'd' },
    });
    try {
      late.keys = leader.keys;
      expect((await late.check(uuid)).n_pings).toBe(3);
      // Its own, not the leader's.
      expect(late.app.engine.read.check(uuid, Date.now())?.config.name).toBe('Long ago');
      expect(late.app.engine.read.statusPageBySlug('northwind')?.title).toBe('Northwind');
      expect(late.app.engine.read.pings(asCheckId(uuid), 10).map(({ n }) => n)).toEqual([3, 2, 1]);
    } finally {
      await late.stop();
    }
  });

  test('a node that the log has left behind ends, and has the data of another one when it starts again', async () => {
    const failures: unknown[] = [];
    const slow = await Knell.start({
      link: memoryLink(cluster, 'e'),
      env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: 'e' },
      onBroken: (error) => failures.push(error),
    });
    try {
      slow.keys = leader.keys;
      const { uuid } = await slow.create({ name: 'Missed' });
      cluster.cutOff('e');
      for (let n = 0; n < 3; n++) await leader.request(`/ping/${uuid}`);
      // So little is left that nobody has what comes before it until the leader has written some more.
      cluster.discardBelow(cluster.lastSeq);
      cluster.reconnect('e');
      await eventually(() => expect(failures).toMatchObject([{ code: 'cluster-log-behind' }]));
      await slow.restart();
      expect(slow.app.engine.read.pings(asCheckId(uuid), 10).map(({ n }) => n)).toEqual([3, 2, 1]);
      expect((await slow.check(uuid)).n_pings).toBe(3);
    } finally {
      await slow.stop();
    }
  });

  test('a page that is signed out ends at a node that the leader could not reach', async () => {
    const link = memoryLink(cluster, 'f');
    const deaf: ClusterLink['bus'] = {
      ...link.bus,
      subscribe: (subject, take) =>
        subject.endsWith('.live.updates') ? { stop() {} } : link.bus.subscribe(subject, take),
    };
    const far = await Knell.start({
      link: { ...link, bus: deaf },
      env: { KNELL_CLUSTER: 'nats://memory', KNELL_NODE: 'f' },
    });
    try {
      const { setUpUrl = null } = (await leader.app.leading) ?? {};
      const page = new PageClient(far);
      await page.post('/web/set-password', { link: linkIn(setUpUrl), name: 'ada', password: goodPassword });
      await page.get('/web/state');
      const stays = await listener(far, page);
      const leaves = new PageClient(far);
      await leaves.signIn('ada');
      const ends = await listener(far, leaves);
      const atLeader = new PageClient(leader);
      atLeader.cookie = leaves.cookie;
      await atLeader.get('/web/state');
      await atLeader.post('/web/sign-out');
      await ends.closed;
      expect(stays.isOpen()).toBe(true);
      const grace = (await page.post('/web/users', { name: 'grace', role: 'viewer' })).json();
      const graceful = new PageClient(far);
      await graceful.post('/web/set-password', { link: linkIn(grace.link), password: goodPassword });
      await graceful.get('/web/state');
      const removed = await listener(far, graceful);
      await page.send('DELETE', `/web/users/${grace.id}`);
      await removed.closed;
    } finally {
      await far.stop();
    }
  });

  test('when the leader goes, another one takes over, and no ping is refused', async () => {
    const uuid = (await leader.create({ name: 'Hand over' })).uuid;
    const [client] = standbys as [Knell];
    const answers: string[] = [];
    let isOver = false;
    const pinging = (async () => {
      while (!isOver) answers.push((await client.request(`/ping/${uuid}`)).text);
    })();
    await eventually(() => expect(answers.length).toBeGreaterThan(3));
    await leader.stop();
    nodes.splice(nodes.indexOf(leader), 1);
    await Promise.race(standbys.map((node) => node.leading()));
    const before = answers.length;
    await eventually(() => expect(answers.length).toBeGreaterThan(before + 3));
    isOver = true;
    await pinging;
    expect(new Set(answers)).toEqual(new Set(['OK']));
    for (const node of standbys) expect((await node.check(uuid)).n_pings).toBe(answers.length);
  });
});
