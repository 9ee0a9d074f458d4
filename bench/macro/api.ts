/**
 * What the calls of the management API take, one client, one call at a time, with and without pings pouring in; what the
 * pings take meanwhile; and how late the server's event loop is. Rounds interleaved, medians. At its end the pings on
 * disk are counted.
 */

import { join } from 'node:path';
import type { Context, Figure, Found } from '../harness/bench.ts';
import type { Load, Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck, generators } from '../harness/load.ts';
import type { LoopDelay } from '../harness/loop-delay.ts';
import { median, spreadOf } from '../harness/numbers.ts';
import { loopDelay, startBare, startKnell } from '../harness/process.ts';
import { inRounds, type Plans, pingPaths } from '../harness/rounds.ts';
import { lostPings, type Seeded, seed } from '../harness/seed.ts';
import { type ApiCalls, openApiCalls } from './api-calls.ts';

interface Plan {
  readonly checks: number;
  readonly rate: number;
  readonly rounds: number;
  readonly seconds: number;
}

const plans: Plans<Plan> = {
  smoke: { checks: 200, rate: 100, rounds: 1, seconds: 0.4 },
  quick: { checks: 10_000, rate: 2000, rounds: 1, seconds: 0.3 },
  normal: { checks: 10_000, rate: 2000, rounds: 5, seconds: 1.5 },
  full: { checks: 10_000, rate: 5000, rounds: 5, seconds: 10 },
};

const connections = 16;
const creatingConnections = 64;
/** Checks a second. */
const creatingTarget = 10_000;
const listTargetMs = 15;
const loopTargetMs = 10;
/** For the flips to have something to show, and the page of pings to be full. */
const morePings = 1000;

interface Round {
  /** The median of each call, by its name. */
  readonly medians: ReadonlyMap<string, number>;
  readonly delay: LoopDelay;
  readonly pings: Loaded | null;
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const large = await seed(dataDir, { checks: plan.checks, project: 'large', morePings });
  const small = await seed(dataDir, { checks: 100, project: 'small' });
  const scratch = await seed(dataDir, { checks: 1, project: 'scratch' });
  const [knell, bare] = await Promise.all([startKnell({ dataDir, watched: true }), startBare()]);
  const calls = await openApiCalls({ url: knell.url, bareUrl: bare.url, large, small, scratch });
  const paths = pingPaths(large.uuids);
  const load = { url: knell.url, paths, connections, rate: plan.rate, seconds: plan.seconds };
  const [quiet, busy]: [Round[], Round[]] = [[], []];
  const created: Loaded[] = [];
  let acknowledged = morePings + calls.pings;
  await inRounds(context, plan, async (round) => {
    await loopDelay(knell, dataDir);
    const alone = await timeFor(calls, plan.seconds * 1000);
    const aloneDelay = await loopDelay(knell, dataDir);
    const pouring = applyLoad(load);
    const beside = await timeFor(calls, plan.seconds * 1000);
    const pings = await pouring;
    const besideDelay = await loopDelay(knell, dataDir);
    acknowledged += pings.requests;
    const made = await applyLoad({ ...creating(scratch), url: knell.url, seconds: plan.seconds });
    if (round < 0) return;
    created.push(made);
    quiet.push({ medians: alone, delay: aloneDelay, pings: null });
    busy.push({ medians: beside, delay: besideDelay, pings });
  });
  calls.close();
  await Promise.all([knell.end(), bare.end()]);
  const lost = await lostPings(dataDir, acknowledged);
  const figures = [
    ...figuresOf(plan, 'no pings', quiet),
    ...figuresOf(plan, `${plan.rate} pings/s`, busy),
    creatingFigure(created),
    lost,
  ];
  return { figures, load: `own at a fixed rate; ${generators} for creating` };
}

/** Goes round the calls until the time is over, each at least once. */
async function timeFor({ calls }: ApiCalls, forMs: number): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number[]>();
  const endMs = performance.now() + forMs;
  do {
    for (const [name, call] of calls) {
      const ms = await call();
      times.set(name, [...(times.get(name) ?? []), ms]);
    }
  } while (performance.now() < endMs);
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

/** Checks made one after the other over each connection, each on disk before it is answered. */
function creating({ apiKey }: Seeded): Omit<Load, 'url' | 'seconds'> {
  const body = JSON.stringify({ api_key: apiKey, name: 'made', timeout: 3600, grace: 600 });
  return { method: 'POST', paths: ['/api/v3/checks/'], body, connections: creatingConnections };
}

function creatingFigure(made: readonly Loaded[]): Figure {
  return {
    name: `creating checks, ${creatingConnections} connections`,
    ...spreadOf(made.map(({ perSecond }) => perSecond)),
    unit: '/s',
    target: { atLeast: creatingTarget },
    ...bottleneck(made),
  };
}

const bareName = 'bare uWebSockets.js, any call';

function figuresOf(plan: Plan, when: string, rounds: readonly Round[]): Figure[] {
  const names = [...(rounds[0]?.medians.keys() ?? [])];
  const of = (name: string) => spreadOf(rounds.map(({ medians }) => medians.get(name) ?? Number.NaN));
  const bare = of(bareName).value;
  const isList = (name: string): boolean => name === `list ${plan.checks} checks` && plan.checks >= 10_000;
  const timed = names.map((name): Figure => {
    const spread = of(name);
    return {
      name: `${when}: ${name}`,
      ...spread,
      unit: 'ms',
      ...(isList(name) ? { target: { atMost: listTargetMs } } : {}),
      ...(name === bareName ? {} : { note: `${(spread.value / bare).toFixed(1)} × bare` }),
    };
  });
  return [...timed, ...loopFigures(when, rounds), ...pingFigures(when, rounds)];
}

function loopFigures(when: string, rounds: readonly Round[]): Figure[] {
  const of = (key: keyof LoopDelay) => spreadOf(rounds.map(({ delay }) => delay[key]));
  const target = { atMost: loopTargetMs };
  return [
    { name: `${when}: event-loop delay p99.9`, ...of('p999Ms'), unit: 'ms', target },
    { name: `${when}: event-loop delay max`, ...of('maxMs'), unit: 'ms' },
  ];
}

function pingFigures(when: string, rounds: readonly Round[]): Figure[] {
  const pings = rounds.flatMap((round) => (round.pings ? [round.pings] : []));
  if (pings.length === 0) return [];
  const p99 = spreadOf(pings.map(({ p99Ms }) => p99Ms));
  return [{ name: `${when}: ping p99 meanwhile`, ...p99, unit: 'ms', ...bottleneck(pings) }];
}
