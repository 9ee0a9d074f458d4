/**
 * The main thread's side of snapshots being written and read back. Invariant: `stop` returns only when no thread reads the
 * store any more, and none starts afterwards.
 */
import { Worker } from 'node:worker_threads';
import { KnellError } from '../../lib/errors.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import type { FromSnapshotWorker, SnapshotVerifyData, SnapshotWorkerData } from '../threads.ts';
import { stopping } from './answer.ts';

class Threads {
  readonly #url: URL;
  protected readonly cancelled = new Int32Array(new SharedArrayBuffer(4));
  readonly #running = new Set<Promise<unknown>>();

  constructor(url: URL) {
    this.#url = url;
  }

  protected async run(workerData: SnapshotVerifyData, progress: Progress): Promise<SnapshotSummary> {
    if (this.cancelled[0] === 1) throw stopping();
    const worker = new Worker(this.#url, { workerData, name: 'snapshot' });
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#running.add(exited);
    try {
      return await outcomeOf(worker, progress);
    } finally {
      await exited;
      this.#running.delete(exited);
    }
  }

  async stop(): Promise<void> {
    Atomics.store(this.cancelled, 0, 1);
    await Promise.all(this.#running);
  }
}

/** Threads for snapshots of one data directory. */
export class SnapshotThreads extends Threads {
  readonly #dataDir: string;

  constructor(url: URL, dataDir: string) {
    super(url);
    this.#dataDir = dataDir;
  }

  async write(file: string, progress: Progress): Promise<SnapshotSummary> {
    const data: SnapshotWorkerData = { dataDir: this.#dataDir, file, cancelled: this.cancelled };
    return this.run(data, progress);
  }
}

export class VerifyThreads extends Threads {
  /** Rejects with a KnellError that says what is wrong with the file. */
  async verify(file: string): Promise<SnapshotSummary> {
    return this.run({ file, cancelled: this.cancelled }, () => {});
  }
}

function outcomeOf(worker: Worker, progress: Progress): Promise<SnapshotSummary> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromSnapshotWorker) => {
      if (message.type === 'progress') progress(message.fraction);
      else if (message.type === 'done') resolve(message.summary);
      else reject(new KnellError(message.code, message.message));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new KnellError('store-broken', 'the snapshot thread ended by itself')));
  });
}
