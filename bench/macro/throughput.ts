/**
 * Pings a second, spread over 10,000 checks, as a ratio to a bare uWebSockets.js app that answers OK to the same load in
 * the same run, for each of the two logs; one connection alone also against a bare commit of the same kind. Rounds
 * interleaved, medians. Each log of a case has a data directory of its own, and at its end the pings on disk are counted.
 */

import { join } from 'node:path';
import { bareCommitMs } from '../harness/bare-commit.ts';
import type { Context, Figure, Found, Target } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck, generators } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Plot, Series } from '../harness/plot.ts';
import { memoryOf, type Server, startBare, startKnell } from '../harness/process.ts';
import { removeData } from '../harness/quiet-disk.ts';
import { shuffled, suiteSeed } from '../harness/random.ts';
import { inRounds } from '../harness/rounds.ts';
import { lostPings, type Seeded, seed } from '../harness/seed.ts';
import { type Journal, nameOf, type PingCase, type Plan, plans } from './ping-cases.ts';

/** Of what bare uWebSockets.js does, by connections: for durable GET pings by uuid, and POSTs of 1 kB by slug. */
type RatioTargets = Readonly<Record<Journal, Readonly<Record<number, number>>>>;
const ratioTargets: RatioTargets = {
  lmdb: { 16: 0.17, 64: 0.4, 256: 0.63 },
  file: { 16: 0.27, 64: 0.58, 256: 0.74 },
};
const postTargets: RatioTargets = { lmdb: {}, file: { 64: 0.42 } };
/** Of the whole process, at the end of a case with GET pings and 10,000 checks. */
const megabytesTarget = 200;
/** A ping that comes alone, as a multiple of a bare commit: of LMDB, or an append with fdatasync. */
const aloneTarget = 1.3;
const commitNames: Readonly<Record<Journal, string>> = {
  lmdb: 'bare LMDB commit',
  file: 'bare append and fdatasync',
};
/** 10,000 checks with their default 10 MB of bodies each would fill the disk and show nothing more. */
const bodyBudget = '300kB';

interface Round {
  readonly ours: Loaded;
  readonly bare: Loaded;
  /** The median bare commit of the same kind; NaN where it is not measured. */
  readonly commitMs: number;
}

/** What one log came to in one case at one number of connections. */
interface Cell {
  readonly kind: PingCase;
  readonly journal: Journal;
  readonly connections: number;
  readonly rounds: readonly Round[];
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const bare = await startBare();
  const figures: Figure[] = [];
  const cells: Cell[] = [];
  for (const [at, kind] of plan.cases.entries()) {
    const report = (part: number): void => context.progress((at + part) / plan.cases.length);
    const found = await runCase({ ...context, progress: report }, { plan, kind, bare });
    figures.push(...found.cells.flatMap(figuresOf), ...found.ends);
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

/** One server of the case, with what it acknowledged. */
interface Subject {
  readonly journal: Journal;
  readonly dataDir: string;
  readonly seeded: Seeded;
  readonly server: Server;
  acknowledged: number;
}

async function runCase(
  context: Context,
  { plan, kind, bare }: CaseRun,
): Promise<{ readonly cells: readonly Cell[]; readonly ends: readonly Figure[] }> {
  const subjects: Subject[] = [];
  for (const journal of kind.journals) subjects.push(await startSubject(context, plan, { kind, journal }));
  const cells: Cell[] = [];
  for (const [at, connections] of kind.connections.entries()) {
    const rounds = new Map(subjects.map((subject) => [subject, [] as Round[]]));
    const progress = (part: number): void => context.progress((at + part) / kind.connections.length);
    await inRounds({ ...context, progress }, { rounds: plan.rounds, isWarm: at > 0 }, async (round) => {
      for (const [subject, found] of rounds) {
        const load = { ...loadOf(plan, kind, subject.seeded, round), connections };
        const ours = await applyLoad({ ...load, url: subject.server.url });
        subject.acknowledged += ours.requests;
        if (round < 0) continue;
        const { journal } = subject;
        const commitMs =
          connections === 1 ? await bareCommitMs(journal, context.dir, plan.seconds / 2) : Number.NaN;
        found.push({ ours, bare: await applyLoad({ ...load, url: bare.url }), commitMs });
      }
    });
    for (const [{ journal }, found] of rounds) cells.push({ kind, journal, connections, rounds: found });
  }
  const ends: Figure[] = [];
  for (const subject of subjects) ends.push(...(await endSubject(subject, kind, context)));
  return { cells, ends };
}

async function startSubject(
  context: Context,
  plan: Plan,
  { kind, journal }: { readonly kind: PingCase; readonly journal: Journal },
): Promise<Subject> {
  const dataDir = join(context.dir, `data-${journal}`);
  const seeded = await seed(dataDir, { checks: plan.checks });
  const env = {
    KNELL_JOURNAL: journal,
    KNELL_DURABILITY: kind.durability,
    KNELL_BODY_BUDGET: bodyBudget,
    KNELL_LOG_LEVEL: 'error',
  };
  const server = await startKnell({ dataDir, env });
  return { journal, dataDir, seeded, server, acknowledged: 0 };
}

async function endSubject(
  { server, dataDir, acknowledged, journal, seeded }: Subject,
  kind: PingCase,
  { size }: Context,
): Promise<readonly Figure[]> {
  const { resident, anonymous } = memoryOf(server.pid);
  await server.end();
  const lost = await lostPings(dataDir, acknowledged);
  await removeData(dataDir, size);
  const at = nameOf(kind, journal);
  const isTarget = isPlain(kind) && seeded.uuids.length === 10_000;
  const target = targeted(isTarget && { atMost: megabytesTarget });
  return [
    { name: `${at}: memory after the load`, value: resident / 1e6, unit: 'MB', ...target },
    {
      name: `${at}: memory after the load, without mapped files`,
      value: anonymous / 1e6,
      unit: 'MB',
    },
    { ...lost, name: `${at}: ${lost.name}` },
  ];
}

function loadOf({ seconds }: Plan, { method, bodyBytes, by }: PingCase, seeded: Seeded, round: number) {
  const paths =
    by === 'uuid'
      ? seeded.uuids.map((uuid) => `/ping/${uuid}`)
      : seeded.slugs.map((slug) => `/ping/${seeded.pingKey}/${slug}`);
  const body = bodyBytes === 0 ? {} : { body: 'x'.repeat(bodyBytes) };
  return { method, ...body, seconds, paths: shuffled(paths, suiteSeed + round) };
}

function isPlain({ method, by }: PingCase): boolean {
  return method === 'GET' && by === 'uuid';
}

function ratioTargetOf(kind: PingCase, journal: Journal, connections: number): number | undefined {
  if (kind.durability !== 'fsync') return undefined;
  if (isPlain(kind)) return ratioTargets[journal][connections];
  const isSmallPost = kind.method === 'POST' && kind.bodyBytes === 1000 && kind.by === 'slug';
  return isSmallPost ? postTargets[journal][connections] : undefined;
}

function figuresOf({ kind, journal, connections, rounds }: Cell): Figure[] {
  const at = `${nameOf(kind, journal)}, ${connections} connections`;
  const of = (pick: (round: Round) => number) => spreadOf(rounds.map(pick));
  const atLeast = ratioTargetOf(kind, journal, connections);
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
    ...(connections === 1 ? aloneFigures(at, { kind, journal, connections, rounds }) : []),
  ];
}

function aloneFigures(at: string, { kind, journal, rounds }: Cell): Figure[] {
  const ratio = spreadOf(rounds.map(({ ours, commitMs }) => ours.p50Ms / commitMs));
  const commit = commitNames[journal];
  const isTarget = isPlain(kind) && kind.durability === 'fsync';
  return [
    { name: `${at}: ${commit}, p50`, ...spreadOf(rounds.map((r) => r.commitMs)), unit: 'ms' },
    {
      name: `${at}: p50 as a multiple of a ${commit}`,
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
  const names = [...new Set(cells.map(({ kind, journal }) => nameOf(kind, journal)))];
  const line = (kept: readonly Cell[], pick: (round: Round) => Loaded): Series['points'] =>
    kept.map(({ connections, rounds }) => [
      connections,
      spreadOf(rounds.map((r) => pick(r).perSecond)).value,
    ]);
  const ours = names.map((name) => ({
    name,
    points: line(
      cells.filter(({ kind, journal }) => nameOf(kind, journal) === name),
      (round) => round.ours,
    ),
  }));
  const [first] = names;
  const bare = line(
    cells.filter(({ kind, journal }) => nameOf(kind, journal) === first),
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
