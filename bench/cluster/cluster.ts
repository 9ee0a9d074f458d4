/**
 * Three nats-servers and three Knells on this machine: pings at the owner's door, at another's and at all three, handed to the
 * owner in full messages, and how long they wait for the next owner. A single Knell is beside them in the same rounds, and what
 * a commit costs on this disk and in a bare stream. On one machine latencies are upper bounds and throughput lower ones: seven
 * processes share its cores, and three servers sync one disk. At the end the pings that are recorded are counted.
 */
import { fileURLToPath } from 'node:url';
import { bareCommitMs } from '../harness/bare-commit.ts';
import type { Bench, Context, Figure, Found } from '../harness/bench.ts';
import { outputOf } from '../harness/children.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck, generators } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Server } from '../harness/process.ts';
import { inRounds, pingPaths } from '../harness/rounds.ts';
import {
  type ClusterLoaded,
  type DoorKind,
  doorKinds,
  loadDoors,
  loadMessages,
  type PingCosts,
} from './load.ts';
import { findNats } from './nats.ts';
import { Cluster, startSingle } from './nodes.ts';
import { full, type Messages, type Plan, plans } from './plans.ts';
import { measureTakeOvers } from './take-overs.ts';

const doorNames: Readonly<Record<DoorKind, string>> = {
  owner: "at the owner's door",
  another: "at another node's door",
  all: 'at all three doors',
};
const anotherDoorTarget = { connections: 64, atLeast: 15_000 };
const messagesTarget = { atLeast: 60_000 };
/** Microseconds of the processor a forwarded ping: of a door with its HTTP, at many connections; the others at full messages. */
const costTargets: Readonly<Partial<Record<keyof PingCosts, number>>> = { owner: 6, door: 20, standby: 3 };
const doorCostConnections = 256;

export const cluster: Bench = {
  name: 'cluster',
  about: 'three Knells and three nats-servers: pings by door and by message, take-overs',
  run,
};

/** What the parts measure with. */
interface Stage {
  readonly context: Context;
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly uuids: readonly string[];
  readonly single: { readonly server: Server; readonly uuids: readonly string[] };
  acknowledged: number;
}

async function run(context: Context): Promise<Found> {
  const plan = plans[context.size];
  const program = await findNats(context.size !== 'smoke');
  if (program === null)
    return { figures: [], skipped: 'there is no nats-server 2.12.4 or later, nor Go to build it' };
  const { text } = outputOf(program, ['--version']);
  const started = await Cluster.start(program, context.dir);
  const uuids = await started.seed(plan.checks);
  const single = await startSingle(context.dir, plan.checks);
  const stage: Stage = { context, plan, cluster: started, uuids, single, acknowledged: 0 };
  const figures = [
    ...(await commitFigures(stage)),
    ...(await doorFigures(stage)),
    ...(await messageFigures(stage)),
    ...(await takeOverFigures(stage)),
    await lostFigure(stage),
  ];
  await Promise.all([started.end(), single.server.end()]);
  const version = /v[\d.]+/.exec(await text)?.[0] ?? '';
  const where = `3 nats-servers ${version} that sync always, 3 Knells and the clients on this machine`;
  return { figures, load: `${generators}; ${where}` };
}

/** So much of the bench is behind it when a part begins. */
const parts = { doors: 0.02, messages: 0.5, takeOvers: 0.65 } as const;

async function commitFigures({ context, cluster: { nats }, plan }: Stage): Promise<Figure[]> {
  const diskMs = await bareCommitMs('file', context.dir, plan.seconds);
  const publisher = fileURLToPath(new URL('../bare/publish.js', import.meta.url));
  const args = [publisher, nats.urls.join(','), String(plan.seconds)];
  const { p50Ms }: { p50Ms: number } = JSON.parse(await outputOf(process.execPath, args).text);
  return [
    { name: 'bare append and fdatasync, p50', value: diskMs, unit: 'ms' },
    { name: 'bare fenced publish of 4 kB, p50', value: p50Ms, unit: 'ms' },
  ];
}

async function doorFigures(stage: Stage): Promise<Figure[]> {
  const { context, plan } = stage;
  const figures: Figure[] = [];
  for (const [at, connections] of plan.connections.entries()) {
    const progress = (part: number): void =>
      context.progress(
        parts.doors + ((parts.messages - parts.doors) * (at + part)) / plan.connections.length,
      );
    // One connection cannot be at three doors.
    const kinds = doorKinds.filter((doors) => doors !== 'all' || connections >= 3);
    const found = new Map<DoorKind, ClusterLoaded[]>(kinds.map((doors) => [doors, []]));
    const single: Loaded[] = [];
    await inRounds({ ...context, progress }, { rounds: plan.rounds, isWarm: at > 0 }, async (round) => {
      const { uuids, cluster: nodes } = stage;
      for (const [doors, rounds] of found) {
        const one = await loadDoors(nodes, { doors, uuids, connections, seconds: plan.seconds, round });
        stage.acknowledged += one.loaded.requests;
        if (round >= 0) rounds.push(one);
      }
      const { server, uuids: own } = stage.single;
      const load = { paths: pingPaths(own, round), connections, seconds: plan.seconds };
      const beside = await applyLoad({ ...load, url: server.url });
      if (round >= 0) single.push(beside);
    });
    for (const [doors, rounds] of found) figures.push(...figuresAt(connections, doors, rounds));
    figures.push(...throughputFigures(`${connections} connections, single node`, single));
  }
  return figures;
}

function figuresAt(connections: number, doors: DoorKind, rounds: readonly ClusterLoaded[]): Figure[] {
  const at = `${connections} connections ${doorNames[doors]}`;
  const { atLeast } = anotherDoorTarget;
  const isTarget = doors === 'another' && connections === anotherDoorTarget.connections;
  const loaded = rounds.map((round) => round.loaded);
  const hasCostTarget = doors === 'another' && connections === doorCostConnections;
  return [
    ...throughputFigures(at, loaded, isTarget ? { atLeast } : undefined),
    ...(doors === 'another' ? costFigures(at, rounds, hasCostTarget ? ['door'] : []) : []),
  ];
}

function throughputFigures(at: string, rounds: readonly Loaded[], target?: Figure['target']): Figure[] {
  return [
    {
      ...{ name: at, ...spreadOf(rounds.map(({ perSecond }) => perSecond)), unit: '/s' },
      ...(target ? { target } : {}),
      ...bottleneck(rounds),
    },
    { name: `${at}: p50`, ...spreadOf(rounds.map(({ p50Ms }) => p50Ms)), unit: 'ms' },
    { name: `${at}: p99`, ...spreadOf(rounds.map(({ p99Ms }) => p99Ms)), unit: 'ms' },
  ];
}

/** Those that are known. `withTarget`: whose target this case is to reach. */
function costFigures(
  at: string,
  rounds: readonly ClusterLoaded[],
  withTarget: readonly (keyof PingCosts)[],
): Figure[] {
  return (['owner', 'door', 'standby', 'nats'] as const).flatMap((who): Figure[] => {
    const spread = spreadOf(rounds.map(({ costs }) => costs[who]));
    if (Number.isNaN(spread.value)) return [];
    const atMost = withTarget.includes(who) ? costTargets[who] : undefined;
    const name = `${at}: processor time a ping, ${who === 'nats' ? 'three nats-servers' : who}`;
    return [{ name, ...spread, unit: 'µs', ...(atMost === undefined ? {} : { target: { atMost } }) }];
  });
}

async function messageFigures(stage: Stage): Promise<Figure[]> {
  const { context, plan, cluster: nodes, uuids } = stage;
  const figures: Figure[] = [];
  for (const [at, messages] of plan.messages.entries()) {
    const rounds: ClusterLoaded[] = [];
    const progress = (part: number): void =>
      context.progress(
        parts.messages + ((parts.takeOvers - parts.messages) * (at + part)) / plan.messages.length,
      );
    await inRounds({ ...context, progress }, { rounds: plan.rounds, isWarm: at > 0 }, async (round) => {
      const one = await loadMessages(nodes, context.dir, { ...messages, uuids, seconds: plan.seconds });
      stage.acknowledged += one.loaded.requests;
      if (round >= 0) rounds.push(one);
    });
    figures.push(...figuresOf(messages, rounds));
  }
  return figures;
}

function figuresOf({ pings, underWay }: Messages, rounds: readonly ClusterLoaded[]): Figure[] {
  const at = `messages of ${pings} pings, ${underWay} under way`;
  const isTarget = pings === full.pings;
  const loaded = rounds.map((round) => round.loaded);
  return [
    ...throughputFigures(at, loaded, isTarget ? messagesTarget : undefined),
    ...costFigures(at, rounds, isTarget ? ['owner', 'standby'] : []),
  ];
}

async function takeOverFigures(stage: Stage): Promise<readonly Figure[]> {
  const { context, plan, cluster: nodes, uuids } = stage;
  const progress = (part: number): void => context.progress(parts.takeOvers + (1 - parts.takeOvers) * part);
  const { figures, acknowledged } = await measureTakeOvers(nodes, plan, { uuids, progress });
  stage.acknowledged += acknowledged;
  return figures;
}

async function lostFigure({ cluster: nodes, acknowledged }: Stage): Promise<Figure> {
  const recorded = await nodes.recordedPings();
  return {
    name: 'acknowledged pings lost',
    value: Math.max(0, acknowledged - recorded),
    unit: '',
    target: { atMost: 0 },
    // More may be recorded: requests that were under way when a load ended.
    note: `${recorded} recorded, ${acknowledged} acknowledged`,
  };
}
