/**
 * The main thread's side of the fold: when to fold, who waits for it, what a failure means.
 * Invariant: a fold begins at the latest `foldDelayMs` after a batch became durable.
 */
import { Worker } from 'node:worker_threads';
import { KnellError } from '../../lib/errors.ts';
import type { StoreLimits } from '../limits.ts';
import type { FoldWorkerData, FromFoldWorker, ToFoldWorker } from '../threads.ts';

export interface FoldThreadOptions {
  readonly url: URL;
  readonly data: FoldWorkerData;
  readonly limits: StoreLimits;
  readonly foldedSeq: number;
  nowMs(): number;
  onFolded(seq: number): void;
  onFull(): void;
  onBroken(error: unknown): void;
}

interface Goal {
  readonly seq: number;
  resolve(): void;
  reject(error: unknown): void;
}

export class FoldThread {
  foldedSeq: number;
  /** True while the last fold failed for want of space. */
  isFull = false;
  readonly #options: FoldThreadOptions;
  /** Started when there is something to fold. */
  #worker: { readonly worker: Worker; readonly exited: Promise<void> } | null = null;
  #goals: Goal[] = [];
  #durableSeq: number;
  #bytesWaiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #isStopping = false;
  #isHurried = false;

  constructor(options: FoldThreadOptions) {
    this.#options = options;
    this.foldedSeq = options.foldedSeq;
    this.#durableSeq = options.foldedSeq;
  }

  /** A batch of so many bytes is durable. */
  durable(seq: number, bytes: number): void {
    this.#durableSeq = seq;
    this.#bytesWaiting += bytes;
    if (this.#bytesWaiting >= this.#options.limits.foldBytesMin) this.#nudge();
    else this.#timer ??= setTimeout(() => this.#nudge(), this.#options.limits.foldDelayMs);
  }

  /** Whether it is to go on without pauses: commits wait for it. */
  hurry(hurry: boolean): void {
    if (this.#isHurried === hurry) return;
    this.#isHurried = hurry;
    this.#send({ type: 'pace', hurry });
  }

  /** Resolves when the history holds everything up to `seq`. */
  until(seq: number): Promise<void> {
    if (this.foldedSeq >= seq) return Promise.resolve();
    // What an earlier process left in the journal was never announced as durable in this one.
    this.#durableSeq = Math.max(this.#durableSeq, seq);
    return new Promise((resolve, reject) => {
      this.#goals.push({ seq, resolve, reject });
      this.#nudge();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#worker) {
      this.#send({ type: 'stop' });
      await this.#worker.exited;
    }
    this.#rejectGoals(new KnellError('store-broken', 'the store was closed before it was folded'));
  }

  #nudge(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#bytesWaiting = 0;
    this.#send({ type: 'fold', seq: this.#durableSeq, nowMs: this.#options.nowMs() });
  }

  #send(message: ToFoldWorker): void {
    this.#worker ??= this.#start();
    this.#worker.worker.postMessage(message);
  }

  #start(): { readonly worker: Worker; readonly exited: Promise<void> } {
    const { url, data } = this.#options;
    const worker = new Worker(url, { workerData: data, name: 'fold' });
    worker.on('message', (message: FromFoldWorker) => this.#hear(message));
    worker.on('error', (error) => this.#break(error));
    const exited = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        if (!this.#isStopping) this.#break(new KnellError('store-broken', 'the fold thread ended by itself'));
        resolve();
      });
    });
    return { worker, exited };
  }

  #hear(message: FromFoldWorker): void {
    switch (message.type) {
      case 'folded':
        this.isFull = false;
        this.foldedSeq = message.seq;
        this.#options.onFolded(message.seq);
        this.#tellGoals();
        return;
      case 'full':
        this.isFull = true;
        this.#options.onFull();
        return;
      case 'broken':
        this.#break(new KnellError('store-broken', `folding failed: ${message.message}`));
        return;
    }
  }

  #tellGoals(): void {
    const reached = this.#goals.filter((goal) => goal.seq <= this.foldedSeq);
    this.#goals = this.#goals.filter((goal) => goal.seq > this.foldedSeq);
    for (const goal of reached) goal.resolve();
  }

  #break(error: unknown): void {
    this.#rejectGoals(error);
    if (!this.#isStopping) this.#options.onBroken(error);
  }

  #rejectGoals(error: unknown): void {
    const goals = this.#goals;
    this.#goals = [];
    for (const goal of goals) goal.reject(error);
  }
}
