/** With no setting of runs set, nothing is other than it was before there were any: the other 9,700 recorded histories. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { digestOfHistories } from './histories.ts';

const recorded = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8')) as string[];

test.each(Array.from({ length: 97 }, (_, at) => at + 3))('histories of seed %i', async (seed) => {
  expect(await digestOfHistories(seed)).toBe(recorded[seed]);
});
