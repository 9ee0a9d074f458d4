/** The rows of pings without those of statistics, which lie in the same table. */

import { highestKey, lowestKey } from '../../../src/store/disk/lmdb-env.ts';
import { type HistoryTables, pingKeyBytes } from '../../../src/store/history/rows/tables.ts';

export function countPingRows({ pings }: Pick<HistoryTables, 'pings'>): number {
  let count = 0;
  pings.scan({ start: lowestKey, end: highestKey }, (key) => {
    if (key.length === pingKeyBytes) count++;
  });
  return count;
}
