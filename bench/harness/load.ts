/**
 * Load on a server: `wrk` or `oha` where one is on the PATH, else a generator of the suite's own in a second process.
 * The own one's always: a fixed rate, where `wrk` has none and `oha` counts otherwise, and HEAD, of which `wrk` waits
 * for a body.
 * Invariant: requests go round all the given paths, and what is not a 2xx is counted as an error.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './children.ts';
import type { FiledLoad, Load, Loaded } from './generator.ts';
import { withOha } from './load-oha.ts';
import { withWrk } from './load-wrk.ts';

export type Generator = 'wrk' | 'oha' | 'own';

const isOnPath = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

const preferred: Generator = isOnPath('wrk') ? 'wrk' : isOnPath('oha') ? 'oha' : 'own';

export function generatorOf({ rate, method, seconds }: Pick<Load, 'rate' | 'method' | 'seconds'>): Generator {
  if (rate !== undefined || !Number.isInteger(seconds)) return 'own';
  return method === 'HEAD' && preferred === 'wrk' ? 'own' : preferred;
}

/** For the tables: what makes the load, and for what. */
export const generators: string = preferred === 'own' ? 'own' : `${preferred}, own for HEAD and fixed rates`;

const programs: Readonly<Record<Generator, (load: FiledLoad) => Promise<Loaded>>> = {
  wrk: withWrk,
  oha: withOha,
  own: withOwn,
};

export async function applyLoad({ paths, ...load }: Load): Promise<Loaded> {
  const dir = mkdtempSync(join(tmpdir(), 'knell-load-'));
  const pathsFile = join(dir, 'paths');
  writeFileSync(pathsFile, `${paths.join('\n')}\n`);
  try {
    const loaded = await programs[generatorOf(load)]({ ...load, pathsFile, pathCount: paths.length, dir });
    if (loaded.errors > 0) throw new Error(`${loaded.errors} requests of ${loaded.requests} failed`);
    return loaded;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function withOwn(load: FiledLoad): Promise<Loaded> {
  const program = fileURLToPath(new URL('./generate.js', import.meta.url));
  const loaded: Loaded = JSON.parse(await outputOf(process.execPath, [program], JSON.stringify(load)).text);
  return loaded;
}

/** Of one core: from here on it is the client that is measured. */
const busyAt = 0.9;

/** What a figure says of rounds in which the client was at its limit. */
export function bottleneck(rounds: readonly Loaded[]): { readonly note?: string } {
  const most = Math.max(...rounds.map(({ cpu }) => (Number.isNaN(cpu) ? 0 : cpu)));
  if (most < busyAt) return {};
  return { note: `the client was the bottleneck (${Math.round(most * 100)} % of a core)` };
}
