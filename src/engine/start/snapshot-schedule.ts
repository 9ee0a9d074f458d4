/**
 * Snapshots that Knell writes by itself: when one is due, that it is read back, which older ones go. Not how one is written
 * (`store/snapshot/file`) or where it lies (`store/snapshot/directory`).
 *
 * When the next is due follows from the files alone, so that restarts do not change it. Invariant: an older snapshot is
 * deleted only after a newer one was read back whole.
 */
import { rename, rm } from 'node:fs/promises';
import type { Clock } from '../../lib/clock.ts';
import { KnellError, messageOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { SnapshotPlan } from '../../lib/read-setting.ts';
import { syncDir } from '../../store/disk/data-dir.ts';
import {
  assertSpace,
  listSnapshots,
  newSnapshotFile,
  openSnapshotsDir,
  pruneSnapshots,
  removeLeftovers,
  type SnapshotFile,
  snapshotsDir,
  unverified,
} from '../../store/snapshot/directory.ts';
import type { SnapshotSummary } from '../../store/store.ts';

export interface SnapshotLimits {
  readonly settleMs: number;
  readonly sleepMsMax: number;
  readonly retryMs: number;
  readonly retryMsMax: number;
  readonly freeBytesMin: number;
}

export interface SnapshotScheduleOptions {
  readonly dataDir: string;
  readonly plan: SnapshotPlan;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: SnapshotLimits;
  write(file: string): Promise<SnapshotSummary>;
  /** Reads it back, in a thread. */
  verify(file: string): Promise<SnapshotSummary>;
}

interface SnapshotFailure {
  readonly atMs: number;
  /** The error, and what to do about it. */
  readonly message: string;
  readonly nextMs: number;
}

export class SnapshotSchedule {
  readonly #options: SnapshotScheduleOptions;
  #failures = 0;
  #failure: SnapshotFailure | null = null;
  #cancel: () => void = () => {};
  #turn: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SnapshotScheduleOptions) {
    this.#options = options;
  }

  /**
   * Before the first command is taken: see `removeLeftovers`. Where Knell ended while it wrote one, writing it may have been
   * the cause (a damaged page ends the process from within LMDB): the next attempt waits, so that this is not all that
   * Knell does from then on.
   */
  start(): void {
    const { clock, limits, plan, logger } = this.#options;
    let waitMs = Math.min(limits.settleMs, plan.everyMs);
    if (this.#removeLeftovers()) {
      waitMs = Math.min(limits.retryMsMax, plan.everyMs);
      const message = 'Knell ended while the last one was written: if nobody stopped it, see why in its log';
      this.#failure = { atMs: clock.nowMs(), message, nextMs: clock.nowMs() + waitMs };
      logger.error(`snapshots: ${message}. ${nextAttempt(waitMs)}`);
    }
    this.#sleep(waitMs);
  }

  #removeLeftovers(): boolean {
    const { dataDir, logger } = this.#options;
    const dir = snapshotsDir(dataDir);
    try {
      return removeLeftovers(dir);
    } catch (error) {
      logger.warn(`what was left half written in ${dir} stays: ${messageOf(error)}`);
      return false;
    }
  }

  /** Why the last attempt failed; null once one has succeeded. */
  get failure(): SnapshotFailure | null {
    return this.#failure;
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    return this.#turn;
  }

  /** None is begun any more. One in flight ends with the threads that write and read it. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #sleep(ms: number): void {
    if (this.#stopped) return;
    this.#cancel = this.#options.clock.after(Math.min(ms, this.#options.limits.sleepMsMax), () => {
      this.#turn = this.#attempt();
    });
  }

  async #attempt(): Promise<void> {
    const { clock } = this.#options;
    let nextMs: number;
    try {
      nextMs = await this.#writeIfDue(clock.nowMs());
    } catch (error) {
      nextMs = this.#failed(error, clock.nowMs());
    }
    this.#sleep(nextMs);
  }

  /** Resolves to how long the next is to wait. */
  async #writeIfDue(nowMs: number): Promise<number> {
    const { dataDir, plan, clock } = this.#options;
    const files = await listSnapshots(snapshotsDir(dataDir), nowMs);
    const latest = latestBy(files, nowMs + plan.everyMs);
    const dueMs = latest ? latest.atMs + plan.everyMs : nowMs;
    if (nowMs < dueMs) return dueMs - nowMs;
    await this.#write(nowMs, latest);
    this.#failures = 0;
    this.#failure = null;
    const tookMs = clock.nowMs() - nowMs;
    // Half of the time at most: one that takes longer than the interval must not be followed by the next at once.
    return Math.max(plan.everyMs - tookMs, tookMs, 0);
  }

  async #write(nowMs: number, latest: SnapshotFile | undefined): Promise<void> {
    const { dataDir, plan, logger, limits, write, verify } = this.#options;
    const dir = openSnapshotsDir(dataDir);
    await assertSpace(dataDir, latest, limits.freeBytesMin);
    const file = newSnapshotFile(dir, 'knell', nowMs);
    try {
      await write(unverified(file));
      const { bytes, checks, pings } = await verify(unverified(file));
      await rename(unverified(file), file);
      syncDir(dir);
      logger.info({ file, bytes, checks, pings }, 'snapshot written');
    } catch (error) {
      // A file that cannot be removed now is removed at the next start.
      await rm(unverified(file), { force: true }).catch(() => {});
      throw error;
    }
    await pruneSnapshots(await listSnapshots(dir, nowMs), plan.kept, file);
  }

  /** Milliseconds until the next attempt. */
  #failed(error: unknown, nowMs: number): number {
    const { logger, limits, dataDir } = this.#options;
    const waitMs = Math.min(limits.retryMs * 2 ** this.#failures, limits.retryMsMax);
    if (this.#stopped) return waitMs;
    this.#failures++;
    const advice = adviceOn(error, snapshotsDir(dataDir));
    const message = `${messageOf(error)}${advice === '' ? '' : `: ${advice}`}`;
    this.#failure = { atMs: nowMs, message, nextMs: nowMs + waitMs };
    logger.error(`snapshots: ${message}. ${nextAttempt(waitMs)}`);
    return waitMs;
  }
}

/** The newest of its own that is not dated later than `untilMs`: such a date comes from a clock that was wrong. */
function latestBy(files: readonly SnapshotFile[], untilMs: number): SnapshotFile | undefined {
  return files.find(({ isAutomatic, atMs }) => isAutomatic && atMs <= untilMs);
}

function nextAttempt(waitMs: number): string {
  return `Next attempt in ${Math.round(waitMs / 1000)} s`;
}

function adviceOn(error: unknown, dir: string): string {
  switch (error instanceof KnellError ? error.code : '') {
    case 'store-full':
      return 'free some space there, or keep fewer with KNELL_SNAPSHOTS';
    case 'snapshot-unwritable':
    case 'data-dir-unreadable':
      return `see that ${dir} is a directory that Knell may write to`;
    case 'snapshot-damaged':
      return 'it was written, but could not be read back: check the disk and the memory of this machine';
    default:
      return '';
  }
}
