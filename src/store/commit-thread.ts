/**
 * The main thread's side of the commit thread. Started by the first slow commit, kept until the store closes.
 * Invariant: at most one batch is with the thread.
 */
import { Worker } from 'node:worker_threads';
import { assert, KnellError } from '../lib/errors.ts';
import type { NumberedBatch, SeqRange } from './journal-table.ts';
import type { CommitWorkerData, FromCommitWorker, ToCommitWorker } from './threads.ts';

export class CommitThread {
  readonly #url: URL;
  readonly #data: CommitWorkerData;
  #worker: Worker | null = null;
  #waiting: { resolve(): void; reject(error: unknown): void } | null = null;

  constructor(url: URL, data: CommitWorkerData) {
    this.#url = url;
    this.#data = data;
  }

  commit(batch: NumberedBatch, trim: SeqRange): Promise<void> {
    assert(this.#waiting === null, 'one batch at a time is with the commit thread');
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#send({ type: 'commit', batch, trim });
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#send({ type: 'stop' });
    await exited;
  }

  #send(message: ToCommitWorker): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { workerData: this.#data, name: 'commit' });
    worker.on('message', (message: FromCommitWorker) => {
      this.#settle(message.type === 'written' ? null : commitError(message));
    });
    worker.on('error', (error) => this.#settle(error));
    worker.on('exit', () =>
      this.#settle(new KnellError('store-broken', 'the commit thread ended by itself')),
    );
    return worker;
  }

  #settle(error: Error | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (error) waiting?.reject(error);
    else waiting?.resolve();
  }
}

function commitError({ message, errno }: Extract<FromCommitWorker, { type: 'failed' }>): Error {
  return Object.assign(new Error(message), { errno });
}
