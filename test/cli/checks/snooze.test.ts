/** Acknowledging and snoozing on the command line, over the socket and remotely. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { instantOf } from '../../../src/cli/checks/snooze.ts';
import { CheckCommands } from '../../support/process/check-commands.ts';

let commands: CheckCommands;
beforeAll(async () => {
  commands = await CheckCommands.start();
});
afterAll(() => commands.stop());
afterEach(() => commands.deleteChecks());

async function createDown(name: string): Promise<string> {
  const { uuid } = await commands.create(name);
  await commands.knell.request(`/ping/${uuid}/fail`);
  return uuid;
}

describe.each(['over the socket', 'remotely'])('%s', (how) => {
  const run = (...args: string[]) =>
    how === 'remotely' ? commands.runRemotely(...args) : commands.run(...args);
  const by = how === 'remotely' ? 'API key' : 'command line';

  test('checks are acknowledged, which shows, and that is undone', async () => {
    await createDown('a');
    await createDown('b');
    expect(await run('check', 'acknowledge', 'a', 'b')).toMatchObject({
      status: 0,
      stdout: 'acknowledged a\nacknowledged b\n',
    });
    const status = await run('status');
    expect(status.stdout).toMatch(/ALERTS\n/);
    expect(status.stdout).toContain(`acknowledged by ${by}`);
    expect((await run('check', 'show', 'a')).stdout).toMatch(new RegExp(`Alerts +acknowledged by ${by}`));
    expect((await run('check', 'unacknowledge', 'a', 'b')).status).toBe(0);
    expect((await run('status')).stdout).not.toContain('ALERTS');
  });

  test('a check that is not down is not acknowledged', async () => {
    await commands.create('a');
    expect(await run('check', 'acknowledge', 'a')).toMatchObject({
      status: 1,
      stderr: 'knell: check is not down: only a check that is down can be acknowledged\n',
    });
  });

  test('checks are snoozed for a time or until one, which shows, also to programs, and that ends', async () => {
    await commands.create('a');
    await commands.create('b');
    const snoozed = await run('check', 'snooze', 'a', 'b', '--for', '2h');
    expect(snoozed.stdout).toMatch(/^snoozed a until \d\d:\d\d\nsnoozed b until \d\d:\d\d\n$/);
    expect((await run('check', 'list')).stdout).toMatch(/snoozed until \d\d:\d\d/);
    const [first] = JSON.parse((await run('check', 'list', '--json')).stdout);
    expect(first).toMatchObject({ name: 'a', snoozed: { by } });
    expect(Date.parse(first.snoozed.until) - Date.parse(first.snoozed.timestamp)).toBeLessThanOrEqual(
      7_200_000,
    );
    expect((await run('check', 'unsnooze', 'a', 'b')).stdout).toBe(
      'no longer snoozed: a\nno longer snoozed: b\n',
    );
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    expect((await run('check', 'snooze', 'a', '--until', day)).stdout).toBe(`snoozed a until ${day} 00:00\n`);
  });
});

test.each([
  [['snooze', 'a'], 'say how long'],
  [['snooze', 'a', '--for', '1h', '--until', '09:00'], 'say how long'],
  [['snooze', 'a', '--for', 'long'], '--for'],
  [['snooze', 'a', '--until', 'soon'], '--until must be a time'],
  [['snooze', 'a', '--until', '2001-01-01'], 'until has passed'],
  [['snooze', 'a', '--for', '400d'], 'more than a year ahead'],
])('knell check %j is wrong use', async (args, error) => {
  await commands.create('a');
  const { status, stderr } = await commands.run('check', ...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(error)]);
});

test('nothing is snoozed where one of the checks is not there', async () => {
  await commands.create('a');
  expect((await commands.run('check', 'snooze', 'a', 'nope', '--for', '1h')).status).toBe(1);
  expect((await commands.run('status')).stdout).not.toContain('snoozed');
});

test('the help says what a snooze does', async () => {
  const { stdout } = await commands.run('check', 'snooze', '--help');
  expect(stdout).toContain('What is still true at the end is sent then');
  expect(stdout).toContain('knell check snooze web db --until 09:00');
});

test('a time of day is the next one here; a date begins at midnight here; an offset counts', () => {
  const now = new Date(2026, 4, 4, 8, 30);
  const at = (text: string) => instantOf(text, now.getTime());
  expect(at('09:00')).toBe(new Date(2026, 4, 4, 9).getTime());
  expect(at('8:30')).toBe(new Date(2026, 4, 5, 8, 30).getTime());
  expect(at('2026-05-06')).toBe(new Date(2026, 4, 6).getTime());
  expect(at('2026-05-06 07:15')).toBe(new Date(2026, 4, 6, 7, 15).getTime());
  expect(at('2026-05-06T07:15+02:00')).toBe(Date.UTC(2026, 4, 6, 5, 15));
  expect([at('24:00'), at('9'), at('2026-13-01'), at('tomorrow')]).toEqual([null, null, null, null]);
});
