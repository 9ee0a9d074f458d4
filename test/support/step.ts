/** The check after `event`, as its real actor decides: started from the record, child of a root, stopped afterwards. */
import type { Check } from '../../src/domain/check/check.ts';
import type { CheckEvent } from '../../src/domain/check/check-machine.ts';
import { createRootActor, decide } from '../../src/engine/registry/check-actor.ts';

const root = createRootActor();

export function step(check: Check, event: CheckEvent): Check {
  return decide(root, check, event);
}
