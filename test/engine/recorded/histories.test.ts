/** With no setting of runs set, nothing is other than it was before there were any: 100 recorded histories; `all-histories` has the rest. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { digestOfHistories } from './histories.ts';

const recorded = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8')) as string[];

test('histories of seed 0', async () => {
  expect(await digestOfHistories(0)).toBe(recorded[0]);
});
