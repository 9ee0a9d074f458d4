/**
 * Decides how long a batch gathers before it is committed: until as many records wait as in recent batches, or a commit's
 * time has passed. After PostgreSQL's commit_delay and commit_siblings, but self-tuning. Holds no batch, reads no clock.
 *
 * Invariant: where records come one at a time, one never waits.
 */

/** Weight of the latest batch in the average; settles within some twenty commits. */
const weight = 1 / 8;

interface GatherBounds {
  /** Between these, a batch gathers for as long as a commit takes. */
  readonly gatherMsMin: number;
  readonly gatherMsMax: number;
}

export class GatherWindow {
  readonly #bounds: GatherBounds;
  #recordsAverage = 1;

  constructor(bounds: GatherBounds) {
    this.#bounds = bounds;
  }

  /** A batch of `records` was committed. */
  committed(records: number): void {
    this.#recordsAverage += (records - this.#recordsAverage) * weight;
  }

  /** True when a batch of `records`, begun `waitedMs` ago, should be committed now; `commitMs` is what a commit takes. */
  isDue(records: number, waitedMs: number, commitMs: number): boolean {
    if (records >= Math.round(this.#recordsAverage)) return true;
    const { gatherMsMin, gatherMsMax } = this.#bounds;
    return waitedMs >= Math.min(gatherMsMax, Math.max(gatherMsMin, commitMs));
  }
}
