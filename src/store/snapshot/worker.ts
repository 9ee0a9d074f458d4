/**
 * Entry point of the thread that writes one snapshot and ends. A thread of its own, not the fold's: a long snapshot would
 * hold up folding until the journal is full. Invariant: it writes to no environment.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, KnellError, messageOf } from '../../lib/errors.ts';
import { openHistoryTables } from '../history/tables.ts';
import { openEnv } from '../lmdb-env.ts';
import type { FromSnapshotWorker, SnapshotWorkerData } from '../threads.ts';
import { writeSnapshotFile } from './file.ts';
import { writeHistory } from './source.ts';

const port = parentPort;
assert(port !== null, 'a snapshot is written in a thread of its own');
const options: SnapshotWorkerData = workerData;
const env = openEnv(options.dataDir, 'history');
const tables = openHistoryTables(env);

function write(): FromSnapshotWorker {
  try {
    const summary = writeSnapshotFile(options.file, (sink) =>
      writeHistory(tables, sink, {
        progress: (fraction) => tell({ type: 'progress', fraction }),
        isCancelled: () => Atomics.load(options.cancelled, 0) === 1,
      }),
    );
    return { type: 'written', summary };
  } catch (error) {
    const code = error instanceof KnellError ? error.code : 'store-broken';
    return { type: 'failed', code, message: messageOf(error) };
  }
}

function tell(message: FromSnapshotWorker): void {
  port?.postMessage(message);
}

tell(write());
await env.close();
port.close();
