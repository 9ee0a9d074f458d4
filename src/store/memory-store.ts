/**
 * The store in memory, for simulation: the same contract, a disk that outlives it, faults on demand, no timers.
 * Invariant: nothing un-durable is on the disk, so that dropping the store and opening another is a crash.
 */
import type { CheckId } from '../lib/ids.ts';
import { keep, listedPings, type MemoryDisk } from './memory-disk.ts';
import { MemoryFaults } from './memory-faults.ts';
import { writeMemorySnapshot } from './memory-snapshot.ts';
import type { ChangeRange, JournalRecord, LoadSink, Store, Waiter } from './store.ts';

export interface MemoryStoreOptions {
  readonly disk: MemoryDisk;
  readonly faults?: MemoryFaults;
  readonly bodyBudgetBytes?: number;
  nowMs?(): number;
  /** When a batch is committed; by default at the end of the microtasks. */
  schedule?(commit: () => void): void;
}

const bodyBudgetDefault = 10_000_000;

export function createMemoryStore(options: MemoryStoreOptions): Store {
  const journal = new MemoryJournal(options);
  const { disk } = options;
  return {
    load: async (sink) => load(disk, sink),
    append: (record, waiter) => journal.append(record, waiter),
    barrier: (waiter) => journal.barrier(waiter),
    get full() {
      return journal.full;
    },
    pings: (id, limit) => {
      const stored = disk.checks.get(id);
      return stored && limit > 0 ? listedPings(disk, stored).slice(-limit).reverse() : [];
    },
    body: (id, n) => disk.checks.get(id)?.bodies.get(n) ?? null,
    changes: (id, range) => changes(disk, id, range),
    folded: () => journal.drained(),
    writeSnapshot: async (file, progress) => {
      await journal.drained();
      return writeMemorySnapshot(disk, file, progress);
    },
    close: async () => journal.close(),
  };
}

interface Entry {
  /** Null for a barrier. */
  readonly record: JournalRecord | null;
  readonly waiter: Waiter | null;
}

class MemoryJournal {
  full = false;
  readonly #options: MemoryStoreOptions;
  readonly #faults: MemoryFaults;
  readonly #owner: number;
  #entries: Entry[] = [];
  #isScheduled = false;
  #isClosed = false;
  #drained: (() => void)[] = [];

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
    this.#faults = options.faults ?? new MemoryFaults();
    this.#owner = ++options.disk.owner;
    this.#faults.listen(() => {
      if (this.full && !this.#faults.isFailing) this.full = false;
      this.#schedule();
    });
  }

  append(record: JournalRecord, waiter: Waiter | null): void {
    this.#entries.push({ record, waiter });
    this.#schedule();
  }

  barrier(waiter: Waiter): void {
    if (this.#entries.length === 0) waiter.durable();
    else this.#entries.push({ record: null, waiter });
  }

  drained(): Promise<void> {
    if (this.#entries.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  close(): void {
    this.#commit();
    this.#isClosed = true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const commit = () => {
      this.#isScheduled = false;
      this.#commit();
    };
    if (this.#options.schedule) this.#options.schedule(commit);
    else queueMicrotask(commit);
  }

  #commit(): void {
    const { disk } = this.#options;
    if (this.#isClosed || disk.owner !== this.#owner || this.#faults.isHeld) return;
    const entries = this.#entries;
    this.#entries = [];
    if (entries.length > 0) {
      if (this.#faults.takeFailure()) this.#takeBack(entries);
      else this.#write(entries);
    }
    if (this.#entries.length > 0) return;
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }

  #write(entries: readonly Entry[]): void {
    const { disk, bodyBudgetBytes = bodyBudgetDefault, nowMs = Date.now } = this.#options;
    const rules = { bodyBudgetBytes, nowMs: nowMs() };
    for (const { record } of entries) {
      if (record) keep(disk, record, rules);
    }
    disk.seq++;
    this.full = false;
    for (const { waiter } of entries) waiter?.durable();
  }

  #takeBack(entries: Entry[]): void {
    this.full = true;
    for (const { waiter } of entries.reverse()) waiter?.rolledBack();
  }
}

function load(disk: MemoryDisk, sink: LoadSink): void {
  if (disk.installation) sink.installation(disk.installation);
  for (const project of disk.projects.values()) sink.project(project);
  for (const key of disk.keys.values()) sink.key(key);
  for (const channel of disk.channels.values()) sink.channel(channel);
  for (const user of disk.users.values()) sink.user(user);
  for (const session of disk.endedSessions) sink.sessionEnded(session);
  if (disk.aliveMs !== null) sink.alive(disk.aliveMs);
  for (const stored of disk.checks.values()) sink.check(stored.check);
  for (const delivery of disk.outbox.values()) sink.delivery(delivery);
  sink.progress(disk.checks.size);
}

function changes(disk: MemoryDisk, id: CheckId, { fromMs, untilMs }: ChangeRange) {
  const stored = disk.checks.get(id)?.changes ?? [];
  const found = stored.filter((change) => change.atMs >= fromMs && change.atMs < untilMs);
  return found.sort((a, b) => a.atMs - b.atMs).reverse();
}
