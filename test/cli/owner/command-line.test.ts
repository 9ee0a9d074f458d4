/** Owner's commands on the command line, as they are declared: what all of them have, and what each takes. */
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/args.ts';
import { argumentsOf, commandNames, ownerCommands } from '../../../src/commands/table.ts';
import { Knell } from '../../support/knell.ts';
import { CommandRunner, type Env } from '../../support/process/commands.ts';
import { tempDir } from '../../support/temp-dirs.ts';

const declared = commandNames.flatMap((name) => {
  const line = ownerCommands[name].line === undefined ? name : ownerCommands[name].line;
  return line === null ? [] : [{ name, line }];
});

function commandAt(line: string): Command | undefined {
  let found: Command | undefined = createProgram();
  for (const word of line.split(' ')) found = found?.commands.find((one) => one.name() === word);
  return found;
}

describe.each(declared)('knell $line', ({ name, line }) => {
  const command = commandAt(line);
  const options = command?.options ?? [];

  test('runs on every server, and prints for programs', () => {
    const long = options.map((one) => one.long);
    expect(long).toEqual(expect.arrayContaining(['--data-dir', '--server', '--key', '--json', '--output']));
  });

  test('has a place with words of help for each argument that it shows there', () => {
    for (const [argument, { line: place, help, isRequired }] of Object.entries(argumentsOf(name))) {
      if (place === null) continue;
      expect(help, argument).not.toBe('');
      if (place.startsWith('-'))
        expect(options).toContainEqual(expect.objectContaining({ flags: place, mandatory: isRequired }));
      else if (place === '[project]') expect(isRequired).toBe(true);
      else expect(place.startsWith('<'), place).toBe(isRequired);
    }
  });
});

test('those without a place are for programs', () => {
  const shown = declared.map(({ name }) => name);
  expect(commandNames.filter((name) => !shown.includes(name))).toEqual([
    'api',
    'status-page edit',
    'status-page delete-notice',
    'maintenance edit',
    'server info',
    'config show',
    'config apply',
  ]);
});

describe('on a Knell elsewhere', () => {
  let knell: Knell;
  let adminKey = '';
  const runner = CommandRunner.start();
  const elsewhere: Env = { KNELL_DATA_DIR: tempDir() };
  const run = (...args: string[]) =>
    runner.run([...args, '--server', knell.app.httpUrl, '--key', adminKey], elsewhere);

  beforeAll(async () => {
    knell = await Knell.start();
    const args = { name: 'ops', shell: true };
    const made = await knell.app.admin({ command: 'admin-key create', args }, () => {});
    adminKey = Object(made).key;
    await knell.app.admin({ command: 'project create', args: { name: 'other' } }, () => {});
  });

  afterAll(async () => {
    await runner.stop();
    await knell.stop();
  });

  test('a check is moved by its name', async () => {
    const { uuid } = await knell.create({ name: 'Far away' });
    const moved = await run('check', 'move', 'far away', 'other', '-o', 'yaml');
    expect(moved.stdout).toMatch(
      new RegExp(`^uuid: "?${uuid}"?\nname: Far away\nslug: ""\nproject: other\n$`),
    );
    expect(await run('check', 'move', 'nothing', 'other')).toMatchObject({ status: 1, stdout: '' });
  });

  test('a snapshot is written there, and those here are listed here', async () => {
    const { status, stdout } = await run('snapshot', '--json');
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ file: expect.stringContaining(knell.dataDir) }),
    ]);
    expect(await run('snapshot', 'list')).toMatchObject({
      status: 2,
      stderr: 'knell: this reads files of this machine: run it there, without --server\n',
    });
  });

  test('a report is YAML with the fields of its JSON', async () => {
    const { parse } = await import('yaml');
    const yaml = await run('report', 'weekly', '-o', 'yaml');
    expect(parse(yaml.stdout)).toEqual(JSON.parse((await run('report', 'weekly', '--json')).stdout));
    expect(parse(yaml.stdout)).toMatchObject({ frequency: 'weekly', down_for: 0 });
  });

  test.each([
    [['report', 'hourly'], 2, 'frequency must be one of daily, weekly, monthly'],
    [['user', 'role', 'nobody', 'default'], 2, /role must be one of owner, editor, viewer, none$/],
    [['user', 'role', 'nobody', 'viewer'], 1, /no user is named nobody; users: there are none yet$/],
    [
      ['channel', 'edit', 'hook', '--delay', 'soon'],
      2,
      /^--delay must be a time such as 90s, 5m, 2h or 1d, or 0$/,
    ],
    [['audit', '--since', '2026-02-30'], 2, /since must be a time such as 2026-01-31/],
  ] as const)('%j is refused with %i in the words of the command', async (args, status, said) => {
    const { stderr, ...refused } = await run(...args);
    expect(refused).toEqual({ status, stdout: '' });
    expect(stderr.replace(/^knell: (?:http:\S+: )?/, '').trimEnd()).toMatch(said);
  });
});
