/**
 * `--profile`: a bench is run with Node's profiler in the servers it starts, or, where it starts none, in the suite itself.
 * Kept is the profile of the busiest main thread, in V8's format: https://www.speedscope.app and Chrome's DevTools open it; and
 * where the time of each kind of server goes.
 * Invariant: what is kept names no directory of this machine.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareServer, profiling } from './process.ts';
import { type SampledProfile, type ServerShares, sharesOf } from './profile-shares.ts';

export interface Profiled<T> {
  readonly result: T;
  readonly servers: readonly ServerShares[];
}

/** Where it goes: `<stem>.cpuprofile` in `dir`. */
export interface ProfileTarget {
  readonly dir: string;
  readonly stem: string;
}

/** The profile is written when `work` has succeeded; nowhere without a target. */
export async function profiled<T>(
  target: ProfileTarget | null,
  work: () => Promise<T>,
): Promise<Profiled<T>> {
  const session = new Session();
  session.connect();
  profiling.dir = mkdtempSync(join(tmpdir(), 'knell-profile-'));
  profiling.servers.clear();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    const result = await work();
    const own: { profile: SampledProfile } = await session.post('Profiler.stop');
    const found = read(profiling.dir);
    if (target) write(target, busiest(found) ?? own.profile);
    return { result, servers: sharesByServer(found) };
  } finally {
    session.disconnect();
    rmSync(profiling.dir, { recursive: true });
    profiling.dir = null;
  }
}

function write({ dir, stem }: ProfileTarget, profile: SampledProfile): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${stem}.cpuprofile`), JSON.stringify(withoutDirectories(profile)));
}

interface FoundProfile {
  readonly server: string;
  readonly profile: SampledProfile;
}

/** Node names them CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile; the main thread is 0. */
const ofMainThread = /^CPU\.\d+\.\d+\.(\d+)\.0\.\d+\.cpuprofile$/;

function read(dir: string): readonly FoundProfile[] {
  return readdirSync(dir).flatMap((name) => {
    const [, pid] = ofMainThread.exec(name) ?? [];
    const server = profiling.servers.get(Number(pid));
    return server === undefined
      ? []
      : [{ server, profile: JSON.parse(readFileSync(join(dir, name), 'utf8')) }];
  });
}

function sharesByServer(found: readonly FoundProfile[]): readonly ServerShares[] {
  const names = [...new Set(found.map(({ server }) => server))].sort();
  return names.map((name) => ({
    server: name,
    shares: sharesOf(found.filter(({ server }) => server === name).map(({ profile }) => profile)),
  }));
}

function busiest(found: readonly FoundProfile[]): SampledProfile | undefined {
  const ours = found.filter(({ server }) => server !== bareServer).map(({ profile }) => profile);
  return ours.sort((a, b) => workOf(b) - workOf(a))[0];
}

/** Samples in which the process did something. */
function workOf({ nodes, samples = [] }: SampledProfile): number {
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  return samples.filter((id) => !idle.has(id)).length;
}

/** With the last two parts of each file's path. */
function withoutDirectories(profile: SampledProfile): SampledProfile {
  const nodes = profile.nodes.map((node) => {
    const url = node.callFrame.url.split('/').slice(-2).join('/');
    return { ...node, callFrame: { ...node.callFrame, url } };
  });
  return { ...profile, nodes };
}
