/** A bench of each sort still runs; `smoke-others` has the rest. */
import { beforeAll, expect, test } from 'vitest';
import { bench, buildBenches, quickGroups, runSmoke, slowGroups } from '../support/smoke-benches.ts';

beforeAll(buildBenches);

test('every bench is in a group', () => {
  const listed = bench('--help').stdout.split('benches:\n')[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  const grouped = [...quickGroups, ...slowGroups].flatMap((group) => group.names);
  expect(grouped.sort()).toEqual(names.sort());
});

test.each(quickGroups)('$names run in smoke mode and lose nothing', (group) => runSmoke(group));

test('a bench that nobody knows, or a flag, is a wrong call', () => {
  expect(bench('nonsense').status).toBe(2);
  expect(bench('--nonsense').status).toBe(2);
});
