/**
 * Pings a second, spread over 10,000 checks, as a ratio to a bare uWebSockets.js app that answers OK to the same load in
 * the same run; one connection alone also against a bare LMDB commit. Rounds interleaved, medians. Each case has a data
 * directory of its own, and at its end the pings on disk are counted.
 */
import { join } from 'node:path';
import { bareCommitMs } from '../harness/bare-lmdb.ts';
import {
  type Bench,
  type Context,
  type Figure,
  type Found,
  firstRound,
  type Target,
} from '../harness/bench.ts';
import { applyLoad, bottleneck, generators, type Loaded } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Plot, Series } from '../harness/plot.ts';
import { type Server, startBare, startKnell } from '../harness/process.ts';
import { removeData } from '../harness/quiet-disk.ts';
import { shuffled, suiteSeed } from '../harness/random.ts';
import { lostPings, type Seeded, seed } from '../harness/seed.ts';
import { nameOf, type PingCase, type Plan, plans } from './ping-cases.ts';

/** Of what bare uWebSockets.js does, by connections, for durable GET pings by uuid. */
const ratioTargets: Readonly<Record<number, number>> = { 16: 0.25, 64: 0.5, 256: 0.8 };
/** A ping that comes alone, as a multiple of a bare LMDB commit. */
const aloneTarget = 1.3;
/** 10,000 checks with their default 10 MB of bodies each would fill the disk before they tell more. */
const bodyBudget = '300kB';

export const throughput: Bench = {
  name: 'throughput',
  about: 'pings a second against bare uWebSockets.js',
  run,
};

interface Round {
  readonly ours: Loaded;
  readonly bare: Loaded;
  /** The median commit of bare LMDB; NaN where it is not measured. */
  readonly commitMs: number;
}

/** What one case found at one number of connections. */
interface Cell {
  readonly kind: PingCase;
  readonly connections: number;
  readonly rounds: readonly Round[];
}

async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const bare = await startBare();
  const figures: Figure[] = [];
  const cells: Cell[] = [];
  for (const [at, kind] of plan.cases.entries()) {
    const report = (part: number): void => context.progress((at + part) / plan.cases.length);
    const found = await runCase({ ...context, progress: report }, { plan, kind, bare });
    figures.push(...found.cells.flatMap(figuresOf), found.lost);
    cells.push(...found.cells);
  }
  await bare.end();
  return { figures, plots: [plotOf(cells)], load: generators };
}

interface CaseRun {
  readonly plan: Plan;
  readonly kind: PingCase;
  readonly bare: Server;
}

async function runCase(
  context: Context,
  { plan, kind, bare }: CaseRun,
): Promise<{ readonly cells: readonly Cell[]; readonly lost: Figure }> {
  const dataDir = join(context.dir, 'data');
  const seeded = await seed(dataDir, { checks: plan.checks });
  const env = { KNELL_DURABILITY: kind.durability, KNELL_BODY_BUDGET: bodyBudget };
  const knell = await startKnell({ dataDir, env: { ...env, KNELL_LOG_LEVEL: 'error' } });
  const cells: Cell[] = [];
  let acknowledged = 0;
  for (const [at, connections] of kind.connections.entries()) {
    const rounds: Round[] = [];
    for (let round = at === 0 ? firstRound(context.size) : 0; round < plan.rounds; round++) {
      const load = { ...loadOf(plan, kind, seeded, round), connections };
      const ours = await applyLoad({ ...load, url: knell.url });
      acknowledged += ours.requests;
      if (round < 0) continue;
      const commitMs = connections === 1 ? await bareCommitMs(context.dir, plan.seconds / 2) : Number.NaN;
      rounds.push({ ours, bare: await applyLoad({ ...load, url: bare.url }), commitMs });
      context.progress((at + (round + 1) / plan.rounds) / kind.connections.length);
    }
    cells.push({ kind, connections, rounds });
  }
  await knell.end();
  const lost = await lostPings(dataDir, acknowledged);
  await removeData(dataDir, context.size);
  return { cells, lost: { ...lost, name: `${nameOf(kind)}: ${lost.name}` } };
}

function loadOf({ seconds }: Plan, { method, bodyBytes, by }: PingCase, seeded: Seeded, round: number) {
  const paths =
    by === 'uuid'
      ? seeded.uuids.map((uuid) => `/ping/${uuid}`)
      : seeded.slugs.map((slug) => `/ping/${seeded.pingKey}/${slug}`);
  return { method, bodyBytes, seconds, paths: shuffled(paths, suiteSeed + round) };
}

function isPlain({ method, by }: PingCase): boolean {
  return method === 'GET' && by === 'uuid';
}

function figuresOf({ kind, connections, rounds }: Cell): Figure[] {
  const at = `${nameOf(kind)}, ${connections} connections`;
  const of = (pick: (round: Round) => number) => spreadOf(rounds.map(pick));
  const atLeast = isPlain(kind) && kind.durability === 'fsync' ? ratioTargets[connections] : undefined;
  const ratio = of(({ ours, bare }) => ours.perSecond / bare.perSecond);
  return [
    { name: at, ...of(({ ours }) => ours.perSecond), unit: '/s', ...bottleneck(rounds.map((r) => r.ours)) },
    {
      name: `${at}: bare`,
      ...of(({ bare }) => bare.perSecond),
      unit: '/s',
      ...bottleneck(rounds.map((r) => r.bare)),
    },
    { name: `${at}: ratio`, ...ratio, unit: '×', ...targeted(atLeast && { atLeast }) },
    { name: `${at}: p50`, ...of(({ ours }) => ours.p50Ms), unit: 'ms' },
    { name: `${at}: p99`, ...of(({ ours }) => ours.p99Ms), unit: 'ms' },
    { name: `${at}: bare p99`, ...of(({ bare }) => bare.p99Ms), unit: 'ms' },
    ...(connections === 1 ? aloneFigures(at, kind, rounds) : []),
  ];
}

function aloneFigures(at: string, kind: PingCase, rounds: readonly Round[]): Figure[] {
  const ratio = spreadOf(rounds.map(({ ours, commitMs }) => ours.p50Ms / commitMs));
  const isTarget = isPlain(kind) && kind.durability === 'fsync';
  return [
    { name: `${at}: bare LMDB commit, p50`, ...spreadOf(rounds.map((r) => r.commitMs)), unit: 'ms' },
    {
      name: `${at}: p50 in bare LMDB commits`,
      ...ratio,
      unit: '×',
      ...targeted(isTarget && { atMost: aloneTarget }),
    },
  ];
}

function targeted(target: Target | false | 0 | undefined): { readonly target?: Target } {
  return target ? { target } : {};
}

function plotOf(cells: readonly Cell[]): Plot {
  const names = [...new Set(cells.map(({ kind }) => nameOf(kind)))];
  const line = (kept: readonly Cell[], pick: (round: Round) => Loaded): Series['points'] =>
    kept.map(({ connections, rounds }) => [
      connections,
      spreadOf(rounds.map((r) => pick(r).perSecond)).value,
    ]);
  const ours = names.map((name) => ({
    name,
    points: line(
      cells.filter(({ kind }) => nameOf(kind) === name),
      (round) => round.ours,
    ),
  }));
  const [first] = names;
  const bare = line(
    cells.filter(({ kind }) => nameOf(kind) === first),
    (round) => round.bare,
  );
  const counts = [...new Set(cells.map(({ connections }) => connections))];
  return {
    name: 'throughput',
    title: 'Pings a second over connections',
    kind: 'lines',
    x: { label: 'connections', log: true, ticks: counts.map((count) => [count, String(count)]) },
    y: { label: 'pings a second' },
    series: [{ name: 'bare uWebSockets.js', points: bare }, ...ours],
  };
}
