/**
 * Entry point of the fold's thread: moves the journal into the history, as far as it is told to, and says how far it came.
 * Not here: what folding is (`fold`). Invariant: it never writes to the journal; the main thread trims.
 */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { assert, messageOf } from '../lib/errors.ts';
import { Fold } from './fold.ts';
import { openHistoryTables, readFoldMark, readMeta } from './history-tables.ts';
import { JournalReader } from './journal-reader.ts';
import { openEnv } from './lmdb-env.ts';
import type { FoldWorkerData, FromFoldWorker, ToFoldWorker } from './threads.ts';
import { isWantOfSpace } from './want-of-space.ts';

const pauseMsMin = 100;
const pauseMsMax = 5000;
const niceness = 10;

const port = parentPort;
assert(port !== null, 'the fold runs in a thread of its own');
const options: FoldWorkerData = workerData;
const historyEnv = openEnv(options.dataDir, 'history');
const journal = new JournalReader(join(options.dataDir, 'journal'));
const tables = openHistoryTables(historyEnv);

let foldedSeq = readMeta(tables, 'folded') ?? 0;
let goalSeq = foldedSeq;
let nowMs = 0;
/** Rows of deleted checks may be left over from before. */
let moreToSweep = true;
let pauseMs = pauseMsMin;
let current: Current | null = null;
let scheduled: NodeJS.Timeout | null = null;

stepAside();
port.on('message', (message: ToFoldWorker) => {
  if (message.type === 'stop') return void stop();
  goalSeq = Math.max(goalSeq, message.seq);
  nowMs = message.nowMs;
  if (!scheduled) step();
});

/** One slice; then a pause as long as it took, so that pings have half the disk and most of the processor. */
function step(): void {
  scheduled = null;
  current ??= nextFold();
  if (!current) return;
  const startMs = performance.now();
  try {
    if (current.fold.slice()) finish(current);
    pauseMs = pauseMsMin;
    scheduled = setTimeout(step, performance.now() - startMs);
  } catch (error) {
    if (!isWantOfSpace(error, options.dataDir)) {
      tell({ type: 'broken', message: messageOf(error) });
      return;
    }
    current = null;
    tell({ type: 'full' });
    scheduled = setTimeout(step, pauseMs);
    pauseMs = Math.min(pauseMsMax, pauseMs * 2);
  }
}

interface Current {
  readonly fold: Fold;
  readonly lastSeq: number;
}

/** The fold that is to be done next: one that was cut off goes first, over the same batches. */
function nextFold(): Current | null {
  historyEnv.refresh();
  const cutOff = readFoldMark(tables);
  if (foldedSeq >= goalSeq && !moreToSweep && !cutOff) return null;
  // Not beyond the goal: what stands there may not be durable yet.
  const batches = cutOff
    ? journal.readAfter(foldedSeq, cutOff.lastSeq, Number.POSITIVE_INFINITY)
    : journal.readAfter(foldedSeq, goalSeq, options.foldBytesMax);
  assert(batches.length > 0 || foldedSeq >= goalSeq, 'the journal holds what it was told to fold');
  const lastSeq = batches.at(-1)?.seq ?? foldedSeq;
  const { bodyBudgetBytes } = options;
  const input = { batches: batches.map((batch) => batch.bytes), lastSeq, bodyBudgetBytes, nowMs };
  return { fold: new Fold(historyEnv, tables, input), lastSeq };
}

function finish({ fold, lastSeq }: Current): void {
  current = null;
  moreToSweep = fold.moreToSweep;
  foldedSeq = lastSeq;
  tell({ type: 'folded', seq: foldedSeq });
}

/** Pings go first: on a machine with few cores the fold must not take the processor from them. Linux only. */
function stepAside(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, niceness);
  } catch {
    // No such file elsewhere, or not allowed: then it competes as an equal.
  }
}

function tell(message: FromFoldWorker): void {
  port?.postMessage(message);
}

async function stop(): Promise<void> {
  if (scheduled) clearTimeout(scheduled);
  port?.close();
  journal.close();
  await historyEnv.close();
}
