/**
 * One check as an XState actor: the statechart of `domain/check/check-machine` itself. An actor exists only while it decides: it is
 * started from the record as its snapshot, takes one event, leaves the record after it, and is stopped. 99.9 % of all pings never
 * need one (`fast-ping`).
 *
 * The actor neither keeps records (`check-table` does), nor watches deadlines, nor writes to the journal.
 * Invariant: the record is the whole truth; an actor remembers nothing beyond it.
 */
import { type ActorRefFrom, createActor } from 'xstate';
import type { Check } from '../../domain/check/check.ts';
import {
  type CheckEvent,
  type CheckSnapshot,
  checkMachine,
  snapshotOf,
} from '../../domain/check/check-machine.ts';

/** What the next actor starts from. */
let start: CheckSnapshot | null = null;

/**
 * The statechart of a check, whose actors start from a snapshot of a record. As an option, XState would walk all of it, for actors that
 * a stored one could mention; and V8 of Node 20 makes hidden classes for each object of options, which outlive all young collections
 * with whatever they refer to: ten thousand actors left 7 MB behind.
 */
const checkLogic: typeof checkMachine = Object.create(checkMachine, {
  getInitialSnapshot: { value: () => start },
});

/** Errors are read from the snapshot: see `decide`. Without an observer XState throws them where nobody can catch them. */
const observer = { error(): void {} };

/** An actor that has taken every event so far and is to go on from `check`. */
export function startCheckActor(check: Check): ActorRefFrom<typeof checkMachine> {
  start = snapshotOf(check);
  const actor = createActor(checkLogic);
  start = null;
  actor.subscribe(observer);
  return actor.start();
}

/** The check after `event`: the very same object when nothing changed. Throws what the chart throws, a bug. */
export function decide(check: Check, event: CheckEvent): Check {
  const actor = startCheckActor(check);
  actor.send(event);
  const snapshot = actor.getSnapshot();
  if (snapshot.status === 'error') throw snapshot.error;
  actor.stop();
  return snapshot.context;
}
