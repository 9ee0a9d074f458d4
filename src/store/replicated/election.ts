/**
 * A node that does not lead: follows it, and claims it when its leader has been silent for too long. `replicated-journal`
 * uses the entries; `replicated-log` says how the log carries a claim.
 *
 * Invariants: a node claims only what it has read to the end, as the log's leader knows it. Silence counts only while the
 * log can be reached: a node that is cut off from it claims nothing, and a leader that was cut off too gets time to write. Once `lost`, it claims nothing until it follows again.
 */
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../disk/scheduler.ts';
import type { Leadership, LogEntry, ReplicatedLog } from './replicated-log.ts';
import { type Question, Silence, type SilenceLimits } from './silence.ts';

export interface ElectionLimits extends SilenceLimits {
  /** A leader writes this often at least, so that the others know that it lives. */
  readonly heartbeatMs: number;
  /** Milliseconds between two looks at a silent log. */
  readonly lookEveryMs: number;
  /** After following ended: until it is tried again. */
  readonly followAgainMs: number;
}

export interface ElectionOptions {
  readonly log: ReplicatedLog;
  readonly scheduler: Scheduler;
  readonly limits: ElectionLimits;
  readonly logger: Logger;
  /** 0 to 1. */
  chance(): number;
  /** Called with every entry, in order. What it throws ends following, as `lost` does. */
  apply(entry: LogEntry): void;
  /** False while `apply` should not be called: following begins again later. */
  hasCapacity(): boolean;
  /** Called when another leader, or none, is known. */
  leaderIs(leader: Leadership | null): void;
  /** Called with why this node follows no more, and null when it does again. */
  troubleIs(trouble: string | null): void;
  /** Called once, when this node leads and has read all of it. */
  led(leadership: Leadership): void;
  /** Called once, when the log has discarded what comes next: following has ended for good. */
  behind(error: KnellError): void;
}

export class Election {
  readonly #options: ElectionOptions;
  readonly #silence: Silence;
  #lastSeq: number;
  /** Epoch of the leader that was reported; 0 for none. */
  #leaderEpoch = 0;
  #following: { stop(): void } | null = null;
  #isClaiming = false;
  #abstains = false;
  #isLed = false;
  #trouble: string | null = null;
  /** The log of this process has its trouble, and not yet that it is over. */
  #saidTrouble = false;
  #cancel: (() => void) | null = null;
  #claiming: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: ElectionOptions, lastSeq: number) {
    this.#options = options;
    this.#lastSeq = lastSeq;
    this.#silence = new Silence(options);
  }

  start(): void {
    this.#follow();
    this.#look();
  }

  /** From now on this node follows, and claims nothing. */
  abstain(): void {
    this.#abstains = true;
  }

  /** Resolves when a claim that is in flight is decided; one that succeeds all the same is released at once. */
  async stop(): Promise<void> {
    this.#end();
    // `#ask` has handled its rejection.
    await this.#claiming.catch(() => {});
  }

  #end(): void {
    this.#isOver = true;
    this.#following?.stop();
    this.#following = null;
    this.#cancel?.();
  }

  #follow(): void {
    const { log } = this.#options;
    if (this.#isOver) return;
    this.#following?.stop();
    const following = log.follow(this.#lastSeq + 1, {
      entry: (entry, storedAtMs) => {
        if (!this.#isOver && this.#following === following) this.#take(entry, storedAtMs);
      },
      lost: (error) => {
        if (!this.#isOver && this.#following === following) this.#lost(error);
      },
    });
    this.#following = following;
  }

  #take(entry: LogEntry, storedAtMs: number): void {
    const { apply, hasCapacity } = this.#options;
    if (!this.#isLed && !hasCapacity()) {
      this.#pause('this node is behind with folding');
      return;
    }
    try {
      apply(entry);
    } catch (error) {
      this.#lost(error);
      return;
    }
    this.#lastSeq = entry.seq;
    if (this.#trouble !== null) this.#setTrouble(null);
    if (this.#saidTrouble) this.#options.logger.info('this node follows the log again');
    this.#saidTrouble = false;
    if (entry.kind === 'release') {
      this.#silence.released();
      this.#leaderEpoch = 0;
      this.#options.leaderIs(null);
      this.#look();
      return;
    }
    if (entry.kind === 'batch') this.#silence.batchRead(storedAtMs);
    else this.#silence.claimed();
    if (!this.#isLed) this.#noteLeader(entry);
  }

  /** Any batch says who leads: a node that was away has read the claim before it began. */
  #noteLeader({ kind, node, epoch }: LogEntry): void {
    if (kind === 'empty' || epoch === this.#leaderEpoch) return;
    this.#leaderEpoch = epoch;
    this.#options.leaderIs({ node, epoch });
  }

  #lost(error: unknown): void {
    if (error instanceof KnellError && error.code === 'cluster-log-behind') {
      this.#end();
      this.#options.behind(error);
      return;
    }
    const message = messageOf(error);
    this.#saidTrouble = true;
    if (message !== this.#trouble)
      this.#options.logger.error(`this node does not follow the log: ${message}`);
    this.#pause(message);
  }

  #pause(trouble: string): void {
    const { scheduler, limits } = this.#options;
    this.#following?.stop();
    this.#following = null;
    this.#setTrouble(trouble);
    scheduler.after(limits.followAgainMs, () => {
      if (this.#following === null) this.#follow();
    });
  }

  #setTrouble(trouble: string | null): void {
    this.#trouble = trouble;
    this.#options.troubleIs(trouble);
  }

  #look(): void {
    const { scheduler, limits } = this.#options;
    if (this.#isOver) return;
    this.#cancel?.();
    this.#cancel = scheduler.after(limits.lookEveryMs, () => this.#look());
    if (this.#isClaiming || this.#abstains || this.#trouble !== null) return;
    const question = this.#silence.question();
    if (question) void this.#ask(question);
  }

  /** The leader is silent: claims, unless the log goes on beyond what was read, or could not be reached before. */
  async #ask(question: Question): Promise<void> {
    const { log } = this.#options;
    const silence = this.#silence;
    const lastSeq = this.#lastSeq;
    try {
      const bounds = await log.bounds();
      if (this.#isOver || this.#following === null || this.#isClaiming || !silence.isOpen(question)) return;
      if (this.#abstains) return;
      // A leader that has just been elected does not know yet of its last entries. Should they be lost, following ends.
      if (bounds.lastSeq < lastSeq) {
        silence.unanswered(question);
        return;
      }
      const isBehind = bounds.lastSeq > this.#lastSeq;
      if (isBehind || !silence.isCertain(question)) {
        silence.postpone();
        // Something was written and not received: it is fetched.
        if (isBehind) this.#follow();
        return;
      }
      this.#claiming = this.#claim(lastSeq);
      await this.#claiming;
    } catch {
      silence.unanswered(question);
    }
  }

  async #claim(lastSeq: number): Promise<void> {
    const { log, led } = this.#options;
    this.#isClaiming = true;
    const outcome = await log.claim(lastSeq).finally(() => {
      this.#isClaiming = false;
    });
    if (this.#isOver || this.#abstains) {
      // Nobody would write under it: the others would wait for its silence.
      if (outcome === 'leads') await log.release();
      return;
    }
    if (outcome !== 'leads') {
      // If an entry has come meanwhile, its writer is to be waited for.
      if (lastSeq === this.#lastSeq) this.#silence.postpone();
      return;
    }
    const epoch = lastSeq + 1;
    if (this.#takeOwn(epoch)) {
      this.#end();
      led({ node: log.node, epoch });
      return;
    }
    this.#isLed = false;
    await log.release();
  }

  /** The claim and what is behind it are known, and not waited for. False when they could not be applied. */
  #takeOwn(epoch: number): boolean {
    const { log } = this.#options;
    this.#isLed = true;
    while (this.#lastSeq + 1 < log.nextSeq) {
      const seq = this.#lastSeq + 1;
      const kind = seq === epoch ? 'claim' : 'empty';
      this.#take({ seq, kind, epoch, node: log.node, bytes: Buffer.alloc(0) }, Number.NaN);
      if (this.#lastSeq < seq) return false;
    }
    return true;
  }
}
