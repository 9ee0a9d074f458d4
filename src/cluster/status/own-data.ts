/**
 * This node's data as it reports it: of its disk until it follows the log, and from then on of the entries that it applies.
 * Invariant: the number never goes back while the process runs.
 */
import type { HeldData } from './held.ts';

interface Following {
  readonly incarnation: string;
  readonly appliedSeq: number;
  /** Checks in memory. */
  readonly checks: number;
}

export class OwnData {
  #held: HeldData | null = null;

  /** Null while the disk has not been read. */
  get held(): HeldData | null {
    return this.#held;
  }

  /** Takes the data on the disk. */
  read(held: HeldData): void {
    this.#held = held;
  }

  /** `nowMs`: at which it has applied that. */
  follows({ incarnation, appliedSeq, checks }: Following, nowMs: number): void {
    const held = this.#held;
    if (appliedSeq <= (held?.lastSeq ?? 0)) return;
    this.#held = { log: incarnation, lastSeq: appliedSeq, checks, writtenAtMs: nowMs };
  }
}
