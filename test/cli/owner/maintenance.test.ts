/** `knell maintenance` as a user types it, on a running server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CheckCommands } from '../../support/process/check-commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

let commands: CheckCommands;
beforeAll(async () => {
  commands = await CheckCommands.start();
});
afterAll(() => commands.stop());

const run = (...args: string[]) => commands.run('maintenance', ...args);

test('creates windows of each form, and lists them', async () => {
  const { uuid } = await commands.create('nightly');
  const weekly = ['--schedule', '0 2 * * 0', '--tz', 'Europe/Riga', '--duration', '2h', '--tag', 'db', 'web'];
  expect(await run('create', 'default', 'Sundays', ...weekly)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Sundays, id [-0-9a-f]{36}: next at \d{4}-[-\d]+ (?:00|23):00 UTC\n$/),
  });
  const once = ['--from', '2050-05-04T22:00:00Z', '--until', '2050-05-05T02:00:00Z', '--check', uuid];
  await run('create', 'default', 'DB move', ...once, '--counts-as-downtime');
  const file = join(tempDir(), 'holidays.ics');
  writeFileSync(
    file,
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20500101\nEND:VEVENT\nEND:VCALENDAR',
  );
  await run('create', 'default', 'Holidays', '--ics', file, '--tz', 'Europe/Riga');
  await run('create', 'default', 'Nights', '--date', '2050-01-01T00:00:00Z/2050-01-01T01:00:00Z');
  const { stdout } = await run('list', 'default');
  expect(stdout).toMatch(/Sundays +tag db, tag web +next at .* 0 2 \* \* 0 \(Europe\/Riga\) for 2 hours/);
  expect(stdout).toMatch(
    /DB move +1 check +next at 2050-05-04 22:00 UTC +2050-05-04 22:00 to 2050-05-05 02:00 UTC/,
  );
  expect(stdout).toMatch(/Holidays +all checks +next at 2049-12-31 22:00 UTC/);
  const listed = JSON.parse((await run('list', 'default', '--json')).stdout);
  expect(listed).toMatchObject([
    {},
    { counts_as_downtime: true, by: 'the command line' },
    {},
    { name: 'Nights' },
  ]);
});

test('lists quiet hours as what they are', async () => {
  const phone = [
    '--kind',
    'ntfy',
    '--name',
    'phone',
    '--value',
    '{"topic":"x","url":"https://ntfy.invalid"}',
  ];
  await commands.run('channel', 'create', 'default', ...phone);
  const [{ id }] = JSON.parse((await commands.run('channel', 'list', 'default', '--json')).stdout);
  const times = ['--schedule', '0 22 * * *', '--duration', '8h'];
  expect(await run('create', 'default', 'Quiet', ...times, '--integration', id)).toMatchObject({ status: 0 });
  const { stdout } = await run('list', 'default');
  expect(stdout).toMatch(/Quiet +all checks, quiet hours of 1 integration /);
});

test('starts, ends and deletes by the name', async () => {
  expect(await run('start', 'default', '90m', '--tag', 'night')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Maintenance: on until /),
  });
  expect((await run('end', 'Maintenance')).stdout).toBe('Maintenance: over\n');
  expect(await run('end', 'Maintenance')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the maintenance Maintenance is not on: there is nothing to end'),
  });
  expect((await run('delete', 'Maintenance')).stdout).toBe('deleted Maintenance\n');
  expect(await run('delete', 'Maintenance')).toMatchObject({
    stderr: expect.stringContaining('no maintenance window is named "Maintenance"'),
  });
});

test('says what is wrong with what was typed', async () => {
  for (const [args, error] of [
    [['create', 'default', 'x'], 'give from and until, a schedule with a duration, dates or ics'],
    [['create', 'default', 'x', '--date', 'today'], '--date is FROM/UNTIL, not "today"'],
    [['create', 'default', 'x', '--ics', '/nowhere/x.ics'], 'cannot read /nowhere/x.ics'],
    [['start', 'default', '9d'], 'give a time from 1m to 7d, such as 90m, 2h or 1d'],
  ] as const) {
    const { status, stderr } = await run(...args);
    expect([status !== 0, stderr]).toEqual([true, expect.stringContaining(error)]);
  }
});
