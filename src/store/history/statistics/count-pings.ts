/**
 * Counts pings of a fold or a run into the statistics of their check: what a ping adds is in its head, and how long its run took
 * beside it. Invariant: a part of a run is counted once, also when its compaction begins again.
 */
import { isEnd } from '../../../domain/runs/run-statistics.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { atMsOfPing, pingBytesAt, resultsOfPing, signalOfPing } from '../../codec/ping.ts';
import { readDuration } from '../../codec/statistics.ts';
import type { FoundPart, RunPart } from '../rows/runs.ts';
import { StatisticsRows } from '../rows/statistics-rows.ts';
import { type CountedCheck, recount } from './recount.ts';

const durationReader = new ByteReader();

/** The statistics of a check to be added to: counted once at least. */
export function countedRows(check: CountedCheck): StatisticsRows {
  const statistics = new StatisticsRows(check.tables.pings, check.uuid, check.nowMs);
  if (!statistics.isCounted) recount(statistics, check);
  return statistics;
}

/** Adds the parts that have not been added yet. */
export function countParts(statistics: StatisticsRows, parts: readonly FoundPart[]): void {
  for (const part of parts) {
    if (part.seq <= statistics.countedSeq) continue;
    if (!part.isCounted) countPings(statistics, part);
    statistics.countedSeq = part.seq;
  }
}

export function countPings(
  statistics: StatisticsRows,
  { pings, durations }: Pick<RunPart, 'pings' | 'durations'>,
): void {
  if (durations.length > 0) durationReader.open(durations);
  for (let at = 0; at < pings.length; at += pingBytesAt(pings, at)) {
    const durationMs = durations.length > 0 ? readDuration(durationReader) : null;
    const signal = signalOfPing(pings, at);
    if (isEnd(signal))
      statistics.addEnd(atMsOfPing(pings, at), signal, { durationMs, results: resultsOfPing(pings, at) });
  }
}
