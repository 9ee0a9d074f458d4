/**
 * A data directory with so many checks, all up, made by the engine itself: the bench then starts a server on it, and
 * when that has ended counts here what is on disk. Invariant: the count is read from the disk, by a process that
 * answered none of the pings.
 */

import type { Core } from '../../src/assemble/core.ts';
import { openCore } from '../../src/assemble/core.ts';
import { readConfig } from '../../src/config.ts';
import { defaultConfig } from '../../src/domain/check/check.ts';
import type { Engine, PingRequest } from '../../src/engine/contract/engine.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMeter } from '../../src/lib/meter.ts';
import { openStore } from '../../src/store/open/open-store.ts';
import { words } from '../../test/support/words.ts';
import type { Figure } from './bench.ts';

export interface Seeded {
  readonly apiKey: string;
  readonly pingKey: string;
  readonly uuids: readonly string[];
  /** Of the same checks, in the same order. */
  readonly slugs: readonly string[];
}

/** Checks appended before the next ones wait for them: bounds what is in memory. */
const batchSize = 2000;
const outputsAtOnce = 20;

export interface SeedOptions {
  readonly checks: number;
  /** Its name; several may be seeded into one directory. */
  readonly project?: string;
  /** Pings of the first check besides the one that every check gets. */
  readonly morePings?: number;
  /** Outputs of each check, the oldest first, spread over the time before now. */
  readonly outputs?: {
    readonly each: number;
    readonly spanMs: number;
    readonly bodyOf: (check: number, n: number) => Uint8Array;
  };
  /** Seconds; by default a day, so that nothing falls due during a bench. */
  readonly timeoutS?: number;
  readonly progress?: (fraction: number) => void;
}

export async function seed(dataDir: string, options: SeedOptions): Promise<Seeded> {
  const core = await openDir(dataDir);
  const { project, readWrite, ping } = await core.engine.change.createProject(
    options.project ?? 'bench',
    'paid',
    Date.now(),
  );
  const uuids: string[] = [];
  while (uuids.length < options.checks) {
    const count = Math.min(batchSize, options.checks - uuids.length);
    const made = Array.from({ length: count }, (_, at) => {
      const name = `job-${uuids.length + at}`;
      const check = { ...defaultConfig, name, slug: name, timeoutS: options.timeoutS ?? 86_400 };
      return core.engine.change.createCheck(project.id, check, Date.now());
    });
    for (const { id } of await Promise.all(made)) uuids.push(id);
    await Promise.all(uuids.slice(-count).map((uuid) => pingOnce(core.engine, uuid, Date.now())));
    options.progress?.((uuids.length / options.checks) * (options.outputs ? 0.1 : 1));
  }
  if (options.outputs) await pingOutputs(core.engine, uuids, options.outputs, options.progress);
  const [first = ''] = uuids;
  const more = Array.from({ length: options.morePings ?? 0 }, () => pingOnce(core.engine, first, Date.now()));
  await Promise.all(more);
  await core.stop();
  await fold(dataDir);
  return { apiKey: readWrite.clear, pingKey: ping.clear, uuids, slugs: uuids.map((_, at) => `job-${at}`) };
}

/** Every check pings in turn, as jobs that run side by side do. */
async function pingOutputs(
  engine: Engine,
  uuids: readonly string[],
  { each, spanMs, bodyOf }: NonNullable<SeedOptions['outputs']>,
  progress: (fraction: number) => void = () => {},
): Promise<void> {
  const endMs = Date.now();
  for (let n = 1; n <= each; n++) {
    const atMs = endMs - spanMs + Math.floor((n / each) * spanMs);
    for (let from = 0; from < uuids.length; from += outputsAtOnce) {
      const part = uuids.slice(from, from + outputsAtOnce);
      await Promise.all(part.map((uuid, at) => pingOnce(engine, uuid, atMs, bodyOf(from + at, n))));
    }
    progress(0.1 + (0.9 * n) / each);
  }
}

/** What the fold would still have to do with the seed is no part of what a bench measures: commits may wait for it. */
async function fold(dataDir: string): Promise<void> {
  const store = await openStore({
    dataDir,
    journal: 'lmdb',
    durability: 'fsync',
    bodyBudgetBytes: readConfig({}, {}).config.bodyBudgetBytes,
    logger: silentLogger,
    meter: createMeter(),
    nowMs: Date.now,
    onBroken(error) {
      throw error;
    },
  });
  await store.folded();
  await store.close();
}

function openDir(dataDir: string): Promise<Core> {
  const { config } = readConfig({ KNELL_DATA_DIR: dataDir, KNELL_SMTP: 'off' }, {});
  return openCore({
    config,
    clock: systemClock,
    logger: silentLogger,
    onBroken(error) {
      throw error;
    },
    progress: () => {},
  });
}

/** Only when its server has ended. `acknowledged` without those of the seed, one a check. */
export async function lostPings(dataDir: string, acknowledged: number): Promise<Figure> {
  const core = await openDir(dataDir);
  const { read } = core.engine;
  let kept = 0;
  for (const { id } of read.projects()) {
    for (const check of read.checks(id, Date.now())) kept += Math.max(0, check.state.nPings - 1);
  }
  await core.stop();
  // More may be kept than was acknowledged: requests that were in flight when the load ended.
  return {
    name: 'acknowledged pings lost',
    value: Math.max(0, acknowledged - kept),
    unit: '',
    target: { atMost: 0 },
    note: `${kept} on disk, ${acknowledged} acknowledged`,
  };
}

const noBody = new Uint8Array(0);

/** One success, dated `receivedAtMs`. */
export function pingOnce(
  engine: Engine,
  uuid: string,
  receivedAtMs: number,
  body: Uint8Array = noBody,
): Promise<string> {
  const request: PingRequest = {
    target: { by: 'uuid', uuid: words(uuid) },
    error: null,
    action: 'success',
    exitStatus: null,
    rid: null,
    host: '',
    results: [],
    scheme: 'http',
    method: 'GET',
    remoteAddr: '127.0.0.1',
    ua: 'bench',
    body,
    searchable: { via: 'http', body },
    receivedAtMs,
  };
  return new Promise((resolve) => engine.acceptPing(request, resolve, null));
}
