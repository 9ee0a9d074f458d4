/**
 * A check's own rows of pings and bodies beside what runs hold of it: how far the rows go, moving parts of runs into them,
 * dropping bodies from both. Inside a transaction of the fold or of a compaction.
 *
 * Invariant: the rows hold every listed ping up to the last one in them. What runs hold up to there is a copy: of a check whose
 * partition is being compacted. Compacting is never mixed with folding.
 */
import { ByteReader } from '../../codec/byte-reader.ts';
import { skipPing } from '../../codec/ping.ts';
import type { NumberedBody, RunPart } from './runs.ts';
import { abovePings, type HistoryTables, nOfPingKey, pingKey, type RetentionCounters } from './tables.ts';

/** The rows of one check. */
export interface CheckRows {
  readonly tables: HistoryTables;
  readonly uuid: Buffer;
  readonly counters: RetentionCounters;
  /** The lowest n that is still listed. */
  readonly floor: number;
}

const reader = new ByteReader();

/** The last n in the check's own rows; 0 for none. */
export function lastRowN({ pings }: HistoryTables, uuid: Buffer): number {
  let last = 0;
  pings.scan({ start: abovePings(uuid), end: uuid, reverse: true }, (_key, chunk) => {
    reader.open(chunk);
    while (reader.left > 0) last = skipPing(reader);
    return false;
  });
  return last;
}

/** Bytes that fit behind LMDB's head into one page: a read of a few pings copies a whole row. */
const rowBytesMax = 4080;

let scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Moves what the check's runs hold, oldest first, into its rows, which have none of it. Doing it again changes nothing. Returns
 * how many bytes it wrote.
 */
export function moveToRows({ tables, uuid, counters, floor }: CheckRows, parts: readonly RunPart[]): number {
  let size = 0;
  for (const { pings } of parts) {
    const listed = pingsFrom(pings, floor);
    scratch = withSpace(scratch, { used: size, size: size + listed.length });
    scratch.set(listed, size);
    size += listed.length;
  }
  putPingRows(tables, uuid, scratch.subarray(0, size));
  for (const { bodies } of parts) {
    for (const { n, bytes } of bodies) {
      if (n < floor || n < counters.bodyFrom) continue;
      tables.bodies.put(pingKey(uuid, n), bytes);
      size += bytes.length;
    }
  }
  return size;
}

/** `buffer`, or a larger one with the `used` bytes that it begins with. */
export function withSpace(
  buffer: Buffer<ArrayBuffer>,
  { used, size }: { readonly used: number; readonly size: number },
): Buffer<ArrayBuffer> {
  if (size <= buffer.length) return buffer;
  const grown = Buffer.allocUnsafeSlow(Math.max(size, buffer.length * 2));
  buffer.copy(grown, 0, 0, used);
  return grown;
}

function putPingRows({ pings: table }: HistoryTables, uuid: Buffer, pings: Buffer): void {
  reader.open(pings);
  let rowN = 0;
  let rowStart = 0;
  while (reader.left > 0) {
    const start = reader.at;
    const n = skipPing(reader);
    if (rowN > 0 && reader.at - rowStart > rowBytesMax) {
      table.put(pingKey(uuid, rowN), pings.subarray(rowStart, start));
      rowStart = start;
      rowN = 0;
    }
    if (rowN === 0) rowN = n;
  }
  if (rowN > 0) table.put(pingKey(uuid, rowN), pings.subarray(rowStart));
}

/** The pings from number `from` on, of a part of a run. */
export function pingsFrom(pings: Buffer, from: number): Buffer {
  reader.open(pings);
  while (reader.left > 0) {
    const start = reader.at;
    if (skipPing(reader) >= from) return start === 0 ? pings : pings.subarray(start);
  }
  return pings.subarray(pings.length);
}

/** Drops the bodies of all pings below `floor`, those of `inRuns` (oldest first) only from the counters. */
export function dropBodies(
  { tables, uuid, counters }: CheckRows,
  inRuns: readonly NumberedBody[],
  floor: number,
): void {
  if (floor <= counters.bodyFrom) return;
  const keys: Buffer[] = [];
  const range = { start: pingKey(uuid, counters.bodyFrom), end: pingKey(uuid, floor) };
  tables.bodies.scan(range, (key, body) => {
    keys.push(Buffer.from(key));
    counters.bodyBytes -= body.length;
  });
  for (const key of keys) tables.bodies.remove(key);
  for (const { n, bytes } of inRuns)
    if (n >= counters.bodyFrom && n < floor) counters.bodyBytes -= bytes.length;
  counters.bodyFrom = floor;
}

/** The first n such that what is kept of the bodies before `end` fits when `excess` bytes must go. */
export function bodiesFromBelow(
  { tables, uuid, counters }: CheckRows,
  inRuns: readonly NumberedBody[],
  { end, excess }: { readonly end: number; readonly excess: number },
): number {
  let left = excess;
  let keepFrom = Math.max(counters.bodyFrom, 1);
  const range = { start: pingKey(uuid, keepFrom), end: pingKey(uuid, end) };
  tables.bodies.scan(range, (key, body) => {
    if (left <= 0) return false;
    left -= body.length;
    keepFrom = nOfPingKey(key) + 1;
    return true;
  });
  for (const { n, bytes } of inRuns) {
    if (left <= 0) break;
    if (n < keepFrom || n >= end) continue;
    left -= bytes.length;
    keepFrom = n + 1;
  }
  return keepFrom;
}
