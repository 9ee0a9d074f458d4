/**
 * How late a deadline is taken, from its time to the status change on disk and to the webhook's arrival, with so many
 * other checks armed and pings pouring in over HTTP; beside it, in the same run and in peace, how late bare timers have
 * a record in LMDB. At its end the pings on disk are counted.
 */

import { join } from 'node:path';
import { defaultConfig } from '../../src/domain/check/check.ts';
import type { Engine } from '../../src/engine/contract/engine.ts';
import type { ChannelId, ProjectId } from '../../src/lib/ids.ts';
import { bareTimers, type TimersLate } from '../harness/bare-commit.ts';
import type { Context, Figure, Found } from '../harness/bench.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck } from '../harness/load.ts';
import { percentile } from '../harness/numbers.ts';
import type { Plot } from '../harness/plot.ts';
import { type Server, startWebhookReceiver } from '../harness/process.ts';
import { removeData } from '../harness/quiet-disk.ts';
import { type Plans, pingPaths } from '../harness/rounds.ts';
import { lostPings, pingOnce, seed } from '../harness/seed.ts';
import { type Flip, startWatchedKnell } from './watched-knell.ts';

interface Plan {
  /** Checks that come due, evenly over the seconds. */
  readonly due: number;
  /** Checks that are pinged meanwhile, and armed: a run for each. */
  readonly sizes: readonly number[];
  readonly rate: number;
  readonly seconds: number;
}

const plans: Plans<Plan> = {
  smoke: { due: 20, sizes: [50], rate: 200, seconds: 0.5 },
  quick: { due: 200, sizes: [10_000], rate: 5000, seconds: 1 },
  normal: { due: 1000, sizes: [100_000], rate: 5000, seconds: 5 },
  full: { due: 2000, sizes: [1000, 10_000, 100_000, 1_000_000], rate: 5000, seconds: 20 },
};

const periodS = 60;
/** The first deadline comes so long after the load has begun, and the load goes on so long after the last. */
const warmUpMs = 1000;
const afterMs = 500;
const connections = 64;
/** Of the armed checks: a path for each of a million would be memory of the very process that is timed. */
const pingedMax = 100_000;
/** Checks that are made before the next wait for them: bounds what is in memory. */
const batchSize = 2000;
const p99Target = 10;
/** A run's deadlines are parted into so many rounds, by time: their minimum and maximum are reported. */
const rounds = 5;

interface Measured {
  readonly armed: number;
  readonly flips: readonly Flip[];
  /** Of every webhook that came, in the order of their coming. */
  readonly webhooksLateMs: readonly number[];
  readonly loaded: Loaded;
  readonly bare: TimersLate;
  readonly lost: Figure;
}

export async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const receiver = await startWebhookReceiver();
  const all: Measured[] = [];
  for (const [at, armed] of plan.sizes.entries()) {
    all.push(await measure(context, plan, { armed, receiver }));
    context.progress((at + 1) / plan.sizes.length);
  }
  await receiver.end();
  const figures = all.flatMap((measured) => figuresOf(plan, measured));
  return { figures, plots: [plotOf(all)], load: 'own, at a fixed rate' };
}

interface Setting {
  readonly armed: number;
  readonly receiver: Server;
}

async function measure({ dir, size }: Context, plan: Plan, { armed, receiver }: Setting): Promise<Measured> {
  const dataDir = join(dir, `data-${armed}`);
  const bare = await bareTimers(dir, plan.due, plan.seconds);
  const flips: Flip[] = [];
  // Written and folded before: what the fold has to do with a million new checks is no part of a deadline.
  const { uuids } = await seed(dataDir, { checks: armed });
  const knell = await startWatchedKnell(dataDir, (flip) => flips.push(flip));
  const { project } = await knell.engine.change.createProject('due', 'paid', Date.now());
  const value = JSON.stringify({ url_down: `${receiver.url}/${armed}/$CODE` });
  const hook = await knell.engine.change.createChannel(
    project.id,
    { kind: 'webhook', name: 'hook', value },
    Date.now(),
  );
  const { engine } = knell;
  const due = await create(engine, project.id, { count: plan.due, timeoutS: periodS, channels: [hook.id] });
  const dueMs = await armInTurn(engine, plan, due);
  const loaded = await applyLoad({
    url: knell.url,
    paths: pingPaths(uuids.slice(0, pingedMax)),
    connections,
    seconds: plan.seconds + (warmUpMs + afterMs) / 1000,
    rate: plan.rate,
  });
  await knell.stop();
  const webhooksLateMs = await reported(receiver, armed, dueMs);
  const lost = await lostPings(dataDir, loaded.requests);
  await removeData(dataDir, size);
  return { armed, flips, webhooksLateMs, loaded, bare, lost };
}

interface Batch {
  readonly count: number;
  readonly timeoutS: number;
  readonly channels: readonly ChannelId[];
}

async function create(
  engine: Engine,
  project: ProjectId,
  { count, timeoutS, channels }: Batch,
): Promise<string[]> {
  const config = { ...defaultConfig, graceS: periodS, timeoutS, channels };
  return inBatches(Array.from({ length: count }), async () => {
    return (await engine.change.createCheck(project, config, Date.now())).id;
  });
}

async function inBatches<From, To>(
  values: readonly From[],
  work: (value: From) => Promise<To>,
): Promise<To[]> {
  const done: To[] = [];
  for (let from = 0; from < values.length; from += batchSize) {
    for (const result of await Promise.all(values.slice(from, from + batchSize).map(work))) done.push(result);
  }
  return done;
}

/** By pings dated so far back that the checks go down one after the other; returns when each will. */
async function armInTurn(engine: Engine, plan: Plan, due: readonly string[]): Promise<Map<string, number>> {
  const firstMs = Date.now() + warmUpMs;
  const stepMs = (plan.seconds * 1000) / plan.due;
  const atMs = new Map(due.map((uuid, at) => [uuid, Math.floor(firstMs + at * stepMs)]));
  await inBatches([...atMs], ([uuid, downMs]) => pingOnce(engine, uuid, downMs - 2 * periodS * 1000));
  return atMs;
}

async function reported(
  { url }: Server,
  armed: number,
  dueMs: ReadonlyMap<string, number>,
): Promise<number[]> {
  const arrivals: [string, number][] = JSON.parse(await (await fetch(`${url}/report`)).text());
  return arrivals.flatMap(([path, atMs]) => {
    const [, run, uuid = ''] = path.split('/');
    const due = dueMs.get(uuid);
    return run === String(armed) && due !== undefined ? [atMs - due] : [];
  });
}

function figuresOf(plan: Plan, { armed, flips, webhooksLateMs, loaded, bare, lost }: Measured): Figure[] {
  const late = [...flips].sort((a, b) => a.dueMs - b.dueMs).map(({ dueMs, onDiskMs }) => onDiskMs - dueMs);
  const at = `${armed} armed`;
  const target = { atMost: p99Target };
  const whole = { atLeast: plan.due };
  return [
    { name: `${at}: pings meanwhile`, value: loaded.perSecond, unit: '/s', ...bottleneck([loaded]) },
    { name: `${at}: ping p99 meanwhile`, value: loaded.p99Ms, unit: 'ms' },
    { name: `${at}: deadlines taken`, value: late.length, unit: '', target: whole },
    { name: `${at}: due to flip on disk, p50`, ...parted(late, 50), unit: 'ms' },
    { name: `${at}: due to flip on disk, p99`, ...parted(late, 99), unit: 'ms', target },
    { name: `${at}: due to flip on disk, max`, value: Math.max(...late), unit: 'ms' },
    { name: `${at}: bare timers and LMDB commits in peace, p50`, value: bare.p50Ms, unit: 'ms' },
    { name: `${at}: bare timers and LMDB commits in peace, p99`, value: bare.p99Ms, unit: 'ms' },
    { name: `${at}: webhooks received`, value: webhooksLateMs.length, unit: '', target: whole },
    { name: `${at}: due to webhook received, p50`, ...parted(webhooksLateMs, 50), unit: 'ms' },
    { name: `${at}: due to webhook received, p99`, ...parted(webhooksLateMs, 99), unit: 'ms' },
    { ...lost, name: `${at}: ${lost.name}` },
  ];
}

/** The percentile of all, with the least and the greatest of its rounds. */
function parted(values: readonly number[], percent: number) {
  const each = Math.ceil(values.length / rounds);
  const parts = Array.from({ length: rounds }, (_, at) => values.slice(at * each, (at + 1) * each));
  const found = parts.filter((part) => part.length > 0).map((part) => percentile(part, percent));
  return { value: percentile(values, percent), min: Math.min(...found), max: Math.max(...found) };
}

const binMs = 2;
const bins = 25;

/** Later ones are in the last bin, so that none is left out. */
function plotOf(all: readonly Measured[]): Plot {
  const series = all.map(({ armed, flips }) => {
    const counts = Array.from({ length: bins }, () => 0);
    for (const { dueMs, onDiskMs } of flips) {
      const bin = Math.min(bins - 1, Math.max(0, Math.floor((onDiskMs - dueMs) / binMs)));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    return { name: `${armed} armed`, points: counts.map((count, at) => [at * binMs, count] as const) };
  });
  const marks = Array.from({ length: 6 }, (_, at) => at * 5 * binMs);
  const ticks = marks.map((ms) => [ms, ms === binMs * bins ? 'later' : String(ms)] as const);
  return {
    name: 'lateness',
    title: 'Deadlines by how late their flip was on disk',
    kind: 'bars',
    x: { label: 'milliseconds', ticks },
    y: { label: 'deadlines' },
    series,
  };
}
