/**
 * `knell run` as jobs use it: the one file, copied alone into an empty folder, against a server that answers as the test
 * says.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { builtFile } from '../support/process/built.ts';
import type { Run } from '../support/process/commands.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';
import { uuid, wrongUses } from './wrong-uses.ts';

let knell: HttpReceiver;
let folder = '';
let program = '';

beforeAll(async () => {
  knell = await HttpReceiver.start();
  folder = mkdtempSync(join(tmpdir(), 'knell-run-'));
  program = join(folder, 'knell-run.mjs');
  copyFileSync(builtFile('knell-run.mjs'), program);
});

afterAll(async () => {
  await knell.stop();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  knell.all.length = 0;
  knell.answering = (_, response) => {
    response.end('OK');
  };
});

const rid = '9b4e3c1e-2a0e-4f57-8a6f-6d3e1d9c0c11';

interface Job extends Run {
  readonly signal: NodeJS.Signals | null;
}

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, KNELL_PING_URL: knell.url(`/ping/${uuid}`), ...env },
  });
}

async function ended(child: ChildProcess, input = ''): Promise<Job> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (part) => {
    stdout += part;
  });
  child.stderr?.on('data', (part) => {
    stderr += part;
  });
  child.stdin?.on('error', () => {}).end(input);
  const [status, signal] = await once(child, 'close');
  return { status, signal, stdout, stderr };
}

const run = (args: readonly string[], env = {}, input = ''): Promise<Job> => ended(start(args, env), input);

const sh = (script: string): readonly string[] => ['--', '/bin/sh', '-c', script];

/** What came, in the order of the run. */
const pings = () =>
  knell.all.map(({ path, body }) => ({ path: path.replace(/\?.*/, '').replace(`/ping/${uuid}`, ''), body }));

describe('knell-run.mjs on its own', () => {
  test('pings start and success with one run ID, and passes streams and status through', async () => {
    expect(readdirSync(folder)).toEqual(['knell-run.mjs']);
    const job = await run(sh('cat; echo out; echo err >&2'), {}, 'typed\n');
    expect(job).toMatchObject({ status: 0, stdout: 'typed\nout\n', stderr: 'err\n' });
    expect(pings().map(({ path }) => path)).toEqual(['/start', '/0']);
    expect(pings()[1]?.body.split('\n').sort()).toEqual(['', 'err', 'out', 'typed']);
    const rids = knell.all.map(({ path }) => new URL(path, 'http://x').searchParams.get('rid'));
    expect(rids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(rids[1]).toBe(rids[0]);
  });

  test.each([
    ['its own status', 'exit 37', 37, '/37'],
    ['128 + n if a signal ended it', 'kill -9 $$', 137, '/137'],
  ])('reports %s, and exits with it', async (_what, script, status, path) => {
    expect(await run(sh(script))).toMatchObject({ status, signal: null });
    expect(pings().at(-1)?.path).toBe(path);
  });

  test('127 for a command that is not there, 126 for one that cannot be executed', async () => {
    const file = join(folder, 'no-program');
    writeFileSync(file, 'text');
    chmodSync(file, 0o644);
    for (const [command, status, said] of [
      [join(folder, 'absent'), 127, /command not found/],
      [file, 126, /permission denied/],
    ] as const) {
      const job = await run(['--', command]);
      expect(job.status).toBe(status);
      expect(job.stderr).toMatch(said);
      expect(pings().at(-1)).toEqual({ path: `/${status}`, body: job.stderr.replace('knell: ', '') });
    }
    rmSync(file);
  });

  const signals = ['SIGTERM', 'SIGUSR1', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;
  test.each(isLong ? signals : signals.slice(0, 2))(
    'passes %s to the command, and still reports its end',
    async (signal) => {
      const name = signal.slice(3);
      const child = start(sh(`trap 'echo got; exit 5' ${name}; echo ready; while :; do sleep 0.05; done`));
      child.stdout?.once('data', () => child.kill(signal));
      expect(await ended(child)).toMatchObject({ status: 5, stdout: 'ready\ngot\n' });
      expect(pings().at(-1)).toEqual({ path: '/5', body: 'ready\ngot\n' });
    },
  );

  test('sends both ends in 100 kB, or as much as the server keeps, and passes all of it through', async () => {
    const script = 'i=0; while [ $i -lt 30000 ]; do echo line $i; i=$((i+1)); done';
    const job = await run(sh(script));
    const sent = pings().at(-1)?.body ?? '';
    expect(job.stdout.length).toBeGreaterThan(300_000);
    expect(sent.length).toBeLessThanOrEqual(100_000);
    const [start = '', end = ''] = sent.split(/\n\[\d+ bytes left out\]\n/);
    expect([start.length, job.stdout.startsWith(start)]).toEqual([10_000, true]);
    expect([end.length > 89_900, job.stdout.endsWith(end)]).toEqual([true, true]);
    knell.answering = (_, response) => {
      response.setHeader('Ping-Body-Limit', '10');
      response.end('OK');
    };
    await run(sh('echo 0123456789abcdef'));
    expect(pings().at(-1)?.body).toBe('789abcdef\n');
  });

  test('sends nothing that it was asked to keep', async () => {
    await run(['--no-start', '--no-output', '--no-rid', ...sh('echo secret')]);
    expect(knell.all.map(({ path, body }) => [path, body])).toEqual([[`/ping/${uuid}/0`, '']]);
  });

  test('finds the check by slug and ping key, creates it if asked to, and takes a run ID', async () => {
    const env = { KNELL_PING_URL: knell.url('/below/'), KNELL_PING_KEY: 'key' };
    await run(['--check', 'db-backup', '--create', `--rid=${rid}`, 'true'], env);
    expect(knell.all.map(({ path }) => path)).toEqual([
      `/below/ping/key/db-backup/start?rid=${rid}&create=1`,
      `/below/ping/key/db-backup/0?rid=${rid}&create=1`,
    ]);
    knell.all.length = 0;
    await run(['--check', uuid, '--no-rid', '--no-start', 'true'], { KNELL_PING_URL: knell.url('/ping') });
    expect(knell.all.map(({ path }) => path)).toEqual([`/ping/${uuid}/0`]);
  });

  test('runs again and again with --every, until a signal asks it to end', async () => {
    const child = start(['--every', '1h', '--no-start', ...sh('echo run')]);
    child.stdout?.on('data', () => {});
    await knell.until(1);
    child.kill('SIGALRM');
    await knell.until(2);
    child.kill('SIGTERM');
    expect(await ended(child)).toMatchObject({ status: 0, signal: null });
  });
});

describe('a Knell that does not take the ping', () => {
  const line = /^knell: the ping could not be delivered: [^\n]+\n$/;

  test.each(isLong ? [500, 503, 408, 429] : [503, 429])(
    'is tried again after %i, and nothing is said if that helps',
    async (status) => {
      knell.answering = (_, response, nth) => {
        response.statusCode = nth === 1 ? status : 200;
        response.setHeader('Retry-After', '0');
        response.end();
      };
      expect(await run(['--no-start', 'true'])).toMatchObject({ status: 0, stderr: '' });
      expect(pings().map(({ path }) => path)).toEqual(['/0', '/0']);
    },
  );

  test('is not tried again after a refusal, which is one line with its reason', async () => {
    knell.answering = (_, response) => {
      response.statusCode = 404;
      response.end('not found');
    };
    const job = await run(sh('echo out; exit 3'));
    expect(job).toMatchObject({ status: 3, stdout: 'out\n', stderr: expect.stringMatching(line) });
    expect(job.stderr).toContain('answered 404: not found; check the slug');
    expect(job.stderr).not.toContain(uuid);
    expect(knell.all).toHaveLength(2);
    expect(await run(['--quiet', 'true'])).toMatchObject({ status: 0, stderr: '' });
  });

  test('and cannot be reached, or does not answer, delays the end for the tries and no longer', async () => {
    const gone = await run(['--retries', '1', ...sh('echo out; exit 4')], {
      KNELL_PING_URL: `http://127.0.0.1:1/ping/${uuid}`,
    });
    expect(gone).toMatchObject({ status: 4, stdout: 'out\n', stderr: expect.stringMatching(line) });
    knell.answering = () => {};
    const silent = await run(['--retries', '0', '--timeout', '100ms', ...sh('exit 6')]);
    expect(silent).toMatchObject({
      status: 6,
      stderr: expect.stringMatching(/did not answer within 0.1 s\n$/),
    });
  });

  test('is given up at a second signal, once the command has ended', async () => {
    const child = start([
      '--no-start',
      '--timeout',
      '1m',
      ...sh('trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done'),
    ]);
    knell.answering = () => child.kill('SIGTERM');
    child.stdout?.once('data', () => child.kill('SIGTERM'));
    expect(await ended(child)).toMatchObject({ status: 9 });
  });

  test('may redirect', async () => {
    knell.answering = ({ path }, response) => {
      if (path.startsWith('/ping/')) response.writeHead(301, { Location: path.replace('/ping/', '/moved/') });
      response.end();
    };
    expect(await run(['--no-start', ...sh('echo out')])).toMatchObject({ status: 0, stderr: '' });
    expect(knell.all.at(-1)).toMatchObject({ method: 'POST', body: 'out\n' });
    expect(knell.all.at(-1)?.path).toContain('/moved/');
  });
});

test('a reader that closes stdout early ends the command, as it would without Knell', async () => {
  const pipe = `${program} --no-start -- yes | head -n 1`;
  const run = await ended(
    spawn('/bin/sh', ['-c', pipe], {
      env: { PATH: process.env.PATH, KNELL_PING_URL: knell.url(`/ping/${uuid}`) },
    }),
  );
  expect(run.stdout).toBe('y\n');
  await knell.until(1);
  expect(pings().at(-1)?.path).toBe('/141');
});

describe('wrong use', () => {
  // A process for each: two in `npm test`, all in `npm run test:long`.
  test.each(isLong ? wrongUses : wrongUses.slice(0, 2))(
    '%s: one line, status 2, and nothing runs',
    async (_what, args, env, said) => {
      const job = await run(args, env);
      expect(job).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^knell-run: [^\n]+\n$/),
      });
      expect(job.stderr).toMatch(said);
      expect(knell.all).toEqual([]);
    },
  );

  test('--help teaches with examples', async () => {
    const job = await run(['--help']);
    expect(job.status).toBe(0);
    expect(job.stdout).toMatch(/^Usage: knell-run [\s\S]*Examples:\n[\s\S]*crontab/);
  });
});
