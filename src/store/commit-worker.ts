/**
 * Entry point of the commit thread, used while the disk is slow: the same transaction as on the main thread, elsewhere.
 * Not lmdb's own asynchronous `put`: its errors reach the caller in a form that ends the process. Invariant: one batch at a time.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, messageOf } from '../lib/errors.ts';
import { openJournalTable } from './journal-table.ts';
import { openEnv } from './lmdb-env.ts';
import type { CommitWorkerData, FromCommitWorker, ToCommitWorker } from './threads.ts';
import { errnoOf } from './want-of-space.ts';

const port = parentPort;
assert(port !== null, 'slow commits run in a thread of their own');
const options: CommitWorkerData = workerData;
const env = openEnv(options.dataDir, 'journal');
const journal = openJournalTable(env);

port.on('message', (message: ToCommitWorker) => {
  if (message.type === 'stop') {
    port.close();
    void env.close();
  } else port.postMessage(answer(message));
});

function answer({ batch, trim }: Extract<ToCommitWorker, { type: 'commit' }>): FromCommitWorker {
  try {
    // What comes through a message is a plain array of bytes.
    const { buffer, byteOffset, byteLength } = batch.bytes;
    journal.commit({ seq: batch.seq, bytes: Buffer.from(buffer, byteOffset, byteLength) }, trim);
    return { type: 'written' };
  } catch (error) {
    return { type: 'failed', message: messageOf(error), errno: errnoOf(error) };
  }
}
