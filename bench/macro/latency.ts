/**
 * How long a durable ping takes while so many a second are offered, whatever comes back (open loop: latency is counted
 * from when a request was due), and how long bare uWebSockets.js takes. Rounds interleaved, medians. The server's event
 * loop is watched meanwhile. At its end the pings on disk are counted.
 */
import { join } from 'node:path';
import {
  type Bench,
  type Context,
  type Figure,
  type Found,
  firstRound,
  type Size,
} from '../harness/bench.ts';
import { applyLoad, bottleneck, type Loaded } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Plot } from '../harness/plot.ts';
import { loopDelay, startBare, startKnell } from '../harness/process.ts';
import { shuffled, suiteSeed } from '../harness/random.ts';
import { lostPings, seed } from '../harness/seed.ts';

interface Plan {
  readonly checks: number;
  readonly rates: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

const plans: Readonly<Record<Size, Plan>> = {
  smoke: { checks: 100, rates: [200], rounds: 1, seconds: 0.3 },
  quick: { checks: 10_000, rates: [5000], rounds: 1, seconds: 1 },
  normal: { checks: 10_000, rates: [5000, 20_000], rounds: 5, seconds: 1 },
  full: { checks: 10_000, rates: [1000, 5000, 20_000], rounds: 5, seconds: 8 },
};

const connections = 64;
const p99Targets: Readonly<Record<number, number>> = { 5000: 3 };
const loopTargetMs = 10;

const percents = [
  ['p50', 'p50Ms'],
  ['p90', 'p90Ms'],
  ['p99', 'p99Ms'],
  ['p99.9', 'p999Ms'],
] as const;

export const latency: Bench = {
  name: 'latency',
  about: 'how long durable pings take at fixed offered rates, 64 connections',
  run,
};

interface Step {
  readonly rate: number;
  readonly ours: readonly Loaded[];
  readonly bare: readonly Loaded[];
  /** p99.9 of the server's event-loop delay, by round. */
  readonly stallsMs: readonly number[];
}

async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids } = await seed(dataDir, { checks: plan.checks });
  const [knell, bare] = await Promise.all([startKnell({ dataDir, watched: true }), startBare()]);
  const steps: Step[] = [];
  let acknowledged = 0;
  for (const [at, rate] of plan.rates.entries()) {
    const step = { rate, ours: [] as Loaded[], bare: [] as Loaded[], stallsMs: [] as number[] };
    for (let round = at === 0 ? firstRound(context.size) : 0; round < plan.rounds; round++) {
      const paths = shuffled(uuids, suiteSeed + round).map((uuid) => `/ping/${uuid}`);
      const load = { paths, connections, rate, seconds: plan.seconds };
      const ours = await applyLoad({ ...load, url: knell.url });
      acknowledged += ours.requests;
      const { p999Ms } = await loopDelay(knell, dataDir);
      if (round < 0) continue;
      step.ours.push(ours);
      step.stallsMs.push(p999Ms);
      step.bare.push(await applyLoad({ ...load, url: bare.url }));
      context.progress((at + (round + 1) / plan.rounds) / plan.rates.length);
    }
    steps.push(step);
  }
  await Promise.all([knell.end(), bare.end()]);
  const figures = [...steps.flatMap(figuresOf), await lostPings(dataDir, acknowledged)];
  return { figures, plots: [plotOf(steps)], load: 'own, at a fixed rate' };
}

function figuresOf({ rate, ours, bare, stallsMs }: Step): Figure[] {
  const at = `${rate}/s offered`;
  const atMost = p99Targets[rate];
  const latencies = percents.flatMap(([label, key]): Figure[] => [
    {
      name: `${at}: ${label}`,
      ...spreadOf(ours.map((loaded) => loaded[key])),
      unit: 'ms',
      ...(label === 'p99' && atMost !== undefined ? { target: { atMost } } : {}),
    },
    { name: `${at}: bare ${label}`, ...spreadOf(bare.map((loaded) => loaded[key])), unit: 'ms' },
  ]);
  const ratios = ours.map(({ p99Ms }, round) => p99Ms / (bare[round]?.p99Ms ?? Number.NaN));
  return [
    { name: `${at}: answered`, ...spreadOf(ours.map((r) => r.perSecond)), unit: '/s', ...bottleneck(ours) },
    {
      name: `${at}: bare answered`,
      ...spreadOf(bare.map((r) => r.perSecond)),
      unit: '/s',
      ...bottleneck(bare),
    },
    ...latencies,
    { name: `${at}: p99 ratio`, ...spreadOf(ratios), unit: '×' },
    {
      name: `${at}: event-loop delay p99.9`,
      ...spreadOf(stallsMs),
      unit: 'ms',
      target: { atMost: loopTargetMs },
    },
  ];
}

function plotOf(steps: readonly Step[]): Plot {
  const line = (name: string, rounds: readonly Loaded[]) => ({
    name,
    points: percents.map(([, key], at) => [at, spreadOf(rounds.map((loaded) => loaded[key])).value] as const),
  });
  return {
    name: 'latency',
    title: 'Latency percentiles at fixed offered rates',
    kind: 'lines',
    x: { label: 'percentile', ticks: percents.map(([label], at) => [at, label]) },
    y: { label: 'milliseconds', log: true },
    series: steps.flatMap(({ rate, ours, bare }) => [
      line(`Knell, ${rate}/s`, ours),
      line(`bare, ${rate}/s`, bare),
    ]),
  };
}
