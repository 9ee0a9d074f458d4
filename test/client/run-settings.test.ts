/** What `knell run` sends, and prints, by its options: the one file, against a server that takes everything. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/client/run.ts';
import { type Run, runAlone } from '../support/process/commands.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

let knell: HttpReceiver;
const uuid = '0c8983c9-9d73-446f-adb5-0641fdacc9d4';

beforeAll(async () => {
  knell = await HttpReceiver.start();
});

afterAll(() => knell.stop());

beforeEach(() => {
  knell.all.length = 0;
});

const run = (...args: readonly string[]): Promise<Run> =>
  runAlone(['--no-start', '--no-rid', ...args], {
    env: { KNELL_PING_URL: knell.url(`/ping/${uuid}`) },
  });
const sh = (script: string): readonly string[] => ['--', '/bin/sh', '-c', script];
const paths = (): readonly string[] => knell.all.map(({ path }) => path.replace(`/ping/${uuid}`, ''));

test.each([
  ['--on-success=success', 'exit 0', 0, ''],
  ['--on-success=log', 'exit 0', 0, '/log'],
  ['--on-success=fail', 'exit 0', 0, '/fail'],
  ['--on-success=log', 'exit 3', 3, '/3'],
  ['--on-failure=log', 'exit 3', 3, '/log'],
  ['--on-failure=success', 'kill -9 $$', 137, ''],
  ['--on-failure=status', 'exit 3', 3, '/3'],
  ['--on-failure=log', 'exit 0', 0, '/0'],
  ['--on-exec-error=fail', 'exit 3', 3, '/3'],
])('%s, of a command that does "%s"', async (option, script, status, path) => {
  expect(await run(option, ...sh(script))).toMatchObject({ status, stderr: '' });
  expect(paths()).toEqual([path]);
});

test('a command that cannot be executed is a case of its own', async () => {
  expect(await run('--on-exec-error', 'log', '--on-failure', 'fail', '--', './none')).toMatchObject({
    status: 127,
  });
  expect(knell.all.map(({ body }) => body)).toEqual(['./none: command not found\n']);
  expect(paths()).toEqual(['/log']);
});

test('--silent prints nothing of what it sends, or of what it does not send', async () => {
  const script = 'echo out; echo err >&2; exit 4';
  expect(await run('--silent', ...sh(script))).toEqual({ status: 4, stdout: '', stderr: '' });
  expect(knell.all[0]?.body.split('\n').sort()).toEqual(['', 'err', 'out']);
  expect(await run('--silent', '--no-output', ...sh(script))).toEqual({ status: 4, stdout: '', stderr: '' });
  expect(knell.all[1]?.body).toBe('');
});

test('--body-limit sends the end of the output', async () => {
  const job = await run('--body-limit', '4', ...sh('echo 12345678'));
  expect(job).toMatchObject({ status: 0, stdout: '12345678\n' });
  await run('--body-limit', '0', ...sh('echo 12345678'));
  expect(knell.all.map(({ body }) => body)).toEqual(['678\n', '']);
});

test('--header is sent along, each of several, and may replace what is sent otherwise', async () => {
  await run('--header', 'X-Token: a: b ', '--header=User-Agent: job', '--header', 'x-empty:', ...sh('true'));
  expect(knell.all[0]?.headers).toMatchObject({ 'x-token': 'a: b', 'user-agent': 'job', 'x-empty': '' });
});

test('--host names the machine, in both pings', async () => {
  await runAlone(['--no-rid', '--host', 'db-1.local', ...sh('exit 3')], {
    env: { KNELL_PING_URL: knell.url(`/ping/${uuid}`) },
  });
  expect(paths()).toEqual(['/start?host=db-1.local', '/3?host=db-1.local']);
});

describe('nothing is run, for', () => {
  test.each([
    ['--on-failure', 'none'],
    ['--on-success', ''],
    ['--body-limit', '100001'],
    ['--body-limit', '10kB'],
    ['--host', 'a b'],
    ['--host', 'x'.repeat(101)],
    ['--header', 'no colon'],
    ['--header', 'Bad Name: x'],
    ['--header', 'X-Break: a\r'],
    ['--header', 'Content-Length: 3'],
  ])('%s %j', async (option, value) => {
    const words = [option, value, '--', 'touch', '/nowhere'];
    const context = { env: { KNELL_PING_URL: knell.url(`/ping/${uuid}`) }, local: null };
    await expect(runCommand('knell-run', words, context)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(new RegExp(`^${option} `)),
    });
  });
});
