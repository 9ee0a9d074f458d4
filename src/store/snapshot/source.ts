/**
 * The facts of a snapshot out of the history's tables. Runs in one read transaction, in a thread of its own, while the fold
 * goes on. Invariant: of a check, exactly what reads would show is written: no surplus pings, no bodies of such.
 */
import { KeptPings, type Retention } from '../../domain/retention/kept-pings.ts';
import { KnellError } from '../../lib/errors.ts';
import { ByteReader } from '../codec/byte-reader.ts';
import { nPingsOfState } from '../codec/check.ts';
import { atMsOfPing, hasBodyAt, signalOfPing, skipPing } from '../codec/ping.ts';
import { rows } from '../codec/rows.ts';
import { uuidBytes } from '../codec/uuid.ts';
import { frameBytesWanted } from '../disk/limits.ts';
import { highestKey, lowestKey } from '../disk/lmdb-env.ts';
import { lastRowN, pingsFrom } from '../history/rows/check-rows.ts';
import { OverlayTable } from '../history/rows/overlay-table.ts';
import { listedFrom } from '../history/rows/retention.ts';
import { hasRuled, retentionOfFolded } from '../history/rows/ruled-checks.ts';
import { RunReader } from '../history/rows/run-reader.ts';
import type { FoundPart } from '../history/rows/runs.ts';
import { keysOf } from '../history/rows/statistics-layout.ts';
import {
  aboveCheck,
  abovePings,
  counterBytes,
  type HistoryTables,
  nOfPingKey,
  pingKey,
  type RetentionCounters,
  readCounters,
  readMeta,
} from '../history/rows/tables.ts';
import { countedRows, countParts } from '../history/statistics/count-pings.ts';
import type { CountedCheck } from '../history/statistics/recount.ts';
import { kindOf } from '../kinds.ts';
import type { Progress } from '../store.ts';
import type { FrameSink } from './file.ts';
import { frameKinds, type SnapshotCounts } from './format.ts';

interface SourceOptions {
  readonly progress: Progress;
  isCancelled(): boolean;
}

export function writeHistory(tables: HistoryTables, sink: FrameSink, options: SourceOptions): SnapshotCounts {
  const counts: SnapshotCounts = { checks: 0, pings: 0 };
  writeNumber(sink, frameKinds.sequence, readMeta(tables, 'folded') ?? 0);
  const aliveMs = readMeta(tables, 'alive');
  if (aliveMs !== null) writeNumber(sink, frameKinds.alive, aliveMs);
  writeConfig(tables, sink);
  tables.outbox.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    writeBytes(sink, frameKinds.delivery, row);
  });
  tables.audit.scan({ start: lowestKey, end: highestKey }, (_key, row) => {
    writeBytes(sink, frameKinds.audit, row);
  });
  const runs = new RunReader(tables.runs);
  const nowMs = aliveMs ?? 0;
  const isRuled = hasRuled(tables);
  tables.checks.scan({ start: lowestKey, end: highestKey }, (key, row) => {
    const uuid = Buffer.from(key);
    counts.pings += writeCheck(tables, sink, { uuid, row: Buffer.from(row), runs, nowMs, isRuled });
    counts.checks++;
    if (counts.checks % 1024 > 0) return;
    if (options.isCancelled())
      throw new KnellError('conflict', 'the snapshot was given up: Knell is stopping');
    // Ids are random: how far the first of their bytes got is how far the work is.
    options.progress(uuid.readUInt32BE(0) / 2 ** 32);
  });
  return counts;
}

function writeNumber(sink: FrameSink, kind: number, value: number): void {
  sink.frame(kind, (writer) => {
    writer.reserve(8);
    writer.f64(value);
  });
}

function writeBytes(sink: FrameSink, kind: number, ...parts: readonly Uint8Array[]): void {
  sink.frame(kind, (writer) => {
    for (const part of parts) {
      writer.reserve(part.length);
      writer.raw(part);
    }
  });
}

function writeConfig(tables: HistoryTables, sink: FrameSink): void {
  tables.config.scan({ start: lowestKey, end: highestKey }, (key, value) => {
    const [number = 0] = key;
    if (kindOf(number) !== undefined) writeBytes(sink, number, value);
  });
}

interface SourceCheck {
  readonly uuid: Buffer;
  readonly row: Buffer;
  readonly runs: RunReader;
  /** When the history was written last, as far as it says: two snapshots of it are the same. */
  readonly nowMs: number;
  /** Whether there are rules of retention at all. */
  readonly isRuled: boolean;
}

/** The check and its rows; answers how many pings it has. */
function writeCheck(
  tables: HistoryTables,
  sink: FrameSink,
  { uuid, row, runs, nowMs, isRuled }: SourceCheck,
): number {
  const stored = tables.states.get(uuid);
  if (!stored) return 0;
  const reader = new ByteReader(stored);
  const counters = readCounters(reader);
  const state = Buffer.from(stored.subarray(counterBytes));
  const nPings = nPingsOfState(reader);
  const from = listedFrom(nPings, counters.pingsMax);
  const retention = isRuled ? retentionOfFolded(tables, rows.check.read(row), counters, nPings) : null;
  writeBytes(sink, frameKinds.check, uuid, state, row);
  const parts = runs.partsOf(uuid);
  const rowsEnd = parts.length > 0 ? lastRowN(tables, uuid) + 1 : 1;
  const runsFrom = Math.max(from, rowsEnd);
  const range = { uuid, from, parts, runsFrom };
  const count = retention
    ? writeRetained(tables, sink, { ...range, runsFrom: rowsEnd, bodyFrom: counters.bodyFrom }, retention)
    : writePings(tables, sink, range);
  if (counters.bodyBytes > 0 && !retention) writeBodies(tables, sink, range, counters);
  if (counters.changes > 0) writeChanges(tables, sink, uuid);
  tables.notifications.scan({ start: uuid, end: aboveCheck(uuid) }, (_key, row) => {
    writeBytes(sink, frameKinds.notification, row);
  });
  tables.endings.scan({ start: uuid, end: aboveCheck(uuid) }, (_key, row) => {
    writeBytes(sink, frameKinds['run-ending'], row);
  });
  writeStatistics(tables, sink, { uuid, parts, nowMs });
  return count;
}

/** Writes the statistics as they are once everything is counted. A check without any event has none. */
function writeStatistics(
  tables: HistoryTables,
  sink: FrameSink,
  { uuid, parts, nowMs }: Omit<CountedCheck, 'tables'>,
): void {
  const pings = new OverlayTable(tables.pings);
  const statistics = countedRows({ tables: { pings, changes: tables.changes }, uuid, parts, nowMs });
  countParts(statistics, parts);
  if (statistics.isEmpty) return;
  // There are no runs where it is restored.
  statistics.countedSeq = 0;
  statistics.save();
  pings.scan({ start: keysOf.recent(uuid), end: aboveCheck(uuid) }, (key, row) => {
    const head = Buffer.from([key[uuidBytes + 1] ?? 0, 0, 0]);
    head.writeUInt16LE(key.readUInt16BE(uuidBytes + 2), 1);
    writeBytes(sink, frameKinds.statistics, head, row);
  });
}

interface CheckRange {
  readonly uuid: Buffer;
  /** The lowest n that is listed. */
  readonly from: number;
  readonly parts: readonly FoundPart[];
  /** The lowest n that is listed and in runs only. */
  readonly runsFrom: number;
}

function writePings(
  tables: HistoryTables,
  sink: FrameSink,
  { uuid, from, parts, runsFrom }: CheckRange,
): number {
  const frames = new FrameJoiner(sink, frameKinds.pings);
  let count = 0;
  const add = (chunk: Buffer, lowest: number): void => {
    const listed = pingsFrom(chunk, lowest);
    count += countPings(listed);
    frames.add(listed);
  };
  tables.pings.scan({ start: uuid, end: abovePings(uuid) }, (_key, chunk) => add(chunk, from));
  for (const { pings } of parts) add(pings, runsFrom);
  frames.flush();
  return count;
}

interface KeptBytes {
  readonly n: number;
  readonly bytes: Buffer;
  readonly hasBody: boolean;
}

/** Writes what the rules keep of a check: pings, then their bodies. Returns how many pings. */
function writeRetained(
  tables: HistoryTables,
  sink: FrameSink,
  range: CheckRange & { readonly bodyFrom: number },
  retention: Retention,
): number {
  const pings = keptOf(tables, range, new KeptPings(retention));
  const frames = new FrameJoiner(sink, frameKinds.pings);
  for (const { bytes } of pings) frames.add(bytes);
  frames.flush();
  const inRuns = new Map(range.parts.flatMap(({ bodies }) => bodies).map(({ n, bytes }) => [n, bytes]));
  for (const { n, hasBody } of pings) {
    if (!hasBody || n < range.bodyFrom) continue;
    const body = tables.bodies.get(pingKey(range.uuid, n)) ?? inRuns.get(n);
    if (body) writeBody(sink, n, body);
  }
  return pings.length;
}

/** Oldest first. */
function keptOf(tables: HistoryTables, { uuid, parts, runsFrom }: CheckRange, kept: KeptPings): KeptBytes[] {
  const found: KeptBytes[] = [];
  const add = (chunk: Buffer, lowest: number): void => {
    const reader = new ByteReader(chunk);
    const places: { readonly start: number; readonly end: number; readonly n: number }[] = [];
    while (reader.left > 0) {
      const start = reader.at;
      const n = skipPing(reader);
      if (n >= lowest) places.push({ start, end: reader.at, n });
    }
    for (const { start, end, n } of places.reverse()) {
      const keep = kept.next({ n, atMs: atMsOfPing(chunk, start), signal: signalOfPing(chunk, start) });
      if (!keep) continue;
      const hasBody = keep.bodyAgeMs === null && hasBodyAt(chunk, start);
      found.push({ n, bytes: Buffer.from(chunk.subarray(start, end)), hasBody });
    }
  };
  for (const { pings } of parts.toReversed()) add(pings, runsFrom);
  const all = { start: abovePings(uuid), end: uuid, reverse: true };
  tables.pings.scan(all, (_key, chunk) => add(chunk, 1));
  return found.reverse();
}

function countPings(pings: Buffer): number {
  const reader = new ByteReader(pings);
  let count = 0;
  for (; reader.left > 0; count++) skipPing(reader);
  return count;
}

function writeBodies(
  tables: HistoryTables,
  sink: FrameSink,
  { uuid, from, parts, runsFrom }: CheckRange,
  { bodyFrom }: RetentionCounters,
): void {
  const range = { start: pingKey(uuid, Math.max(from, bodyFrom)), end: aboveCheck(uuid) };
  tables.bodies.scan(range, (key, body) => writeBody(sink, nOfPingKey(key), body));
  for (const { n, bytes } of parts.flatMap(({ bodies }) => bodies))
    if (n >= runsFrom && n >= bodyFrom) writeBody(sink, n, bytes);
}

function writeBody(sink: FrameSink, n: number, body: Buffer): void {
  sink.frame(frameKinds.body, (writer) => {
    writer.reserve(6 + body.length);
    writer.u48(n);
    writer.raw(body);
  });
}

function writeChanges(tables: HistoryTables, sink: FrameSink, uuid: Buffer): void {
  const frames = new FrameJoiner(sink, frameKinds.changes);
  tables.changes.scan({ start: uuid, end: aboveCheck(uuid) }, (_key, change) => frames.add(change));
  frames.flush();
}

/** Joins small rows into frames. */
class FrameJoiner {
  readonly #sink: FrameSink;
  readonly #kind: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(sink: FrameSink, kind: number) {
    this.#sink = sink;
    this.#kind = kind;
  }

  add(part: Buffer): void {
    if (part.length === 0) return;
    this.#parts.push(Buffer.from(part));
    this.#bytes += part.length;
    if (this.#bytes >= frameBytesWanted) this.flush();
  }

  flush(): void {
    if (this.#bytes > 0) writeBytes(this.#sink, this.#kind, ...this.#parts);
    this.#parts = [];
    this.#bytes = 0;
  }
}
