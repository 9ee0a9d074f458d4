/** Random lives of checks whose alerts are held back. */
import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { liveAlerting } from './alerting-life.ts';

const seeds = isLong ? 100 : 3;

test.each(Array.from({ length: seeds }, (_, at) => at + 1))(
  'life %i keeps the golden rules',
  async (seed) => {
    expect((await liveAlerting(seed)).length).toBeGreaterThan(20);
  },
);

const found = [10_147, 10_571, 12_633, 55_306, 56_388, 60_025, 66_929, 160_432, 161_112, 200_041];

// The quick ones in `npm test`.
test.each(found.filter((seed) => isLong || [12_633, 60_025, 66_929, 200_041].includes(seed)))(
  'life %i, in which an integration was not notified, or wrongly',
  async (seed) => {
    expect((await liveAlerting(seed)).length).toBeGreaterThan(20);
  },
);
