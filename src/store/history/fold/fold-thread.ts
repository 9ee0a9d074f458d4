/**
 * The fold behind a port in a thread of its own, so that it holds neither the event loop nor the log's commits.
 * Invariant: `stop` resolves only when the thread has ended.
 */
import { Worker } from 'node:worker_threads';
import { KnellError } from '../../../lib/errors.ts';
import { foldYoungGenerationMb } from '../../disk/limits.ts';
import type { FoldWorkerData, FromFold } from '../../threads.ts';
import type { StartFold } from './fold-runner.ts';

export function foldInThread(url: URL, data: FoldWorkerData): StartFold {
  return (receive, ended) => {
    const resourceLimits = { maxYoungGenerationSizeMb: foldYoungGenerationMb };
    const worker = new Worker(url, { workerData: data, name: 'fold', resourceLimits });
    worker.on('message', (message: FromFold) => receive(message));
    worker.on('error', ended);
    const exited = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        ended(new KnellError('store-broken', 'the fold thread ended by itself'));
        resolve();
      });
    });
    return {
      send: (message) => worker.postMessage(message),
      async stop() {
        worker.postMessage({ type: 'stop' });
        await exited;
      },
    };
  };
}
