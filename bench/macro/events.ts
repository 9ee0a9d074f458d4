/**
 * How long a ping waits while a thousand clients listen to events, and while none does: pings at a steady rate, a few of which
 * change the status of their check, rounds interleaved. Once all listeners want changes of status, as one does who names no type of
 * event but pings are left out; once a hundredth of them want every ping, too, which is ten times as many events as there are pings.
 * At its end the pings on disk are counted, and the status changes that each listener was sent.
 */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { endChild, startChild } from '../harness/children.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad } from '../harness/load.ts';
import { median } from '../harness/numbers.ts';
import { loopDelay, type Server, startKnell } from '../harness/process.ts';
import { inRounds, type Plans } from '../harness/rounds.ts';
import { lostPings, seed } from '../harness/seed.ts';

interface Plan {
  readonly listeners: number;
  readonly rate: number;
  readonly seconds: number;
  readonly rounds: number;
}

const plans: Plans<Plan> = {
  smoke: { listeners: 20, rate: 100, seconds: 0.3, rounds: 1 },
  quick: { listeners: 1000, rate: 5000, seconds: 2, rounds: 3 },
  normal: { listeners: 1000, rate: 5000, seconds: 3, rounds: 5 },
  full: { listeners: 1000, rate: 5000, seconds: 8, rounds: 7 },
};

const connections = 64;
/** One ping in so many is a failure, or the success after it. */
const pingsPerChange = 500;
const p99FactorTarget = 1.2;
/** Milliseconds until the last events have come: a thousand listeners are written within 0.3 s, once those before them are. */
const settleMs = 1000;

/** What listeners want, by the words of the figures. */
const cases = [
  { name: 'listeners to status', listenersPerPingListener: Number.POSITIVE_INFINITY },
  { name: 'some listen to pings', listenersPerPingListener: 100 },
] as const;

interface Busy {
  readonly load: Loaded;
  readonly stallMs: number;
  /** Fewest and most status changes that a listener got. */
  readonly fewest: number;
  readonly most: number;
}

interface Round {
  readonly quiet: Loaded;
  /** One for each of `cases`. */
  readonly busy: readonly Busy[];
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids, apiKey } = await seed(dataDir, { checks: 10_000 });
  const knell = await startKnell({ dataDir, watched: true });
  const stage = { knell, dataDir, apiKey, plan, load: alternately(knell, uuids, plan) };
  const rounds: Round[] = [];
  let acknowledged = 0;
  await inRounds(context, plan, async (round) => {
    const quiet = await stage.load();
    const busy: Busy[] = [];
    for (const { listenersPerPingListener } of cases)
      busy.push(await besideListeners(stage, Math.floor(plan.listeners / listenersPerPingListener)));
    acknowledged += quiet.requests + busy.reduce((sum, { load }) => sum + load.requests, 0);
    if (round >= 0) rounds.push({ quiet, busy });
  });
  await knell.end();
  return { figures: [...figuresOf(plan, rounds), await lostPings(dataDir, acknowledged)], load: 'own' };
}

/** The checks that failed are up again, or fail again: every call changes as many. */
function alternately({ url }: Server, uuids: readonly string[], plan: Plan): () => Promise<Loaded> {
  const up = uuids.map((uuid) => `/ping/${uuid}`);
  const failing = uuids.map((uuid, at) =>
    at % pingsPerChange === 0 ? `/ping/${uuid}/fail` : `/ping/${uuid}`,
  );
  let calls = 0;
  return () => applyLoad({ url, connections, ...plan, paths: calls++ % 2 === 0 ? failing : up });
}

interface Stage {
  readonly knell: Server;
  readonly dataDir: string;
  readonly apiKey: string;
  readonly plan: Plan;
  readonly load: () => Promise<Loaded>;
}

async function besideListeners(
  { knell, dataDir, apiKey, plan, load }: Stage,
  ofPings: number,
): Promise<Busy> {
  const listeners = await startListeners(knell, apiKey, { count: plan.listeners, ofPings });
  // What the server was held by until now, by those that began to listen, is of no ping.
  await loopDelay(knell, dataDir);
  const loaded = await load();
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const { p999Ms } = await loopDelay(knell, dataDir);
  const counts = await listeners.end();
  return { load: loaded, stallMs: p999Ms, fewest: Math.min(...counts), most: Math.max(...counts) };
}

interface Listeners {
  /** How many status changes each has got. */
  end(): Promise<readonly number[]>;
}

async function startListeners(
  { url }: Server,
  apiKey: string,
  { count, ofPings }: { readonly count: number; readonly ofPings: number },
): Promise<Listeners> {
  const script = fileURLToPath(new URL('./listeners.js', import.meta.url));
  const args = [script, url, apiKey, String(count), String(ofPings)];
  const child = startChild(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdout || !child.stdin || !child.pid) throw new Error('a child without pipes');
  await once(child.stdout, 'data');
  // Clients are on machines of their own: where they share the cores, they give way to the server.
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const { stdin, stdout } = child;
  return {
    async end() {
      let text = '';
      stdout.on('data', (chunk) => {
        text += chunk;
      });
      stdin.end();
      await once(child, 'close');
      await endChild(child, 'SIGKILL');
      return JSON.parse(text);
    },
  };
}

function figuresOf(plan: Plan, rounds: readonly Round[]): Figure[] {
  const ofQuiet = (name: 'p50Ms' | 'p99Ms'): number => median(rounds.map(({ quiet }) => quiet[name]));
  return [
    { name: 'pings offered', value: plan.rate, unit: '/s' },
    { name: 'listeners', value: plan.listeners, unit: '' },
    { name: 'no listener: p50', value: ofQuiet('p50Ms'), unit: 'ms' },
    { name: 'no listener: p99', value: ofQuiet('p99Ms'), unit: 'ms' },
    ...cases.flatMap(({ name }, at) => figuresBeside(name, rounds, at)),
  ];
}

function figuresBeside(name: string, rounds: readonly Round[], at: number): Figure[] {
  const pairs = rounds.flatMap(({ quiet, busy }) => {
    const beside = busy[at];
    return beside ? [{ ...beside, factor: beside.load.p99Ms / quiet.p99Ms }] : [];
  });
  const factors = pairs.map(({ factor }) => factor);
  const spread = { min: Math.min(...factors), max: Math.max(...factors) };
  const of = (percentile: 'p50Ms' | 'p99Ms'): number => median(pairs.map(({ load }) => load[percentile]));
  return [
    { name: `${name}: changes that each was sent`, value: median(pairs.map((one) => one.fewest)), unit: '' },
    {
      name: `${name}: that lack one, by most`,
      value: Math.max(...pairs.map(({ fewest, most }) => most - fewest)),
      unit: '',
      target: { atMost: 0 },
    },
    { name: `${name}: p50`, value: of('p50Ms'), unit: 'ms' },
    { name: `${name}: p99`, value: of('p99Ms'), unit: 'ms' },
    {
      name: `${name}: p99 factor`,
      value: median(factors),
      ...spread,
      unit: '×',
      target: { atMost: p99FactorTarget },
    },
    {
      name: `${name}: event loop, p99.9 delay`,
      value: Math.max(...pairs.map(({ stallMs }) => stallMs)),
      unit: 'ms',
      target: { atMost: 10 },
    },
  ];
}
