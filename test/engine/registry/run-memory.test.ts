/** What runs in flight cost: 10,000 checks with 100 runs each stay within 100 MB. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { defaultConfig, freshState } from '../../../src/domain/check/check.ts';
import { noRuns, type OpenRun } from '../../../src/domain/check/run-state.ts';
import { Registry } from '../../../src/engine/registry/registry.ts';
import { asBadgeId, asCheckId, asProjectId, asRunId } from '../../../src/lib/ids.ts';
import { MB } from '../../../src/lib/units.ts';
import { uuidOf } from '../../support/store/store-facts.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const checks = 10_000;
const runsEach = 100;

/** Bytes that are in use. */
function used(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function registryWith(runs: number): { readonly registry: Registry; readonly bytes: number } {
  const before = used();
  const registry = new Registry();
  for (let check = 0; check < checks; check++) {
    const open = Array.from({ length: runs }, (_, run): OpenRun => {
      const startedMs = 1.7e12 + 1000 * run;
      return { rid: asRunId(uuidOf(run, check)), startedMs, aliveMs: 0, notBeforeMs: 0, host: 'db-1' };
    });
    registry.addCheck({
      id: asCheckId(uuidOf(1, check)),
      badgeId: asBadgeId(uuidOf(2, check)),
      projectId: asProjectId(uuidOf(3, 0)),
      createdAtMs: check,
      config: { ...defaultConfig, name: `check ${check}`, maxRuntimeS: 3600 },
      state: { ...freshState, status: 'up' },
      runs: { ...noRuns, open },
    });
  }
  return { registry, bytes: used() - before };
}

test('10,000 checks with 100 runs each in flight take at most 100 MB more than without', () => {
  const without = registryWith(0);
  const withRuns = registryWith(runsEach);
  expect(withRuns.bytes - without.bytes).toBeLessThan(100 * MB);
  expect(withRuns.registry.find(uuidOf(1, 77))?.runs?.open).toHaveLength(runsEach);
  expect(without.registry.find(uuidOf(1, 77))?.runs?.open).toHaveLength(0);
});
