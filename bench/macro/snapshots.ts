/**
 * Snapshots of a server that takes pings meanwhile, and restoring them, in MB a second and as a ratio to copying the same
 * file and syncing it; and how much slower pings are meanwhile. Rounds interleaved, medians. At its end the pings on disk
 * are counted, and those in the last restored directory.
 */

import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runAdmin } from '../../src/cli/io/admin-client.ts';
import { readConfig } from '../../src/config.ts';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import type { SnapshotSummary } from '../../src/store/store.ts';
import type { Context, Figure, Found } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck, generators } from '../harness/load.ts';
import type { LoopDelay } from '../harness/loop-delay.ts';
import { spreadOf } from '../harness/numbers.ts';
import { loopDelay, type Server, startKnell } from '../harness/process.ts';
import { inRounds, type Plans, pingPaths } from '../harness/rounds.ts';
import { lostPings, seed } from '../harness/seed.ts';

interface Plan {
  readonly checks: number;
  readonly rounds: number;
  readonly seconds: number;
}

const plans: Plans<Plan> = {
  smoke: { checks: 100, rounds: 1, seconds: 0.2 },
  quick: { checks: 1000, rounds: 1, seconds: 0.5 },
  normal: { checks: 10_000, rounds: 5, seconds: 1 },
  full: { checks: 100_000, rounds: 5, seconds: 8 },
};

const connections = 64;
const bodyBytes = 1000;
/** Of a check: else each round would write and read more than the one before. */
const bodyBudget = '5kB';
const loopTargetMs = 10;

interface Round {
  readonly quiet: Loaded;
  readonly busy: Loaded;
  readonly delay: LoopDelay;
  readonly snapshotRates: readonly number[];
  readonly restoreRate: number;
  readonly copyRate: number;
  readonly megabytes: number;
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids } = await seed(dataDir, { checks: plan.checks });
  const knell = await startKnell({ dataDir, env: { KNELL_BODY_BUDGET: bodyBudget }, watched: true });
  const rounds: Round[] = [];
  let acknowledged = 0;
  await inRounds(context, plan, async (round) => {
    const paths = pingPaths(uuids, round);
    const load = {
      url: knell.url,
      paths,
      connections,
      seconds: plan.seconds,
      method: 'POST',
      body: 'x'.repeat(bodyBytes),
    } as const;
    const quiet = await applyLoad(load);
    await loopDelay(knell, dataDir);
    const pouring = applyLoad(load);
    const file = join(context.dir, 'snapshot');
    const taken = await snapshotsDuring({ dataDir, file }, pouring);
    const busy = await pouring;
    const delay = await loopDelay(knell, dataDir);
    const acknowledgedBefore = acknowledged + quiet.requests;
    acknowledged += quiet.requests + busy.requests;
    const { bytes } = taken.last;
    const restoreRate = await restoreRateOf(context.dir, taken.last, acknowledgedBefore);
    const copyRate = rateOf(bytes, () => copy(file, join(context.dir, 'copy')));
    if (round < 0) return;
    const { rates: snapshotRates } = taken;
    rounds.push({ quiet, busy, delay, snapshotRates, restoreRate, copyRate, megabytes: bytes / 1e6 });
  });
  return { figures: await endWith(knell, dataDir, { rounds, acknowledged }), load: generators };
}

async function endWith(
  knell: Server,
  dataDir: string,
  { rounds, acknowledged }: { readonly rounds: readonly Round[]; readonly acknowledged: number },
): Promise<Figure[]> {
  await knell.end();
  return [...figuresOf(rounds), await lostPings(dataDir, acknowledged)];
}

interface Taken {
  /** MB a second, of each. */
  readonly rates: readonly number[];
  readonly last: SnapshotSummary;
}

/** One snapshot after the other until the load ends, at least one. */
async function snapshotsDuring(
  { dataDir, file }: { readonly dataDir: string; readonly file: string },
  load: Promise<Loaded>,
): Promise<Taken> {
  let isLoaded = true;
  const ended = (): void => {
    isLoaded = false;
  };
  load.then(ended, ended);
  const { config } = readConfig({ KNELL_DATA_DIR: dataDir }, {});
  const rates: number[] = [];
  for (;;) {
    const startedMs = performance.now();
    const summary = await runAdmin(config, { command: 'snapshot', args: { file } }, () => {});
    const last = summary as SnapshotSummary;
    rates.push(last.bytes / 1000 / (performance.now() - startedMs));
    if (!isLoaded) return { rates, last };
  }
}

/** MB a second. Throws when a ping that was acknowledged before the snapshot began is not in what was restored. */
async function restoreRateOf(
  dir: string,
  { file, bytes }: SnapshotSummary,
  acknowledged: number,
): Promise<number> {
  const restored = join(dir, 'restored');
  const startedMs = performance.now();
  await restoreSnapshot(file, restored, () => {});
  const tookMs = performance.now() - startedMs;
  const { value: lost } = await lostPings(restored, acknowledged);
  if (lost > 0) throw new Error(`${lost} acknowledged pings were not restored`);
  rmSync(restored, { recursive: true });
  return bytes / 1000 / tookMs;
}

function rateOf(bytes: number, work: () => void): number {
  const startedMs = performance.now();
  work();
  return bytes / 1000 / (performance.now() - startedMs);
}

function copy(from: string, to: string): void {
  const fd = openSync(to, 'w');
  writeSync(fd, readFileSync(from));
  fsyncSync(fd);
  closeSync(fd);
  rmSync(to);
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (pick: (round: Round) => number) => spreadOf(rounds.map(pick));
  const snapshotRate = (round: Round): number => spreadOf(round.snapshotRates).value;
  const target = { atMost: loopTargetMs };
  return [
    { name: 'size of a snapshot', ...of((r) => r.megabytes), unit: 'MB' },
    { name: 'snapshot, pings pour in', ...of(snapshotRate), unit: 'MB/s' },
    { name: 'restore', ...of((r) => r.restoreRate), unit: 'MB/s' },
    { name: 'bare copy of the file, synced', ...of((r) => r.copyRate), unit: 'MB/s' },
    { name: 'snapshot, ratio to the copy', ...of((r) => snapshotRate(r) / r.copyRate), unit: '×' },
    { name: 'restore, ratio to the copy', ...of((r) => r.restoreRate / r.copyRate), unit: '×' },
    { name: 'pings', ...of((r) => r.quiet.perSecond), unit: '/s', ...bottleneck(rounds.map((r) => r.quiet)) },
    { name: 'pings during snapshots', ...of((r) => r.busy.perSecond), unit: '/s' },
    { name: 'share of the pings left', ...of((r) => r.busy.perSecond / r.quiet.perSecond), unit: '×' },
    { name: 'ping p99', ...of((r) => r.quiet.p99Ms), unit: 'ms' },
    { name: 'ping p99 during snapshots', ...of((r) => r.busy.p99Ms), unit: 'ms' },
    { name: 'event-loop delay p99.9 during snapshots', ...of((r) => r.delay.p999Ms), unit: 'ms', target },
  ];
}
