/**
 * How long a durable ping takes while so many a second are offered, whatever comes back (open loop: latency is counted
 * from when a request was due), and how long bare uWebSockets.js takes. Rounds interleaved, medians. The server's event
 * loop is watched meanwhile. At its end the pings on disk are counted.
 */

import { join } from 'node:path';
import type { Context, Figure, Found } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Plot } from '../harness/plot.ts';
import { loopDelay, type Server, startBare, startKnell } from '../harness/process.ts';
import { inRounds, type Plans, pingPaths } from '../harness/rounds.ts';
import { lostPings, seed } from '../harness/seed.ts';
import { type Journal, journals } from './ping-cases.ts';

interface Plan {
  readonly checks: number;
  readonly rates: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

const plans: Plans<Plan> = {
  smoke: { checks: 100, rates: [200], rounds: 1, seconds: 0.3 },
  quick: { checks: 10_000, rates: [5000], rounds: 1, seconds: 1 },
  normal: { checks: 10_000, rates: [5000, 20_000], rounds: 5, seconds: 1 },
  full: { checks: 10_000, rates: [1000, 5000, 20_000], rounds: 5, seconds: 8 },
};

const connections = 64;
const p99Targets: Readonly<Record<Journal, Readonly<Record<number, number>>>> = {
  lmdb: { 5000: 4 },
  file: { 5000: 3 },
};
const loopTargetMs = 10;

const percents = [
  ['p50', 'p50Ms'],
  ['p90', 'p90Ms'],
  ['p99', 'p99Ms'],
  ['p99.9', 'p999Ms'],
] as const;

interface Step {
  readonly journal: Journal;
  readonly rate: number;
  readonly ours: readonly Loaded[];
  readonly bare: readonly Loaded[];
  /** p99.9 of the server's event-loop delay, by round. */
  readonly stallsMs: readonly number[];
}

/** A server over one of the logs, with what it acknowledged. */
interface Subject {
  readonly journal: Journal;
  readonly dataDir: string;
  readonly uuids: readonly string[];
  readonly server: Server;
  acknowledged: number;
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const bare = await startBare();
  const subjects: Subject[] = [];
  for (const journal of journals) subjects.push(await startSubject(context, plan, journal));
  const steps: Step[] = [];
  for (const [at, rate] of plan.rates.entries()) {
    const step = (journal: Journal) => ({ journal, rate, ours: [], bare: [], stallsMs: [] });
    const found = new Map<Subject, Rounds>(subjects.map((subject) => [subject, step(subject.journal)]));
    const progress = (part: number): void => context.progress((at + part) / plan.rates.length);
    await inRounds({ ...context, progress }, { rounds: plan.rounds, isWarm: at > 0 }, async (round) => {
      for (const [subject, rounds] of found) await measure({ subject, rounds, plan, round, bare });
    });
    steps.push(...found.values());
  }
  await Promise.all([...subjects.map(({ server }) => server.end()), bare.end()]);
  const lost: Figure[] = [];
  for (const { journal, dataDir, acknowledged } of subjects) {
    const figure = await lostPings(dataDir, acknowledged);
    lost.push({ ...figure, name: `${journal} log: ${figure.name}` });
  }
  return {
    figures: [...steps.flatMap(figuresOf), ...lost],
    plots: [plotOf(steps)],
    load: 'own, at a fixed rate',
  };
}

async function startSubject(context: Context, plan: Plan, journal: Journal): Promise<Subject> {
  const dataDir = join(context.dir, `data-${journal}`);
  const { uuids } = await seed(dataDir, { checks: plan.checks });
  const server = await startKnell({ dataDir, watched: true, env: { KNELL_JOURNAL: journal } });
  return { journal, dataDir, uuids, server, acknowledged: 0 };
}

interface Rounds extends Step {
  readonly ours: Loaded[];
  readonly bare: Loaded[];
  readonly stallsMs: number[];
}

interface Measuring {
  readonly subject: Subject;
  readonly rounds: Rounds;
  readonly plan: Plan;
  readonly round: number;
  readonly bare: Server;
}

async function measure({ subject, rounds, plan, round, bare }: Measuring): Promise<void> {
  const paths = pingPaths(subject.uuids, round);
  const load = { paths, connections, rate: rounds.rate, seconds: plan.seconds };
  const ours = await applyLoad({ ...load, url: subject.server.url });
  subject.acknowledged += ours.requests;
  const { p999Ms } = await loopDelay(subject.server, subject.dataDir);
  if (round < 0) return;
  rounds.ours.push(ours);
  rounds.stallsMs.push(p999Ms);
  rounds.bare.push(await applyLoad({ ...load, url: bare.url }));
}

function figuresOf({ journal, rate, ours, bare, stallsMs }: Step): Figure[] {
  const at = `${journal} log, ${rate}/s offered`;
  const atMost = p99Targets[journal][rate];
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
    series: steps.flatMap(({ journal, rate, ours, bare }) => [
      line(`${journal} log, ${rate}/s`, ours),
      ...(journal === journals[0] ? [line(`bare, ${rate}/s`, bare)] : []),
    ]),
  };
}
