/**
 * What is done to a cluster under load, and what it takes to undo it. Not here: how its answers are measured (`round`).
 */
import { type ServerName, serverNames } from '../support/cluster/nats-server.ts';
import { pause, until } from '../support/real-time.ts';
import type { Cluster } from './cluster.ts';
import type { ClusterNode } from './node.ts';

export interface Blow {
  readonly name: string;
  /** Calls `dealt` as soon as the cluster has to do without. The result brings back what was taken away. */
  deal(cluster: Cluster, dealt: () => void): Promise<() => Promise<void>>;
  /** No ping may be refused: it is a planned one. */
  readonly isGentle: boolean;
}

/** A leader that comes back long after another one has taken over, with deadlines and pings of the time before. */
const stopMs = 20_000;
const awayMs = 2000;

const killLeader: Blow = {
  name: 'kill -9 of the leader',
  isGentle: false,
  async deal(cluster, dealt) {
    const leader = await cluster.leader();
    await leader.end('SIGKILL');
    dealt();
    return () => leader.start();
  },
};

const killStreamLeader: Blow = {
  name: "kill -9 of the stream's leader",
  isGentle: false,
  async deal(cluster, dealt) {
    const streamLeader = await cluster.streamLeader();
    await cluster.servers.kill(streamLeader);
    dealt();
    return () => cluster.servers.restart(streamLeader);
  },
};

const killBoth: Blow = {
  name: 'kill -9 of both',
  isGentle: false,
  async deal(cluster, dealt) {
    const [leader, streamLeader] = await Promise.all([cluster.leader(), cluster.streamLeader()]);
    await Promise.all([leader.end('SIGKILL'), cluster.servers.kill(streamLeader)]);
    dealt();
    return async () => {
      await Promise.all([leader.start(), cluster.servers.restart(streamLeader)]);
    };
  },
};

const stopLeader: Blow = {
  name: 'SIGSTOP of the leader, SIGCONT later',
  isGentle: false,
  async deal(cluster, dealt) {
    const leader = await cluster.leader();
    const fromMs = Date.now();
    leader.stop();
    dealt();
    return async () => {
      await pause(stopMs);
      const endings = leader.endings.length;
      cluster.stops.push({ fromMs, untilMs: Date.now() });
      leader.continue();
      // It finds itself fenced and ends; it is started again.
      await until('the fenced node ends', () => leader.endings.length > endings);
      if (leader.endings.at(-1) !== 1) throw new Error(`a fenced node ended with ${leader.endings.at(-1)}`);
      await until('the fenced node is back', () => leader.url);
    };
  },
};

const handOver: Blow = {
  name: 'hand-over by SIGTERM',
  isGentle: true,
  async deal(cluster, dealt) {
    const leader = await cluster.leader();
    const ended = leader.end('SIGTERM');
    dealt();
    return async () => {
      const status = await ended;
      if (status !== 0) throw new Error(`a node that was asked to end ended with ${status}`);
      await leader.start();
    };
  },
};

const killServers: Blow = {
  name: 'kill -9 of all nats-servers',
  isGentle: false,
  async deal(cluster, dealt) {
    await cluster.servers.kill(...serverNames);
    dealt();
    await Promise.all(serverNames.map((name: ServerName) => cluster.servers.restart(name)));
    return async () => {};
  },
};

/** The others end, so that what this node knows is all that there is. */
async function decidesByItself(
  cluster: Cluster,
  node: ClusterNode,
  dealt: () => void,
): Promise<() => Promise<void>> {
  const others = cluster.nodes.filter((other) => other !== node);
  await Promise.all(others.map((other) => other.end('SIGTERM')));
  dealt();
  return async () => {
    await Promise.all(others.map((other) => other.start()));
  };
}

async function aStandby(cluster: Cluster): Promise<ClusterNode> {
  const leader = await cluster.leader();
  const standby = cluster.nodes.find((node) => node !== leader);
  if (!standby) throw new Error('there is no standby');
  return standby;
}

const awayAndBack: Blow = {
  name: 'a node away and back, then the only one',
  isGentle: false,
  async deal(cluster, dealt) {
    const node = await aStandby(cluster);
    await node.end('SIGKILL');
    await pause(awayMs);
    await node.start();
    return decidesByItself(cluster, node, dealt);
  },
};

const freshNode: Blow = {
  name: 'a fresh node, then the only one',
  isGentle: false,
  async deal(cluster, dealt) {
    const node = await aStandby(cluster);
    await node.end('SIGKILL');
    cluster.forget(node);
    await node.start();
    return decidesByItself(cluster, node, dealt);
  },
};

export const blows: readonly Blow[] = [
  killLeader,
  killStreamLeader,
  killBoth,
  stopLeader,
  handOver,
  killServers,
  awayAndBack,
  freshNode,
];
