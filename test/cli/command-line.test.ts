/** What holds for every command: help, streams that end early, a data directory that is none. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { patienceMs } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { DirectoryCommands, oneLine } from '../support/process/directory-commands.ts';

const main = builtFile('main.js');
const commands = DirectoryCommands.forFile();
const { envOf, knell, knellProcess } = commands;

test.each([['project', 'list'], ['key', 'list', 'default'], ['snapshot', 'x.knell'], ['snapshot']])(
  'knell %s on a data directory that is not there says so, and makes none',
  async (...args) => {
    const run = await knell(args);
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(existsSync(commands.dataDir)).toBe(false);
  },
);

test.each([['project', 'list'], ['snapshot']])(
  'knell %s on a directory of somebody else says that there is no Knell data, and changes nothing in it',
  async (...args) => {
    mkdirSync(commands.dataDir);
    writeFileSync(join(commands.dataDir, 'notes.txt'), 'not of Knell');
    const run = await knell(args);
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('no Knell data in')]);
    expect(readdirSync(commands.dataDir)).toEqual(['notes.txt']);
  },
);

test('knell project list on a file says that it is no directory', async () => {
  writeFileSync(commands.dataDir, '');
  const run = await knell(['project', 'list']);
  expect([run.status, run.stderr]).toEqual([
    1,
    expect.stringMatching(/^knell: the data directory [^\n]+\n$/),
  ]);
});

describe('help', () => {
  test('has every command under what it is for, and an unknown one is sent to it', async () => {
    const { stdout } = await knell(['--help']);
    const headings = stdout.split('\n').filter((line) => /^[A-Z][\w ]*:$/.test(line));
    // What is in no group is under the heading of commander itself, `Commands:`.
    expect(headings).toEqual([
      ...['Options:', 'Start:', 'In a job:', 'Find jobs:', 'Look:', 'Set up:', 'Keep and move the data:'],
    ]);
    expect((await knell(['frobnicate'])).stderr).toContain('See knell --help.');
  });

  test.each([
    [[]],
    [['serve']],
    [['project', 'create']],
    [['project', 'list']],
    [['project', 'rename']],
    [['project', 'delete']],
    [['key', 'create']],
    [['key', 'list']],
    [['key', 'revoke']],
    [['channel', 'create']],
    [['channel', 'list']],
    [['schedule']],
    [['snapshot']],
    [['snapshot', 'list']],
    [['snapshot', 'verify']],
    [['restore']],
  ])('of knell %j says what it is for', async (args) => {
    const run = await knell([...args, '--help']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/^Usage: knell/);
    expect(run.stdout).not.toMatch(/default *\)/);
  });

  test('names a command that does not exist', async () => {
    const run = await knell(['srve']);
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('srve');
  });
});

test('a snapshot that cannot be written is a failure, in one line, not a wrong call', async () => {
  await knell(['project', 'create', 'kept']);
  const run = await knell(['snapshot', join(commands.dataDir, 'not', 'there')]);
  expect([run.status, run.stdout, run.stderr]).toEqual([1, '', expect.stringMatching(oneLine)]);
});

test('a name with a line break stays in its row of a table', async () => {
  const name = 'two\nlines \u001b[31m';
  const { project } = JSON.parse((await knell(['project', 'create', name, '--json'])).stdout);
  expect(project.name).toBe(name);
  const [, row, ...more] = (await knell(['project', 'list'])).stdout.trimEnd().split('\n');
  expect([row, more]).toEqual([expect.stringContaining('two\\nlines \\u001b[31m  paid'), []]);
});

test('a command whose reader has left ends without a word', () => {
  const endless = `yes '{"expr":"* * * * *"}' | "$0" "$1" schedule - | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', endless, process.execPath, main], {
    env: { PATH: process.env.PATH, ...envOf() },
    encoding: 'utf8',
    timeout: patienceMs,
  });
  expect(stdout).toMatch(/^\{"next":\[\d+\]\}\n$/);
  expect(stderr.replace(/^yes: .*\n/gm, '')).toBe('');
});

test.each(isLong ? [['check', 'create'], ['channel'], ['run'], ['ping']] : [['run']])(
  'the help of $0 is cut short without a word',
  (...command) => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$0" "$@" --help | true', process.execPath, main, ...command],
      { env: { PATH: process.env.PATH, ...envOf() }, encoding: 'utf8', timeout: patienceMs },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

test('knell schedule answers line by line, and says what is wrong with a line', async () => {
  const lines = ['{"expr":"0 0 * * *","tz":"UTC","from":0,"n":2}', '{"expr":"nonsense"}', 'no json'];
  const run = await knellProcess(['schedule', '-'], {}, `${lines.join('\n')}\n`);
  const [first, second, third] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toEqual({ next: [86_400_000, 172_800_000] });
  expect([second.error, third.error]).toEqual([expect.any(String), expect.any(String)]);
  expect(run.status).toBe(0);
});
