/**
 * Which rows of the journal may go: those that the history holds. They go within ordinary commits, a lot at a time: removing
 * neighbours together dirties few pages, and most commits of lone pings remove nothing.
 * Invariant: a row counts as gone only after the commit that removed it.
 */
import type { JournalTable, SeqRange } from './journal-table.ts';

/** Rows that one commit removes: some 0.1 ms, and more than any load adds meanwhile. */
const lot = 32;

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
    this.#lastSeq = this.#firstSeq + (backlog < lot ? 0 : lot) - 1;
    return { first: this.#firstSeq, last: this.#lastSeq };
  }

  /** That commit succeeded. */
  confirm(): void {
    this.#firstSeq = Math.max(this.#firstSeq, this.#lastSeq + 1);
  }
}
