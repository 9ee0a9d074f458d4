/**
 * The batch log as an LMDB environment of its own, the default (`KNELL_JOURNAL=lmdb`): one put a batch, key = its number,
 * value = its frame. Transactions that two decades of use have tested, at twice the latency of a lone ping in the file log.
 *
 * Invariants: a batch is one durable transaction, with which the oldest released ones go: never more than a few, since
 * each costs pages. Space is looked for before each commit: lmdb 3.5 can overflow a buffer of its own while it reports that a
 * write failed for lack of space. Slow commits go to a thread.
 */
import { join } from 'node:path';
import { assert, KnellError } from '../../lib/errors.ts';
import { isDiskFull } from '../disk/disk-full.ts';
import { trimmedPerAppend } from '../disk/limits.ts';
import { highestKey, type LmdbEnv, lowestKey, openEnv, type Table } from '../disk/lmdb-env.ts';
import {
  type AppendOutcome,
  type BatchLog,
  type BatchReader,
  encodeFrameHead,
  frameHeadBytes,
  isWholeFrame,
  type NumberedBatch,
  type OpenedLog,
  readFrameHead,
} from './batch-log.ts';
import { damaged, type LostBatches } from './damage.ts';
import { applyAppend, batchesTable, keyOf, type LmdbAppend, seqOfKey } from './lmdb-batches.ts';
import type { SlowCommits } from './slow-commits.ts';

const openedTable = 'opened';

interface LmdbLogOptions {
  readonly dataDir: string;
  readonly foldedSeq: number;
  /** No append begins with less space than this, plus twice the batch. */
  readonly freeBytesMin: number;
  freeBytes(): number;
  /** Whether commits have become so slow that they go to the thread. */
  isSlow(): boolean;
  readonly slowCommits: SlowCommits;
}

/** Creates or opens the log. Throws a KnellError `journal-damaged` when batches that were durable cannot be read. */
export async function openLmdbLog(options: LmdbLogOptions): Promise<OpenedLog> {
  const { dataDir, foldedSeq } = options;
  const env = openEnv(dataDir, 'journal');
  try {
    const table = env.table(batchesTable);
    const { tail, lost, warnings, firstSeq, lastSeq } = readLmdbLog(table, lmdbFile(dataDir), foldedSeq);
    const [first] = lost;
    if (first) throw damaged(first);
    makeDurable(env);
    const log = new LmdbLog(options, { env, table, firstSeq, lastSeq });
    return { log, tail, lastSeq, foldFirst: false, warnings };
  } catch (error) {
    await env.close();
    throw error;
  }
}

/** The last commit may be only in the page cache, if its sync failed: the next one, synced, includes it. */
function makeDurable(env: LmdbEnv): void {
  const opened = env.table(openedTable);
  env.write(() => opened.put(Buffer.of(1), Buffer.of(1)));
}

interface LmdbLogContents {
  readonly tail: readonly NumberedBatch[];
  readonly lost: readonly LostBatches[];
  readonly warnings: readonly string[];
  /** The lowest number in the table. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export function lmdbFile(dataDir: string): string {
  return join(dataDir, 'journal', 'data.mdb');
}

/** Reads all batches; damage in `file` is reported, not thrown. */
export function readLmdbLog(table: Table, file: string, foldedSeq: number): LmdbLogContents {
  const tail: NumberedBatch[] = [];
  const lost: LostBatches[] = [];
  const warnings: string[] = [];
  let count = 0;
  let firstSeq = 0;
  let lastSeq = foldedSeq;
  const missing = (from: number, to: number, why: string): void => {
    if (to <= foldedSeq) warnings.push(`${file} ${why}, among batches that the history holds already`);
    else lost.push({ file, why, from: Math.max(from, foldedSeq + 1), to });
  };
  table.scan({ start: lowestKey, end: highestKey }, (key, value) => {
    const seq = seqOfKey(key);
    count++;
    firstSeq ||= seq;
    if (seq > lastSeq + 1) missing(lastSeq + 1, seq - 1, 'does not hold them');
    const batch = readFrame(seq, value);
    if (!batch) missing(seq, seq, 'is damaged there');
    else if (seq > foldedSeq) tail.push(batch);
    lastSeq = Math.max(lastSeq, seq);
  });
  if (count < table.count())
    missing(lastSeq + 1, Number.POSITIVE_INFINITY, 'does not hold all that it counts');
  return { tail, lost, warnings, firstSeq: firstSeq || foldedSeq + 1, lastSeq };
}

/** A copy of the batch; null when the frame is not whole. */
export function readFrame(seq: number, value: Buffer): NumberedBatch | null {
  if (value.length < frameHeadBytes) return null;
  const head = readFrameHead(value, 0);
  if (head.seq !== seq || head.size !== value.length - frameHeadBytes || !isWholeFrame(value, 0, 0))
    return null;
  return { seq, bytes: Buffer.from(value.subarray(frameHeadBytes)) };
}

interface OpenEnv {
  readonly env: LmdbEnv;
  readonly table: Table;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

class LmdbLog implements BatchLog {
  readonly #options: LmdbLogOptions;
  readonly #env: LmdbEnv;
  readonly #table: Table;
  /** The lowest number that may still be in the table. */
  #firstSeq: number;
  #lastSeq: number;
  #releasedSeq: number;

  constructor(options: LmdbLogOptions, { env, table, firstSeq, lastSeq }: OpenEnv) {
    this.#options = options;
    this.#env = env;
    this.#table = table;
    this.#firstSeq = firstSeq;
    this.#lastSeq = lastSeq;
    this.#releasedSeq = options.foldedSeq;
  }

  append(batch: NumberedBatch): AppendOutcome | Promise<AppendOutcome> {
    assert(batch.seq === this.#lastSeq + 1, 'batches are numbered without a gap');
    const { freeBytes, freeBytesMin, isSlow, slowCommits } = this.#options;
    if (freeBytes() < freeBytesMin + 2 * batch.bytes.length) return 'disk-full';
    const append = this.#appendOf(batch);
    if (!isSlow()) return this.#commit(append);
    return slowCommits
      .commit(append)
      .then((outcome) => (outcome === 'no thread' ? this.#commit(append) : this.#finish(append, outcome)));
  }

  #commit(append: LmdbAppend): AppendOutcome {
    try {
      applyAppend(this.#env, this.#table, append);
    } catch (error) {
      if (isDiskFull(error, this.#options.dataDir)) return 'disk-full';
      throw error;
    }
    return this.#finish(append, 'written');
  }

  lastNumber(): number {
    return this.#lastSeq;
  }

  release(seq: number): void {
    this.#releasedSeq = Math.max(this.#releasedSeq, seq);
  }

  async close(): Promise<void> {
    await this.#options.slowCommits.stop();
    await this.#env.close();
  }

  #appendOf(batch: NumberedBatch): LmdbAppend {
    const frame = Buffer.concat([encodeFrameHead(batch, 0), batch.bytes]);
    const trimTo = Math.min(this.#releasedSeq + 1, this.#firstSeq + trimmedPerAppend);
    return { seq: batch.seq, frame, trimFrom: this.#firstSeq, trimTo };
  }

  #finish({ seq, trimTo }: LmdbAppend, outcome: AppendOutcome): AppendOutcome {
    if (outcome !== 'written') return outcome;
    this.#lastSeq = seq;
    this.#firstSeq = Math.max(this.#firstSeq, trimTo);
    return outcome;
  }
}

/** Reads batches for the fold, in its thread. */
export class LmdbLogReader implements BatchReader {
  readonly #env: LmdbEnv;
  readonly #table: Table;

  constructor(dataDir: string) {
    this.#env = openEnv(dataDir, 'journal');
    this.#table = this.#env.table(batchesTable);
  }

  readAfter(seq: number, untilSeq: number, bytesMax: number): readonly NumberedBatch[] {
    const found: NumberedBatch[] = [];
    let size = 0;
    this.#env.refresh();
    this.#table.scan({ start: keyOf(seq + 1), end: keyOf(untilSeq + 1) }, (key, value) => {
      const batch = readFrame(seqOfKey(key), value);
      if (!batch) throw new KnellError('journal-damaged', `batch ${seqOfKey(key)} of the journal is damaged`);
      found.push(batch);
      size += batch.bytes.length;
      return size < bytesMax;
    });
    // Pages that a read transaction sees cannot be used again.
    this.#env.refresh();
    return found;
  }

  close(): Promise<void> {
    return this.#env.close();
  }
}
