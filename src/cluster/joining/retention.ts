/**
 * Decides as the leader how many entries the log keeps: what the slowest node needs, and not the heartbeats of an idle cluster
 * for a week.
 * Not here: the bounds by time and size, which the log has from its creation on (`store/replicated/jetstream-log`).
 * Invariants: by number, never by age: after a power cut nodes read from the log what their unsynced copies lack, however long the
 * machines were off. What is kept grows before a node that is away needs it: it is twice as much, and looked at often.
 */
import { messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Scheduler } from '../../store/disk/scheduler.ts';
import type { Holder } from '../status/held.ts';

export interface RetentionLimits {
  readonly everyMs: number;
  /** Entries that are kept at least: a day of heartbeats of an idle cluster, and some minutes of a busy one. */
  readonly keptMin: number;
  /** A node that was away for longer gets a snapshot. */
  readonly awayMsMax: number;
}

interface RetentionOptions {
  readonly limits: RetentionLimits;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  nowMs(): number;
  isLeader(): boolean;
  /** The last entry of the log. */
  lastSeq(): number;
  holders(): readonly Holder[];
  /** Null: all, within the other bounds. */
  keepEntries(count: number | null): Promise<void>;
}

/** Null for all of them: of a node that runs it is not known what it has. */
export function entriesToKeep(
  { keptMin, awayMsMax }: RetentionLimits,
  lastSeq: number,
  holders: readonly Holder[],
  nowMs: number,
): number | null {
  const wanted = holders.filter(({ isAlive, saidAtMs }) => isAlive || nowMs - saidAtMs <= awayMsMax);
  if (wanted.some(({ held, isAlive }) => isAlive && held === null)) return null;
  const lacks = wanted.map(({ held }) => lastSeq - (held?.lastSeq ?? lastSeq));
  const needed = 2 * Math.max(0, ...lacks);
  // Doubled in steps, so that it is seldom changed.
  let kept = keptMin;
  while (kept < needed) kept *= 2;
  return kept;
}

export class Retention {
  readonly #options: RetentionOptions;
  #kept: number | null | undefined;
  #cancel: () => void = () => {};

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#later();
  }

  stop(): void {
    this.#cancel();
  }

  #later(): void {
    const { scheduler, limits } = this.#options;
    this.#cancel = scheduler.after(limits.everyMs, () => {
      void this.#look().finally(() => this.#later());
    });
  }

  async #look(): Promise<void> {
    const { limits, logger, nowMs, isLeader, lastSeq, holders, keepEntries } = this.#options;
    if (!isLeader()) {
      this.#kept = undefined;
      return;
    }
    const count = entriesToKeep(limits, lastSeq(), holders(), nowMs());
    if (count === this.#kept) return;
    try {
      await keepEntries(count);
      this.#kept = count;
      logger.info({ entries: count }, 'the log keeps so many entries');
    } catch (error) {
      logger.info(`the log keeps as many entries as before: ${messageOf(error)}`);
    }
  }
}
