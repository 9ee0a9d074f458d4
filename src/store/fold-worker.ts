/**
 * Entry point of the fold's thread: moves the journal into the history, as far as it is told to, and says how far it came.
 * Not here: what folding is (`fold`). Invariant: it never writes to the journal; the main thread trims.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, messageOf } from '../lib/errors.ts';
import { foldInSteps, sweep } from './fold.ts';
import { openHistoryTables, readMeta } from './history-tables.ts';
import { openJournalTable } from './journal-table.ts';
import { openEnv } from './lmdb-env.ts';
import type { FoldWorkerData, FromFoldWorker, ToFoldWorker } from './threads.ts';
import { isWantOfSpace } from './want-of-space.ts';

/** Between attempts while there is no space. */
const pauseMsMin = 100;
const pauseMsMax = 5000;
/** Between two transactions of a fold. */
const restMsMax = 50;

const port = parentPort;
assert(port !== null, 'the fold runs in a thread of its own');
const options: FoldWorkerData = workerData;
const journalEnv = openEnv(options.dataDir, 'journal');
const historyEnv = openEnv(options.dataDir, 'history');
const journal = openJournalTable(journalEnv);
const tables = openHistoryTables(historyEnv);

let foldedSeq = readMeta(tables, 'folded') ?? 0;
let goalSeq = foldedSeq;
let nowMs = 0;
/** Rows of deleted checks may be left over from before. */
let moreToSweep = true;
/** The fold that is going on. */
let going: { readonly lastSeq: number; readonly steps: Generator<void> } | null = null;
let pauseMs = pauseMsMin;
let scheduled: NodeJS.Timeout | null = null;

port.on('message', (message: ToFoldWorker) => {
  if (message.type === 'stop') {
    void stop();
    return;
  }
  goalSeq = Math.max(goalSeq, message.seq);
  nowMs = message.nowMs;
  if (!scheduled) run();
});

/** One transaction; then the event loop has a turn, so that a stop is heard between two. */
function run(): void {
  scheduled = null;
  const startMs = performance.now();
  try {
    if (!step()) return;
    pauseMs = pauseMsMin;
    // As long as it took, so that half of the time the disk is the journal's alone; no rest once more is waiting.
    const isBehind = !going || going.lastSeq < goalSeq;
    scheduled = setTimeout(run, isBehind ? 0 : Math.min(restMsMax, performance.now() - startMs));
  } catch (error) {
    going = null;
    if (!isWantOfSpace(error, options.dataDir)) {
      tell({ type: 'broken', message: messageOf(error) });
      return;
    }
    tell({ type: 'full' });
    scheduled = setTimeout(run, pauseMs);
    pauseMs = Math.min(pauseMsMax, pauseMs * 2);
  }
}

/** Answers whether there is more to do. */
function step(): boolean {
  if (going) {
    if (going.steps.next().done) endFold(going.lastSeq);
    return true;
  }
  if (foldedSeq < goalSeq) {
    going = beginFold();
    return true;
  }
  if (moreToSweep) moreToSweep = sweep(historyEnv, tables);
  return moreToSweep;
}

/** A fold that was cut off is repeated over the same batches: the ledgers tell which checks have it. */
function beginFold() {
  const cutOffSeq = readMeta(tables, 'folding') ?? 0;
  const isRepeated = cutOffSeq > foldedSeq;
  const bytesMax = isRepeated ? Number.POSITIVE_INFINITY : options.foldBytesMax;
  const found = journal.read({ after: foldedSeq, last: isRepeated ? cutOffSeq : goalSeq, bytesMax });
  const lastSeq = found.at(-1)?.seq ?? 0;
  assert(
    lastSeq > foldedSeq && (!isRepeated || lastSeq === cutOffSeq),
    'the journal holds what is to be folded',
  );
  const batches = found.map((batch) => batch.bytes);
  const steps = foldInSteps(historyEnv, tables, {
    batches,
    lastSeq,
    bodyBudgetBytes: options.bodyBudgetBytes,
    nowMs,
  });
  return { lastSeq, steps };
}

function endFold(lastSeq: number): void {
  going = null;
  foldedSeq = lastSeq;
  moreToSweep = true;
  tell({ type: 'folded', seq: foldedSeq });
}

function tell(message: FromFoldWorker): void {
  port?.postMessage(message);
}

async function stop(): Promise<void> {
  if (scheduled) clearTimeout(scheduled);
  port?.close();
  await journalEnv.close();
  await historyEnv.close();
}
