/** `knell run` and `knell ping` of the installed program, against a server that answers as the test says. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRunner, runProcess } from '../support/process/commands.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';
import { uuid, wrongUses } from './wrong-uses.ts';

let knell: HttpReceiver;

beforeAll(async () => {
  knell = await HttpReceiver.start();
});

afterAll(() => knell.stop());

beforeEach(() => {
  knell.all.length = 0;
  knell.answering = (_, response) => {
    response.end('OK');
  };
});

const rid = '9b4e3c1e-2a0e-4f57-8a6f-6d3e1d9c0c11';

describe('the installed commands', () => {
  const env = () => ({ KNELL_PING_URL: knell.url(''), KNELL_PING_KEY: 'key' });
  /** One process for all commands that read nothing from stdin. */
  let runner: CommandRunner;
  beforeAll(() => {
    runner = CommandRunner.start();
  });
  afterAll(() => runner.stop());

  test('knell run is the same', async () => {
    const job = await runProcess(['run', '--check', 'a', '--no-rid', '--', 'sh', '-c', 'exit 8', '--x'], {
      env: env(),
    });
    expect(job).toMatchObject({ status: 8, stderr: '' });
    expect(knell.all.map(({ path }) => path)).toEqual(['/ping/key/a/start', '/ping/key/a/8']);
  });

  test('what is wrong with knell run is said as by knell-run.mjs', async () => {
    for (const [what, args, env, said] of wrongUses) {
      const url = { KNELL_PING_URL: knell.url(`/ping/${uuid}`) };
      const job = await runner.run(['run', ...args], { ...url, ...env });
      expect([job.status, job.stdout], what).toEqual([2, '']);
      expect(job.stderr, what).toMatch(/^knell: [^\n]+\n$/);
      expect(job.stderr, what).toMatch(said);
    }
    expect(knell.all).toEqual([]);
  });

  test.each([
    [['a'], '', '/a', ''],
    [['a', 'start', '--create'], '', '/a/start?create=1', ''],
    [['a', '--create-timeout', '1h', '--create-tags', 'x y'], '', '/a?create=1&timeout=3600&tags=x+y', ''],
    [['a', '3', '--data', 'text'], 'stdin', '/a/3', 'text'],
    [['a', 'warn', '--host', 'db-1'], '', '/a/warn?host=db-1', ''],
    [['a', '--alive', '--rid', rid], '', `/a/alive?rid=${rid}`, ''],
    [['a', 'warn', '--warn'], '', '/a/warn', ''],
    [['--rid', rid, 'a', 'log'], 'piped\n', `/a/log?rid=${rid}`, 'piped\n'],
  ])('knell ping %j', async (args, input, path, body) => {
    expect(await runProcess(['ping', ...args], { env: env(), input })).toMatchObject({
      status: 0,
      stderr: '',
    });
    expect(knell.all.map((one) => [one.path, one.body])).toEqual([[`/ping/key${path}`, body]]);
  });

  test('knell ping says in one line why it failed, and exits with 1; with 2 for wrong use', async () => {
    knell.answering = (_, response) => {
      response.statusCode = 404;
      response.end();
    };
    const refused = await runner.run(['ping', 'a', '--data', 'text'], env());
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^knell: [^\n]+ 404; check the slug and [^\n]+\n$/),
    });
    for (const args of [
      ['a', 'loud'],
      ['a', '256'],
      ['a', 'fail', 'b'],
      ['a', '--nope'],
      ['--rid', 'x', 'a'],
      ['--host', 'a b', 'a'],
      ['a', 'fail', '--warn'],
      ['a', '--warn', '--alive'],
    ]) {
      const wrong = await runner.run(['ping', ...args], env());
      expect(wrong).toMatchObject({ status: 2, stderr: expect.stringMatching(/^knell: [^\n]+\n$/) });
    }
  });

  test('use the base URL of the configuration where there is no KNELL_PING_URL', async () => {
    const local = { KNELL_BASE_URL: knell.url('').replace(/\/$/, ''), KNELL_PING_KEY: 'key' };
    expect(await runProcess(['ping', 'a'], { env: local })).toMatchObject({ status: 0, stderr: '' });
    const job = await runProcess(['run', '--no-start', '--check', 'a', 'true'], {
      env: { ...local, KNELL_TYPO: '1' },
    });
    expect(job).toMatchObject({ status: 0, stderr: expect.stringContaining('KNELL_TYPO') });
    expect(knell.all.map(({ path }) => path)).toEqual(['/ping/key/a']);
  });
});
