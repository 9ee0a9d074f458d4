/**
 * What many checks cost: pings a second and their latency beside a server of 1,000 checks and bare uWebSockets.js, rounds
 * interleaved; memory; the time from `kill -9`, right after the load, to ready. At its end the pings on disk are counted,
 * those that the kill may have lost among them.
 */

import { join } from 'node:path';
import type { Context, Figure, Found, Target } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck, generators } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Plot } from '../harness/plot.ts';
import { type Memory, memoryOf, type Server, startBare, startKnell } from '../harness/process.ts';
import { removeData } from '../harness/quiet-disk.ts';
import { inRounds, type Plans, pingPaths } from '../harness/rounds.ts';
import { lostPings, type Seeded, seed } from '../harness/seed.ts';
import { type Journal, journals } from './ping-cases.ts';

interface Plan {
  /** What the sizes are compared to. */
  readonly base: number;
  readonly sizes: readonly number[];
  /** The logs that each size is measured with. */
  readonly journals: readonly Journal[];
  readonly rounds: number;
  readonly seconds: number;
  readonly rate: number;
}

const plans: Plans<Plan> = {
  smoke: { base: 50, sizes: [200], journals: ['lmdb'], rounds: 1, seconds: 0.2, rate: 200 },
  quick: { base: 1000, sizes: [10_000], journals: ['lmdb'], rounds: 1, seconds: 0.5, rate: 5000 },
  normal: { base: 1000, sizes: [100_000], journals: ['lmdb'], rounds: 5, seconds: 1, rate: 5000 },
  full: {
    base: 1000,
    sizes: [1000, 10_000, 100_000, 1_000_000],
    journals,
    rounds: 5,
    seconds: 4,
    rate: 5000,
  },
};

const connections = 256;

interface Targets {
  readonly readyMs: number;
  readonly megabytes: number;
  readonly megabytesAfterLoad?: number;
  /** Of the pings a second with 1,000 checks. */
  readonly share?: number;
}

const targets: Readonly<Record<number, Targets>> = {
  100000: { readyMs: 2000, megabytes: 350 },
  1000000: { readyMs: 4000, megabytes: 512, megabytesAfterLoad: 700, share: 0.9 },
};

interface Round {
  readonly ours: Loaded;
  readonly base: Loaded;
  readonly bare: Loaded;
  readonly paced: Loaded;
  readonly barePaced: Loaded;
}

interface Measured {
  readonly checks: number;
  readonly journal: Journal;
  readonly rounds: readonly Round[];
  readonly megabytes: number;
  readonly megabytesEmpty: number;
  readonly afterLoad: Memory;
  readonly readyMs: number;
  readonly lost: Figure;
}

/** What is there for all sizes. */
interface Stage {
  readonly plan: Plan;
  readonly base: Server;
  readonly baseSeeded: Seeded;
  readonly bare: Server;
  readonly megabytesEmpty: number;
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const baseDir = join(context.dir, 'base');
  const megabytesEmpty = await emptyMegabytes(join(context.dir, 'empty'));
  const baseSeeded = await seed(baseDir, { checks: plan.base });
  const [base, bare] = await Promise.all([startKnell({ dataDir: baseDir }), startBare()]);
  const stage = { plan, base, baseSeeded, bare, megabytesEmpty };
  const all: Measured[] = [];
  const parts = plan.sizes.flatMap((checks) => plan.journals.map((journal) => ({ checks, journal })));
  for (const [at, part] of parts.entries()) {
    const progress = (done: number): void => context.progress((at + done) / parts.length);
    all.push(await measure({ ...context, progress }, stage, part));
  }
  await Promise.all([base.end(), bare.end()]);
  return { figures: all.flatMap(figuresOf), plots: plotsOf(all), load: generators };
}

async function emptyMegabytes(dataDir: string): Promise<number> {
  const knell = await startKnell({ dataDir });
  const { resident } = memoryOf(knell.pid);
  await knell.end();
  return resident / 1e6;
}

async function measure(
  context: Context,
  stage: Stage,
  { checks, journal }: Pick<Measured, 'checks' | 'journal'>,
): Promise<Measured> {
  const dataDir = join(context.dir, `data-${checks}-${journal}`);
  const env = { KNELL_JOURNAL: journal };
  const progress = (part: number): void => context.progress(part * 0.4);
  const seeded = await seed(dataDir, { checks, progress });
  const first = await startKnell({ dataDir, env });
  const { rounds, acknowledged } = await loadRounds(context, stage, { server: first, seeded });
  const afterLoad = memoryOf(first.pid);
  await first.end('SIGKILL');
  const second = await startKnell({ dataDir, env });
  const megabytes = memoryOf(second.pid).resident / 1e6;
  await second.end();
  const lost = await lostPings(dataDir, acknowledged);
  await removeData(dataDir, context.size);
  const { megabytesEmpty } = stage;
  const { readyMs } = second;
  return { checks, journal, rounds, megabytes, megabytesEmpty, afterLoad, readyMs, lost };
}

async function loadRounds(
  context: Context,
  { plan, base, baseSeeded, bare }: Stage,
  { server, seeded }: { readonly server: Server; readonly seeded: Seeded },
): Promise<{ readonly rounds: readonly Round[]; readonly acknowledged: number }> {
  const rounds: Round[] = [];
  let acknowledged = 0;
  const progress = (part: number): void => context.progress(0.4 + 0.6 * part);
  await inRounds({ ...context, progress }, plan, async (round) => {
    const load = { connections, seconds: plan.seconds, paths: pingPaths(seeded.uuids, round) };
    const ours = await applyLoad({ ...load, url: server.url });
    acknowledged += ours.requests;
    const small = await applyLoad({ ...load, paths: pingPaths(baseSeeded.uuids, round), url: base.url });
    if (round < 0) return;
    const paced = await applyLoad({ ...load, url: server.url, rate: plan.rate });
    acknowledged += paced.requests;
    const bareLoad = { ...load, url: bare.url };
    const barePaced = await applyLoad({ ...bareLoad, rate: plan.rate });
    rounds.push({ ours, base: small, bare: await applyLoad(bareLoad), paced, barePaced });
  });
  return { rounds, acknowledged };
}

function figuresOf(measured: Measured): Figure[] {
  const { checks, journal, rounds, megabytes, megabytesEmpty, afterLoad, readyMs, lost } = measured;
  const at = `${checks} checks, ${journal} log`;
  const of = (pick: (round: Round) => number) => spreadOf(rounds.map(pick));
  const wanted = targets[checks];
  const megabytesTarget = atMost(wanted?.megabytes);
  const perCheck = ((megabytes - megabytesEmpty) * 1e6) / checks;
  return [
    {
      name: `${at}: durable pings`,
      ...of((r) => r.ours.perSecond),
      unit: '/s',
      ...bottleneck(rounds.map((r) => r.ours)),
    },
    { name: `${at}: ratio to bare`, ...of((r) => r.ours.perSecond / r.bare.perSecond), unit: '×' },
    {
      name: `${at}: share of what a server of few checks takes`,
      ...of((r) => r.ours.perSecond / r.base.perSecond),
      unit: '×',
      ...(wanted?.share === undefined ? {} : { target: { atLeast: wanted.share } }),
    },
    { name: `${at}: p50 at a fixed rate`, ...of((r) => r.paced.p50Ms), unit: 'ms' },
    {
      name: `${at}: p99 at a fixed rate`,
      ...of((r) => r.paced.p99Ms),
      unit: 'ms',
      ...bottleneck(rounds.map((r) => r.paced)),
    },
    { name: `${at}: bare p50 at a fixed rate`, ...of((r) => r.barePaced.p50Ms), unit: 'ms' },
    { name: `${at}: bare p99 at a fixed rate`, ...of((r) => r.barePaced.p99Ms), unit: 'ms' },
    { name: `${at}: ready after kill -9`, value: readyMs, unit: 'ms', ...atMost(wanted?.readyMs) },
    { name: `${at}: memory when ready`, value: megabytes, unit: 'MB', ...megabytesTarget },
    {
      name: `${at}: memory after the load`,
      value: afterLoad.resident / 1e6,
      unit: 'MB',
      ...atMost(wanted?.megabytesAfterLoad),
    },
    {
      name: `${at}: memory after the load, without mapped files`,
      value: afterLoad.anonymous / 1e6,
      unit: 'MB',
    },
    { name: `${at}: memory per check, above an empty server`, value: perCheck, unit: 'B' },
    { ...lost, name: `${at}: ${lost.name}, through kill -9` },
  ];
}

function atMost(most: number | undefined): { readonly target?: Target } {
  return most === undefined ? {} : { target: { atMost: most } };
}

function plotsOf(all: readonly Measured[]): Plot[] {
  const x = { label: 'checks', log: true };
  const points = (of: (measured: Measured) => number) =>
    all
      .filter(({ journal }) => journal === journals[0])
      .map((measured) => [measured.checks, of(measured)] as const);
  const microseconds = (pick: (round: Round) => Loaded) =>
    points(({ rounds }) => 1e6 / spreadOf(rounds.map((round) => pick(round).perSecond)).value);
  return [
    {
      name: 'cost-of-a-ping',
      title: `What a ping costs over the number of checks, ${connections} connections`,
      kind: 'lines',
      x,
      y: { label: 'microseconds a ping' },
      series: [
        { name: 'Knell', points: microseconds((round) => round.ours) },
        { name: 'few checks, same rounds', points: microseconds((round) => round.base) },
        { name: 'bare uWebSockets.js', points: microseconds((round) => round.bare) },
      ],
    },
    {
      name: 'memory',
      title: 'Memory and time to ready over the number of checks',
      kind: 'lines',
      x,
      y: { label: 'MB, milliseconds', log: true },
      series: [
        { name: 'memory, MB', points: points((measured) => measured.megabytes) },
        { name: 'ready, ms', points: points((measured) => measured.readyMs) },
      ],
    },
  ];
}
