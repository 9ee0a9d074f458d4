/**
 * Three nats-servers and three Knells on this machine: pings at the leader's client, at another's and at all three, handed to the
 * leader in full messages, and how long they wait for the next leader. A single Knell is beside them in the same rounds, and what
 * a commit costs on this disk and in a bare stream. On one machine latencies are upper bounds and throughput lower ones: seven
 * processes share its cores, and three servers sync one disk. At the end the pings that are recorded are counted.
 */
import { fileURLToPath } from 'node:url';
import { bareCommitMs } from '../harness/bare-commit.ts';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { outputOf } from '../harness/children.ts';
import type { Loaded } from '../harness/generator.ts';
import { applyLoad, bottleneck, generators } from '../harness/load.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Server } from '../harness/process.ts';
import { inRounds, pingPaths } from '../harness/rounds.ts';
import {
  type ClientKind,
  type ClusterLoaded,
  clientKinds,
  loadClients,
  loadMessages,
  type PingCosts,
} from './load.ts';
import { findNats } from './nats.ts';
import { Cluster, startSingle } from './nodes.ts';
import { full, type Messages, type Plan, plans } from './plans.ts';
import { measureTakeOvers } from './take-overs.ts';

const clientNames: Readonly<Record<ClientKind, string>> = {
  leader: "at the leader's client",
  another: "at another node's client",
  all: 'at all three clients',
};
const anotherClientTarget = { connections: 64, atLeast: 15_000 };
const messagesTarget = { atLeast: 60_000 };
/** Microseconds of the processor a forwarded ping: of a client with its HTTP, at many connections; the others at full messages. */
const costTargets: Readonly<Partial<Record<keyof PingCosts, number>>> = { leader: 6, client: 20, standby: 3 };
const clientCostConnections = 256;

/** What the parts measure with. */
interface Stage {
  readonly context: Context;
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly uuids: readonly string[];
  readonly single: { readonly server: Server; readonly uuids: readonly string[] };
  acknowledged: number;
}

export async function run(context: Context): Promise<Found> {
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
    ...(await clientFigures(stage)),
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
const parts = { clients: 0.02, messages: 0.5, takeOvers: 0.65 } as const;

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

async function clientFigures(stage: Stage): Promise<Figure[]> {
  const { context, plan } = stage;
  const figures: Figure[] = [];
  for (const [at, connections] of plan.connections.entries()) {
    const progress = (part: number): void =>
      context.progress(
        parts.clients + ((parts.messages - parts.clients) * (at + part)) / plan.connections.length,
      );
    // One connection cannot be at three clients.
    const kinds = clientKinds.filter((clients) => clients !== 'all' || connections >= 3);
    const found = new Map<ClientKind, ClusterLoaded[]>(kinds.map((clients) => [clients, []]));
    const single: Loaded[] = [];
    await inRounds({ ...context, progress }, { rounds: plan.rounds, isWarm: at > 0 }, async (round) => {
      const { uuids, cluster: nodes } = stage;
      for (const [clients, rounds] of found) {
        const one = await loadClients(nodes, { clients, uuids, connections, seconds: plan.seconds, round });
        stage.acknowledged += one.loaded.requests;
        if (round >= 0) rounds.push(one);
      }
      const { server, uuids: own } = stage.single;
      const load = { paths: pingPaths(own, round), connections, seconds: plan.seconds };
      const beside = await applyLoad({ ...load, url: server.url });
      if (round >= 0) single.push(beside);
    });
    for (const [clients, rounds] of found) figures.push(...figuresAt(connections, clients, rounds));
    figures.push(...throughputFigures(`${connections} connections, single node`, single));
  }
  return figures;
}

function figuresAt(connections: number, clients: ClientKind, rounds: readonly ClusterLoaded[]): Figure[] {
  const at = `${connections} connections ${clientNames[clients]}`;
  const { atLeast } = anotherClientTarget;
  const isTarget = clients === 'another' && connections === anotherClientTarget.connections;
  const loaded = rounds.map((round) => round.loaded);
  const hasCostTarget = clients === 'another' && connections === clientCostConnections;
  return [
    ...throughputFigures(at, loaded, isTarget ? { atLeast } : undefined),
    ...(clients === 'another' ? costFigures(at, rounds, hasCostTarget ? ['client'] : []) : []),
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
  return (['leader', 'client', 'standby', 'nats'] as const).flatMap((who): Figure[] => {
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

function figuresOf({ pings, inFlight }: Messages, rounds: readonly ClusterLoaded[]): Figure[] {
  const at = `messages of ${pings} pings, ${inFlight} in flight`;
  const isTarget = pings === full.pings;
  const loaded = rounds.map((round) => round.loaded);
  return [
    ...throughputFigures(at, loaded, isTarget ? messagesTarget : undefined),
    ...costFigures(at, rounds, isTarget ? ['leader', 'standby'] : []),
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
    // More may be recorded: requests that were in flight when a load ended.
    note: `${recorded} recorded, ${acknowledged} acknowledged`,
  };
}
