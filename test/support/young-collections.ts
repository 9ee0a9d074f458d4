/** How often V8 collects the young garbage of this thread. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { collectYoungGarbage } from '../../src/lib/v8-tuning.ts';

/** A field of `gc` entries that the typings leave out. */
type GcEntry = PerformanceEntry & { readonly detail?: { readonly kind?: number } };

/** Resolves to the number of collections while `work` runs, which begins without young garbage: V8 has no reason for one of its own. */
export async function youngCollections(work: () => unknown): Promise<number> {
  collectYoungGarbage();
  let collections = 0;
  const count = (entries: readonly GcEntry[]): void => {
    collections += entries.filter(
      ({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR,
    ).length;
  };
  const observer = new PerformanceObserver((list) => count(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  await work();
  // An entry comes in a turn of its own.
  await setImmediate();
  await setImmediate();
  observer.disconnect();
  return collections;
}
