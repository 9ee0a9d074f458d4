import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fastStep } from '../../src/domain/fast-path.ts';
import { anyCheck, anyEvent } from '../support/checks.ts';
import { step } from '../support/step.ts';

test('where the fast path answers, it answers what the actor of the check would', () => {
  let answered = 0;
  fc.assert(
    fc.property(anyCheck, anyEvent, (check, event) => {
      const fast = fastStep(check, event);
      if (fast === null) return;
      answered++;
      expect(fast).toEqual(step(check, event));
    }),
    { numRuns: 3000 },
  );
  expect(answered).toBeGreaterThan(500);
});

test('the fast path never changes a status', () => {
  fc.assert(
    fc.property(anyCheck, anyEvent, (check, event) => {
      expect(fastStep(check, event)?.state.status ?? check.state.status).toBe(check.state.status);
    }),
  );
});
