/**
 * Measures how long the leader has been silent, as one node sees it, and when the log's leader is to be asked whether that is so.
 * `election` asks, and decides what follows from the answer.
 *
 * Invariants: silence counts only while the log can be reached. A log that is reached again may have entries that its former
 * leader had taken before it was lost, of a leader that may be gone since: the silence counts from when they were taken. A leader
 * that lives has the patience in any case.
 */
import type { Scheduler } from '../disk/scheduler.ts';

export interface SilenceLimits {
  /** So long a leader may be silent before another node claims. */
  readonly silenceMs: number;
  /** At random up to so much longer, so that two rarely claim at once. */
  readonly jitterMs: number;
  /** When the log could not be reached, or has entries that are not read yet: how long until it is asked again. */
  readonly patienceMs: number;
  /** While there is no answer: how often the leader is asked. A question to one that died is never answered. */
  readonly askEveryMs: number;
}

interface SilenceOptions {
  readonly scheduler: Scheduler;
  readonly limits: SilenceLimits;
  /** 0 to 1. */
  chance(): number;
}

export interface Question {
  /** Counted whenever the silence begins anew. */
  readonly silence: number;
  readonly isFirst: boolean;
}

export class Silence {
  readonly #options: SilenceOptions;
  #silence = 0;
  #beganAtMs = 0;
  #patienceMs = 0;
  #askedAtMs: number | null = null;
  /** A question was not answered, or not before the next one was asked. */
  #isCutOff = false;
  /** The latest sign of a log that could not be reached before. */
  #reachedAtMs = Number.NEGATIVE_INFINITY;
  /** Offset from the leader's clock to that of this node, including the way here: of the latest entry that came at once. */
  #offsetMs = Number.NaN;

  constructor(options: SilenceOptions) {
    this.#options = options;
    this.#begin(this.#drawPatience());
  }

  /** A batch was read: its writer lives, or lived when the log took it. */
  batchRead(storedAtMs: number): void {
    this.#noteReached();
    const nowMs = this.#nowMs();
    const { patienceMs } = this.#options.limits;
    const offsetMs = nowMs - storedAtMs;
    const isLate = nowMs - this.#reachedAtMs <= patienceMs;
    // Another leader has another clock, so that outside of this moment an age would say nothing.
    const ageMs = isLate ? Math.max(0, offsetMs - this.#offsetMs) || 0 : 0;
    if (!isLate) this.#offsetMs = offsetMs;
    this.#begin(Math.max(patienceMs, this.#drawPatience() - ageMs));
  }

  /** A claim was read, or what is behind one: the new leader has recovered before it writes a batch. */
  claimed(): void {
    this.#reachedAtMs = Number.NEGATIVE_INFINITY;
    this.#begin(this.#drawPatience());
  }

  /** There is nobody to wait for. */
  released(): void {
    this.#begin(0);
  }

  /** Not now, but soon. */
  postpone(): void {
    this.#noteReached();
    this.#begin(this.#options.limits.patienceMs);
  }

  /** The question that the leader is to be asked now; null when it is not time. */
  question(): Question | null {
    const nowMs = this.#nowMs();
    if (nowMs - this.#beganAtMs < this.#patienceMs) return null;
    if (this.#askedAtMs !== null && nowMs - this.#askedAtMs < this.#options.limits.askEveryMs) return null;
    const isFirst = this.#askedAtMs === null;
    this.#isCutOff ||= !isFirst;
    this.#askedAtMs = nowMs;
    return { silence: this.#silence, isFirst };
  }

  /** Whether the question is about the present silence. */
  isOpen({ silence }: Question): boolean {
    return silence === this.#silence;
  }

  /** An open question was answered: whether a leader has had the time to write. */
  isCertain({ isFirst }: Question): boolean {
    // A first question that is answered late was answered all the same.
    return isFirst || !this.#isCutOff;
  }

  unanswered(question: Question): void {
    if (this.isOpen(question)) this.#isCutOff = true;
  }

  #noteReached(): void {
    if (this.#isCutOff) this.#reachedAtMs = this.#nowMs();
  }

  #begin(patienceMs: number): void {
    this.#silence++;
    this.#beganAtMs = this.#nowMs();
    this.#patienceMs = patienceMs;
    this.#askedAtMs = null;
    this.#isCutOff = false;
  }

  #drawPatience(): number {
    const { limits, chance } = this.#options;
    return limits.silenceMs + limits.jitterMs * chance();
  }

  #nowMs(): number {
    return this.#options.scheduler.elapsedMs();
  }
}
