/**
 * A deadline has passed: the check moves on, dated by the deadline, and the step is journalled. Not who notices
 * (`ticker`, or a ping or read that comes first).
 * Invariant: a timeout whose commit fails is tried again until it is committed.
 */
import type { Check } from '../domain/check.ts';
import { nextDeadline } from '../domain/deadline.ts';
import { type Delivery, owedBy } from '../domain/delivery.ts';
import type { Cause, StatusChange } from '../domain/flip.ts';
import { assert } from '../lib/errors.ts';
import { asDeliveryId } from '../lib/ids.ts';
import type { CheckActor } from './check-actor.ts';
import type { Rooms } from './rooms.ts';

/** Takes every deadline of the check that has passed by `nowMs`: usually none, then this costs one comparison. */
export function settleDeadlines(rooms: Rooms, actor: CheckActor, nowMs: number): void {
  for (let dueMs = nextDeadline(actor.check.state); dueMs <= nowMs; dueMs = nextDeadline(actor.check.state)) {
    acceptTimeout(rooms, actor, dueMs);
  }
}

function acceptTimeout(rooms: Rooms, actor: CheckActor, dueMs: number): void {
  const before = actor.check;
  rooms.registry.send(actor, { type: 'timeout', atMs: dueMs });
  const { check } = actor;
  assert(check !== before, 'a deadline that has passed moves the check on');
  rooms.ticker.watch(actor);
  const changes = changesBetween(before, check, 'timeout', dueMs);
  const owed = owedFor(rooms, check, changes);
  rooms.store.append(
    { type: 'state', check, changes, owed },
    {
      durable() {
        rooms.touched(check);
        rooms.changed(owed);
      },
      rolledBack() {
        actor.restore(before);
        rooms.ticker.watchAgain(actor);
      },
    },
  );
}

const nothing: readonly StatusChange[] = [];

/** The status change that a step made, if it made one. */
export function changesBetween(
  before: Check,
  after: Check,
  cause: Cause,
  atMs: number,
): readonly StatusChange[] {
  const from = before.state.status;
  const to = after.state.status;
  return from === to ? nothing : [{ atMs, from, to, cause }];
}

const noneOwed: readonly Delivery[] = [];

/** The deliveries that a step owes to the integrations assigned at this moment; nothing for most steps, at no cost. */
export function owedFor(
  { registry, ids }: Rooms,
  check: Check,
  changes: readonly StatusChange[],
): readonly Delivery[] {
  if (changes.length === 0 || check.config.channels.length === 0) return noneOwed;
  const shelf = registry.shelf(check.projectId);
  return owedBy(check, changes, {
    channelOf: (id) => shelf?.channel(id) ?? null,
    newId: () => asDeliveryId(ids.newUuid()),
  });
}
