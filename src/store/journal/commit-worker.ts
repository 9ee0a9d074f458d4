/**
 * Entry point of the thread that commits to the LMDB log while the disk is slow. `lmdb-log` decides when that is.
 * Invariant: it answers each append once, when it is durable or has failed.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, messageOf } from '../../lib/errors.ts';
import { isDiskFull } from '../disk/disk-full.ts';
import { openEnv } from '../disk/lmdb-env.ts';
import { applyAppend, batchesTable, type LmdbAppend } from './lmdb-batches.ts';
import type { FromSlowCommits, SlowCommitsData } from './slow-commits.ts';

const port = parentPort;
assert(port !== null, 'slow commits have a thread of their own');
const { dataDir }: SlowCommitsData = workerData;
const env = openEnv(dataDir, 'journal');
const table = env.table(batchesTable);

port.on('message', (message: LmdbAppend | 'stop') => {
  if (message === 'stop') return void stop();
  port?.postMessage(outcomeOf(message));
});

function outcomeOf(append: LmdbAppend): FromSlowCommits {
  try {
    applyAppend(env, table, append);
    return { type: 'outcome', outcome: 'written' };
  } catch (error) {
    if (isDiskFull(error, dataDir)) return { type: 'outcome', outcome: 'disk-full' };
    return { type: 'broken', message: messageOf(error) };
  }
}

async function stop(): Promise<void> {
  port?.close();
  await env.close();
}
