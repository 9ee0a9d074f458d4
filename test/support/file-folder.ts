/**
 * Around every test file: whatever it creates in the temporary folder lies in a folder of its own, which is removed after its
 * last hook, however its tests ended. The modules of tests are shared by the files of a worker, so that a hook in one of them
 * would serve the first of these files only; vitest runs this one for each.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { closeAllContexts, closeDialogs, shownPages } from './page/failed-pages.ts';

/** What is about the disk or this memory itself: on a real disk. All other tests have theirs in memory, where no sync takes time. */
const aboutDisk = [
  ...[
    'bench',
    'cli/apply-crash',
    'client/job',
    'engine',
    'simulation',
    'smtp/disk-full',
    'smtp/process',
    'store',
    'temp-folders',
  ],
  ...['cluster', 'crash', 'damage', 'disk-full', 'heap', 'notify-crash', 'project', 'snapshots', 'syncs'].map(
    (name) => `path/${name}`,
  ),
].map((name) => `/test/${name}`);

const testPath = expect.getState().testPath ?? 'test';
const isAboutDisk = aboutDisk.some((path) => testPath.includes(path));
const runFolder = process.env[isAboutDisk ? 'TEST_RUN_FOLDER' : 'TEST_RUN_MEMORY_FOLDER'] ?? '';
const stem = basename(testPath, '.test.ts');
const folder = realpathSync(mkdtempSync(join(runFolder, `${stem.slice(0, 16)}-`)));
process.env.TMPDIR = folder;

/** Registered first, and so called last. */
afterAll(async () => {
  await closeAllContexts();
  // What comes now comes too late, and is found when the run ends.
  process.env.TMPDIR = runFolder;
  endProcesses();
  unmountDisks();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const pages = await shownPages();
  if (pages !== '') process.stderr.write(`\nwhere "${task.name}" failed, the browser showed\n${pages}\n`);
  await closeDialogs();
});

/** A test that failed may not have ended what it started. Until none is found: one that was not yet killed may have started more. */
function endProcesses(): void {
  for (let found = running(); found.length > 0; found = running()) found.forEach(kill);
}

function running(): readonly number[] {
  return readDirectory('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => id !== process.pid && belongsHere(id));
}

/** By a path in this folder among its words or variables, which no process but those of these tests has. */
function belongsHere(id: number): boolean {
  return ['cmdline', 'environ'].some((name) => readText(`/proc/${id}/${name}`).includes(`${folder}/`));
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

function unmountDisks(): void {
  const points = readText('/proc/self/mounts')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const point of points.filter((path) => path.startsWith(`${folder}/`)))
    execFileSync('umount', ['--lazy', point]);
}

/** Empty where the system has no such directory. */
function readDirectory(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Empty for what has ended, or is another user's. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
