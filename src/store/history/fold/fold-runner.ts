/**
 * The store's side of the fold: when to fold, what waits for it, what a failure means. The fold itself runs behind a port, in a
 * thread (`fold-thread`) or inline. Invariant: a fold begins at the latest `foldDelayMs` after a batch became durable.
 */
import { KnellError } from '../../../lib/errors.ts';
import type { StoreLimits } from '../../disk/limits.ts';
import type { Scheduler } from '../../disk/scheduler.ts';
import type { FromFold, ToFold } from '../../threads.ts';

/** The thread or function in which the fold runs. */
interface FoldPort {
  send(message: ToFold): void;
  /** Resolves when the fold has ended and released what it opened. */
  stop(): Promise<void>;
}

/** Starts the fold; `receive` is called with what it reports, `ended` when it ends without having been stopped. */
export type StartFold = (receive: (message: FromFold) => void, ended: (error: unknown) => void) => FoldPort;

interface FoldRunnerOptions {
  readonly start: StartFold;
  readonly scheduler: Scheduler;
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

export class FoldRunner {
  foldedSeq: number;
  /** True while the last fold failed on a full disk. */
  isFull = false;
  readonly #options: FoldRunnerOptions;
  /** Started when there is something to fold. */
  #port: FoldPort | null = null;
  #goals: Goal[] = [];
  #durableSeq: number;
  #bytesWaiting = 0;
  #cancel: (() => void) | null = null;
  #isStopping = false;
  #isExpedited = false;
  #asked = 0;
  #askedSeq = 0;

  constructor(options: FoldRunnerOptions) {
    this.#options = options;
    this.foldedSeq = options.foldedSeq;
    this.#durableSeq = options.foldedSeq;
  }

  /** Another number after each fold; null during one, whose slices drop what retention no longer keeps. */
  get version(): number | null {
    return this.foldedSeq >= this.#askedSeq ? this.#asked : null;
  }

  /** A batch of so many bytes is durable. */
  durable(seq: number, bytes: number): void {
    this.#durableSeq = seq;
    this.#bytesWaiting += bytes;
    const { limits, scheduler } = this.#options;
    if (this.#bytesWaiting >= limits.foldBytesMin) this.#fold();
    else this.#cancel ??= scheduler.after(limits.foldDelayMs, () => this.#fold());
  }

  /** Makes the fold go on without pauses, while commits wait for it. */
  expedite(isExpedited: boolean): void {
    if (this.#isExpedited === isExpedited) return;
    this.#isExpedited = isExpedited;
    this.#send({ type: 'expedite', isExpedited });
  }

  /** Resolves when the history holds everything up to `seq`. */
  until(seq: number): Promise<void> {
    if (this.foldedSeq >= seq) return Promise.resolve();
    if (this.#isStopping) return Promise.reject(closedEarly());
    // Batches that an earlier process left in the journal may not have been announced as durable in this one.
    this.#durableSeq = Math.max(this.#durableSeq, seq);
    return new Promise((resolve, reject) => {
      this.#goals.push({ seq, resolve, reject });
      this.#fold();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancel?.();
    await this.#port?.stop();
    this.#rejectGoals(closedEarly());
  }

  #fold(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#bytesWaiting = 0;
    this.#asked++;
    this.#askedSeq = this.#durableSeq;
    this.#send({ type: 'fold', seq: this.#durableSeq, nowMs: this.#options.nowMs() });
  }

  #send(message: ToFold): void {
    if (this.#isStopping) return;
    this.#port ??= this.#options.start(
      (report) => this.#receive(report),
      (error) => this.#break(error),
    );
    this.#port.send(message);
  }

  #receive(message: FromFold): void {
    switch (message.type) {
      case 'folded':
        this.isFull = false;
        this.foldedSeq = message.seq;
        this.#options.onFolded(message.seq);
        this.#resolveGoals();
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

  #resolveGoals(): void {
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

function closedEarly(): KnellError {
  return new KnellError('store-broken', 'the store was closed before it was folded');
}
