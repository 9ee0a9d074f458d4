/**
 * How soon an integration is notified: from a deadline to the webhook's arrival while pings pour in, and how many a second when
 * thousands of checks go down at once. And what such a burst does to the pings beside it.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { applyLoad } from '../harness/load.ts';
import type { LoopDelay } from '../harness/loop-delay.ts';
import { percentile, spreadOf } from '../harness/numbers.ts';
import { loopDelay, startBare, startKnell } from '../harness/process.ts';
import type { Plans } from '../harness/rounds.ts';
import { type Arrival, Stage, stageEnv } from './stage.ts';

interface Plan {
  /** Checks that come due, evenly over the seconds. */
  readonly due: number;
  readonly seconds: number;
  /** Between the making of a check and its deadline: all are made by then, and the load has begun. */
  readonly warmUpMs: number;
  readonly rate: number;
  readonly others: number;
  /** Checks that go down at once: alone, and beside pings. */
  readonly flips: number;
  readonly burst: number;
}

const plans: Plans<Plan> = {
  smoke: { due: 20, seconds: 1, warmUpMs: 300, rate: 200, others: 50, flips: 50, burst: 20 },
  quick: { due: 200, seconds: 1.2, warmUpMs: 700, rate: 5000, others: 1000, flips: 3000, burst: 500 },
  normal: { due: 1000, seconds: 5, warmUpMs: 1500, rate: 5000, others: 10_000, flips: 10_000, burst: 1000 },
  full: { due: 2000, seconds: 20, warmUpMs: 1500, rate: 5000, others: 100_000, flips: 10_000, burst: 1000 },
};
/** How many times they go down collected. */
const collectedRounds: Plans<number> = { smoke: 1, quick: 1, normal: 3, full: 5 };

const patienceMs = 30_000;
/** Enough to close one Knell and to start the next, and for its start to be over. */
const restartMs = 5000;
/** So long before the checks go down its event loop is watched. */
const beforeMs = 500;
const collectS = 2;
const messageWithinMs = 1000;

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const figures = [
    ...(await besidePings(context, plan)),
    ...(await atOnce(context, plan)),
    ...(await collected(context, plan)),
  ];
  context.progress(0.6);
  return { figures: [...figures, ...(await burstBesidePings(context, plan))] };
}

async function besidePings({ dir }: Context, plan: Plan): Promise<readonly Figure[]> {
  const stage = await Stage.open(`${dir}/beside`);
  const paths = await stage.others(plan.others);
  const firstMs = Date.now() + plan.warmUpMs;
  await stage.due(plan.due, firstMs, (plan.seconds * 1000) / plan.due);
  const { url } = stage;
  const seconds = plan.seconds + plan.warmUpMs / 1000 + 1;
  const loaded = await applyLoad({ url, paths, connections: 64, seconds, rate: plan.rate });
  await stage.delivered(plan.due, firstMs + plan.seconds * 1000, patienceMs);
  const arrivals = await stage.close();
  const late = arrivals.map(({ lateMs }) => lateMs);
  return [
    { name: 'pings offered meanwhile', value: plan.rate, unit: '/s' },
    { name: 'ping p99 meanwhile', value: loaded.p99Ms, unit: 'ms' },
    onceEach('webhooks delivered beside pings', arrivals, plan.due),
    { name: 'deadline to webhook p50', value: percentile(late, 50), unit: 'ms' },
    { name: 'deadline to webhook p99', value: percentile(late, 99), unit: 'ms', target: { atMost: 150 } },
  ];
}

async function atOnce({ dir }: Context, plan: Plan): Promise<readonly Figure[]> {
  const stage = await Stage.open(`${dir}/once`);
  const dueMs = Date.now() + plan.warmUpMs + plan.flips / 4;
  await stage.due(plan.flips, dueMs, 0);
  await stage.delivered(plan.flips, dueMs, patienceMs);
  const arrivals = await stage.close();
  const spentMs = Math.max(...arrivals.map(({ atMs }) => atMs)) - dueMs;
  const perSecond = arrivals.length / (spentMs / 1000);
  return [
    onceEach('webhooks delivered for flips at once', arrivals, plan.flips),
    { name: 'flips at once delivered', value: perSecond, unit: '/s', target: { atLeast: 2000 } },
  ];
}

/** What one burst of collected flips did. */
interface Burst {
  readonly messages: number;
  readonly messageLateMs: number;
  readonly delay: LoopDelay;
  /** Of a process without work at the same time: what the machine does to any. */
  readonly bareDelay: LoopDelay;
}

/** As many at once, collected: one message, and nothing holds the event loop for it. */
async function collected({ dir, size }: Context, plan: Plan): Promise<readonly Figure[]> {
  const bursts: Burst[] = [];
  for (let round = 0; round < collectedRounds[size]; round++)
    bursts.push(await collectedBurst(`${dir}/collected-${round}`, plan));
  const of = (pick: (burst: Burst) => number) => spreadOf(bursts.map(pick));
  return [
    {
      name: 'flips at once collected into one message, times',
      value: bursts.filter(({ messages }) => messages === 1).length,
      unit: '',
      target: { atLeast: bursts.length, atMost: bursts.length },
    },
    {
      name: 'the message, after its time',
      ...of(({ messageLateMs }) => messageLateMs),
      unit: 'ms',
      target: { atMost: messageWithinMs },
    },
    {
      name: 'event loop held at most, flips and message, p99.9',
      ...of(({ delay }) => delay.p999Ms),
      unit: 'ms',
    },
    {
      name: 'event loop held at most, flips and message',
      ...of(({ delay }) => delay.maxMs),
      unit: 'ms',
      target: { atMost: 10 },
    },
    {
      name: 'event loop of a process without work held at most',
      ...of(({ bareDelay }) => bareDelay.maxMs),
      unit: 'ms',
    },
  ];
}

/** In a process of its own, since how long V8 collects garbage follows from all that a process has done before. */
async function collectedBurst(dir: string, plan: Plan): Promise<Burst> {
  const stage = await Stage.open(dir, { collectS });
  const { dataDir } = stage;
  const bareName = `${dir}/bare`;
  const bare = await startBare({ watchedAs: bareName });
  const dueMs = Date.now() + plan.warmUpMs + plan.flips / 4 + restartMs;
  await stage.due(plan.flips, dueMs, 0);
  const end = await stage.handOver();
  const server = await startKnell({ dataDir, env: stageEnv, watched: true });
  const leftMs = dueMs - beforeMs - Date.now();
  if (leftMs <= 0) throw new Error(`the server was ready ${-leftMs} ms too late for its checks to go down`);
  await sleep(leftMs);
  await loopDelay(bare, bareName);
  await loopDelay(server, dataDir);
  await sleep(dueMs + collectS * 1000 + messageWithinMs - Date.now());
  const delay = await loopDelay(server, dataDir);
  const bareDelay = await loopDelay(bare, bareName);
  await Promise.all([server.end(), bare.end()]);
  const arrivals = await end();
  const [first] = arrivals.map(({ atMs }) => atMs - dueMs - collectS * 1000);
  return { messages: arrivals.length, messageLateMs: first ?? Number.NaN, delay, bareDelay };
}

/** The same pings twice: undisturbed, and while a burst of checks goes down. */
async function burstBesidePings({ dir }: Context, plan: Plan): Promise<readonly Figure[]> {
  const stage = await Stage.open(`${dir}/burst`);
  const paths = await stage.others(Math.min(plan.others, 5000));
  const { url } = stage;
  const load = { url, paths, connections: 64, seconds: Math.min(plan.seconds, 5), rate: plan.rate / 5 };
  const usual = await applyLoad(load);
  const dueMs = Date.now() + plan.warmUpMs;
  await stage.due(plan.burst, dueMs, 0);
  const disturbed = await applyLoad(load);
  await stage.delivered(plan.burst, dueMs, patienceMs);
  const arrivals = await stage.close();
  return [
    onceEach('webhooks delivered for a burst', arrivals, plan.burst),
    { name: 'ping p99 undisturbed', value: usual.p99Ms, unit: 'ms' },
    { name: 'ping p99 beside a burst', value: disturbed.p99Ms, unit: 'ms' },
    {
      name: 'ping p99, beside a burst to undisturbed',
      value: disturbed.p99Ms / usual.p99Ms,
      unit: '×',
      target: { atMost: 1.5 },
    },
  ];
}

/** How many were delivered, each once: a repeated or a missing one misses the target. */
function onceEach(name: string, arrivals: readonly Arrival[], expected: number): Figure {
  const different = new Set(arrivals.map(({ path }) => path)).size;
  const value = different === arrivals.length ? different : -arrivals.length;
  return { name, value, unit: '', target: { atLeast: expected, atMost: expected } };
}
