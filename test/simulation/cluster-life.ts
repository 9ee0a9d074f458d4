/**
 * A random life of a cluster from a seed: what is asked, and what breaks. Then everything is well again, and what was promised
 * is looked at.
 * Invariant: rejects at the first promise that is broken, with the seed and the last of what happened.
 */
import { noFaults } from '../support/store/memory-log.ts';
import type { ClusterAlerting } from './cluster-alerting.ts';
import { LogAudit, mustBeOneOwner, mustBeSettled } from './cluster-audit.ts';
import type { SimulatedNode } from './cluster-node.ts';
import { ClusterWorld, isAcknowledged } from './cluster-world.ts';
import { modes } from './receivers.ts';

export interface ClusterLife {
  readonly trace: readonly string[];
  readonly pings: number;
  /** Claims in the log. */
  readonly leaders: number;
}

const second = 1000;
const stepsOfLife = 30;
const traceLinesShown = 60;
/** After everything is well, a ping is answered within this. */
const answeredMs = 15 * second;
/** All deadlines, outage credits, retries of receivers and skews. */
const quietMs = 60 * second;

export async function liveInCluster(seed: number, isAlerting = false): Promise<ClusterLife> {
  const world = new ClusterWorld(seed, isAlerting);
  const log = new LogAudit(world);
  world.sending = (node) => log.acts(node);
  try {
    await begin(world);
    for (let step = 0; step < stepsOfLife; step++) {
      await act(world);
      log.look();
      mustBeOneOwner(world);
    }
    await end(world);
    log.look();
    mustBeSettled(world);
    if (world.alerting) await recover(world, world.alerting);
    return { trace: world.trace, pings: world.pings.length, leaders: log.claims };
  } catch (error) {
    const last = world.trace.slice(-traceLinesShown).join('\n');
    const text = error instanceof Error ? error.stack : String(error);
    throw new Error(`seed ${seed}: ${text}\n\nwhat happened last:\n${last}`, { cause: error });
  }
}

/**
 * A check that is snoozed goes down, its leader is killed, and the snooze ends at the next one. Returns the alerts of the check,
 * the node that was killed, and when the snooze had to end.
 */
export async function takeOverInSnooze(seed: number) {
  const world = new ClusterWorld(seed);
  await begin(world);
  const [name = ''] = world.checks.keys();
  const id = world.checks.get(name)?.id ?? '';
  const [killed] = world.nodes.filter(({ isLeader }) => isLeader);
  if (!killed) throw new Error('no node leads');
  const untilMs = world.nowMs + 40 * second;
  void world.ask(killed, { op: 'snooze', id, untilMs });
  // Whatever they say: afterwards it falls due.
  for (let left = 4; left > 0; left--) world.ping(killed, name);
  await world.pass(second);
  world.kill(killed, world.random.pick(['process', 'power']), '-9');
  await world.pass(world.random.below(30 * second));
  world.start(killed);
  await world.pass(2 * quietMs);
  mustBeSettled(world);
  const alerts = world.alerts.filter(({ delivery }) => delivery?.checkId === id);
  return { alerts, killed: killed.name, untilMs };
}

async function begin(world: ClusterWorld): Promise<void> {
  for (const node of world.nodes) world.start(node);
  for (let tries = 0; !world.leader; tries++) {
    if (tries > 20) throw new Error('no node leads');
    await world.pass(second / 2);
  }
  await world.setUp(1 + world.random.below(2));
  for (let left = 2; left > 0; left--) create(world);
  await world.pass(second);
}

const weights = {
  pings: 40,
  change: 12,
  snooze: 10,
  read: 8,
  pass: 8,
  kill: 6,
  restart: 10,
  stop: 4,
  resume: 6,
  cut: 4,
  reconnect: 6,
  leave: 3,
  leader: 3,
  faults: 4,
  receiver: 3,
};

async function act(world: ClusterWorld): Promise<void> {
  const { random } = world;
  acts[random.weighted(weights)](world);
  await world.pass(random.below(random.chance(0.2) ? 6 * second : second));
}

const acts: Readonly<Record<keyof typeof weights, (world: ClusterWorld) => void>> = {
  pings(world) {
    for (let left = world.random.below(5); left >= 0; left--) pingSomewhere(world);
  },

  change(world) {
    const { random } = world;
    const id = anyId(world);
    const [node] = pick(world, world.open);
    if (!node) return;
    const op = random.weighted({ create: 3, pause: 1, resume: 2, delete: 1 });
    if (op === 'create') create(world);
    else if (id !== null) void world.ask(node, { op, id });
  },

  /** Some end after several take-overs. */
  snooze(world) {
    const { random } = world;
    const id = anyId(world);
    const [node] = pick(world, world.open);
    if (!node || id === null) return;
    const op = random.chance(0.85) ? 'snooze' : 'unsnooze';
    const untilMs = world.nowMs + 5 * second + random.below(30 * second);
    void world.ask(node, { op, id, untilMs });
  },

  read(world) {
    const id = anyId(world);
    const [node] = pick(world, world.open);
    if (node && id !== null) void world.ask(node, { op: 'read', id });
  },

  pass() {},

  kill(world) {
    const [node] = pick(world, favouringOwner(world));
    if (world.random.chance(0.5)) pingSomewhere(world);
    if (node) world.kill(node, world.random.chance(0.3) ? 'power' : 'process', '-9');
  },

  restart(world) {
    for (const node of world.nodes) if (node.starts > 0 && !node.process && isGone(node)) world.start(node);
  },

  stop(world) {
    const [node] = pick(world, favouringOwner(world));
    if (!node?.process || node.isStopped) return;
    world.note(`stop ${node.name}`);
    node.isStopped = true;
    world.cluster.stop(node.name);
  },

  resume,

  cut(world) {
    const [node] = pick(world, favouringOwner(world));
    if (!node) return;
    world.note(`cut off ${node.name}`);
    world.cutOff.add(node.name);
    world.cluster.cutOff(node.name);
  },

  reconnect,

  leave(world) {
    const [node] = pick(world, favouringOwner(world));
    if (!node?.process || node.isLeaving || node.isStopped) return;
    world.note(`leave ${node.name}`);
    const { starts } = node;
    const leaving = node.leave();
    const ended = (how: string) => () => {
      if (node.starts === starts) world.kill(node, 'process', how);
    };
    leaving.then(ended('it has left'), (error: unknown) => world.fail(error));
    world.clock.after(5 * second, ended('it does not leave'));
  },

  leader(world) {
    world.note('the leader is lost');
    world.cluster.loseLeader();
    const electedMs = world.random.below(9 * second);
    world.clock.after(electedMs, () => {
      world.note('a leader is elected');
      world.cluster.elect();
    });
  },

  faults(world) {
    const { random } = world;
    if (random.chance(0.4)) {
      world.cluster.faults = noFaults;
      return;
    }
    const lateMs = random.pick([50, 400, 2500]);
    world.note(`faults, late by ${lateMs}`);
    const some = (): number => (random.chance(0.5) ? random.pick([0.02, 0.1, 0.3]) : 0);
    world.cluster.faults = {
      ...{ lostRequest: some(), lostAnswer: some(), lostMessage: some(), late: some() },
      ...{ delayMs: random.pick([1, 5, 30]), lateMs },
    };
  },

  receiver(world) {
    const mode = world.random.chance(0.5) ? 'good' : world.random.pick(modes);
    if (mode !== 'refusing') world.receivers.modes.set(`i${1 + world.random.below(2)}`, mode);
  },
};

function resume(world: ClusterWorld): void {
  for (const node of world.nodes) {
    if (!node.isStopped) continue;
    world.note(`resume ${node.name}`);
    node.isStopped = false;
    world.cluster.resume(node.name);
  }
}

function reconnect(world: ClusterWorld): void {
  for (const name of world.cutOff) {
    world.note(`reconnect ${name}`);
    world.cluster.reconnect(name);
  }
  world.cutOff.clear();
}

/** Not one that is starting: its disk is open. */
function isGone(node: SimulatedNode): boolean {
  return !node.isStarting;
}

function favouringOwner(world: ClusterWorld): readonly SimulatedNode[] {
  const running = world.nodes.filter(({ process }) => process);
  const leaders = running.filter(({ isLeader }) => isLeader);
  return leaders.length > 0 && world.random.chance(0.5) ? leaders : running;
}

function pick<T>({ random }: ClusterWorld, items: readonly T[]): readonly T[] {
  return items.length === 0 ? [] : [random.pick(items)];
}

function anyId(world: ClusterWorld): string | null {
  const ids = [...world.checks.values()].map(({ id }) => id).filter((id) => id !== null);
  return ids.length === 0 ? null : world.random.pick(ids);
}

function create(world: ClusterWorld): void {
  const [node] = pick(world, world.open);
  if (!node) return;
  const { random } = world;
  const settings = {
    timeoutS: 2 + random.below(8),
    graceS: 1 + random.below(6),
    ...world.runs.settings(),
    ...world.alerting?.settings(),
  };
  void world.ask(node, { op: 'create', name: world.newName(), settings });
}

function pingSomewhere(world: ClusterWorld): void {
  const { random } = world;
  const [node] = pick(world, world.open);
  if (!node) return;
  const known = [...world.checks].filter(([, { deletion }]) => deletion === 'none').map(([name]) => name);
  const name = known.length === 0 || random.chance(0.05) ? world.newName() : random.pick(known);
  world.ping(node, name);
}

/** Shown with a life that failed. */
function stateOf({ nodes }: ClusterWorld): string {
  return nodes
    .map(({ name, isLeader, isStopped, process }) => {
      const { leader, journal } = process?.member ?? {};
      const mayAct = process?.store.mayAct;
      return JSON.stringify({
        name,
        isLeader,
        mayAct,
        isStopped,
        leader,
        ...{ at: journal?.appliedSeq, trouble: journal?.trouble },
      });
    })
    .join(', ');
}

/** Everything is well again; the last pings must be answered in time, and everything comes due. */
async function end(world: ClusterWorld): Promise<void> {
  world.note('everything is well');
  world.cluster.faults = noFaults;
  world.cluster.elect();
  reconnect(world);
  resume(world);
  for (const integration of world.receivers.modes.keys()) world.receivers.modes.set(integration, 'good');
  const untilMs = world.nowMs + answeredMs;
  const known = [...world.checks].find(([, { deletion }]) => deletion === 'none');
  const waiting = new Set(world.nodes.map(({ name }) => name));
  while (waiting.size > 0 && world.nowMs < untilMs) {
    acts.restart(world);
    world.cluster.elect();
    const asked = world.open
      .filter(({ name }) => waiting.has(name))
      .map((node) => world.ping(node, known?.[0] ?? 'last'));
    await world.pass(second / 2);
    for (const { node, outcome } of asked) if (isAcknowledged(outcome)) waiting.delete(node);
  }
  if (waiting.size > 0) throw new Error(`at ${[...waiting]} no ping is answered: ${stateOf(world)}`);
  for (let passedMs = 0; passedMs < quietMs; passedMs += second) {
    acts.restart(world);
    await world.pass(second);
  }
}

/** Of everything that is down its integrations know; then all of it comes up, and they know that. */
async function recover(world: ClusterWorld, alerting: ClusterAlerting): Promise<void> {
  const { leader, project } = world;
  const read = leader?.process?.engine.read;
  if (!leader || !read || project === null) throw new Error('no node leads');
  alerting.mustBeKnown(read, project, leader.nowMs());
  const names = [...read.checks(project, leader.nowMs())].map(({ config }) => config.name);
  for (let passedMs = 0; passedMs < quietMs; passedMs += second) {
    for (const name of names) world.ping(leader, name, 'success');
    await world.pass(second);
  }
  alerting.mustBeUp(read, project, leader.nowMs());
  alerting.mustBeKnown(read, project, leader.nowMs());
}
