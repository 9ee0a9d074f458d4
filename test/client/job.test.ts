/**
 * A wrapped job is the job: each of the table runs alone, with `knell run` and with the single file, and prints, exits and
 * ends by a signal alike. What it is given are real pipes, as from a shell.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPipes } from '../../src/client/open-pipes.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';
import { type Job, jobs } from './job-table.ts';

let knell: HttpReceiver;
let folder = '';

/** Where pipes have names for a moment. */
const memory = '/dev/shm';
const namesIn = (path: string): readonly string[] =>
  existsSync(path) ? readdirSync(path).filter((name) => name.startsWith('knell-run-')) : [];
const before = namesIn(memory);

beforeAll(async () => {
  knell = await HttpReceiver.start();
  folder = mkdtempSync(join(tmpdir(), 'knell-jobs-'));
  mkdirSync(join(folder, 'tmp'));
});

afterAll(async () => {
  await knell.stop();
  rmSync(folder, { recursive: true, force: true });
});

const programs = {
  'knell run': `${process.execPath} ${builtFile('main.js')} run`,
  'knell-run.mjs': `${process.execPath} ${builtFile('knell-run.mjs')}`,
};

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Wrapper {
  readonly W: string;
  readonly T: string;
}

const alone: Wrapper = { W: '', T: '' };

const wrapper = (program: string, uuid: string): Wrapper => {
  const options = `--no-start --url ${knell.url(`/ping/${uuid}`)}`;
  return { W: `${program} ${options} --`, T: `${program} --no-output ${options} --` };
};

/** In a folder of its own. `path`: looked through for programs before all others. */
async function runJob(
  { script, signal }: Pick<Job, 'script' | 'signal'>,
  env: Wrapper,
  path = '',
): Promise<Ended> {
  const [out, err] = openPipes(2) ?? [];
  if (!out || !err) throw new Error('no pipes to be had');
  const child = spawn('bash', ['-c', script], {
    cwd: mkdtempSync(join(folder, 'job-')),
    env: { PATH: `${path}${delimiter}${process.env.PATH}`, TMPDIR: join(folder, 'tmp'), ...env },
    stdio: ['ignore', out.writer, err.writer],
  });
  for (const { writer } of [out, err]) closeSync(writer);
  const texts = { stdout: '', stderr: '' };
  out.reader.setEncoding('latin1').on('data', (part: string) => {
    if (signal && texts.stdout === '') child.kill(signal);
    texts.stdout += part;
  });
  err.reader.setEncoding('latin1').on('data', (part: string) => {
    texts.stderr += part;
  });
  const ends = [out, err].map(({ reader }) => once(reader, 'close'));
  const [code, killedBy]: [number | null, NodeJS.Signals | null] = await endOf(child);
  await Promise.all(ends);
  return { status: killedBy === null ? (code ?? -1) : 128 + constants.signals[killedBy], ...texts };
}

async function endOf(child: ReturnType<typeof spawn>): Promise<[number | null, NodeJS.Signals | null]> {
  const [code, signal] = await once(child, 'exit');
  return [code, signal];
}

const isMissing = ({ needs }: Job): boolean =>
  needs !== undefined && spawnSync('sh', ['-c', `command -v ${needs}`]).status !== 0;

/** The same code in two bundles: `npm test` runs every job with the single file, and one in four with `knell run`, too. */
const programsFor = (at: number): readonly [string, string][] =>
  Object.entries(programs).filter(([name]) => isLong || name === 'knell-run.mjs' || at % 4 === 0);

describe.concurrent('alone and wrapped alike', () => {
  for (const [at, job] of jobs.entries()) {
    test.skipIf(isMissing(job))(`${job.what} (${job.status})`, async () => {
      const byItself = await runJob(job, alone);
      expect(byItself.status, byItself.stderr).toBe(job.status);
      if (job.stdout !== undefined) expect(byItself.stdout).toBe(job.stdout);
      for (const [name, program] of programsFor(at)) {
        const uuid = randomUUID();
        const wrapped = await runJob(job, wrapper(program, uuid));
        expect({ name, ...wrapped }).toEqual({ name, ...byItself });
        await eventually(() => expect(pingsOf(uuid)).toHaveLength(1));
      }
    });
  }
});

const pingsOf = (uuid: string) => knell.all.filter(({ path }) => path.startsWith(`/ping/${uuid}/`));

test('the ping has both streams in their order, if both go to one file', async () => {
  const uuid = randomUUID();
  const script = `$W bash -c 'for i in 1 2 3; do echo out; echo err >&2; done; exit 4' 2>&1`;
  await runJob({ script }, wrapper(programs['knell-run.mjs'], uuid));
  expect(pingsOf(uuid).map(({ path, body }) => [path.replace(/\?.*/, ''), body])).toEqual([
    [`/ping/${uuid}/4`, 'out\nerr\nout\nerr\nout\nerr\n'],
  ]);
});

test('a ping that cannot be delivered is no matter where nobody reads that', async () => {
  const program = `${programs['knell-run.mjs']} --no-output --retries 0 --url http://127.0.0.1:1/ping/${randomUUID()}`;
  const script = `${program} -- sleep 0.1 2>&1 | true; exit \${PIPESTATUS[0]}`;
  expect(await runJob({ script }, alone)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('again and again, nothing is left of the runs before', async () => {
  const uuid = randomUUID();
  const program = `${programs['knell-run.mjs']} --every 1s --no-start --url ${knell.url(`/ping/${uuid}`)} --`;
  // SIGALRM begins the next run at once: it comes from the job itself, until it has run twelve times. Sockets are not counted:
  // how many pings are still on their way depends on the machine.
  const script = `exec ${program} bash -c 'echo x >> n; ls -l /proc/$PPID/fd 2> /dev/null | grep -vc socket:; if [ $(wc -l < n) -lt 12 ]; then (sleep 0.1; kill -ALRM $PPID) & else kill -TERM $PPID; fi > /dev/null 2>&1'`;
  const { stdout, stderr } = await runJob({ script }, alone);
  expect(stderr).toBe('');
  const descriptors = stdout.trim().split('\n').map(Number);
  expect(descriptors).toHaveLength(12);
  // One that is left by every run would make nine more.
  expect(descriptors.at(-1)).toBeLessThan(Number(descriptors[2]) + 5);
});

describe('where there are no pipes to be had', () => {
  const programsWith = (mkfifo: string): string => {
    const path = mkdtempSync(join(folder, 'path-'));
    writeFileSync(join(path, 'mkfifo'), `#!/bin/sh\n${mkfifo}\n`, { mode: 0o755 });
    return path;
  };
  const script = `$W sh -c 'echo out; echo err >&2; stat -L -c %F /dev/stdout; exit 3'`;

  test('in memory, they are created in the temporary folder', async () => {
    const path = programsWith('case "$*" in *dev/shm*) exit 1;; esac; exec /usr/bin/mkfifo "$@"');
    const job = await runJob({ script }, wrapper(programs['knell-run.mjs'], randomUUID()), path);
    expect(job).toEqual({ status: 3, stdout: 'out\nfifo\n', stderr: 'err\n' });
  });

  test('at all, the job runs with sockets', async () => {
    const job = await runJob(
      { script },
      wrapper(programs['knell-run.mjs'], randomUUID()),
      programsWith('exit 1'),
    );
    expect(job).toEqual({ status: 3, stdout: 'out\nsocket\n', stderr: 'err\n' });
  });
});

test('no names of pipes are left', async () => {
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  // Those of other programs, which run at the same time, go away too.
  const seen = namesIn(memory).filter((name) => !before.includes(name));
  await eventually(() => expect(namesIn(memory).filter((name) => seen.includes(name))).toEqual([]));
});
