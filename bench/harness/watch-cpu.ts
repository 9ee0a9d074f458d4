/** What another process uses of the processor. Invariant: a generator that is at its limit is seen to be, whichever it is. */
import { readFileSync } from 'node:fs';

const lookEveryMs = 100;
/** Linux reports times in hundredths of a second, whatever the kernel's own clock. */
const ticksPerSecond = 100;

/** Looks at another process until it ends; the answer is what it used of a core, NaN without /proc. */
export function watchCpu(pid: number): () => number {
  const startedMs = performance.now();
  let share = Number.NaN;
  const timer = setInterval(() => {
    const ticks = ticksOf(pid);
    if (!Number.isNaN(ticks)) share = (ticks * 1000) / ticksPerSecond / (performance.now() - startedMs);
  }, lookEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return share;
  };
}

/** Milliseconds of the processor that a process has used so far, to 10 ms, all its threads together; NaN without /proc. */
export function cpuMsOf(pid: number): number {
  return (ticksOf(pid) * 1000) / ticksPerSecond;
}

function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // User and system time are the 14th and 15th field of all, the 12th and 13th after the name.
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}
