/**
 * How V8 spends the processor beside the event loop: how often it marks the heap, how long a job of its compiler may be, and when it
 * collects garbage.
 * Invariant: it concerns how long things take, never what a program does.
 */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { heapGrowthLimits, inlinedBytesMax } from './limits.ts';

/** Percentage of the live bytes by which the heap may grow until it is marked anew; 0 leaves it to V8. */
export function growthPercent(aliveBytes: number): number {
  const { headroomBytes, largeHeapBytes, smallHeapBytes } = heapGrowthLimits;
  return aliveBytes >= largeHeapBytes
    ? 0
    : Math.round((100 * headroomBytes) / Math.max(aliveBytes, smallHeapBytes));
}

/** A field of `gc` entries that the typings leave out. */
type GcEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/**
 * Lets the heap of a small server grow, that of this process and its threads. V8 marks a heap anew when it has grown by a share of what
 * was alive, buffers counted in: of 20 MB by a few, which pings and mails fill in less than a second. Each marking then takes some 16 ms
 * of both cores of a small machine, and what comes meanwhile waits: with mail pouring in, one ping in a hundred for 8 ms instead of 3.
 * Here the share grows as the heap shrinks, so that about the same number of bytes is left; large heaps keep V8's own. It is read at the
 * end of each marking, so it is set after the one before.
 */
export function tuneHeapGrowth(): void {
  const set = (): void => {
    setFlagsFromString(`--heap-growing-percent=${growthPercent(getHeapStatistics().used_heap_size)}`);
  };
  const observer = new PerformanceObserver((list) => {
    const isMarking = ({ detail }: GcEntry): boolean => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    if (list.getEntries().some(isMarking)) set();
  });
  set();
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * Keeps the compiling of hot functions in small jobs, from now on, in this process and its threads. With V8's own bound for inlining, one
 * job of a function that has just become hot takes several milliseconds of a core, some run at once, and the event loop waits for their
 * ends: on two cores, ten thousand checks that go down held it by 8.6 ms at most in the median of some fifty runs, and by 6.9 with this.
 */
export function boundCompileJobs(): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlinedBytesMax}`);
}

/**
 * Collects all garbage of this thread now: 10 ms for a heap of 10 MB, for a moment at which nobody waits. What a heap that
 * may grow would keep for minutes goes back: of 20 MB left of the start, and of as much after each fold.
 */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/**
 * Collects the young garbage of this thread now, for a moment between two turns of long work: about a millisecond. V8 would wait until
 * 16 MB are full, and copy what is still in use of them while everything else waits: of ten thousand checks that go down, 4 to 8 ms with
 * both cores of a small machine, and up to 14 where the second one is busy.
 */
export function collectYoungGarbage(): void {
  collect ??= collector();
  collect({ type: 'minor' });
}

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | null = null;

/**
 * V8 gives its collector to each context that is made while it is exposed. It stays exposed: the flag is of the process, and a thread
 * that hid it again would hide it from another that is about to make its context.
 */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
