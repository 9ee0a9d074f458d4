/**
 * The uptime of 30 days of every check of a list, for readers who sort by it. It is read only then, since each check costs a
 * look into the history, and kept for a while, since it changes slowly.
 * Invariant: no turn of the event loop reads for over a few milliseconds.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type TimeRange, uptimeRange, watchedSince } from '../../../domain/runs/time-ranges.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { hour } from '../../../lib/units.ts';
import { sinceLookedAtMax, uptimesAgeMsMax, uptimesAgeMsPerCheck, uptimesPerTurn } from '../../limits.ts';

type Reads = Pick<EngineRead, 'check' | 'countAhead' | 'uptimes' | 'durably'>;

export class Uptimes {
  readonly #read: Reads;
  #shares: ReadonlyMap<CheckId, number> = new Map();
  /** Uptime of all checks together, 0 to 1; null if nothing was watched. */
  #whole: number | null = null;
  #sinceMs: number | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** Checks that were looked at. */
  #count = 0;
  #reading: Promise<void> | null = null;

  constructor(read: Reads) {
    this.#read = read;
  }

  /** Returns 0 to 1; null for a check that was never watched. */
  of(id: CheckId): number | null {
    return this.#shares.get(id) ?? null;
  }

  /** Each check counts in proportion to the time for which it was watched. */
  get whole(): number | null {
    return this.#whole;
  }

  /**
   * Since when the first of the checks has been watched; null if that is since the beginning of the 30 days, or no check was watched.
   * Of more checks than are looked at, and only if those were paused, it is somewhat late.
   */
  get sinceMs(): number | null {
    return this.#sinceMs;
  }

  /** Reads the uptimes of `ids`, unless that was done recently. Any number of callers may wait for the same reading. */
  async refresh(ids: Iterable<CheckId>, nowMs: number): Promise<void> {
    if (nowMs - this.#readAtMs < Math.min(uptimesAgeMsMax, this.#count * uptimesAgeMsPerCheck)) return;
    this.#reading ??= this.#readAll([...ids], nowMs).finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #readAll(ids: readonly CheckId[], nowMs: number): Promise<void> {
    const shares = new Map<CheckId, number>();
    const sum = { downMs: 0, watchedMs: 0 };
    const watched: Watched[] = [];
    const range = uptimeRange('30d', nowMs);
    const ranges = [range];
    for (let from = 0; from < ids.length; from += uptimesPerTurn) {
      const part = ids.slice(from, from + uptimesPerTurn);
      for (const id of part) await this.#read.countAhead(id, nowMs);
      const uptimes = await this.#read.durably(() =>
        part.map((id) => this.#read.uptimes(id, ranges, nowMs)[0]),
      );
      for (const [at, id] of part.entries()) {
        const uptime = uptimes[at];
        if (!uptime || uptime.watchedMs === 0) continue;
        shares.set(id, 1 - uptime.downMs / uptime.watchedMs);
        sum.downMs += uptime.downMs;
        sum.watchedMs += uptime.watchedMs;
        noteLongest(watched, { id, watchedMs: uptime.watchedMs });
      }
      await nextTurn();
    }
    this.#sinceMs = await this.#firstSince(watched, range, nowMs);
    this.#shares = shares;
    this.#whole = sum.watchedMs === 0 ? null : 1 - sum.downMs / sum.watchedMs;
    this.#readAtMs = nowMs;
    this.#count = ids.length;
  }

  /** Most projects have a check that was watched for all of the time, which ends the search before it begins. */
  async #firstSince(watched: readonly Watched[], range: TimeRange, nowMs: number): Promise<number | null> {
    const read = this.#read;
    let firstMs: number | null = null;
    for (const { id, watchedMs } of watched) {
      if (watchedMs >= nowMs - range.fromMs - hour) return null;
      const createdAtMs = read.check(id, nowMs)?.createdAtMs ?? range.fromMs;
      const asked = { range, createdAtMs, nowMs };
      const sinceMs = await read.durably(() => watchedSince((days) => read.uptimes(id, days, nowMs), asked));
      if (sinceMs === null) return null;
      firstMs = Math.min(firstMs ?? sinceMs, sinceMs);
      await nextTurn();
    }
    return firstMs;
  }
}

interface Watched {
  readonly id: CheckId;
  readonly watchedMs: number;
}

/** Keeps the checks that were watched for the longest time, in that order. */
function noteLongest(kept: Watched[], one: Watched): void {
  const last = kept[sinceLookedAtMax - 1];
  if (last && last.watchedMs >= one.watchedMs) return;
  const at = kept.findIndex(({ watchedMs }) => watchedMs < one.watchedMs);
  kept.splice(at < 0 ? kept.length : at, 0, one);
  kept.length = Math.min(kept.length, sinceLookedAtMax);
}
