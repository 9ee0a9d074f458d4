/** The check after `event`, as its real actor decides: started from the record, child of a root, passivated afterwards. */
import type { Check } from '../../src/domain/check.ts';
import type { CheckEvent } from '../../src/domain/check-machine.ts';
import { CheckActor, createRootActor } from '../../src/engine/check-actor.ts';

const root = createRootActor();

export function step(check: Check, event: CheckEvent): Check {
  const actor = new CheckActor(0, check);
  actor.activate(root);
  actor.send(event);
  actor.passivate(root);
  return actor.check;
}
