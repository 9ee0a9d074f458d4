/** The small things, one figure each: medians, in nanoseconds. */

import { join } from 'node:path';
import { silentLogger } from '../../src/lib/logger.ts';
import { createMeter } from '../../src/lib/meter.ts';
import { openStore } from '../../src/store/open/open-store.ts';
import type { Context, Figure, Found } from '../harness/bench.ts';
import { timeTasks } from '../harness/micro.ts';
import { clusterTasks } from './cluster.ts';
import { domainTasks } from './domain.ts';
import { httpTasks } from './http.ts';
import { liveTasks } from './live.ts';
import { scheduleTasks } from './schedule.ts';
import { encodeTasks, historyTasks } from './store.ts';
import { wheelTasks } from './wheel.ts';

export async function run({ size, dir, progress }: Context): Promise<Found> {
  const store = await openStore({
    dataDir: join(dir, 'data'),
    journal: 'lmdb',
    durability: 'fsync',
    bodyBudgetBytes: 10_000_000,
    logger: silentLogger,
    meter: createMeter(),
    nowMs: Date.now,
    onBroken(error) {
      throw error;
    },
  });
  const history = await historyTasks(store);
  const groups = [
    domainTasks,
    wheelTasks,
    encodeTasks,
    history,
    scheduleTasks,
    httpTasks,
    liveTasks,
    clusterTasks,
  ];
  const figures: Figure[] = [];
  for (const [at, tasks] of groups.entries()) {
    figures.push(...(await timeTasks(tasks, size)));
    progress((at + 1) / groups.length);
  }
  await store.close();
  return { figures };
}
