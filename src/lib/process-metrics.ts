/**
 * Costs of the process itself: processor time, memory, open files, and how late its event loop is. Read when the metrics are
 * collected. Metrics that every Prometheus client has are called as there, `process_…`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Meter } from './meter.ts';
import { commit, version } from './version.ts';

/** Milliseconds between two looks at the event loop: a delay below that is not seen. */
const resolutionMs = 10;
const nanoseconds = 1e9;

const microseconds = 1e6;
const openFiles = '/proc/self/fd';

/** `dataFormat`: of the data directory. Returns what ends the measuring. */
export function measureProcess(meter: Meter, dataFormat: number): () => void {
  observeBuild(meter, dataFormat);
  measureResources(meter);
  const memory = (type: string, read: () => number): void =>
    meter.observable('knell_process_memory_bytes', 'Memory of the process.', read, { type });
  memory('resident', () => process.memoryUsage.rss());
  memory('heap', () => process.memoryUsage().heapUsed);
  memory('external', () => process.memoryUsage().external);
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const statistic = (name: string, read: () => number): void =>
    meter.observable(
      'knell_event_loop_delay_seconds',
      'Delay of the event loop since the metrics were last collected.',
      read,
      { statistic: name },
    );
  statistic('median', () => delay.percentile(50) / nanoseconds);
  statistic('p99', () => delay.percentile(99) / nanoseconds);
  // Read last, in the order in which they were added: the next collection begins anew.
  statistic('max', () => {
    const { max } = delay;
    delay.reset();
    return max / nanoseconds;
  });
  return () => delay.disable();
}

/** Always 1: what it says is in its labels, as other programs have it. */
function observeBuild(meter: Meter, dataFormat: number): void {
  meter
    .gauge('knell_build_info', 'Which Knell this is, and on which Node.js it runs.', {
      version: version(),
      commit: commit(),
      node_version: process.versions.node,
      data_format: String(dataFormat),
    })
    .set(1);
}

function measureResources(meter: Meter): void {
  meter.observedCounter('process_cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / microseconds;
  });
  meter.observable('process_resident_memory_bytes', 'Resident memory of the process.', () =>
    process.memoryUsage.rss(),
  );
  meter.observable(
    'process_start_time_seconds',
    'When the process was started, in seconds since 1970.',
    () => performance.timeOrigin / 1000,
  );
  if (!existsSync(openFiles)) return;
  meter.observable('process_open_fds', 'Open file descriptors.', () => readdirSync(openFiles).length);
  const filesMax = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]);
  if (!Number.isNaN(filesMax))
    meter.observable('process_max_fds', 'The most file descriptors that may be open.', () => filesMax);
}
