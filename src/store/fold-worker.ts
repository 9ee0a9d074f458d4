/**
 * Entry point of the fold's thread: moves the journal into the history, as far as it is told to, and says how far it came.
 * Not here: what folding is (`fold`). Invariant: it never writes to the journal; the main thread trims.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, messageOf } from '../lib/errors.ts';
import { fold } from './fold.ts';
import { openHistoryTables, readMeta } from './history-tables.ts';
import { openJournalTable } from './journal-table.ts';
import { openEnv } from './lmdb-env.ts';
import type { FoldWorkerData, FromFoldWorker, ToFoldWorker } from './threads.ts';
import { isWantOfSpace } from './want-of-space.ts';

const pauseMsMin = 100;
const pauseMsMax = 5000;

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
let pauseMs = pauseMsMin;
let scheduled: NodeJS.Timeout | null = null;

port.on('message', (message: ToFoldWorker) => {
  if (message.type === 'stop') return void stop();
  goalSeq = Math.max(goalSeq, message.seq);
  nowMs = message.nowMs;
  if (!scheduled) step();
});

/** One transaction; then the event loop has a turn, so that a stop is heard between two. */
function step(): void {
  scheduled = null;
  if (foldedSeq >= goalSeq && !moreToSweep) return;
  try {
    foldSome();
    pauseMs = pauseMsMin;
    scheduled = setTimeout(step, 0);
  } catch (error) {
    if (!isWantOfSpace(error, options.dataDir)) {
      tell({ type: 'broken', message: messageOf(error) });
      return;
    }
    tell({ type: 'full' });
    scheduled = setTimeout(step, pauseMs);
    pauseMs = Math.min(pauseMsMax, pauseMs * 2);
  }
}

function foldSome(): void {
  const found = foldedSeq < goalSeq ? journal.readAfter(foldedSeq, options.foldBytesMax) : [];
  const lastSeq = found.at(-1)?.seq ?? foldedSeq;
  moreToSweep = fold(historyEnv, tables, {
    batches: found.map((batch) => batch.bytes),
    lastSeq,
    bodyBudgetBytes: options.bodyBudgetBytes,
    nowMs,
  });
  assert(found.length > 0 || foldedSeq >= goalSeq, 'the journal holds what it was told to fold');
  foldedSeq = lastSeq;
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
