/** `knell search` over the socket and remotely: what it prints, and its exit status. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/patience.ts';
import { builtFile } from '../../support/process/built.ts';
import { CheckCommands } from '../../support/process/check-commands.ts';

let commands: CheckCommands;
beforeAll(async () => {
  commands = await CheckCommands.start();
});
afterAll(() => commands.stop());
afterEach(() => commands.deleteChecks());

async function ping(uuid: string, body: string, rest = ''): Promise<void> {
  expect((await commands.knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body })).status).toBe(200);
}

const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d';

describe.each(['over the socket', 'remotely'])('%s', (how) => {
  const run = (...args: string[]) =>
    how === 'remotely' ? commands.runRemotely(...args) : commands.run(...args);

  test('checks and outputs are printed, the newest output first, and nothing found is 1', async () => {
    const backup = await commands.create('Backup', '--tags', 'disk');
    const mirror = await commands.create('Mirror');
    await ping(backup.uuid, 'start\nDisk is full', '/fail');
    await ping(mirror.uuid, 'all disks have space');
    const found = await run('search', 'DISK', '--project', 'default');
    expect(found).toMatchObject({ status: 0, stderr: '' });
    expect(found.stdout).toMatch(
      new RegExp(
        `^check {3}Backup {2}tags disk(?:, project default)?\n` +
          `${time}  Mirror #1 success, line 1: all disks have space\n` +
          `${time}  Backup #1 fail, line 2: Disk is full\n$`,
      ),
    );
    // A word with a blank was one in quotes.
    expect((await run('search', 'is full', '--in', 'outputs')).stdout).toMatch(/Backup #1.*Disk is full\n$/);
    expect((await run('search', 'full', 'is', '--in', 'outputs')).stdout).toMatch(/Disk is full\n$/);
    expect(await run('search', 'full is', '--in', 'outputs')).toEqual({ status: 1, stdout: '', stderr: '' });
    expect(
      await run('search', 'disk', '--check', 'Mirror', '--in', 'outputs', '--since', '1h'),
    ).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\S+ \S+ {2}Mirror #1/),
    });
    expect((await run('search', 'disk', '--in', 'outputs', '--until', '1h')).status).toBe(1);
  });

  test('a program gets a line of JSON for each', async () => {
    const { uuid } = await commands.create('Backup');
    await ping(uuid, 'one needle');
    await ping(uuid, 'two needles');
    const { stdout } = await run('search', 'needle', '--json');
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ what, n }) => [what, n])).toEqual([
      ['output', 2],
      ['output', 1],
    ]);
    expect(lines[1]).toMatchObject({ uuid, name: 'Backup', excerpt: 'one needle', marks: [[4, 10]] });
    expect((await run('search', 'needle', '-o', 'yaml')).stdout).toMatch(/^---\nwhat: output\n/);
  });

  test('it stops after so many, and says how far it came', async () => {
    const { uuid } = await commands.create('Backup');
    for (let n = 1; n <= 5; n++) await ping(uuid, `needle ${n}`);
    const { status, stdout, stderr } = await run('search', 'needle', '-n', '2');
    expect([status, stdout.match(/needle \d/g)]).toEqual([0, ['needle 5', 'needle 4']]);
    expect(stderr).toMatch(
      /^knell: stopped after 2 outputs \(-n\): (?:project default is )?searched back to .*; go on with (?:--project "default" )?--until \S+\n$/,
    );
    const until = /--until (\S+)/.exec(stderr)?.[1] ?? '';
    const rest = await run('search', 'needle', '--until', until);
    expect(rest.stdout.match(/needle [123]/g)).toEqual(['needle 3', 'needle 2', 'needle 1']);
  });

  test.each([
    [['search', 'x', '--since', 'yesterday'], /--since must be a time such as/],
    [['search', 'x', '-n', 'many'], /-n must be a whole number from 0 to/],
    [['search', ' '], /q is missing: give the words to look for/],
    [['search', 'x'.repeat(201)], /q has at most 200 characters/],
    [['search', 'x', '--check', 'none'], /no check is named "none"/],
    [['search'], /missing required argument/],
    [['search', 'x', '--in', 'bodies'], /Allowed choices are checks, outputs/],
  ])('%j is an error, and its exit status is 2', async (args, words) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });
});

test('a read-only key finds checks', async () => {
  const { uuid } = await commands.create('Backup');
  await ping(uuid, 'backup done');
  const asReader = commands.remote(commands.knell.keys.readOnly);
  const { status, stdout } = await commands.runner.run(['search', 'backup'], asReader);
  expect([status, stdout]).toEqual([0, 'check   Backup\n']);
  const refused = await commands.runner.run(['search', 'backup', '--in', 'outputs'], asReader);
  expect([refused.status, refused.stderr]).toEqual([2, 'knell: wrong api key\n']);
});

test('Ctrl-C ends it with what is known', async () => {
  const searched = {
    pings: 9,
    bytes: 9,
    from: '2026-03-02T12:00:00.000000+00:00',
    to: '2026-03-03T12:00:00.000000+00:00',
  };
  let asked = 0;
  // The second answer never comes.
  const server = createServer((_, response) => {
    if (++asked > 1) return;
    response.end(
      JSON.stringify({
        checks: [],
        n_checks: 0,
        outputs: [],
        searched: { ...searched, complete: false },
        next: 'x',
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { PATH: process.env.PATH, KNELL_SERVER: `http://127.0.0.1:${port}`, KNELL_API_KEY: 'key' };
  const child = spawn(process.execPath, [builtFile('main.js'), 'search', 'needle'], { env });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', (status) => resolve(status)));
  await eventually(() => expect(asked).toBe(2));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(stderr).toMatch(
    /^knell: interrupted: searched back to .*; go on with --until 2026-03-02T12:00:00\.001Z\n$/,
  );
  server.closeAllConnections();
  server.close();
});
