/**
 * Small things timed in a loop (tinybench), as figures in nanoseconds. Invariant: what is timed returns something that is
 * used, so that the compiler cannot leave it out.
 */
import { Bench } from 'tinybench';
import type { Figure, Size } from './bench.ts';

export interface Task {
  readonly name: string;
  readonly run: () => unknown;
  /** Operations in one `run`. */
  readonly times?: number;
}

/** How long each task is warmed up and measured. */
const durations: Readonly<Record<Size, number>> = { smoke: 2, quick: 30, normal: 150, full: 1000 };

/** Where results go, so that they count as used. */
export const sink: { value: unknown } = { value: null };

export async function timeTasks(tasks: readonly Task[], size: Size): Promise<readonly Figure[]> {
  const time = durations[size];
  const bench = new Bench({ time, warmupTime: time / 2, iterations: 1, warmupIterations: 1 });
  for (const { name, run } of tasks) {
    bench.add(name, () => {
      sink.value = run();
    });
  }
  await bench.run();
  return tasks.map(({ name, times = 1 }) => {
    const result = bench.getTask(name)?.result;
    const latency = result && 'latency' in result ? result.latency : null;
    if (!latency)
      throw new Error(`${name} failed: ${result && 'error' in result ? result.error.message : 'no result'}`);
    const perOperation = 1e6 / times;
    return {
      name,
      value: latency.p50 * perOperation,
      min: latency.min * perOperation,
      max: latency.p99 * perOperation,
      unit: 'ns',
    };
  });
}
