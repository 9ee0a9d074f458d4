/**
 * Durable pings a second, spread over 10,000 checks, as a ratio to a bare uWebSockets.js app that answers OK to the
 * same load in the same run: rounds interleaved, medians. At its end the pings on disk are counted.
 */
import { join } from 'node:path';
import type { Bench, Context, Figure, Size } from '../harness/bench.ts';
import { applyLoad, type Loaded } from '../harness/load.ts';
import { median } from '../harness/numbers.ts';
import { type Server, startBare, startKnell } from '../harness/process.ts';
import { seed } from '../harness/seed.ts';

interface Plan {
  readonly checks: number;
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

const plans: Readonly<Record<Size, Plan>> = {
  smoke: { checks: 100, connections: [16], rounds: 1, seconds: 1 },
  quick: { checks: 10_000, connections: [256], rounds: 3, seconds: 3 },
  normal: { checks: 10_000, connections: [256, 64, 16, 1], rounds: 3, seconds: 4 },
  full: { checks: 10_000, connections: [1024, 256, 64, 16, 1], rounds: 5, seconds: 8 },
};

/** Of what bare uWebSockets.js does, by connections. */
const ratioTargets: Readonly<Record<number, number>> = { 256: 0.6 };
const p99FactorTargets: Readonly<Record<number, number>> = { 256: 4 };

export const throughput: Bench = {
  name: 'throughput',
  about: 'durable GET pings against bare uWebSockets.js',
  run,
};

async function run(context: Context): Promise<readonly Figure[]> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids, apiKey } = await seed(dataDir, { checks: plan.checks });
  const paths = uuids.map((uuid) => `/ping/${uuid}`);
  const [knell, bare] = await Promise.all([startKnell({ dataDir }), startBare()]);
  const figures: Figure[] = [];
  let acknowledged = 0;
  for (const [at, connections] of plan.connections.entries()) {
    const rounds: [Loaded, Loaded][] = [];
    for (let round = 0; round < plan.rounds; round++) {
      const load = { paths, connections, seconds: plan.seconds };
      const ours = await applyLoad({ ...load, url: knell.url });
      acknowledged += ours.requests;
      rounds.push([ours, await applyLoad({ ...load, url: bare.url })]);
      context.progress((at + (round + 1) / plan.rounds) / plan.connections.length);
    }
    figures.push(...figuresOf(connections, rounds));
  }
  figures.push(await lost(knell, apiKey, acknowledged + uuids.length));
  await Promise.all([knell.end(), bare.end()]);
  return figures;
}

function figuresOf(connections: number, rounds: readonly (readonly [Loaded, Loaded])[]): Figure[] {
  const ratios = rounds.map(([ours, bare]) => ours.perSecond / bare.perSecond);
  const tails = rounds.map(([ours, bare]) => ours.p99Ms / bare.p99Ms);
  const at = `at ${connections} connections`;
  const perSecond = (side: 0 | 1): number => median(rounds.map((pair) => pair[side].perSecond));
  const p99 = (side: 0 | 1): number => median(rounds.map((pair) => pair[side].p99Ms));
  const atLeast = ratioTargets[connections];
  const atMost = p99FactorTargets[connections];
  return [
    { name: `durable pings ${at}`, value: perSecond(0), unit: '/s' },
    { name: `bare uWebSockets.js ${at}`, value: perSecond(1), unit: '/s' },
    {
      name: `ratio ${at}`,
      value: median(ratios),
      ...spread(ratios),
      unit: '×',
      ...(atLeast ? { target: { atLeast } } : {}),
    },
    { name: `p50 ${at}`, value: median(rounds.map(([ours]) => ours.p50Ms)), unit: 'ms' },
    { name: `p99 ${at}`, value: p99(0), unit: 'ms' },
    { name: `bare p99 ${at}`, value: p99(1), unit: 'ms' },
    {
      name: `p99 ratio ${at}`,
      value: median(tails),
      ...spread(tails),
      unit: '×',
      ...(atMost ? { target: { atMost } } : {}),
    },
  ];
}

function spread(values: readonly number[]): { readonly min: number; readonly max: number } {
  return { min: Math.min(...values), max: Math.max(...values) };
}

/** Acknowledged pings that are not in the store; wrk counts answers, so requests cut off at its end may be more. */
async function lost(knell: Server, apiKey: string, acknowledged: number): Promise<Figure> {
  const reply = await fetch(`${knell.url}/api/v3/checks/`, { headers: { 'X-Api-Key': apiKey } });
  const { checks }: { checks: { n_pings: number }[] } = JSON.parse(await reply.text());
  const kept = checks.reduce((sum, check) => sum + check.n_pings, 0);
  return {
    name: 'acknowledged pings lost',
    value: Math.max(0, acknowledged - kept),
    unit: '',
    target: { atMost: 0 },
  };
}
