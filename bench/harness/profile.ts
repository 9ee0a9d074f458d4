/**
 * `--profile`: a bench is run with Node's profiler in the servers it starts, or, where it starts none, in the suite itself.
 * Kept is the profile of the busiest main thread, in V8's format: https://www.speedscope.app and Chrome's DevTools open it.
 * Invariant: what is kept names no directory of this machine.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profiling } from './process.ts';

interface ProfileNode {
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly hitCount?: number | undefined;
}

/** The fields that are read here, of V8's format. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
}

/** Where it goes: `<stem>.cpuprofile` in `dir`. */
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
    const own: { profile: CpuProfile } = await session.post('Profiler.stop');
    const profile = busiest(profiling.dir) ?? own.profile;
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `${stem}.cpuprofile`), JSON.stringify(withoutDirectories(profile)));
    return result;
  } finally {
    session.disconnect();
    rmSync(profiling.dir, { recursive: true });
    profiling.dir = null;
  }
}

/** Node names them CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile; the main thread is 0. */
const ofMainThread = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/;

function busiest(dir: string): CpuProfile | null {
  const profiles = readdirSync(dir)
    .filter((name) => ofMainThread.test(name))
    .map((name): CpuProfile => JSON.parse(readFileSync(join(dir, name), 'utf8')));
  return profiles.sort((a, b) => workOf(b) - workOf(a))[0] ?? null;
}

/** Samples in which the process did something. */
function workOf({ nodes }: CpuProfile): number {
  const hits = (node: ProfileNode): number =>
    node.callFrame.functionName === '(idle)' ? 0 : (node.hitCount ?? 0);
  return nodes.reduce((sum, node) => sum + hits(node), 0);
}

/** With the last two parts of each file's path. */
function withoutDirectories(profile: CpuProfile): CpuProfile {
  const nodes = profile.nodes.map((node) => {
    const url = node.callFrame.url.split('/').slice(-2).join('/');
    return { ...node, callFrame: { ...node.callFrame, url } };
  });
  return { ...profile, nodes };
}
