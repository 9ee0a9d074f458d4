/**
 * Which rows of the journal may go: those that the history holds. They go a few at a time within ordinary commits, so that no
 * commit is long. Invariant: a row counts as gone only after the commit that removed it.
 */
import type { JournalTable, SeqRange } from './journal-table.ts';

/** Rows that one commit removes at most, and at least while there are any. */
const rowsMax = 64;
const rowsMin = 4;

export class JournalTrimmer {
  foldedSeq: number;
  #firstSeq: number;
  #lastSeq: number;

  constructor(rows: JournalTable, foldedSeq: number) {
    const { first, last } = rows.bounds();
    this.foldedSeq = foldedSeq;
    this.#firstSeq = last === 0 ? foldedSeq + 1 : first;
    this.#lastSeq = this.#firstSeq - 1;
  }

  /** The rows that the next commit removes. */
  next(): SeqRange {
    const backlog = this.foldedSeq - this.#firstSeq + 1;
    const count = Math.max(0, Math.min(backlog, rowsMax, rowsMin + (backlog >> 6)));
    this.#lastSeq = this.#firstSeq + count - 1;
    return { first: this.#firstSeq, last: this.#lastSeq };
  }

  /** That commit succeeded. */
  confirm(): void {
    this.#firstSeq = Math.max(this.#firstSeq, this.#lastSeq + 1);
  }
}
