/**
 * The thread that takes LMDB's commits while the disk is slow, so that a commit of 50 ms holds no event loop. Started with the
 * first commit that needs it. Invariants: one commit at a time; its outcome is that of a commit in this thread; where no thread can be
 * started, nothing was committed.
 */
import { Worker } from 'node:worker_threads';
import { KnellError, systemCode } from '../../lib/errors.ts';
import type { AppendOutcome } from './batch-log.ts';
import type { LmdbAppend } from './lmdb-batches.ts';

export interface SlowCommitsData {
  readonly dataDir: string;
}

export type FromSlowCommits =
  | { readonly type: 'outcome'; readonly outcome: 'written' | 'disk-full' }
  | { readonly type: 'broken'; readonly message: string };

/** The files of the thread are gone: another version is being installed. */
type NoThread = { readonly type: 'no thread' };

export interface SlowCommits {
  /** `no thread`: it was not committed, and is to be by the caller. Rejects with `store-broken`. */
  commit(append: LmdbAppend): Promise<AppendOutcome | 'no thread'>;
  stop(): Promise<void>;
}

export class SlowCommitThread implements SlowCommits {
  readonly #url: URL;
  readonly #data: SlowCommitsData;
  #worker: Worker | null = null;
  #resolve: ((message: FromSlowCommits | NoThread) => void) | null = null;

  constructor(url: URL, data: SlowCommitsData) {
    this.#url = url;
    this.#data = data;
  }

  commit(append: LmdbAppend): Promise<AppendOutcome | 'no thread'> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#resolve = (message) => {
        this.#resolve = null;
        if (message.type === 'outcome') resolve(message.outcome);
        else if (message.type === 'no thread') resolve('no thread');
        else reject(new KnellError('store-broken', `a commit failed: ${message.message}`));
      };
      worker.postMessage(append);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('stop');
    await exited;
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { workerData: this.#data, name: 'commit' });
    const broken = (message: string) => this.#resolve?.({ type: 'broken', message });
    worker.on('message', (message: FromSlowCommits) => this.#resolve?.(message));
    worker.on('error', (error) => {
      // Modules are loaded before the first line runs. The next commit tries again.
      if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(systemCode(error))) return broken(String(error));
      this.#worker = null;
      this.#resolve?.({ type: 'no thread' });
    });
    worker.on('exit', () => {
      if (this.#worker === worker) broken('the commit thread ended by itself');
    });
    return worker;
  }
}
