/**
 * Decides how long a batch gathers before it is committed: until as many records wait as in recent batches, or a commit's
 * time has passed. After PostgreSQL's commit_delay and commit_siblings, but self-tuning. Holds no batch, reads no clock.
 *
 * Invariant: where records come one at a time, one never waits.
 */

/** Between these, a batch gathers for as long as a commit takes (measured: less gains nothing, more costs latency). */
const gatherMsMin = 0.4;
const gatherMsMax = 0.8;
/** Weight of the latest batch in the average; settles within some twenty commits. */
const weight = 1 / 8;
const samples = 15;

export class GatherWindow {
  #recordsAverage = 1;
  readonly #commitMs: number[] = [];
  #next = 0;
  #median = 0;

  /** A batch of `records` was committed in `tookMs`. */
  committed(records: number, tookMs: number): void {
    this.#recordsAverage += (records - this.#recordsAverage) * weight;
    this.#commitMs[this.#next] = tookMs;
    this.#next = (this.#next + 1) % samples;
    if (this.#commitMs.length < samples) return;
    this.#median = [...this.#commitMs].sort((a, b) => a - b)[samples >> 1] ?? 0;
  }

  /** True when a batch of `records`, begun `waitedMs` ago, should be committed now. */
  isDue(records: number, waitedMs: number): boolean {
    if (records >= Math.round(this.#recordsAverage)) return true;
    return waitedMs >= Math.min(gatherMsMax, Math.max(gatherMsMin, this.commitMs));
  }

  /** The median time of recent commits; 0 before there are enough of them to judge by. */
  get commitMs(): number {
    return this.#median;
  }
}
