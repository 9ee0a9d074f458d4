/**
 * Statistics as bytes: what is counted of a check in an hour or a day, how long runs took, long spans of one status. The same in
 * history and snapshot. Every number is whole, seven bits a byte.
 *
 * Invariant: what costs least to read comes first: an uptime needs neither runs nor durations.
 */

import type { WatchedSpan } from '../../domain/check/status-time.ts';
import { addResultSums, type ResultSums, type ResultSumsByName } from '../../domain/results/result-sums.ts';
import {
  addToBin,
  binOf,
  type DurationHistogram,
  emptyHistogram,
} from '../../domain/runs/duration-histogram.ts';
import type { RunStatistics } from '../../domain/runs/run-statistics.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, stringBytesMax, wholeBytesMax } from './byte-writer.ts';

/** Which parts follow. */
const hasTime = 1;
const hasChanges = 2;
const hasSuccesses = 4;
const hasFailures = 8;
const hasOneDuration = 16;
const hasDurations = 32;
const hasResults = 64;
const partsMask = 127;

const scalarsMax = 12;

export function writeStatistics(writer: ByteWriter, statistics: RunStatistics): void {
  const { successes, failures, late, missed, outages, downMs, watchedMs, durations, results } = statistics;
  const parts =
    (watchedMs > 0 ? hasTime : 0) |
    (late + missed + outages > 0 ? hasChanges : 0) |
    (successes > 0 ? hasSuccesses : 0) |
    (failures > 0 ? hasFailures : 0) |
    (durations === null ? 0 : durations.count === 1 ? hasOneDuration : hasDurations) |
    (results === null ? 0 : hasResults);
  writer.reserve(1 + wholeBytesMax * (scalarsMax + 2 * (durations?.bins.size ?? 0)));
  writer.u8(parts);
  if (parts & hasTime) {
    writer.whole(downMs);
    writer.whole(watchedMs);
  }
  if (parts & hasChanges) {
    writer.whole(late);
    writer.whole(missed);
    writer.whole(outages);
  }
  if (parts & hasSuccesses) writer.whole(successes);
  if (parts & hasFailures) writer.whole(failures);
  if (durations && parts & hasOneDuration) writer.whole(durations.sumMs);
  if (durations && parts & hasDurations) writeHistogram(writer, durations);
  if (results) writeResults(writer, results);
}

function writeResults(writer: ByteWriter, results: ResultSumsByName): void {
  writer.reserve(1);
  writer.u8(results.size);
  for (const [name, { count, sum, min, max }] of results) {
    writer.reserve(stringBytesMax(name) + wholeBytesMax + 24);
    writer.string(name);
    writer.whole(count);
    writer.f64(sum);
    if (count === 1) continue;
    writer.f64(min);
    writer.f64(max);
  }
}

function readResults(reader: ByteReader): ResultSumsByName {
  const results: ResultSumsByName = new Map();
  for (let left = reader.u8(); left > 0; left--) {
    const name = reader.string();
    const count = reader.whole();
    const sum = reader.f64();
    const sums: ResultSums =
      count === 1 ? { count, sum, min: sum, max: sum } : { count, sum, min: reader.f64(), max: reader.f64() };
    results.set(name, sums);
  }
  return results;
}

function writeHistogram(writer: ByteWriter, { count, sumMs, minMs, maxMs, bins }: DurationHistogram): void {
  writer.whole(count);
  writer.whole(sumMs);
  writer.whole(minMs);
  writer.whole(maxMs - minMs);
  writer.whole(bins.size);
  let before = 0;
  for (const [bin, size] of [...bins].sort(([one], [other]) => one - other)) {
    writer.whole(bin - before);
    writer.whole(size);
    before = bin;
  }
}

/** Adds what `writeStatistics` wrote. `scope`: only time and outages, for an uptime; the reader is then not at the end. */
export function addStored(statistics: RunStatistics, reader: ByteReader, scope: 'all' | 'time'): void {
  const parts = reader.u8();
  if (parts & ~partsMask) throw damaged('statistics of an unknown kind');
  if (parts & hasTime) {
    statistics.downMs += reader.whole();
    statistics.watchedMs += reader.whole();
  }
  if (parts & hasChanges) {
    statistics.late += reader.whole();
    statistics.missed += reader.whole();
    statistics.outages += reader.whole();
  }
  if (scope === 'time') return;
  if (parts & hasSuccesses) statistics.successes += reader.whole();
  if (parts & hasFailures) statistics.failures += reader.whole();
  if (parts & (hasOneDuration | hasDurations)) {
    statistics.durations ??= emptyHistogram();
    addStoredHistogram(statistics.durations, reader, parts & hasOneDuration ? 1 : reader.whole());
  }
  if (!(parts & hasResults)) return;
  statistics.results ??= new Map();
  addResultSums(statistics.results, readResults(reader));
}

function addStoredHistogram(histogram: DurationHistogram, reader: ByteReader, count: number): void {
  const sumMs = reader.whole();
  const minMs = count === 1 ? sumMs : reader.whole();
  const maxMs = count === 1 ? sumMs : minMs + reader.whole();
  histogram.count += count;
  histogram.sumMs += sumMs;
  histogram.minMs = Math.min(histogram.minMs, minMs);
  histogram.maxMs = Math.max(histogram.maxMs, maxMs);
  if (count === 1) {
    addToBin(histogram, binOf(sumMs), 1);
    return;
  }
  let bin = 0;
  for (let left = reader.whole(); left > 0; left--) {
    bin += reader.whole();
    addToBin(histogram, bin, reader.whole());
  }
}

/** The most that `writeSpan` writes. */
export const spanBytesMax = 2 * wholeBytesMax;

/** Space must be reserved. */
export function writeSpan(writer: ByteWriter, { fromMs, untilMs, isDown }: WatchedSpan): void {
  writer.whole(fromMs);
  writer.whole((untilMs - fromMs) * 2 + (isDown ? 1 : 0));
}

export function readSpan(reader: ByteReader): WatchedSpan {
  const fromMs = reader.whole();
  const rest = reader.whole();
  return { fromMs, untilMs: fromMs + Math.floor(rest / 2), isDown: rest % 2 === 1 };
}

/** Writes the duration of the run that a ping ended; below 0 for none. Space for `wholeBytesMax` must be reserved. */
export function writeDuration(writer: ByteWriter, durationMs: number): void {
  writer.whole(durationMs < 0 ? 0 : durationMs + 1);
}

/** Null for none; also at the end: those of the last pings are left out where they have none. */
export function readDuration(reader: ByteReader): number | null {
  const value = reader.left > 0 ? reader.whole() : 0;
  return value === 0 ? null : value - 1;
}
