/**
 * A random life from a seed: what is asked, how time goes, what breaks. Ends with every receiver well and everything sent.
 * Invariant: rejects at the first promise that is broken, with the seed and the last of what happened.
 */
import { createHash } from 'node:crypto';
import { rowsOf } from '../support/store/memory-env.ts';
import { loaded } from '../support/store/store-facts.ts';
import { Asks } from './asks.ts';
import { modelFacts } from './compare.ts';
import { modes } from './receivers.ts';
import { askSnooze } from './snooze-asks.ts';
import { World } from './world.ts';

export interface Life {
  readonly trace: readonly string[];
  /** Of the trace and of what is on the disk at the end. */
  readonly hash: string;
  readonly pings: number;
}

export const stepsDefault = 60;
const traceLinesShown = 40;
const second = 1000;
const minute = 60 * second;

export async function live(seed: number, steps = stepsDefault): Promise<Life> {
  const world = new World(seed);
  try {
    const asks = new Asks(world);
    await world.start();
    asks.createProject();
    await world.quiet();
    for (let left = world.random.below(4); left > 0; left--) asks.createIntegration();
    await world.quiet();
    for (let left = world.random.below(4); left > 0; left--) asks.createCheck();
    await world.quiet();
    for (let step = 0; step < steps; step++) await act(world, asks);
    await world.finish();
    const pings = [...world.model.checks.values()].reduce((sum, check) => sum + check.pings.length, 0);
    return { trace: world.trace, hash: await hashOf(world), pings };
  } catch (error) {
    const last = world.trace.slice(-traceLinesShown).join('\n');
    throw new Error(
      `seed ${seed}: ${error instanceof Error ? error.stack : error}\n\nwhat happened last:\n${last}`,
      {
        cause: error,
      },
    );
  }
}

/** Of everything that two runs of a seed must share: what happened, and every byte on the disk. */
async function hashOf(world: World): Promise<string> {
  world.kill('at the end');
  const { disk, tables } = world.storage.machine;
  const image = createHash('sha256');
  for (const [name, bytes] of disk.image()) image.update(name).update(bytes);
  for (const [table, key, value] of rowsOf(tables)) image.update(table).update(key).update(value);
  const store = await world.storage.open(() => {});
  const facts = await loaded(store);
  const hash = image.update(world.trace.join('\n'));
  // As the last comparison has found them in the engine, pings and bodies among them.
  hash.update(JSON.stringify([...modelFacts(world.model, world.nowMs)]));
  for (const kept of [facts.projects, facts.keys, facts.channels, facts.checks, facts.outbox])
    hash.update(JSON.stringify([...kept]));
  return hash.digest('hex');
}

const weights = {
  burst: 40,
  pass: 22,
  owner: 10,
  snooze: 8,
  integrations: 6,
  projects: 2,
  receiver: 5,
  jump: 2,
  fill: 3,
  stall: 3,
  fold: 2,
  kill: 3,
  killAtSync: 4,
  killAtAttempt: 2,
  eio: 1,
};

/** One thing happens; now and then everything is compared. */
async function act(world: World, asks: Asks): Promise<void> {
  const { random } = world;
  await acts[random.weighted(weights)](world, asks);
  world.storage.killAtSync(0, () => {});
  if (world.isDead) await world.start();
  if (random.chance(0.2)) await world.quiet();
}

type Act = (world: World, asks: Asks) => Promise<void>;

const acts: Readonly<Record<keyof typeof weights, Act>> = {
  async burst(world, asks) {
    await burst(world, asks);
    await world.pass(world.random.below(50));
  },

  async pass(world) {
    const { random } = world;
    await world.pass(random.below(random.chance(0.1) ? 10 * minute : 90 * second));
  },

  async owner(world, asks) {
    sometimesKill(world);
    if (world.random.chance(0.4)) asks.createCheck();
    else if (world.random.chance(0.2)) asks.moveCheck();
    else asks.changeCheck();
    await world.pass(world.random.below(50));
  },

  async snooze(world, asks) {
    sometimesKill(world);
    askSnooze(world);
    if (world.random.chance(0.3)) asks.ping();
    await world.pass(world.random.below(50));
  },

  async integrations(world, asks) {
    sometimesKill(world);
    if (world.random.chance(0.5)) asks.createIntegration();
    else asks.changeIntegration();
    await world.pass(world.random.below(50));
  },

  async projects(world, asks) {
    sometimesKill(world);
    if (world.random.chance(0.6)) asks.createProject();
    else asks.deleteProject();
    await world.pass(world.random.below(50));
  },

  async receiver(world) {
    const integrations = [...world.model.integrations.keys()];
    if (integrations.length === 0) return;
    const mode = world.random.chance(0.5) ? 'good' : world.random.pick(modes);
    world.receivers.modes.set(world.random.pick(integrations), mode);
  },

  /** Of the wall clock; the ticker needs a moment to notice. */
  async jump(world) {
    await world.quiet();
    if (world.isFull) return;
    const { random } = world;
    const ms = random.chance(0.5) ? random.below(6 * 60 * minute) : -random.below(10 * minute);
    world.note(`the clock jumps by ${ms}`);
    world.clock.jump(ms);
    await world.quiet();
  },

  async fill(world, asks) {
    if (world.isFull) return;
    await world.quiet();
    world.note('the disk is full');
    world.isFull = true;
    world.storage.fill();
    for (let round = world.random.below(4); round >= 0; round--) {
      await burst(world, asks);
      await world.pass(world.random.below(20 * second));
      if (world.isDead) return;
    }
    if (world.random.chance(0.3)) {
      world.kill('while the disk is full');
      return;
    }
    world.note('the disk is free');
    world.storage.free();
    await world.pass(3 * second);
    world.isFull = false;
    await world.quiet();
  },

  async stall(world, asks) {
    world.note('the disk stalls');
    world.isStalled = true;
    world.storage.stall();
    for (let round = world.random.below(3); round >= 0; round--) {
      await burst(world, asks);
      await world.pass(world.random.below(5 * second));
      if (world.isDead) return;
    }
    if (world.random.chance(0.3)) world.kill('while the disk stalls');
    else await world.quiet();
  },

  async fold(world) {
    world.note('fold');
    world.knell.store.folded().catch(() => {}); // Where the disk breaks down, the process ends.
    await world.pass(world.random.below(200));
  },

  async kill(world, asks) {
    if (world.random.chance(0.7)) await burst(world, asks);
    await world.pass(world.random.below(3));
    world.kill('-9');
    await away(world);
  },

  async killAtSync(world, asks) {
    world.storage.killAtSync(1 + world.random.below(4), () => world.kill('at a sync'));
    await burst(world, asks);
    await world.pass(world.random.below(30 * second));
    if (!world.isDead) return;
    sometimesKill(world);
    await away(world);
  },

  async killAtAttempt(world, asks) {
    world.killAtAttempt = true;
    await burst(world, asks);
    await world.pass(world.random.below(90 * second));
    world.killAtAttempt = false;
    if (world.isDead) await away(world);
  },

  async eio(world, asks) {
    world.storage.breakDown();
    await burst(world, asks);
    await world.pass(second);
    world.kill('on a disk that has broken down');
  },
};

/** At one of the next syncs, if there are as many. */
function sometimesKill(world: World): void {
  if (world.random.chance(0.3))
    world.storage.killAtSync(1 + world.random.below(3), () => world.kill('at a sync'));
}

/** Nobody is there for a while; sometimes the clock is set meanwhile. */
async function away(world: World): Promise<void> {
  if (world.random.chance(0.5)) await world.pass(world.random.below(4 * minute));
}

/** Several things at once, a mail last, since it is read first: a batch that fails has something to take back, a crash something to tear. */
async function burst(world: World, asks: Asks): Promise<void> {
  const { random } = world;
  for (let left = random.below(4); left >= 0; left--) {
    if (random.chance(0.1)) asks.changeCheck();
    else if (random.chance(0.08)) askSnooze(world);
    else asks.ping();
  }
  if (random.chance(0.2)) await asks.mail();
  if (world.isDead) return;
  if (random.chance(0.3) && world.model.checks.size > 0)
    world.look(random.pick([...world.model.checks.keys()]));
}
