/**
 * One number of the last run of every check of a list, for readers who sort by it. Read and kept as uptimes are (`uptimes`).
 * Invariant: no turn of the event loop reads for over a few milliseconds; the values of a few names are kept at most.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { resultNamesKeptMax, resultRunsReadMax, uptimesAgeMsMax, uptimesPerTurn } from '../../limits.ts';

type Reads = Pick<EngineRead, 'latestRuns' | 'durably'>;

interface Kept {
  readonly atMs: number;
  readonly values: Promise<ReadonlyMap<CheckId, number>>;
}

export class ResultValues {
  readonly #read: Reads;
  readonly #kept = new Map<string, Kept>();

  constructor(read: Reads) {
    this.#read = read;
  }

  /** By check; one whose last run did not report it is not there. Any number of callers may wait for the same reading. */
  of(name: string, ids: Iterable<CheckId>, nowMs: number): Promise<ReadonlyMap<CheckId, number>> {
    const known = this.#kept.get(name);
    if (known && nowMs - known.atMs < uptimesAgeMsMax) return known.values;
    this.#kept.delete(name);
    const values = this.#readAll(name, [...ids]);
    this.#kept.set(name, { atMs: nowMs, values });
    // A reading that failed is not kept: the next reader tries again.
    values.catch(() => this.#kept.delete(name));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= resultNamesKeptMax) break;
      this.#kept.delete(oldest);
    }
    return values;
  }

  async #readAll(name: string, ids: readonly CheckId[]): Promise<ReadonlyMap<CheckId, number>> {
    const values = new Map<CheckId, number>();
    for (let from = 0; from < ids.length; from += uptimesPerTurn) {
      const part = ids.slice(from, from + uptimesPerTurn);
      const found = await this.#read.durably(() => part.map((id) => this.#valueOf(name, id)));
      for (const [at, id] of part.entries()) {
        const value = found[at];
        if (value !== undefined) values.set(id, value);
      }
      await nextTurn();
    }
    return values;
  }

  #valueOf(name: string, id: CheckId): number | undefined {
    const last = this.#read.latestRuns(id, resultRunsReadMax).findLast(({ n }) => n !== null);
    return last?.results.find((result) => result.name === name)?.value;
  }
}
