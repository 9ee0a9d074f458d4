/**
 * Runs jobs by themselves and wrapped, with `knell run` and with the single file, each in a folder of its own. What a job is given
 * are real pipes, as from a shell.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPipes } from '../../src/client/open-pipes.ts';
import { isLong } from '../support/long.ts';
import { eventually } from '../support/patience.ts';
import { builtFile } from '../support/process/built.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';
import type { Job } from './job-table.ts';

export const programs = {
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

export const alone: Wrapper = { W: '', T: '' };

export class JobScene {
  knell = undefined as unknown as HttpReceiver;
  folder = '';

  /** For the test file that calls it. */
  static forFile(): JobScene {
    const scene = new JobScene();
    beforeAll(async () => {
      scene.knell = await HttpReceiver.start();
      scene.folder = mkdtempSync(join(tmpdir(), 'knell-jobs-'));
      mkdirSync(join(scene.folder, 'tmp'));
    });
    afterAll(async () => {
      await scene.knell.stop();
      rmSync(scene.folder, { recursive: true, force: true });
    });
    return scene;
  }

  wrapper(program: string, uuid: string): Wrapper {
    const options = `--no-start --url ${this.knell.url(`/ping/${uuid}`)}`;
    return { W: `${program} ${options} --`, T: `${program} --no-output ${options} --` };
  }

  pingsOf(uuid: string) {
    return this.knell.all.filter(({ path }) => path.startsWith(`/ping/${uuid}/`));
  }

  /** `path`: looked through for programs before all others. */
  async run({ script, signal }: Pick<Job, 'script' | 'signal'>, env: Wrapper, path = ''): Promise<Ended> {
    const [out, err] = openPipes(2) ?? [];
    if (!out || !err) throw new Error('no pipes to be had');
    const child = spawn('bash', ['-c', script], {
      cwd: mkdtempSync(join(this.folder, 'job-')),
      env: { PATH: `${path}${delimiter}${process.env.PATH}`, TMPDIR: join(this.folder, 'tmp'), ...env },
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

/** Each of the jobs prints, exits and ends by a signal alike, by itself and wrapped; the ping of each arrives. */
export function areAlike(jobs: readonly Job[]): void {
  const scene = JobScene.forFile();
  describe.concurrent('alone and wrapped alike', () => {
    for (const [at, job] of jobs.entries()) {
      test.skipIf(isMissing(job))(`${job.what} (${job.status})`, async () => {
        const byItself = await scene.run(job, alone);
        expect(byItself.status, byItself.stderr).toBe(job.status);
        if (job.stdout !== undefined) expect(byItself.stdout).toBe(job.stdout);
        for (const [name, program] of programsFor(at)) {
          const uuid = randomUUID();
          const wrapped = await scene.run(job, scene.wrapper(program, uuid));
          expect({ name, ...wrapped }).toEqual({ name, ...byItself });
          await eventually(() => expect(scene.pingsOf(uuid)).toHaveLength(1));
        }
      });
    }
  });
}
