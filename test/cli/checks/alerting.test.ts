/** Who is notified, and who was at a moment in the past, on the command line: over the socket and remotely. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckCommands } from '../../support/process/check-commands.ts';

let commands: CheckCommands;
let downMs: number;
beforeAll(async () => {
  commands = await CheckCommands.start();
  await commands.run(
    'channel',
    'create',
    'default',
    '--kind',
    'slack',
    '--name',
    'dba',
    '--value',
    slack,
    '--tags',
    'db',
  );
  const { uuid } = await commands.create('backup');
  await commands.knell.request(`/ping/${uuid}/fail`);
  downMs = Date.now();
});
afterAll(() => commands.stop());

const slack = 'https://hooks.slack.invalid/services/x';
const reason = 'Not notified: it was only for checks tagged db.';

describe.each(['over the socket', 'remotely'])('%s', (how) => {
  const run = (...args: string[]) =>
    how === 'remotely' ? commands.runRemotely(...args) : commands.run(...args);

  test('who would be notified now', async () => {
    const { status, stdout } = await run('check', 'alerting', 'backup');
    expect([status, stdout]).toEqual([0, expect.stringContaining('Not notified: only of checks tagged db.')]);
  });

  test.each(['iso', 'seconds'])('who was notified then, of a time in %s', async (form) => {
    const at = form === 'iso' ? new Date(downMs).toISOString() : String(Math.floor(downMs / 1000));
    const { status, stdout, stderr } = await run('check', 'alerting', 'backup', '--at', at);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^At .* UTC it was down\. Nobody was notified of that\.\n/);
    expect(stdout).toMatch(/^INTEGRATION +KIND +NOTIFICATION$/m);
    expect(stdout).toContain(reason);
  });

  test('in the form for programs', async () => {
    const { stdout } = await run(
      'check',
      'alerting',
      'backup',
      '--at',
      new Date(downMs).toISOString(),
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ status: 'down', change: { to: 'down' }, notes: [] },
      recipients: [{ name: 'dba', outcome: 'none', timestamp: null, text: reason }],
    });
  });

  test('a time of day is one that has passed, in the zone of this machine', async () => {
    const { stdout } = await run('check', 'alerting', 'backup', '--at', '00:00', '--json');
    const { at, text } = JSON.parse(stdout);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
    expect(text).toMatch(/^There was no such check: /);
  });

  test.each([
    ['soon', 2, /^knell: --at must be a time such as 02:10/],
    ['2099-05-04T02:00:00Z', 2, /^knell: --at must not be in the future/],
  ])('%s is no time in the past', async (at, expected, error) => {
    const { status, stderr } = await run('check', 'alerting', 'backup', '--at', at);
    expect(status).toBe(expected);
    expect(stderr).toMatch(error);
  });
});
