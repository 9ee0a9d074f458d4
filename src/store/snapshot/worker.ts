/**
 * Entry point of the thread that writes one snapshot and ends. A thread of its own, not the fold's: a long snapshot would
 * hold up folding until the journal is full. Invariant: it writes to no environment.
 */
import { workerData } from 'node:worker_threads';
import { openEnv } from '../disk/lmdb-env.ts';
import { openHistoryTables } from '../history/rows/tables.ts';
import type { SnapshotWorkerData } from '../threads.ts';
import { answerOnce } from './answer.ts';
import { writeSnapshotFile } from './file.ts';
import { writeHistory } from './source.ts';

const { dataDir, file, cancelled }: SnapshotWorkerData = workerData;
const env = openEnv(dataDir, 'history');
const tables = openHistoryTables(env);

await answerOnce(
  cancelled,
  (progress) => {
    const options = { progress, isCancelled: () => Atomics.load(cancelled, 0) === 1 };
    return writeSnapshotFile(file, (sink) => writeHistory(tables, sink, options));
  },
  () => env.close(),
);
