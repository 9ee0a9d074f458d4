/**
 * Entry point of the fold's thread. Not here: the work (`fold-driver`), when there is some (`fold-runner`).
 * Invariant: it never writes to the log; the main thread releases what is folded.
 */
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../lib/errors.ts';
import { isDiskFull } from '../disk-full.ts';
import { openLogReader } from '../journal/log-kinds.ts';
import { openEnv } from '../lmdb-env.ts';
import { nodeDisk } from '../node-disk.ts';
import { eventLoop } from '../scheduler.ts';
import type { FoldWorkerData, ToFold } from '../threads.ts';
import { FoldDriver } from './fold-driver.ts';
import { openHistoryTables } from './tables.ts';

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
});

lowerPriority();
port.on('message', (message: ToFold) => {
  if (message.type === 'stop') void stop();
  else if (message.type === 'expedite') driver.expedite(message.isExpedited);
  else driver.foldTo(message.seq, message.nowMs);
});

/** Pings go first: on a machine with few cores the fold must not take the processor from them. Linux only. */
function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, niceness);
  } catch {
    // No such file on other systems, or not allowed: then it competes as an equal.
  }
}

async function stop(): Promise<void> {
  driver.stop();
  port?.close();
  await reader.close();
  await env.close();
}
