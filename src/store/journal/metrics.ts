/** Metrics of the journal; the gauges of the tail and the fold are read where those are (`journaled-store`). */
import { type Counter, exponentialBounds, type Histogram, type Meter } from '../../lib/meter.ts';

export interface JournalMetrics {
  readonly commitSeconds: Histogram;
  readonly batchRecords: Histogram;
  /** Commits that wrote nothing. */
  readonly diskFull: Counter;
}

export function createJournalMetrics(meter: Meter): JournalMetrics {
  return {
    // From 0.1 ms, half of a sync of a good disk, to 1.6 s, a stall that an operator must see.
    commitSeconds: meter.histogram(
      'knell_journal_commit_seconds',
      'Time that a commit to the journal took.',
      exponentialBounds(0.0001, 2, 15),
    ),
    batchRecords: meter.histogram(
      'knell_journal_batch_records',
      'Records in a batch that one commit wrote.',
      exponentialBounds(1, 2, 14),
    ),
    diskFull: meter.counter(
      'knell_journal_disk_full_total',
      'Commits that failed because the disk was full.',
    ),
  };
}
