/** The check after `event`, as its real actor decides: started from the record, stopped afterwards. */
import type { Check } from '../../src/domain/check/check.ts';
import type { CheckEvent } from '../../src/domain/check/check-machine.ts';
import { decide } from '../../src/engine/registry/check-actor.ts';

export function step(check: Check, event: CheckEvent): Check {
  return decide(check, event);
}
