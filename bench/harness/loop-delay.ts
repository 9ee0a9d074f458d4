/**
 * Loaded into a server under test (`node --import`): watches how late its event loop is, and on SIGUSR2 writes that down
 * and begins anew. Invariant: nothing of this is in the product; a thread's loop is its own matter.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface LoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

/** A timer goes off so often; Node reports the time between two of them, so this is taken off again. */
const everyMs = 1;

const file = process.env.BENCH_LOOP_DELAY;
if (isMainThread && file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: everyMs });
  histogram.enable();
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - everyMs);
  process.on('SIGUSR2', () => {
    const delay: LoopDelay = {
      p50Ms: late(histogram.percentile(50)),
      p99Ms: late(histogram.percentile(99)),
      p999Ms: late(histogram.percentile(99.9)),
      maxMs: late(histogram.max),
    };
    // The code that waits for the file reads it as soon as it is there.
    writeFileSync(`${file}.new`, JSON.stringify(delay));
    renameSync(`${file}.new`, file);
    histogram.reset();
  });
}
