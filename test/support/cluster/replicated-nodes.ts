/** Nodes over one stream in memory and one simulated clock: elections and journals as they are, the engine left out. */
import { silentLogger } from '../../../src/lib/logger.ts';
import { ByteWriter } from '../../../src/store/codec/byte-writer.ts';
import type { AppendOutcome, BatchLog, NumberedBatch } from '../../../src/store/journal/batch-log.ts';
import { beginBatch } from '../../../src/store/journal/records.ts';
import { Election } from '../../../src/store/replicated/election.ts';
import { replicatedJournalLimits } from '../../../src/store/replicated/journal-limits.ts';
import { ReplicatedJournal } from '../../../src/store/replicated/replicated-journal.ts';
import type { Leadership, LogEntry } from '../../../src/store/replicated/replicated-log.ts';
import type { StreamLog } from '../../../src/store/replicated/stream-log.ts';
import { Random } from '../../simulation/random.ts';
import { SimulatedClock } from '../engine/simulated-clock.ts';
import { MemoryCluster } from '../store/memory-log.ts';

/** A batch of no records. */
export const emptyBatch = (() => {
  const writer = new ByteWriter(1);
  beginBatch(writer);
  return writer.copy();
})();

export class ReplicatedPlace {
  readonly clock = new SimulatedClock(0);
  readonly cluster: MemoryCluster;

  /** `seed`: of what the network does. */
  constructor(seed = 1) {
    const random = new Random(seed);
    this.cluster = new MemoryCluster({ scheduler: this.clock, random: () => random.next() });
  }

  /** Time goes by, and promises settle. */
  async pass(ms: number): Promise<void> {
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    await turn();
    await this.clock.advance(ms, turn);
    await turn();
  }

  /** Follows from behind `lastSeq`. `chance`: its share of the jitter. */
  election(
    name: string,
    options: { readonly chance?: number; readonly lastSeq?: number } = {},
  ): ElectionOfTest {
    return new ElectionOfTest(this, name, options.chance ?? 0, options.lastSeq ?? 0);
  }

  /** A node whose spool takes `spoolBatches`. */
  journal(name: string, spoolBatches = Number.POSITIVE_INFINITY): JournalOfTest {
    return new JournalOfTest(this, name, spoolBatches);
  }
}

export class ElectionOfTest {
  readonly log: StreamLog;
  readonly entries: LogEntry[] = [];
  readonly leaders: (Leadership | null)[] = [];
  readonly troubles: (string | null)[] = [];
  ownedAtMs: number | null = null;
  /** Why it needs the data of another node. */
  behind: string | null = null;
  hasCapacity = true;
  /** Throws what `apply` should. */
  refusal: (() => never) | null = null;
  readonly #election: Election;

  constructor({ clock, cluster }: ReplicatedPlace, name: string, chance: number, lastSeq: number) {
    this.log = cluster.nodeLog(name);
    this.#election = new Election(
      {
        log: this.log,
        scheduler: cluster.nodeScheduler(name),
        limits: replicatedJournalLimits,
        logger: silentLogger,
        chance: () => chance,
        apply: (entry) => {
          this.refusal?.();
          this.entries.push(entry);
        },
        hasCapacity: () => this.hasCapacity,
        leaderIs: (leader) => this.leaders.push(leader),
        troubleIs: (trouble) => this.troubles.push(trouble),
        led: () => {
          this.ownedAtMs = clock.elapsedMs();
        },
        behind: ({ message }) => {
          this.behind = message;
        },
      },
      lastSeq,
    );
    this.#election.start();
  }

  /** Appends a batch, as the leader. */
  write(): Promise<AppendOutcome> {
    return this.log.append({ seq: this.log.nextSeq, bytes: emptyBatch });
  }

  stop(): void {
    this.#election.stop();
  }
}

export class JournalOfTest {
  readonly journal: ReplicatedJournal;
  readonly spool: SpoolOfTest;
  readonly applied: number[] = [];
  readonly leaders: (Leadership | null)[] = [];
  isLeader = false;
  hasCapacity = true;
  /** Why it will never lead. */
  failure: unknown = null;
  /** What it says in its log, but for warnings. */
  readonly lines: string[] = [];

  constructor({ cluster, clock }: ReplicatedPlace, name: string, spoolBatches: number) {
    const note = (...args: readonly unknown[]): void => {
      this.lines.push(String(args.at(-1)));
    };
    this.spool = new SpoolOfTest(spoolBatches);
    this.journal = new ReplicatedJournal({
      log: cluster.nodeLog(name),
      spool: this.spool,
      scheduler: cluster.nodeScheduler(name),
      limits: replicatedJournalLimits,
      logger: { ...{ debug() {}, warn() {}, fatal: note }, info: note, error: note },
      chance: () => 0,
      nowMs: () => clock.nowMs(),
      leaderIs: (leader) => this.leaders.push(leader),
    });
    void this.journal
      .untilLeading(
        0,
        ({ seq }) => this.applied.push(seq),
        () => this.hasCapacity,
      )
      .then(
        () => {
          this.isLeader = true;
        },
        (error: unknown) => {
          this.failure = error;
        },
      );
  }

  /** Appends `count` batches at once; their outcomes in the order in which they settle. */
  appendAll(count: number): string[] {
    const outcomes: string[] = [];
    const first = this.journal.appliedSeq + 1;
    for (let at = 0; at < count; at++)
      void this.journal
        .append({ seq: first + at, bytes: emptyBatch })
        .then((outcome) => outcomes.push(`${first + at} ${outcome}`));
    return outcomes;
  }
}

/** A spool in memory. */
class SpoolOfTest implements BatchLog {
  readonly seqs: number[] = [];
  batchesMax: number;

  constructor(batchesMax: number) {
    this.batchesMax = batchesMax;
  }

  append({ seq }: NumberedBatch): AppendOutcome {
    if (this.seqs.length >= this.batchesMax) return 'disk-full';
    if (seq !== this.lastNumber() + 1) throw new Error(`batch ${seq} follows ${this.lastNumber()}`);
    this.seqs.push(seq);
    return 'written';
  }

  lastNumber(): number {
    return this.seqs.at(-1) ?? 0;
  }

  release(): void {}

  async close(): Promise<void> {}
}
