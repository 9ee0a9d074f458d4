/** Runs the bare processes that only write. Invariant: they write below the bench's own directory, on the same disk as Knell. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './children.ts';

const timersProgram = fileURLToPath(new URL('../bare/timers.js', import.meta.url));
const programs = {
  lmdb: fileURLToPath(new URL('../bare/lmdb.js', import.meta.url)),
  file: fileURLToPath(new URL('../bare/file.js', import.meta.url)),
} as const;

/** The median of a bare commit: of LMDB, or an append to a file with fdatasync. */
export async function bareCommitMs(
  kind: keyof typeof programs,
  dir: string,
  seconds: number,
): Promise<number> {
  const args = [programs[kind], join(dir, `bare-${kind}`), String(seconds)];
  const { text } = outputOf(process.execPath, args);
  const { p50Ms }: { p50Ms: number } = JSON.parse(await text);
  return p50Ms;
}

export interface TimersLate {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How late `count` bare timers within `seconds` have their record on disk. */
export async function bareTimers(dir: string, count: number, seconds: number): Promise<TimersLate> {
  const args = [timersProgram, join(dir, 'bare-timers'), String(count), String(seconds)];
  const late: TimersLate = JSON.parse(await outputOf(process.execPath, args).text);
  return late;
}
