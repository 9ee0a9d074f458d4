import fc from 'fast-check';
import { expect, test } from 'vitest';
import { step } from '../../src/domain/check-machine.ts';
import { steadyStep } from '../../src/domain/steady-path.ts';
import { anyCheck, anyEvent } from '../support/checks.ts';

test('where the steady path answers, it answers what the statechart would', () => {
  let answered = 0;
  fc.assert(
    fc.property(anyCheck, anyEvent, (check, event) => {
      const steady = steadyStep(check, event);
      if (steady === null) return;
      answered++;
      expect(steady).toEqual(step(check, event));
    }),
    { numRuns: 3000 },
  );
  expect(answered).toBeGreaterThan(500);
});

test('the steady path never changes a status', () => {
  fc.assert(
    fc.property(anyCheck, anyEvent, (check, event) => {
      expect(steadyStep(check, event)?.state.status ?? check.state.status).toBe(check.state.status);
    }),
  );
});
