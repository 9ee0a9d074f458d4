/** Incidents on the command line, over the socket and remotely. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CheckCommands } from '../../support/process/check-commands.ts';

let commands: CheckCommands;
beforeAll(async () => {
  commands = await CheckCommands.start();
  // Somebody would be notified: only then something is held back.
  const value = '{"url_down":"http://hooks.invalid/"}';
  const args = { project: 'default', kind: 'webhook', name: 'hook', value };
  await commands.knell.app.admin({ command: 'channel create', args }, () => {});
});
afterAll(() => commands.stop());
afterEach(() => commands.deleteChecks());

/** `name` goes down, and what depends on it; resolves to the id of their incident. */
async function outage(name: string, dependent: string): Promise<string> {
  const parent = await commands.create(name);
  const child = await commands.create(dependent, '--depends-on', name);
  for (const { uuid } of [parent, child]) await commands.knell.request(`/ping/${uuid}/fail`);
  return (await commands.json('incidents', '-n', '1'))[0].id;
}

describe.each(['over the socket', 'remotely'])('%s', (how) => {
  const run = (...args: string[]) =>
    how === 'remotely' ? commands.runRemotely(...args) : commands.run(...args);
  const by = how === 'remotely' ? 'API key' : 'command line';

  test('an incident is listed, acknowledged with a note, shown, and that is undone', async () => {
    const id = await outage('db-1', 'app');
    const short = id.slice(0, 8);
    const listed = await run('incidents', '--state', 'open');
    expect(listed.stdout).toMatch(/^ID +STATE +WHAT +OPENED +TOOK +ACKNOWLEDGED BY/);
    expect(listed.stdout).toMatch(new RegExp(`${short} +open +db-1 is down and 1 depends on it`));
    expect(await run('incident', 'ack', short, '--note', 'replacing the disk')).toMatchObject({
      status: 0,
      stdout: 'acknowledged: db-1 is down and 1 depends on it\n',
    });
    expect((await run('incidents', '--state', 'open')).stdout).toBe('no incidents\n');
    expect((await run('incidents', '--state', 'open,acknowledged')).stdout).toContain(by);
    expect((await run('check', 'show', 'app')).stdout).toMatch(new RegExp(`Alerts +acknowledged by ${by}`));
    const { stdout } = await run('incident', 'show', short);
    expect(stdout).toMatch(
      new RegExp(
        `^db-1 is down and 1 depends on it\nId +${id}\nState +acknowledged\nOpened +\\S+ \\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d\n`,
      ),
    );
    expect(stdout).toContain('  app: down, depends on what is down\n');
    expect(stdout).toMatch(new RegExp(`note +by ${by}: replacing the disk\n`));
    expect(stdout).toMatch(/held +app down: it depends on what is down: db-1/);
    expect(stdout).toMatch(/(waiting|failing) +db-1 down to hook/);
    expect((await run('incident', 'unack', id)).stdout).toBe(
      'no longer acknowledged: db-1 is down and 1 depends on it\n',
    );
    expect((await run('incident', 'note', short, 'it was the other disk')).status).toBe(0);
    const shown = JSON.parse((await run('incident', 'show', short, '--json')).stdout);
    expect(shown).toMatchObject({ id, state: 'open', n_down: 2 });
    expect(shown.entries.at(-1)).toMatchObject({ kind: 'note', by, text: 'it was the other disk' });
    // An id may look like a number, and has quotes then.
    expect((await run('incidents', '-n', '1', '-o', 'yaml')).stdout).toMatch(new RegExp(`id: "?${id}`));
  });
});

test('one that is resolved is not acknowledged', async () => {
  const id = await outage('a', 'b');
  await commands.deleteChecks();
  expect(await commands.run('incident', 'ack', id)).toMatchObject({
    status: 1,
    stderr: 'knell: this incident is resolved\n',
  });
});

test.each([
  [['incident', 'show', 'abc12'], 2, 'give the id of an incident, or 6 or more characters'],
  [['incident', 'show', 'names'], 2, 'give the id of an incident'],
  [['incident', 'ack', 'ffffff'], 1, 'no incident has the id ffffff: see knell incidents'],
  [['incidents', '--state', 'closed'], 2, 'state is not one of open, acknowledged, resolved'],
  [['incidents', '-n', '1001'], 2, '-n'],
])('knell %j is refused', async (args, status, error) => {
  const ran = await commands.run(...args);
  expect([ran.status, ran.stderr]).toEqual([status, expect.stringContaining(error)]);
});

test('an open incident completes a command', async () => {
  const id = await outage('c', 'd');
  const { stdout } = await commands.run('complete', '--', 'incident', 'ack', id.slice(0, 6));
  expect(stdout).toBe(`${id}\n`);
});
