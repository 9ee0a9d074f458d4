/**
 * A deadline has passed: the check moves on, dated by the deadline, and the step is journalled. Not who notices
 * (`ticker`, or a ping or read that comes first).
 * Invariant: a timeout whose commit fails is tried again until it is committed.
 */
import type { Check } from '../domain/check.ts';
import { nextDeadline } from '../domain/deadline.ts';
import { createDeliveries, type Delivery } from '../domain/delivery.ts';
import type { Cause, StatusChange } from '../domain/flip.ts';
import { assert } from '../lib/errors.ts';
import { asDeliveryId } from '../lib/ids.ts';
import type { CheckActor } from './check-actor.ts';
import type { EngineContext } from './context.ts';

/** Takes every deadline of the check that has passed by `nowMs`: usually none, then this costs one comparison. */
export function applyDueDeadlines(context: EngineContext, actor: CheckActor, nowMs: number): void {
  for (let dueMs = nextDeadline(actor.check.state); dueMs <= nowMs; dueMs = nextDeadline(actor.check.state)) {
    acceptTimeout(context, actor, dueMs);
  }
}

function acceptTimeout(context: EngineContext, actor: CheckActor, dueMs: number): void {
  const before = actor.check;
  context.registry.send(actor, { type: 'timeout', atMs: dueMs });
  const { check } = actor;
  assert(check !== before, 'a deadline that has passed moves the check on');
  context.ticker.watch(actor);
  const changes = changesBetween(before, check, 'timeout', dueMs);
  const deliveries = deliveriesFor(context, check, changes);
  context.store.append(
    { type: 'state', check, changes, deliveries },
    {
      durable() {
        context.touched(check);
        context.changed(deliveries);
      },
      rolledBack() {
        actor.restore(before);
        context.ticker.watchAgain(actor);
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

const noDeliveries: readonly Delivery[] = [];

/** The deliveries of a step to the integrations assigned at this moment; none for most steps, at no cost. */
export function deliveriesFor(
  { registry, ids }: EngineContext,
  check: Check,
  changes: readonly StatusChange[],
): readonly Delivery[] {
  if (changes.length === 0 || check.config.channels.length === 0) return noDeliveries;
  const index = registry.projectIndex(check.projectId);
  return createDeliveries(check, changes, {
    channelOf: (id) => index?.channel(id) ?? null,
    newId: () => asDeliveryId(ids.newUuid()),
  });
}
