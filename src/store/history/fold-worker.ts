/**
 * Entry point of the fold's thread: moves the journal into the history, as far as it is told to, and says how far it came.
 * Not here: what folding is (`fold`). Invariant: it never writes to the journal; the main thread trims.
 */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { assert, messageOf } from '../../lib/errors.ts';
import { kB } from '../../lib/units.ts';
import { isDiskFull } from '../disk-full.ts';
import { JournalReader } from '../journal/file-log-reader.ts';
import { openEnv } from '../lmdb-env.ts';
import { lowerPriority } from '../lower-priority.ts';
import type { FoldWorkerData, FromFoldWorker, ToFoldWorker } from '../threads.ts';
import { Fold } from './fold.ts';
import { Gatherer } from './fold-groups.ts';
import { openHistoryTables, readFoldMark, readMeta } from './tables.ts';

const pauseMsMin = 100;
const pauseMsMax = 5000;
const niceness = 19;
/** So much of the journal is gathered at a time: some 2 ms. */
const partBytes = 512 * kB;
/** Slices that go into one transaction while commits wait: they share its syncs. */
const hurriedSlices = 8;

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
let hurry = false;
let gathering: Gathering | null = null;
let current: Current | null = null;
let scheduled: NodeJS.Timeout | null = null;

lowerPriority(niceness);
port.on('message', (message: ToFoldWorker) => {
  if (message.type === 'stop') return void stop();
  if (message.type === 'pace') {
    hurry = message.hurry;
    return;
  }
  goalSeq = Math.max(goalSeq, message.seq);
  nowMs = message.nowMs;
  if (!scheduled) step();
});

/**
 * One small part of the work; then a pause as long as it took, so that pings have half the disk and most of the processor.
 * Small: a part of 100 ms would hold one of two cores for as long, and what else runs would queue for the other.
 * Once commits wait for the fold, it is for their sake that it neither pauses nor takes small parts.
 */
function step(): void {
  scheduled = null;
  gathering ??= current ? null : nextGathering();
  if (!gathering && !current) return;
  const startMs = performance.now();
  try {
    if (gathering) gatherOn(gathering);
    else if (current?.fold.slice(hurry ? hurriedSlices : 1)) finish(current);
    pauseMs = pauseMsMin;
    scheduled = setTimeout(step, hurry ? 0 : performance.now() - startMs);
  } catch (error) {
    if (!isDiskFull(error, options.dataDir)) {
      tell({ type: 'broken', message: messageOf(error) });
      return;
    }
    current = null;
    tell({ type: 'full' });
    scheduled = setTimeout(step, pauseMs);
    pauseMs = Math.min(pauseMsMax, pauseMs * 2);
  }
}

/** Batches read so far for the next fold. */
interface Gathering {
  readonly gatherer: Gatherer;
  readonly untilSeq: number;
  bytesLeft: number;
  seq: number;
}

interface Current {
  readonly fold: Fold;
  readonly lastSeq: number;
}

/** What is to be folded next: a fold that was cut off goes first, over the same batches. */
function nextGathering(): Gathering | null {
  historyEnv.refresh();
  const cutOff = readFoldMark(tables);
  if (foldedSeq >= goalSeq && !moreToSweep && !cutOff) return null;
  // Not beyond the goal: what stands there may not be durable yet.
  const untilSeq = cutOff?.lastSeq ?? goalSeq;
  const bytesLeft = cutOff ? Number.POSITIVE_INFINITY : options.foldBytesMax;
  return { gatherer: new Gatherer(), untilSeq, bytesLeft, seq: foldedSeq };
}

/** Reads the next batches; when there are enough of them, or no more, the fold can begin. */
function gatherOn(state: Gathering): void {
  const before = state.seq;
  for (const { seq, bytes } of journal.readAfter(state.seq, state.untilSeq, partBytes)) {
    state.gatherer.add(bytes);
    state.seq = seq;
    state.bytesLeft -= bytes.length;
  }
  if (state.bytesLeft > 0 && state.seq < state.untilSeq) {
    assert(state.seq > before, 'the journal holds what it was told to fold');
    return;
  }
  gathering = null;
  const { gathered } = state.gatherer;
  const { bodyBudgetBytes } = options;
  const fold = new Fold(historyEnv, tables, { gathered, lastSeq: state.seq, bodyBudgetBytes, nowMs });
  current = { fold, lastSeq: state.seq };
}

function finish({ fold, lastSeq }: Current): void {
  current = null;
  moreToSweep = fold.moreToSweep;
  foldedSeq = lastSeq;
  tell({ type: 'folded', seq: foldedSeq });
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
