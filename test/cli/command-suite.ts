/**
 * The commands as a user types them: the built program, exit statuses, both streams. Most run one after the other in one
 * process (`CommandRunner`); with a server, they share it. A file for each way runs all of them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DirectoryCommands, oneLine, type Server } from '../support/process/directory-commands.ts';
import { tempDir } from '../support/temp-dirs.ts';

/** `running`: with a server. */
export function commandSuite(running: boolean): void {
  const commands = DirectoryCommands.forFile();
  const { end, knell, knellProcess } = commands;
  let sharedDir = '';
  let server: Server | null = null;
  let log = '';

  beforeAll(async () => {
    sharedDir = join(mkdtempSync(join(tmpdir(), 'knell-test-')), 'data');
    commands.dataDir = sharedDir;
    if (running) {
      server = await commands.startServer({ KNELL_LOG_LEVEL: 'debug' });
      server.process.stderr?.on('data', (chunk) => {
        log += chunk;
      });
    }
    expect((await knell(['project', 'create', 'x'])).status).toBe(0);
  });

  afterAll(async () => {
    if (server) await end(server.process, 'SIGKILL');
    rmSync(join(sharedDir, '..'), { recursive: true, force: true });
  });

  beforeEach(() => {
    commands.dataDir = sharedDir;
  });

  const projectNames = async (): Promise<readonly string[]> =>
    JSON.parse((await knell(['project', 'list', '--json'])).stdout).map(({ name }: { name: string }) => name);

  test('make and list projects and keys, in the exact form that programs read', async () => {
    const made = JSON.parse((await knell(['project', 'create', 'ops', '--plan', 'free', '--json'])).stdout);
    expect(made).toEqual({
      project: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'ops', plan: 'free' },
      keys: {
        read_write: expect.stringMatching(/^hcw_\w{28}$/),
        read_only: expect.stringMatching(/^hcr_\w{28}$/),
        ping: expect.stringMatching(/^\w{22}$/),
      },
    });
    const keyArgs = ['key', 'create', made.project.id, '--scope', 'read-only', '--json'];
    const key = JSON.parse((await knell(keyArgs)).stdout);
    expect(key).toEqual({
      id: expect.any(String),
      scope: 'read-only',
      key: expect.stringMatching(/^hcr_\w{28}$/),
    });
    expect(JSON.parse((await knell(['key', 'list', 'ops', '--json'])).stdout)).toHaveLength(4);
    expect((await knell(['key', 'revoke', key.id])).status).toBe(0);
    expect(JSON.parse((await knell(['key', 'list', 'ops', '--json'])).stdout)).toHaveLength(3);
    expect((await knell(['key', 'list', 'ops'])).stdout).not.toContain('hcw_');
    expect((await knell(['project', 'list'])).stdout).toContain('ops');
  });

  test('run in a process of their own as well, which ends when they have', async () => {
    const made = await knellProcess(['project', 'create', 'own process', '--json']);
    expect([made.status, made.stderr]).toEqual([0, '']);
    expect(JSON.parse((await knellProcess(['project', 'list', '--json'])).stdout)).toContainEqual(
      expect.objectContaining({ name: 'own process' }),
    );
  });

  test('make and list integrations, and check their values', async () => {
    const { project } = JSON.parse((await knell(['project', 'create', 'notified', '--json'])).stdout);
    const args = ['channel', 'create', project.id, '--kind', 'email', '--name', 'on call'];
    const made = JSON.parse((await knell([...args, '--value', 'ops@example.org', '--json'])).stdout);
    expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'on call', kind: 'email' });
    const listed = (await knell(['channel', 'list', project.id, '--json'])).stdout;
    expect(JSON.parse(listed)).toMatchObject([made]);
    const refused = await knell([...args, '--value', 'no address']);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(oneLine)]);
    const hook = [
      'channel',
      'create',
      project.id,
      '--kind',
      'webhook',
      '--name',
      'hook',
      '--json',
      '--value',
    ];
    const blocked = await knell([...hook, '{"url_down":"http://127.0.0.1:9/"}']);
    expect(blocked.status).toBe(0);
    expect(Object.keys(JSON.parse(blocked.stdout))).toEqual(['id', 'name', 'kind']);
    expect(blocked.stderr).toMatch(oneLine);
    expect(blocked.stderr).toContain('add it to KNELL_WEBHOOK_ALLOW');
  });

  test.each([
    [['project', 'create', 'x'], 1],
    [['key', 'list', 'nobody'], 1],
    [['key', 'revoke', 'nothing'], 1],
    [['key', 'create', 'x', '--scope', 'all'], 2],
    [['channel', 'create', 'x', '--kind', 'pigeon', '--name', 'n', '--value', 'v'], 2],
  ])('refuse %j with status %i, in one line', async (args, status) => {
    const run = await knell(args);
    expect([run.status, run.stdout]).toEqual([status, '']);
    expect(run.stderr).toMatch(oneLine);
  });

  test('snapshot to a file that restores into an empty directory, and into no other', async () => {
    const { project } = JSON.parse((await knell(['project', 'create', 'kept', '--json'])).stdout);
    const file = join(tempDir(), 'all.knell');
    const written = await knell(['snapshot', file]);
    expect([written.status, written.stderr]).toEqual([0, '']);
    expect((await knell(['restore', file])).status).toBe(1);
    const restored = await knell(['restore', file], { KNELL_DATA_DIR: `${commands.dataDir}-2` });
    expect([restored.status, restored.stderr]).toEqual([0, '']);
    const projects = JSON.parse(
      (await knell(['project', 'list', '--json'], { KNELL_DATA_DIR: `${commands.dataDir}-2` })).stdout,
    );
    expect(projects).toContainEqual(expect.objectContaining({ id: project.id }));
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    const refused = await knell(['restore', file], { KNELL_DATA_DIR: `${commands.dataDir}-3` });
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(existsSync(`${commands.dataDir}-3`)).toBe(false);
  });

  test('of a project: rename and delete it, asking once more; the only one stays', async () => {
    const { project } = JSON.parse((await knell(['project', 'create', 'shift', '--json'])).stdout);
    await knell(['project', 'create', 'the last']);
    const renamed = await knell(['project', 'rename', 'shift', 'night shift', '--json']);
    expect([renamed.status, JSON.parse(renamed.stdout)]).toEqual([0, { ...project, name: 'night shift' }]);
    expect((await knell(['project', 'rename', project.id, 'shift'])).stdout).toContain('shift');
    expect((await knell(['project', 'rename', 'shift', 'the last'])).status).toBe(1);
    expect((await knell(['project', 'rename', 'shift', ' '])).status).toBe(2);
    const asked = await knell(['project', 'delete', 'shift']);
    expect([asked.status, asked.stdout]).toEqual([2, '']);
    expect(asked.stderr).toMatch(oneLine);
    expect(asked.stderr).toContain('--yes');
    const deleted = await knell(['project', 'delete', 'shift', '--yes', '--json']);
    const answer = { id: project.id, name: 'shift', deleted: true, checks: 0 };
    expect([deleted.status, JSON.parse(deleted.stdout)]).toEqual([0, answer]);
    const again = await knell(['project', 'delete', 'shift', '--yes']);
    expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    for (const name of await projectNames()) {
      if (name !== 'the last')
        expect((await knell(['project', 'delete', name, '--yes'])).stdout).toContain(`deleted ${name}`);
    }
    const only = await knell(['project', 'delete', 'the last', '--yes']);
    expect([only.status, only.stderr]).toEqual([1, expect.stringContaining('make another one first')]);
    expect(await projectNames()).toEqual(['the last']);
  });

  if (running) {
    test('leave the data directory to its owner and to one server', async () => {
      expect(statSync(commands.dataDir).mode & 0o777).toBe(0o700);
      expect(statSync(join(commands.dataDir, 'knell.sock')).mode & 0o777).toBe(0o600);
      const run = await knellProcess(['serve']);
      expect([run.status, run.stdout]).toEqual([1, '']);
      expect(run.stderr).toMatch(oneLine);
      expect(run.stderr).toContain(commands.dataDir);
    });

    test('leave no key and no ping address in the log of the server, which names check and integration when a notification fails', async () => {
      const { keys, project } = JSON.parse((await knell(['project', 'create', 'secret', '--json'])).stdout);
      const { read_write: apiKey, ping: pingKey } = keys;
      const value = '{"method_down":"POST","url_down":"http://127.0.0.1:9/token"}';
      await knell(['channel', 'create', project.id, '--kind', 'webhook', '--name', 'bell', '--value', value]);
      const url = server?.url;
      await fetch(`${url}/ping/${pingKey}/nightly?create=1`);
      await fetch(`${url}/ping/${pingKey}/nightly/fail`);
      const listed = await fetch(`${url}/api/v3/checks/`, { headers: { 'X-Api-Key': apiKey } });
      const [, uuid = 'none'] = /"uuid":"([^"]+)"/.exec(await listed.text()) ?? [];
      await expect.poll(() => log).toContain('notification failed, not retrying');
      for (const secret of [apiKey, pingKey, uuid, 'token']) expect(log).not.toContain(secret);
      for (const name of ['"checkName":"nightly"', '"channelName":"bell"']) expect(log).toContain(name);
    });
  }
}
