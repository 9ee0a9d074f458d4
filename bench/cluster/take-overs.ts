/**
 * How long pings wait for the next leader: when the leader is killed, when it is killed together with the server that leads the
 * stream, when it is asked to end. Asked of the clients that stay. What was ended is started again before the next round.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Figure } from '../harness/bench.ts';
import { spreadOf } from '../harness/numbers.ts';
import type { Cluster } from './nodes.ts';
import { Pingers } from './pingers.ts';
import type { Plan } from './plans.ts';
import { until } from './until.ts';

const stream = 'knell-knell';
const clientsEach = 4;
/** In flight before something ends. */
const calmMs = 300;
/** Every ping that the end of the leader has held up is answered by then. */
const afterMs = 1500;

const second = 1000;
const killTargetMs = 4 * second;
/** Nine of ten: an election of the stream's leader takes a random 4 to 9 s. */
const bothTargetMs = 8 * second;
const bothWorstTargetMs = 10 * second;
const handOverTargetMs = 0.5 * second;

export interface TakeOvers {
  readonly figures: readonly Figure[];
  readonly acknowledged: number;
}

interface Taken {
  readonly firstMs: number;
  readonly longestMs: number;
  readonly refused: number;
  readonly acknowledged: number;
}

interface Work {
  readonly uuids: readonly string[];
  readonly progress: (fraction: number) => void;
}

export async function measureTakeOvers(cluster: Cluster, plan: Plan, work: Work): Promise<TakeOvers> {
  const rounds = plan.kills + plan.killsOfBoth + plan.handOvers;
  let done = 0;
  const times = async (count: number, run: () => Promise<Taken>): Promise<Taken[]> => {
    const all: Taken[] = [];
    while (all.length < count) {
      all.push(await run());
      work.progress(++done / rounds);
    }
    return all;
  };
  const kills = await times(plan.kills, () => takeOver(cluster, work.uuids, 'SIGKILL', false));
  const both = await times(plan.killsOfBoth, () => takeOver(cluster, work.uuids, 'SIGKILL', true));
  const handOvers = await times(plan.handOvers, () => takeOver(cluster, work.uuids, 'SIGTERM', false));
  return {
    figures: [...killFigures(kills), ...bothFigures(both), ...handOverFigures(handOvers)],
    acknowledged: [...kills, ...both, ...handOvers].reduce((sum, one) => sum + one.acknowledged, 0),
  };
}

async function takeOver(
  cluster: Cluster,
  uuids: readonly string[],
  signal: 'SIGKILL' | 'SIGTERM',
  withStreamLeader: boolean,
): Promise<Taken> {
  const leader = await cluster.leader();
  const streamLeader = await cluster.nats.leaderOf(stream);
  const clients = cluster.nodes.filter(({ name }) => name !== leader.name);
  const pingers = new Pingers(
    clients.map(({ server }) => server.url),
    uuids,
    clientsEach,
  );
  await sleep(calmMs);
  const sinceMs = performance.now();
  // Not one after the other: it may take a while until a process that was killed is gone.
  await Promise.all([
    cluster.endNode(leader.name, signal),
    ...(withStreamLeader ? [cluster.nats.kill(streamLeader)] : []),
  ]);
  const goneMs = signal === 'SIGKILL' ? performance.now() : sinceMs;
  await until('pings are answered again', async () => pingers.hasAnswered(goneMs, afterMs));
  await pingers.stop();
  if (withStreamLeader) await cluster.nats.restart(streamLeader);
  await cluster.startNode(leader.name);
  await cluster.untilAllFollow();
  return {
    firstMs: pingers.firstAnswerMs(goneMs),
    longestMs: pingers.longestAnswerMs(sinceMs),
    refused: pingers.refused,
    acknowledged: pingers.acknowledged,
  };
}

/** The worst, with the median beside it: what is promised is promised for each. */
function worst(name: string, valuesMs: readonly number[], atMostMs: number): Figure {
  const { value, min, max } = spreadOf(valuesMs);
  const note = `median ${(value / second).toFixed(2)} s of ${valuesMs.length}`;
  return {
    ...{ name, value: max / second, min: min / second, max: max / second, unit: 's', note },
    target: { atMost: atMostMs / second },
  };
}

function killFigures(rounds: readonly Taken[]): Figure[] {
  if (rounds.length === 0) return [];
  const first = rounds.map(({ firstMs }) => firstMs);
  return [worst('leader killed: until pings are answered', first, killTargetMs)];
}

function bothFigures(rounds: readonly Taken[]): Figure[] {
  if (rounds.length === 0) return [];
  const at = "leader and stream's leader killed: until pings are answered";
  const first = rounds.map(({ firstMs }) => firstMs);
  const most = Math.ceil(first.length * 0.9) - 1;
  const ninth = [...first].sort((a, b) => a - b)[most] ?? Number.NaN;
  return [
    { name: `${at}, 9 of 10`, value: ninth / second, unit: 's', target: { atMost: bothTargetMs / second } },
    worst(at, first, bothWorstTargetMs),
  ];
}

function handOverFigures(rounds: readonly Taken[]): Figure[] {
  if (rounds.length === 0) return [];
  const longest = rounds.map(({ longestMs }) => longestMs);
  return [
    worst('leader asked to end: longest answer meanwhile', longest, handOverTargetMs),
    {
      name: 'leader asked to end: pings refused',
      value: rounds.reduce((sum, { refused }) => sum + refused, 0),
      unit: '',
      target: { atMost: 0 },
    },
  ];
}
