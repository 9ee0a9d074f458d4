/** Runs the bare LMDB process. Invariant: it writes below the bench's own directory, on the same disk as Knell. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './children.ts';

const program = fileURLToPath(new URL('../bare/lmdb.js', import.meta.url));

/** The median of a commit. */
export async function bareCommitMs(dir: string, seconds: number): Promise<number> {
  const { text } = outputOf(process.execPath, [program, join(dir, 'bare-lmdb'), String(seconds)]);
  const { p50Ms }: { p50Ms: number } = JSON.parse(await text);
  return p50Ms;
}
