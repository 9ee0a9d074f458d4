/** `knell events` as a process, against a whole Knell: what it prints, what it follows, and how it ends. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { eventually } from '../support/patience.ts';
import { builtUrl } from '../support/process/built.ts';

let knell: Knell;
let uuid = '';

beforeAll(async () => {
  knell = await Knell.start();
  ({ uuid } = await knell.create({ name: 'Backup', slug: 'backup' }));
  await knell.request(`/ping/${uuid}`);
  await knell.request(`/ping/${uuid}/fail`);
});
afterAll(() => knell.stop());

interface Running {
  readonly lines: () => readonly string[];
  readonly errors: () => string;
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

function events(...args: readonly string[]): Running {
  const remote = ['--server', knell.app.httpUrl, '--key', knell.keys.readWrite];
  const child = spawn(process.execPath, [fileURLToPath(builtUrl('main.js')), 'events', ...args, ...remote], {
    env: { ...process.env, TZ: 'UTC' },
  });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  return {
    lines: () => out.split('\n').filter((line) => line !== ''),
    errors: () => said,
    ended: new Promise((resolve) => child.once('close', (status) => resolve(status))),
    kill: (signal) => child.kill(signal),
  };
}

test('prints what is kept, a line each, and for programs an object each', async () => {
  const shown = events();
  expect(await shown.ended).toBe(0);
  expect(shown.lines().map((line) => line.replace(/^\S+ \S+ +/, ''))).toEqual([
    expect.stringContaining('configuration'),
    expect.stringMatching(/^configuration +check "Backup" created/),
    expect.stringMatching(/^status +Backup: up, was new \(success\)$/),
    expect.stringMatching(/^incident +Backup is down \(open\)$/),
    expect.stringMatching(/^status +Backup: down, was up \(fail\)$/),
  ]);
  const json = events('--json', '--types', 'ping');
  expect(await json.ended).toBe(0);
  expect(json.lines().map((line) => JSON.parse(line))).toMatchObject([
    { type: 'ping', n: 1, check: { uuid } },
    { type: 'ping', n: 2, signal: 'fail' },
  ]);
  const [first = ''] = json.lines();
  const rest = events('--json', '--types', 'ping', '--after', JSON.parse(first).id);
  expect(await rest.ended).toBe(0);
  expect(rest.lines()).toEqual(json.lines().slice(1));
});

test('with -f goes on from now, and prints each event once', async () => {
  const followed = events('-f', '--types', 'ping', '--check', 'backup', '--json');
  // It has begun when it prints what comes from then on.
  let sent = 2;
  await eventually(async () => {
    await knell.request(`/ping/${uuid}/log`);
    sent++;
    expect(followed.lines().length).toBeGreaterThan(0);
  });
  const first: number = JSON.parse(followed.lines()[0] ?? '').n;
  await knell.request(`/ping/${uuid}/log`);
  sent++;
  await eventually(() => expect(followed.lines().length).toBe(sent - first + 1));
  expect(followed.lines().map((line) => JSON.parse(line).n)).toEqual(
    Array.from({ length: sent - first + 1 }, (_, at) => first + at),
  );
  followed.kill('SIGTERM');
  await followed.ended;
});

test('with bad arguments ends with 2, in the words of the API', async () => {
  const shown = events('--types', 'pings');
  expect(await shown.ended).toBe(2);
  expect(shown.errors()).toContain('types is not one of ping, status');
});
