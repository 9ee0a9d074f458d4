/**
 * The engine on a simulated clock and a disk that fails, crashes and stalls at random, against a tiny model that knows
 * nothing of actors, wheels or journals. A failing run prints its seed; `KNELL_TEST_SEED` runs that one again.
 */
import { afterAll, expect, test } from 'vitest';
import { limits } from '../../src/config.ts';
import { type CheckConfig, defaultConfig, type Status } from '../../src/domain/check.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Arrival, Engine, PingOutcome } from '../../src/engine/engine.ts';
import type { ProjectId } from '../../src/lib/ids.ts';
import { asCheckId, systemIds } from '../../src/lib/ids.ts';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMemoryDisk } from '../../src/store/memory-disk.ts';
import { MemoryFaults } from '../../src/store/memory-faults.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const startMs = Date.UTC(2026, 4, 4, 4);
const second = 1000;

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One check as the specification tells it, for success, fail, log and pause: no runs, no credit. */
class Model {
  status: Status = 'new';
  n = 0;
  lastPingMs: number | null = null;
  flips: (readonly [number, 0 | 1])[] = [];
  readonly timeoutMs: number;
  readonly graceMs: number;

  constructor(config: CheckConfig) {
    this.timeoutMs = config.timeoutS * second;
    this.graceMs = config.graceS * second;
  }

  /** Lets time come to `nowMs`. */
  settle(nowMs: number): void {
    if (this.lastPingMs === null) return;
    const expectedMs = this.lastPingMs + this.timeoutMs;
    if (this.status === 'up' && nowMs >= expectedMs) this.status = 'grace';
    if (this.status === 'grace' && nowMs >= expectedMs + this.graceMs) {
      this.#to('down', expectedMs + this.graceMs);
    }
  }

  ping(signal: 'success' | 'fail' | 'log', nowMs: number): void {
    this.settle(nowMs);
    this.n++;
    if (signal === 'log') return;
    this.lastPingMs = nowMs;
    this.#to(signal === 'success' ? 'up' : 'down', nowMs);
  }

  pause(nowMs: number): void {
    this.settle(nowMs);
    this.status = 'paused';
  }

  #to(status: Status, atMs: number): void {
    const wasUp = this.status === 'up' || this.status === 'grace';
    if (wasUp && status === 'down') this.flips.push([atMs, 0]);
    if (this.status === 'down' && status === 'up') this.flips.push([atMs, 1]);
    this.status = status;
  }
}

class World {
  readonly random: () => number;
  readonly clock = new SimulatedClock(startMs);
  readonly disk = createMemoryDisk();
  readonly models = new Map<string, Model>();
  faults = new MemoryFaults();
  failing = false;
  #engine: Engine | null = null;
  #projectId: ProjectId | null = null;

  private constructor(seed: number) {
    this.random = randomOf(seed);
  }

  static async create(seed: number): Promise<World> {
    const world = new World(seed);
    await world.open();
    world.#projectId = (await world.engine.change.createProject('p', 'paid', startMs)).project.id;
    return world;
  }

  get engine(): Engine {
    if (!this.#engine) throw new Error('not open yet');
    return this.#engine;
  }

  get projectId(): ProjectId {
    if (!this.#projectId) throw new Error('not open yet');
    return this.#projectId;
  }

  async open(): Promise<void> {
    this.faults = new MemoryFaults();
    this.failing = false;
    const { engine } = await createEngine({
      store: createMemoryStore({ disk: this.disk, faults: this.faults, nowMs: () => this.clock.nowMs() }),
      clock: this.clock,
      logger: silentLogger,
      outageCredit: false,
      ids: systemIds,
      awakeMax: 3,
      aliveEveryMs: limits.aliveEveryMs,
      ticker: limits.ticker,
      changed: () => {},
      touched: () => {},
      outbox: { delivery() {}, deliveryEnded() {} },
      projectGone: () => {},
      progress: () => {},
    });
    this.#engine = engine;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  ping(uuid: string, signal: 'success' | 'fail' | 'log'): Promise<PingOutcome> {
    const arrival: Arrival = {
      target: { by: 'uuid', uuid },
      flaw: null,
      action: signal,
      exitStatus: null,
      rid: null,
      scheme: 'http',
      method: 'GET',
      remoteAddr: '127.0.0.1',
      ua: '',
      body: new Uint8Array(0),
      searchable: { door: 'http', body: new Uint8Array(0) },
      receivedAtMs: this.clock.nowMs(),
    };
    return new Promise((resolve) => this.engine.acceptPing(arrival, resolve));
  }

  /** One random thing happens. */
  async step(): Promise<void> {
    const dice = this.random();
    const uuids = [...this.models.keys()];
    const nowMs = this.clock.nowMs();
    if (uuids.length === 0 || dice < 0.05) await this.#create(nowMs);
    else if (dice < 0.55) await this.#ping(this.pick(uuids), nowMs);
    else if (dice < 0.85) await this.clock.advance(Math.floor(this.random() * 90 * second));
    else if (dice < 0.9) await this.#pause(this.pick(uuids), nowMs);
    else if (dice < 0.95) this.#toggleDisk();
    else await this.#crash();
  }

  async #create(nowMs: number): Promise<void> {
    const config = {
      ...defaultConfig,
      timeoutS: 60 + Math.floor(this.random() * 120),
      graceS: 60 + Math.floor(this.random() * 60),
    };
    const outcome = await this.engine.change.createCheck(this.projectId, config, nowMs);
    expect(outcome.kind).toBe(this.failing ? 'store-full' : 'ok');
    if (outcome.kind === 'ok') this.models.set(outcome.check.id, new Model(config));
  }

  /** Several at once, so that a batch that fails is undone in the right order. */
  async #ping(uuid: string, nowMs: number): Promise<void> {
    const signals = Array.from({ length: 1 + Math.floor(this.random() * 3) }, () =>
      this.pick(['success', 'success', 'fail', 'log'] as const),
    );
    const outcomes = await Promise.all(signals.map((signal) => this.ping(uuid, signal)));
    for (const [at, signal] of signals.entries()) {
      expect(outcomes[at]).toBe(this.failing ? 'store-full' : 'ok');
      if (!this.failing) this.models.get(uuid)?.ping(signal, nowMs);
    }
  }

  async #pause(uuid: string, nowMs: number): Promise<void> {
    const outcome = await this.engine.change.pauseCheck(asCheckId(uuid), nowMs);
    expect(outcome.kind).toBe(this.failing ? 'store-full' : 'ok');
    if (!this.failing) this.models.get(uuid)?.pause(nowMs);
  }

  #toggleDisk(): void {
    this.failing = !this.failing;
    if (this.failing) this.faults.fail(Number.MAX_SAFE_INTEGER);
    else this.faults.heal();
  }

  /** What is not on the disk is gone; everything acknowledged must be. */
  async #crash(): Promise<void> {
    await this.open();
  }

  /** Nothing is compared while timeouts cannot be written: those are still to be told. */
  async compare(): Promise<void> {
    if (this.failing) return;
    await this.clock.advance(limits.ticker.retryMs);
    const nowMs = this.clock.nowMs();
    for (const [uuid, model] of this.models) {
      model.settle(nowMs);
      const { check, flips } = await this.engine.read.durably(() => {
        const found = this.engine.read.check(uuid, nowMs);
        const changes = this.engine.read.changes(asCheckId(uuid), { fromMs: 0, untilMs: nowMs + 1 });
        return { check: found, flips: changes };
      });
      expect(check?.state).toMatchObject({
        status: model.status,
        nPings: model.n,
        lastPingMs: model.lastPingMs,
      });
      const listed = [...flips].reverse().flatMap(({ from, to, atMs }) => {
        if (from === 'down' && to === 'up') return [[atMs, 1]];
        return (from === 'up' || from === 'grace') && to === 'down' ? [[atMs, 0]] : [];
      });
      expect(listed).toEqual(model.flips);
      const numbers = this.engine.read.pings(asCheckId(uuid), 1000).map((ping) => ping.n);
      expect(numbers).toEqual(Array.from({ length: Math.min(1000, model.n) }, (_, at) => model.n - at));
    }
  }
}

const fixed = process.env.KNELL_TEST_SEED;
const seeds = fixed === undefined ? Array.from({ length: 40 }, (_, at) => 1000 + at) : [Number(fixed)];
let acknowledged = 0;

test.each(seeds)('a random life with seed %i leaves engine and model agreed', async (seed) => {
  const world = await World.create(seed);
  for (let at = 0; at < 150; at++) {
    await world.step();
    if (at % 10 === 9) await world.compare();
  }
  for (const model of world.models.values()) acknowledged += model.n;
});

afterAll(() => expect(acknowledged).toBeGreaterThan(seeds.length * 10));
