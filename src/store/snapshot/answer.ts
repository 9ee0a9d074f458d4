/**
 * Answers of a snapshot thread: progress on the way, then the result. Invariant: it answers once, whatever happens.
 */
import { parentPort } from 'node:worker_threads';
import { assert, KnellError, messageOf } from '../../lib/errors.ts';
import type { Progress, SnapshotSummary } from '../store.ts';
import type { FromSnapshotWorker } from '../threads.ts';

/** Runs `work`, which ends early by its progress once `cancelled` is set. */
export async function answerOnce(
  cancelled: Int32Array,
  work: (progress: Progress) => SnapshotSummary,
  close: () => Promise<void> = async () => {},
): Promise<void> {
  const port = parentPort;
  assert(port !== null, 'a snapshot is written and read in a thread of its own');
  const post = (message: FromSnapshotWorker): void => port.postMessage(message);
  try {
    const summary = work((fraction) => {
      if (Atomics.load(cancelled, 0) === 1) throw stopping();
      post({ type: 'progress', fraction });
    });
    post({ type: 'done', summary });
  } catch (error) {
    const code = error instanceof KnellError ? error.code : 'store-broken';
    post({ type: 'failed', code, message: messageOf(error) });
  }
  await close();
  port.close();
}

export function stopping(): KnellError {
  return new KnellError('conflict', 'the snapshot was given up: Knell is stopping');
}
