/**
 * The replicated log under faults, from seeds: three nodes claim and append over one stream that loses and delays. Beside
 * it, what must hold of every log whatever happened.
 */
import { describe, expect, test } from 'vitest';
import { decodeEntry } from '../../../src/store/replicated/envelope.ts';
import type { LogEntry } from '../../../src/store/replicated/replicated-log.ts';
import type { StreamLog } from '../../../src/store/replicated/stream-log.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { MemoryCluster } from '../../support/store/memory-log.ts';

const names = ['a', 'b', 'c'] as const;

/** Lets promises settle. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Appended {
  readonly seq: number;
  readonly epoch: number;
  readonly text: string;
  outcome: string;
}

/** A node that follows, claims now and then, and appends while it leads. */
class Node {
  readonly log: StreamLog;
  readonly entries: LogEntry[] = [];
  readonly appended: Appended[] = [];
  lost: Error | null = null;
  isBusy = false;
  isFenced = false;

  constructor(cluster: MemoryCluster, name: string) {
    this.log = cluster.nodeLog(name);
    this.log.follow(1, {
      entry: (entry) => this.entries.push(entry),
      lost: (error) => {
        this.lost = error;
      },
    });
  }

  get lastSeq(): number {
    return this.entries.at(-1)?.seq ?? 0;
  }

  act(random: Random): void {
    if (this.isBusy || this.isFenced) return;
    if (this.log.epoch === null) void this.#busy(() => this.log.claim(this.lastSeq));
    else if (random.chance(0.05)) void this.#busy(() => this.log.release());
    else void this.#busy(() => this.#append(1 + random.below(this.log.appendsMax), random));
  }

  async #busy(work: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    await work();
    this.isBusy = false;
  }

  /** Appends that are unknown are tried again, until somebody knows. */
  async #append(count: number, random: Random): Promise<void> {
    const epoch = this.log.epoch ?? 0;
    const first = this.log.nextSeq;
    let rest = Array.from({ length: count }, (_, at) => {
      const append = { seq: first + at, epoch, text: `${this.log.node}${random.below(1e9)}`, outcome: '' };
      this.appended.push(append);
      return append;
    });
    while (rest.length > 0) {
      await Promise.all(
        rest.map(async (append) => {
          append.outcome = await this.log.append({ seq: append.seq, bytes: Buffer.from(append.text) });
        }),
      );
      if (rest.some(({ outcome }) => outcome === 'fenced')) this.isFenced = true;
      rest = rest.filter(({ outcome }) => outcome === 'unknown' || outcome === 'disk-full');
    }
  }
}

const harsh = { lostRequest: 0.05, lostAnswer: 0.1, lostMessage: 0.1, late: 0.05, delayMs: 20, lateMs: 3000 };

class World {
  readonly random: Random;
  readonly clock = new SimulatedClock(0);
  readonly cluster: MemoryCluster;
  readonly lives: Node[] = [];
  readonly nodes = new Map<string, Node>();

  constructor(seed: number) {
    this.random = new Random(seed);
    this.cluster = new MemoryCluster({ scheduler: this.clock, random: () => this.random.next() });
    for (const name of names) this.start(name);
  }

  start(name: string): void {
    this.cluster.kill(name);
    const node = new Node(this.cluster, name);
    this.lives.push(node);
    this.nodes.set(name, node);
  }

  async run(steps: number): Promise<void> {
    this.cluster.faults = harsh;
    for (let step = 0; step < steps; step++) {
      this.#disturb();
      for (const node of this.nodes.values()) if (this.random.chance(0.4)) node.act(this.random);
      await this.clock.advance(this.random.below(400), turn);
    }
    await this.#settle();
  }

  #disturb(): void {
    const { cluster, random } = this;
    const name = random.pick(names);
    const what = random.weighted({
      nothing: 30,
      cutOff: 2,
      reconnect: 4,
      stop: 2,
      resume: 4,
      restart: 2,
      loseLeader: 1,
      elect: 4,
      fill: 1,
      free: 4,
    });
    if (what === 'restart' || this.nodes.get(name)?.isFenced) this.start(name);
    else if (what === 'cutOff' || what === 'reconnect' || what === 'stop' || what === 'resume')
      cluster[what](name);
    else if (what !== 'nothing') cluster[what]();
  }

  /** All is well again, and everybody reads to the end. */
  async #settle(): Promise<void> {
    const { cluster } = this;
    cluster.elect();
    cluster.free();
    cluster.faults = { ...harsh, lostRequest: 0, lostAnswer: 0, lostMessage: 0, late: 0 };
    for (const name of names) {
      cluster.reconnect(name);
      cluster.resume(name);
    }
    await this.clock.advance(60_000, turn);
  }
}

/** The log as every node has to read it. */
function canonical(cluster: MemoryCluster): LogEntry[] {
  let epoch = 0;
  return cluster.messages.map(({ bytes, seq }) => {
    const entry = decodeEntry(bytes, seq);
    const isVoid = entry.epoch < epoch;
    epoch = Math.max(epoch, entry.epoch);
    return isVoid ? { ...entry, kind: 'empty', bytes: Buffer.alloc(0) } : entry;
  });
}

const facts = ({ seq, kind, epoch, node, bytes }: LogEntry) => `${seq} ${kind} ${epoch} ${node} ${bytes}`;

describe('over a stream that loses and delays', () => {
  test.each(Array.from({ length: 60 }, (_, seed) => ({ seed })))('seed $seed', async ({ seed }) => {
    const world = new World(seed);
    await world.run(120);
    const log = canonical(world.cluster);
    const batches = new Map(log.filter(({ kind }) => kind === 'batch').map((entry) => [entry.seq, entry]));
    for (const { appended, log: own, entries, lost } of world.lives) {
      expect(lost).toBeNull();
      expect(entries.map(facts)).toEqual(log.slice(0, entries.length).map(facts));
      for (const { seq, epoch, text, outcome } of appended) {
        const there = batches.get(seq);
        const isThere = there?.epoch === epoch && there.node === own.node && `${there.bytes}` === text;
        if (outcome === 'written') expect(isThere, `append ${seq} of ${own.node} is in the log`).toBe(true);
        if (outcome === 'fenced') expect(isThere, `append ${seq} of ${own.node} is not`).toBe(false);
      }
    }
    for (const node of world.nodes.values()) expect(node.lastSeq).toBe(world.cluster.lastSeq);
  });

  test('the seeds see claims, refusals and void entries', async () => {
    const seen = { batches: 0, voids: 0, fenced: 0 };
    for (let seed = 0; seed < 30; seed++) {
      const world = new World(seed);
      await world.run(120);
      const log = canonical(world.cluster);
      seen.batches += log.filter(({ kind }) => kind === 'batch').length;
      seen.voids += world.cluster.messages.filter(
        ({ seq, bytes }, at) => decodeEntry(bytes, seq).kind !== log[at]?.kind,
      ).length;
      seen.fenced += world.lives.filter(({ isFenced }) => isFenced).length;
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });
});
