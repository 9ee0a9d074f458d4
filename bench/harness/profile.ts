/**
 * `--profile`: a bench is run with Node's profiler in the servers it starts, or, where it starts none, in the suite itself.
 * Kept are the profile of the busiest main thread and its flame graph.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawFlame, type Profile, workOf } from './flame.ts';
import { profiling } from './process.ts';

/** Where it goes: `<stem>.cpuprofile` and `<stem>.svg` in `dir`. */
export interface ProfileTarget {
  readonly dir: string;
  readonly stem: string;
}

/** Returns what `work` does; the profile is written when it has succeeded. */
export async function profiled<T>({ dir, stem }: ProfileTarget, work: () => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  profiling.dir = mkdtempSync(join(tmpdir(), 'knell-profile-'));
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    const result = await work();
    const own: { profile: Profile } = await session.post('Profiler.stop');
    const profile = busiest(profiling.dir) ?? own.profile;
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `${stem}.cpuprofile`), JSON.stringify(profile));
    writeFileSync(join(dir, `${stem}.svg`), drawFlame(profile, stem));
    return result;
  } finally {
    session.disconnect();
    rmSync(profiling.dir, { recursive: true });
    profiling.dir = null;
  }
}

/** Node names them CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile; the main thread is 0. */
const ofMainThread = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/;

function busiest(dir: string): Profile | null {
  const profiles = readdirSync(dir)
    .filter((name) => ofMainThread.test(name))
    .map((name): Profile => JSON.parse(readFileSync(join(dir, name), 'utf8')));
  return profiles.sort((a, b) => workOf(b) - workOf(a))[0] ?? null;
}
