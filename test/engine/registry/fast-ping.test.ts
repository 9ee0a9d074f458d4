import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Check } from '../../../src/domain/check/check.ts';
import type { CheckEvent } from '../../../src/domain/check/check-machine.ts';
import { signals } from '../../../src/domain/check/ping.ts';
import { CheckTable } from '../../../src/engine/registry/check-table.ts';
import { fastStep } from '../../../src/engine/registry/fast-ping.ts';
import { checkRow } from '../../../src/store/codec/check.ts';
import { anyCheck, anyPingEvent } from '../../support/engine/checks.ts';
import { step } from '../../support/step.ts';
import { words } from '../../support/words.ts';

/**
 * The check after `event` as its row has it; null where the statechart must decide. One table for all cases: a new one is more
 * than a megabyte, and the collector of garbage then took ten times as long as the cases.
 */
function fast(table: CheckTable, check: Check, event: CheckEvent): Check | null {
  const handle = table.add(words(check.id), checkRow.write(check));
  table.putState(handle, check.state);
  const rid = 'rid' in event ? event.rid : null;
  const signal = signals.find((name) => name === event.type);
  if (signal === undefined) throw new Error(`${event.type} is no ping`);
  const taken = fastStep(table.rows, table.timings, handle, signal, event.atMs, rid);
  if (!taken) expect(table.check(handle)).toEqual(check);
  const after = taken ? table.check(handle) : null;
  table.free(handle);
  return after;
}

test('where the fast path answers, it answers what the actor of the check would', () => {
  const table = new CheckTable();
  let answered = 0;
  fc.assert(
    fc.property(anyCheck, anyPingEvent, (check, event) => {
      const after = fast(table, check, event);
      if (after === null) return;
      answered++;
      expect(after).toEqual(step(check, event));
    }),
    { numRuns: 2000 },
  );
  expect(answered).toBeGreaterThan(500);
});

test('the fast path never changes a status', () => {
  const table = new CheckTable();
  fc.assert(
    fc.property(anyCheck, anyPingEvent, (check, event) => {
      expect(fast(table, check, event)?.state.status ?? check.state.status).toBe(check.state.status);
    }),
  );
});
