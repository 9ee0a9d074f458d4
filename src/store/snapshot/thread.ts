/**
 * The main thread's side of snapshots being written. Invariant: `stop` returns only when no thread reads the store any more.
 */
import { Worker } from 'node:worker_threads';
import { KnellError } from '../../lib/errors.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import type { FromSnapshotWorker, SnapshotWorkerData } from '../threads.ts';

export class SnapshotThreads {
  readonly #url: URL;
  readonly #dataDir: string;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(4));
  readonly #running = new Set<Promise<unknown>>();

  constructor(url: URL, dataDir: string) {
    this.#url = url;
    this.#dataDir = dataDir;
  }

  async write(file: string, progress: Progress): Promise<SnapshotSummary> {
    const data: SnapshotWorkerData = { dataDir: this.#dataDir, file, cancelled: this.#cancelled };
    const worker = new Worker(this.#url, { workerData: data, name: 'snapshot' });
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
    Atomics.store(this.#cancelled, 0, 1);
    await Promise.all(this.#running);
  }
}

function outcomeOf(worker: Worker, progress: Progress): Promise<SnapshotSummary> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromSnapshotWorker) => {
      if (message.type === 'progress') progress(message.fraction);
      else if (message.type === 'written') resolve(message.summary);
      else reject(new KnellError(message.code, message.message));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new KnellError('store-broken', 'the snapshot thread ended by itself')));
  });
}
