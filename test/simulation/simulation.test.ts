/**
 * Random lives of Knell from seeds, beside a model. One that fails says its seed, which `KNELL_TEST_SEED` runs alone;
 * `npm run test:simulation -- --seeds N` runs more.
 */

import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { live } from './life.ts';

const fixed = process.env.KNELL_TEST_SEED;
/** In `npm test` enough to meet every kind of event, in `npm run test:long` many times; more have a command of their own. */
const seedsInSuite = isLong ? 60 : 2;
const groupSize = isLong ? 10 : 2;
const groups = Array.from({ length: seedsInSuite / groupSize }, (_, at) => 1 + at * groupSize);

if (fixed !== undefined)
  test(`the life with seed ${fixed} is as the model has it`, async () => {
    await live(Number(fixed));
  });
else
  describe('random lives are as the model has them', () => {
    test.each(groups)(`${groupSize} from seed %i on`, async (first) => {
      let pings = 0;
      for (let seed = first; seed < first + groupSize; seed++) pings += (await live(seed)).pings;
      expect(pings).toBeGreaterThan(groupSize);
    });

    test.runIf(isLong)(
      'with two changes alike to the millisecond, one of which is repeated (seed 5336)',
      async () => {
        expect((await live(5336)).pings).toBeGreaterThan(0);
      },
    );

    test.runIf(isLong)(
      'with a snooze that is ended, a kill, and its own end before the next look (seed 107593)',
      async () => {
        expect((await live(107_593)).pings).toBeGreaterThan(0);
      },
    );

    test('with an alert sent again after a kill, and a pause before the next look (seed 120352)', async () => {
      expect((await live(120_352)).pings).toBeGreaterThan(0);
    });

    test.runIf(isLong)(
      'with a snooze that a full disk refuses while an alert waits (seed 506732)',
      async () => {
        expect((await live(506_732)).pings).toBeGreaterThan(0);
      },
    );

    test.each(isLong ? [1, 2, 3, 4] : [1])('seed %i twice is the same to the byte', async (seed) => {
      const [once, again] = [await live(seed), await live(seed)];
      expect(again.trace).toEqual(once.trace);
      expect(again.hash).toBe(once.hash);
    });
  });
