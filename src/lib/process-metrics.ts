/** What the process itself costs: memory, and how late its event loop is. Read when the metrics are collected. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from './meter.ts';

/** How often the event loop is looked at: a delay below that is not seen. */
const resolutionMs = 10;
const nanoseconds = 1e9;

/** Returns what ends the measuring. */
export function measureProcess(meter: Meter): () => void {
  const memory = (type: string, read: () => number): void =>
    meter.observable('knell_process_memory_bytes', 'Memory of the process.', read, { type });
  memory('resident', () => process.memoryUsage.rss());
  memory('heap', () => process.memoryUsage().heapUsed);
  memory('external', () => process.memoryUsage().external);
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const quantile = (quantileLabel: string, read: () => number): void =>
    meter.observable(
      'knell_event_loop_delay_seconds',
      'Delay of the event loop since the metrics were last collected.',
      read,
      { quantile: quantileLabel },
    );
  quantile('0.5', () => delay.percentile(50) / nanoseconds);
  quantile('0.99', () => delay.percentile(99) / nanoseconds);
  // Read last, in the order in which they were added: the next collection begins anew.
  quantile('1', () => {
    const { max } = delay;
    delay.reset();
    return max / nanoseconds;
  });
  return () => delay.disable();
}
