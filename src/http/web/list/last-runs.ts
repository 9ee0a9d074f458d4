/**
 * When the last run was of checks whose state has forgotten it, since they were resumed. It is read only for readers who sort by
 * it, and kept until the check changes.
 * Invariant: no turn of the event loop reads for over a few milliseconds.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { rowRunsShownMax, uptimesPerTurn } from '../../limits.ts';

type Reads = Pick<EngineRead, 'latestRuns' | 'durably'>;

export class LastRuns {
  readonly #read: Reads;
  readonly #known = new Map<CheckId, number>();

  constructor(read: Reads) {
    this.#read = read;
  }

  /** 0 where its history has none. */
  of(id: CheckId): number {
    return this.#known.get(id) ?? 0;
  }

  forget(id: CheckId): void {
    this.#known.delete(id);
  }

  async refresh(ids: readonly CheckId[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#known.has(id));
    for (let from = 0; from < unknown.length; from += uptimesPerTurn) {
      const part = unknown.slice(from, from + uptimesPerTurn);
      // Kept in the turn of the reading: a change that comes later has it forgotten again.
      await this.#read.durably(() => {
        for (const id of part) this.#known.set(id, this.#lastOf(id));
      });
      await nextTurn();
    }
  }

  /** As the row says it: a run that was missed was none. */
  #lastOf(id: CheckId): number {
    const runs = this.#read.latestRuns(id, rowRunsShownMax);
    return runs.findLast(({ outcome }) => outcome !== 'missed')?.atMs ?? 0;
  }
}
