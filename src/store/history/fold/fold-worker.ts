/**
 * Entry point of the fold's thread. `fold-driver` does the work; `fold-runner` decides when there is some.
 * Invariant: it never writes to the log; the main thread releases what is folded.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../../lib/errors.ts';
import { collectGarbage } from '../../../lib/v8-tuning.ts';
import { isDiskFull } from '../../disk/disk-full.ts';
import { openEnv } from '../../disk/lmdb-env.ts';
import { lowerPriority } from '../../disk/lower-priority.ts';
import { nodeDisk } from '../../disk/node-disk.ts';
import { eventLoop } from '../../disk/scheduler.ts';
import { openLogReader } from '../../journal/log-reader.ts';
import type { FoldWorkerData, ToFold } from '../../threads.ts';
import { openHistoryTables } from '../rows/tables.ts';
import { FoldDriver } from './fold-driver.ts';

const niceness = 19;

const port = parentPort;
assert(port !== null, 'the fold runs in a thread of its own');
const { dataDir, journal, bodyBudgetBytes, foldBytesMax, foldFreeBytesMin }: FoldWorkerData = workerData;
const env = openEnv(dataDir, 'history');
const reader = openLogReader(journal, dataDir);
const driver = new FoldDriver({
  env,
  tables: openHistoryTables(env),
  reader,
  scheduler: eventLoop,
  bodyBudgetBytes,
  foldBytesMax,
  foldFreeBytesMin,
  freeBytes: () => nodeDisk.freeBytes(dataDir),
  isDiskFull: (error) => isDiskFull(error, dataDir),
  report: (message) => port.postMessage(message),
  rest: collectGarbage,
});

lowerPriority(niceness);
port.on('message', (message: ToFold) => {
  if (message.type === 'stop') void stop();
  else if (message.type === 'expedite') driver.expedite(message.isExpedited);
  else driver.foldTo(message.seq, message.nowMs);
});

async function stop(): Promise<void> {
  driver.stop();
  port?.close();
  await reader.close();
  await env.close();
}
