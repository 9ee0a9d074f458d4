/** A project deleted as a whole: pending deliveries go too, and `kill -9` leaves no half of it. */
import { afterEach, describe, expect, test } from 'vitest';
import { runAdmin } from '../../src/cli/io/admin-client.ts';
import { readConfig } from '../../src/config.ts';
import { Knell } from '../support/knell.ts';
import { ownerPage } from '../support/page/page-client.ts';
import { eventually } from '../support/patience.ts';
import { ChildKnell } from '../support/process/child-knell.ts';
import { tempDir } from '../support/temp-dirs.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe('deleting a project', () => {
  test('discards its deliveries: waiting, given up and in flight', async () => {
    const receiver = await HttpReceiver.start();
    const knell = await Knell.start({ env: { KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' } });
    ends.push(
      () => knell.stop(),
      () => receiver.stop(),
    );
    const admin = (command: string, args: Readonly<Record<string, unknown>> = {}) =>
      knell.app.admin({ command, args }, () => {});
    const outbox = async () => (await admin('outbox list')) as { state: string; channel: string }[];
    const hook = (project: string, path: string) => {
      const value = JSON.stringify({ url_down: receiver.url(path) });
      return admin('channel create', { project, kind: 'webhook', name: path.slice(1), value });
    };
    const hanging: (() => void)[] = [];
    receiver.answering = ({ path }, response) => {
      if (path === '/hangs') hanging.push(() => response.writeHead(500).end());
      else response.writeHead(path === '/refuses' ? 410 : 500).end();
    };
    await admin('project create', { name: 'kept', plan: 'paid' });
    for (const path of ['/fails', '/refuses', '/hangs']) await hook('default', path);
    const { uuid, ping_url } = await knell.create({ name: 'job', channels: '*' });
    await knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      expect((await outbox()).map(({ state }) => state).sort()).toEqual(['dead', 'waiting', 'waiting']);
      expect(hanging.length).toBe(1);
    });
    expect(await admin('project delete', { project: 'default' })).toMatchObject({ deleted: true, checks: 1 });
    expect((await outbox()).length, 'but what is in flight').toBeLessThanOrEqual(1);
    for (const answer of hanging) answer();
    await eventually(async () => expect(await outbox()).toEqual([]));
    const { pathname } = new URL(ping_url);
    expect((await knell.request(pathname)).status).toBe(404);
    expect((await knell.api('GET', '/api/v3/checks/')).status).toBe(401);
    await knell.restart();
    expect(await outbox()).toEqual([]);
    expect((await knell.request(pathname)).status).toBe(404);
  });

  test('by the page is for owners, who type its name', async () => {
    const knell = await Knell.start();
    ends.push(() => knell.stop());
    const owner = await ownerPage(knell);
    const state = async () => (await owner.get('/web/state')).json();
    const [{ id: first }] = (await state()).projects;
    const { id } = (await owner.post('/web/projects', { name: 'second' })).json();
    const remove = (project: string, name: string) => owner.post(`/web/in/${project}/delete`, { name });
    expect((await owner.post(`/web/in/${id}/rename`, { name: 'default' })).status).toBe(409);
    expect((await owner.post(`/web/in/${id}/rename`, { name: 'renamed' })).json().name).toBe('renamed');
    expect((await remove(id, 'second')).status).toBe(400);
    expect((await remove(id, 'renamed')).json()).toEqual({ checks: 0 });
    expect((await remove(id, 'renamed')).status).toBe(404);
    expect((await remove(first, 'default')).status).toBe(409);
    expect((await state()).projects).toMatchObject([{ id: first, name: 'default' }]);
  });

  test('killed at any moment leaves all of it or none', async () => {
    const dataDir = tempDir();
    // Four slices: their number proves nothing, `accept-project` goes through every commit of a deletion.
    const count = 800;
    let key = '';
    let knell = await ChildKnell.start(dataDir, {}, (text) => {
      key = /hcw_\w+/.exec(text)?.[0] ?? '';
    });
    ends.push(() => knell.kill());
    const admin = (command: string, args: Readonly<Record<string, unknown>> = {}) =>
      runAdmin(readConfig({ KNELL_DATA_DIR: dataDir }, {}).config, { command, args }, () => {});
    const projects = async () => (await admin('project list')) as { name: string; checks: number }[];
    const fill = async (apiKey: string): Promise<void> => {
      const one = (n: number) =>
        fetch(`${knell.url}/api/v3/checks/`, {
          method: 'POST',
          headers: { 'X-Api-Key': apiKey },
          body: JSON.stringify({ name: `job ${n}` }),
        });
      for (let done = 0; done < count; done += 100)
        await Promise.all(Array.from({ length: 100 }, (_, n) => one(done + n).then((r) => r.arrayBuffer())));
    };
    await fill(key);
    await admin('project create', { name: 'kept', plan: 'paid' });
    const seen = new Set<string>();
    for (const requests of [0, 1, 4, 16, Number.POSITIVE_INFINITY]) {
      const name = 'to delete';
      if (!(await projects()).some((project) => project.name === name)) {
        const made = (await admin('project create', { name, plan: 'paid' })) as {
          keys: { read_write: string };
        };
        await fill(made.keys.read_write);
      }
      const answer = admin('project delete', { project: name }).then(
        () => 'answered',
        () => 'not answered',
      );
      // The server has gone on by as many turns of its event loop; the last time it has finished.
      for (let sent = 0; sent < Math.min(requests, 100); sent++) await fetch(`${knell.url}/api/v3/status/`);
      if (requests > 100) await answer;
      await knell.kill();
      const outcome = await answer;
      knell = await ChildKnell.start(dataDir, {});
      const after = await projects();
      const left = after.find((project) => project.name === name);
      expect([undefined, count]).toContain(left?.checks);
      if (outcome === 'answered') expect(left).toBeUndefined();
      expect(after).toContainEqual(expect.objectContaining({ name: 'default', checks: count }));
      seen.add(left ? 'whole' : outcome);
    }
    expect([...seen], 'the last was waited for').toContain('answered');
  });
});
