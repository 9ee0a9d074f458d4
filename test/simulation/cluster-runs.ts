/**
 * Runs in a cluster: settings of checks whose runs each have their own clock, the pings of such runs, and what must be true of
 * them whichever nodes led. What a setting means is held by the lives of one node (`model-runs`).
 * Invariant: its chance is its own, so that a life without runs is what it would be without this file.
 */
import type { Check, CheckConfig } from '../../src/domain/check/check.ts';
import type { Ping } from '../../src/domain/check/ping.ts';
import { tracksRuns } from '../../src/domain/check/run-state.ts';
import type { RunEnding } from '../../src/domain/runs/run-ending.ts';
import type { PingRequest } from '../../src/engine/contract/engine.ts';
import { asRunId, type RunId } from '../../src/lib/ids.ts';
import { Random } from './random.ts';

type RunPing = Pick<PingRequest, 'action' | 'rid' | 'host' | 'exitStatus'>;

const runIds = [1, 2, 3].map((number) => asRunId(`00000000-0000-4000-8000-00000000000${number}`));
const hosts = ['', 'h1', 'h2', 'h3'] as const;

export class ClusterRuns {
  readonly #random: Random | null;

  /** Every second seed has runs. */
  constructor(seed: number) {
    this.#random = seed % 2 === 1 ? new Random(seed ^ 0x52756e) : null;
  }

  /** Of a new check. */
  settings(): Partial<CheckConfig> {
    const random = this.#random;
    if (!random?.chance(0.8)) return {};
    const some = <T>(otherwise: T, items: readonly T[]): T =>
      random.chance(0.3) ? random.pick(items) : otherwise;
    return {
      maxRuntimeS: some(0, [1, 3, 10]),
      startGraceS: some(0, [1, 4]),
      minRuntimeS: some(0, [1, 2]),
      unusualRuntime: some('off', ['warn', 'fail']),
      overlap: some('allow', ['warn', 'fail']),
      exitCodes: some('', ['24=warning,*=failure']),
      hosts: some('', ['h1', 'h1 h2', 'h2 h3']),
      expectedRuns: some(0, [1, 2]),
      earlyToleranceS: some(0, [1, 3]),
    };
  }

  /** What a ping says of its run; `plain` in a life without runs. */
  ping(plain: RunPing): RunPing {
    const random = this.#random;
    if (!random) return plain;
    return {
      action: random.weighted({ success: 5, start: 5, fail: 1, log: 1, warn: 1, alive: 2 }),
      rid: random.chance(0.7) ? random.pick(runIds) : null,
      host: random.pick(hosts),
      exitStatus: random.chance(0.1) ? random.pick([0, 1, 24]) : null,
    };
  }
}

/** A start that was recorded began a run, and that is in flight, was ended by a ping, or has an ending of its own. */
export function mustKeepRuns(
  { config, runs }: Check,
  pings: readonly Ping[],
  endings: readonly RunEnding[],
): void {
  if (!tracksRuns(config)) return;
  for (const { n, rid, atMs } of pings.filter(({ signal }) => signal === 'start')) {
    const isOpen = runs?.open.some((run) => run.rid === rid);
    const wentOn = pings.some((later) => later.n > n && mayConcern(later, rid));
    const cameEarly = pings.some((before) => before.n < n && before.rid === rid);
    const hasEnding = endings.some((ending) => ending.rid === rid && ending.startedMs === atMs);
    if (!isOpen && !wentOn && !cameEarly && !hasEnding)
      throw new Error(`the run of ${config.name} that began with ping ${n} is lost`);
  }
  const named = endings.map(
    ({ outcome, rid, host, startedMs, atMs }) => `${outcome} ${rid} ${host} ${startedMs} ${atMs}`,
  );
  if (new Set(named).size < named.length) throw new Error(`a run of ${config.name} ended twice: ${named}`);
}

/** An end without an id ends the only run in flight, and every failure that without an id. */
function mayConcern({ rid, signal }: Ping, run: RunId | null): boolean {
  if (signal === 'log' || signal === 'ign') return false;
  return rid === run || rid === null || (run === null && signal === 'fail');
}
