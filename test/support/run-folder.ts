/**
 * Before and after a whole run: a folder of its own in the temporary folder, and one in memory, in which every test file gets one
 * (`file-folder`).
 * Invariant: a run after which something is left in them fails, and says what. What other programs leave elsewhere is not looked
 * at, so that two runs do not disturb each other.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variables by which test files know them. Not KNELL_…: the server refuses such variables that it does not know. */
const variable = 'TEST_RUN_FOLDER';
const memoryVariable = 'TEST_RUN_MEMORY_FOLDER';

/** Of the folders in which workers have their browsers: they are there until the run ends. */
export const browserFolderPrefix = 'browser-';

const memory = '/dev/shm';
/** Many times what a run has there at any time. */
const memoryBytesMin = 2_000_000_000;

/** Called once for each project of the configuration: the first one is for all. */
export function setup(): (() => void) | undefined {
  if (process.env[variable] !== undefined) return undefined;
  // Short: sockets in it have addresses of at most 100 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'knell-t-'));
  const inMemory = folderInMemory();
  process.env[variable] = folder;
  process.env[memoryVariable] = inMemory ?? folder;
  return () => {
    const folders = inMemory === null ? [folder] : [folder, inMemory];
    const left = folders.flatMap(leftIn);
    for (const one of folders) rmSync(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    if (left.length === 0) return;
    // An error thrown here would be printed, and the run would succeed all the same.
    process.stderr.write(`FAIL tests left ${left.length} in the temporary folder: ${left.join(', ')}\n`);
    process.exitCode = 1;
  };
}

/** A file whose tests are all skipped, since a program is missing, has no hooks: it leaves its folder, with nothing in it. */
function leftIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => !one.name.startsWith(browserFolderPrefix))
    .filter((one) => !one.isDirectory() || readdirSync(join(folder, one.name)).length > 0)
    .map(({ name }) => name);
}

/** Null where the system has none, or too little of it, or runs no program in it. */
function folderInMemory(): string | null {
  if (bytesFree() < memoryBytesMin) return null;
  const folder = mkdtempSync(join(memory, 'knell-t-'));
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

function bytesFree(): number {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
}
