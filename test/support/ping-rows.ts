/** The rows of pings without those of statistics, which lie in the same table. */
import { type HistoryTables, pingKeyBytes } from '../../src/store/history/tables.ts';
import { highestKey, lowestKey } from '../../src/store/lmdb-env.ts';

export function countPingRows({ pings }: Pick<HistoryTables, 'pings'>): number {
  let count = 0;
  pings.scan({ start: lowestKey, end: highestKey }, (key) => {
    if (key.length === pingKeyBytes) count++;
  });
  return count;
}
