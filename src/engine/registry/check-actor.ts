/**
 * One check as an XState actor: the statechart of `domain/check/check-machine` itself, child of one root actor, so that all share
 * one actor system. An actor exists only while it decides: it is started from the record as its snapshot, takes one event,
 * leaves the record after it, and is stopped. 99.9 % of all pings never need one (`fast-ping`).
 *
 * The actor neither keeps records (`check-table` does), nor watches deadlines, nor writes to the journal.
 * Invariant: the record is the whole truth; an actor remembers nothing beyond it.
 */
import { type ActorRefFrom, type AnyActor, type AnyActorRef, createActor, fromTransition } from 'xstate';
import type { Check } from '../../domain/check/check.ts';
import {
  type CheckEvent,
  type CheckSnapshot,
  checkMachine,
  snapshotOf,
} from '../../domain/check/check-machine.ts';

interface Stop {
  readonly type: 'stop';
  readonly child: AnyActorRef;
}

/** A child cannot stop itself: its parent does. Errors of children are events too, which nobody takes: see `decide`. */
const rootLogic = fromTransition((state: null, event: Stop, { stopChild }) => {
  if (event.type === 'stop') stopChild(event.child);
  return state;
}, null);

/**
 * The statechart of a check, which takes up a snapshot as it is: it was made here, of a record. By itself XState walks all of the
 * record, for actors that a stored one could mention.
 */
const checkLogic: typeof checkMachine = Object.create(checkMachine, {
  restoreSnapshot: { value: (snapshot: CheckSnapshot) => snapshot },
});

type RootActor = ActorRefFrom<typeof rootLogic>;

/** The parent of all check actors: has no state, only the actor system that they share. */
export function createRootActor(): RootActor {
  return createActor(rootLogic).start();
}

/** The check after `event`: the very same object when nothing changed. Throws what the chart throws, a bug. */
export function decide(root: RootActor, check: Check, event: CheckEvent): Check {
  const actor = createActor(checkLogic, { snapshot: snapshotOf(check), parent: root as AnyActor }).start();
  actor.send(event);
  const snapshot = actor.getSnapshot();
  if (snapshot.status === 'error') throw snapshot.error;
  root.send({ type: 'stop', child: actor });
  return snapshot.context;
}
