/**
 * What a wrapped job's pipes are for, beyond what each job of the table shows: one file for both streams, runs again and again, a
 * machine that has no pipes. Nothing of them is left.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/patience.ts';
import { alone, JobScene, programs } from './run-jobs.ts';

const scene = JobScene.forFile();

/** Where pipes have names for a moment. */
const memory = '/dev/shm';
const namesIn = (path: string): readonly string[] =>
  existsSync(path) ? readdirSync(path).filter((name) => name.startsWith('knell-run-')) : [];
const before = namesIn(memory);

test('the ping has both streams in their order, if both go to one file', async () => {
  const uuid = randomUUID();
  const script = `$W bash -c 'for i in 1 2 3; do echo out; echo err >&2; done; exit 4' 2>&1`;
  await scene.run({ script }, scene.wrapper(programs['knell-run.mjs'], uuid));
  expect(scene.pingsOf(uuid).map(({ path, body }) => [path.replace(/\?.*/, ''), body])).toEqual([
    [`/ping/${uuid}/4`, 'out\nerr\nout\nerr\nout\nerr\n'],
  ]);
});

test('a ping that cannot be delivered is no matter where nobody reads that', async () => {
  const program = `${programs['knell-run.mjs']} --no-output --retries 0 --url http://127.0.0.1:1/ping/${randomUUID()}`;
  const script = `${program} -- sleep 0.1 2>&1 | true; exit \${PIPESTATUS[0]}`;
  expect(await scene.run({ script }, alone)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('again and again, nothing is left of the runs before', async () => {
  const uuid = randomUUID();
  const program = `${programs['knell-run.mjs']} --every 1s --no-start --url ${scene.knell.url(`/ping/${uuid}`)} --`;
  // SIGALRM begins the next run at once: it comes from the job itself, until it has run twelve times. Sockets are not counted:
  // how many pings are still on their way depends on the machine.
  const script = `exec ${program} bash -c 'echo x >> n; ls -l /proc/$PPID/fd 2> /dev/null | grep -vc socket:; if [ $(wc -l < n) -lt 12 ]; then (sleep 0.1; kill -ALRM $PPID) & else kill -TERM $PPID; fi > /dev/null 2>&1'`;
  const { stdout, stderr } = await scene.run({ script }, alone);
  expect(stderr).toBe('');
  const descriptors = stdout.trim().split('\n').map(Number);
  expect(descriptors).toHaveLength(12);
  // One that is left by every run would make nine more.
  expect(descriptors.at(-1)).toBeLessThan(Number(descriptors[2]) + 5);
});

describe('where there are no pipes to be had', () => {
  const programsWith = (mkfifo: string): string => {
    const path = mkdtempSync(join(scene.folder, 'path-'));
    writeFileSync(join(path, 'mkfifo'), `#!/bin/sh\n${mkfifo}\n`, { mode: 0o755 });
    return path;
  };
  const script = `$W sh -c 'echo out; echo err >&2; stat -L -c %F /dev/stdout; exit 3'`;

  test('in memory, they are created in the temporary folder', async () => {
    const path = programsWith('case "$*" in *dev/shm*) exit 1;; esac; exec /usr/bin/mkfifo "$@"');
    const job = await scene.run({ script }, scene.wrapper(programs['knell-run.mjs'], randomUUID()), path);
    expect(job).toEqual({ status: 3, stdout: 'out\nfifo\n', stderr: 'err\n' });
  });

  test('at all, the job runs with sockets', async () => {
    const job = await scene.run(
      { script },
      scene.wrapper(programs['knell-run.mjs'], randomUUID()),
      programsWith('exit 1'),
    );
    expect(job).toEqual({ status: 3, stdout: 'out\nsocket\n', stderr: 'err\n' });
  });
});

test('no names of pipes are left', async () => {
  expect(readdirSync(join(scene.folder, 'tmp'))).toEqual([]);
  // Those of other programs, which run at the same time, go away too.
  const seen = namesIn(memory).filter((name) => !before.includes(name));
  await eventually(() => expect(namesIn(memory).filter((name) => seen.includes(name))).toEqual([]));
});
