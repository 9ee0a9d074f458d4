/** `knell check move`: everything of a check goes along, over restarts too, or nothing changes. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { CheckCommands } from '../support/process/check-commands.ts';

const commands = await CheckCommands.start();
const { knell, run, runRemotely, json, create } = commands;

afterAll(() => commands.stop());
afterEach(() => commands.deleteChecks());

describe('knell check move', () => {
  const value = '{"url_down":"http://127.0.0.1:9/"}';

  test('keeps UUID, history and counters, takes the integrations there, and lasts', async () => {
    // With a warning on stderr: the address is private.
    const hooks = ['default', 'other', 'other'].map(async (project, at) => {
      const args = ['--kind', 'webhook', '--name', `hook ${at}`, '--value', value, '--json'];
      return JSON.parse((await run('channel', 'create', project, ...args)).stdout);
    });
    const [here, there] = await Promise.all(hooks);
    const { uuid, ping_url } = await create('job', '--slug', 'job', '--channels', '*');
    await knell.request(new URL(ping_url).pathname);
    const before = await json('check', 'show', 'job');
    expect(before.channels).toBe(here.id);
    expect((await run('check', 'move', 'job', 'other')).stdout).toBe('moved job to other\n');
    for (const _ of ['now', 'after a restart']) {
      const after = await json('check', 'show', 'job');
      expect(after).toMatchObject({
        ...before,
        channels: expect.stringContaining(there.id),
        project: 'other',
      });
      expect(after.channels.split(',')).toHaveLength(2);
      expect((await knell.api('GET', `/api/v3/checks/${uuid}`)).status).toBe(403);
      expect((await knell.api('GET', '/api/v3/checks/')).json().checks).toEqual([]);
      expect((await knell.request(`/ping/${knell.keys.ping}/job`)).status).toBe(404);
      expect((await json('log', 'job')).map(({ n }: { n: number }) => n)).toEqual([1]);
      await knell.restart();
    }
    expect((await knell.request(new URL(ping_url).pathname)).status).toBe(200);
    expect((await json('check', 'show', 'job')).n_pings).toBe(2);
    for (const hook of await Promise.all(hooks)) await run('channel', 'delete', hook.id);
  });

  test('survives the deletion of the project that it has left', async () => {
    await run('project', 'create', 'short-lived');
    const { uuid } = await json('check', 'create', 'job', '--project', 'short-lived');
    await run('check', 'move', 'job', 'other', '--channels', 'none');
    await run('project', 'delete', 'short-lived', '--yes');
    await knell.restart();
    expect(await json('check', 'show', uuid)).toMatchObject({ project: 'other', channels: '' });
  });

  test('is refused where it cannot be, and changes nothing', async () => {
    await run('project', 'create', 'small', '--plan', 'free');
    const full = Array.from({ length: 20 }, (_, at) =>
      json('check', 'create', `s${at}`, '--project', 'small'),
    );
    await Promise.all(full);
    await json('check', 'create', 'theirs', '--slug', 'same', '--project', 'other');
    await create('mine', '--slug', 'same');
    for (const [args, status, said] of [
      [['mine', 'default'], 1, /is in "default" already/],
      [['mine', 'other'], 1, /has a check with the slug same/],
      [['mine', 'small'], 1, /check limit/],
      [['mine', 'nowhere'], 1, /no project is named "nowhere"/],
      [['mine', 'other', '--slug', 'Not a slug'], 2, /a slug has only/],
    ] as const) {
      const refused = await run('check', 'move', ...args);
      expect(refused).toMatchObject({ status, stderr: expect.stringMatching(said) });
    }
    expect((await json('check', 'show', 'mine')).project).toBe('default');
    expect(await json('check', 'move', 'mine', 'other', '--slug', 'mine')).toMatchObject({
      slug: 'mine',
      project: 'other',
    });
    expect(await runRemotely('check', 'create', 'far')).toMatchObject({ status: 0 });
    expect(await runRemotely('check', 'move', 'far', 'other')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/needs an admin key/),
    });
    await run('project', 'delete', 'small', '--yes');
  });
});
