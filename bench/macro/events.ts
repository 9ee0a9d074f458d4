/**
 * How long a ping waits while a thousand clients listen to events, and while none does: pings at a steady rate, a few of which
 * change the status of their check, rounds interleaved. A hundredth of the listeners want every ping. At its end the pings on
 * disk are counted, and the status changes that each listener was sent.
 */
import { once } from 'node:events';
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
/** One listener in so many wants every ping. */
const listenersPerPingListener = 100;
const p99FactorTarget = 1.2;
/** Milliseconds until the last events have come: a thousand listeners are written within 0.3 s, once those before them are. */
const settleMs = 1000;

interface Measured {
  readonly rounds: (readonly [quiet: Loaded, busy: Loaded])[];
  acknowledged: number;
  readonly stallsMs: number[];
  /** Fewest and most status changes that a listener got in a round. */
  readonly received: (readonly [fewest: number, most: number])[];
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const dataDir = join(context.dir, 'data');
  const { uuids, apiKey } = await seed(dataDir, { checks: 10_000 });
  const knell = await startKnell({ dataDir, watched: true });
  const paths = uuids.map((uuid, at) => (at % pingsPerChange === 0 ? `/ping/${uuid}/fail` : `/ping/${uuid}`));
  const measured: Measured = { rounds: [], acknowledged: 0, stallsMs: [], received: [] };
  await inRounds(context, plan, async (round) => {
    // The checks that failed are up again, or fail again: every round changes as many.
    const own = round % 2 === 0 ? paths : uuids.map((uuid) => `/ping/${uuid}`);
    const load = { url: knell.url, paths: own, connections, ...plan };
    const quiet = await applyLoad(load);
    const other = { ...load, paths: round % 2 === 0 ? uuids.map((uuid) => `/ping/${uuid}`) : paths };
    const listeners = await startListeners(knell, apiKey, plan.listeners);
    const busy = await applyLoad(other);
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const { p999Ms } = await loopDelay(knell, dataDir);
    const counts = await listeners.end();
    measured.acknowledged += quiet.requests + busy.requests;
    if (round < 0) return;
    measured.rounds.push([quiet, busy]);
    measured.stallsMs.push(p999Ms);
    measured.received.push([Math.min(...counts), Math.max(...counts)]);
  });
  await knell.end();
  return {
    figures: [...figuresOf(plan, measured), await lostPings(dataDir, measured.acknowledged)],
    load: 'own',
  };
}

interface Listeners {
  /** How many status changes each has got. */
  end(): Promise<readonly number[]>;
}

async function startListeners({ url }: Server, apiKey: string, count: number): Promise<Listeners> {
  const script = fileURLToPath(new URL('./listeners.js', import.meta.url));
  const ofPings = Math.floor(count / listenersPerPingListener);
  const args = [script, url, apiKey, String(count), String(ofPings)];
  const child = startChild(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdout || !child.stdin) throw new Error('a child without pipes');
  await once(child.stdout, 'data');
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

function figuresOf(plan: Plan, { rounds, stallsMs, received }: Measured): Figure[] {
  const factors = rounds.map(([quiet, busy]) => busy.p99Ms / quiet.p99Ms);
  const of = (side: 0 | 1, name: 'p50Ms' | 'p99Ms'): number => median(rounds.map((pair) => pair[side][name]));
  const spread = { min: Math.min(...factors), max: Math.max(...factors) };
  const differences = received.map(([fewest, most]) => most - fewest);
  return [
    { name: 'pings offered', value: plan.rate, unit: '/s' },
    { name: 'listeners', value: plan.listeners, unit: '' },
    {
      name: 'status changes that each was sent',
      value: median(received.map(([fewest]) => fewest)),
      unit: '',
    },
    {
      name: 'listeners that lack one, by most',
      value: Math.max(...differences),
      unit: '',
      target: { atMost: 0 },
    },
    { name: 'p50, no listener', value: of(0, 'p50Ms'), unit: 'ms' },
    { name: 'p50, listeners', value: of(1, 'p50Ms'), unit: 'ms' },
    { name: 'p99, no listener', value: of(0, 'p99Ms'), unit: 'ms' },
    { name: 'p99, listeners', value: of(1, 'p99Ms'), unit: 'ms' },
    { name: 'p99 factor', value: median(factors), ...spread, unit: '×', target: { atMost: p99FactorTarget } },
    {
      name: 'event loop, p99.9 delay with listeners',
      value: Math.max(...stallsMs),
      unit: 'ms',
      target: { atMost: 10 },
    },
  ];
}
