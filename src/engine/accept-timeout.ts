/**
 * A deadline has passed: the check moves on, dated by the deadline, and the step is journalled. Not who notices
 * (`ticker`, or a ping or read that comes first).
 * Invariant: a timeout whose commit fails is tried again until it is committed.
 */
import { nextDeadline } from '../domain/deadline.ts';
import { assert } from '../lib/errors.ts';
import { second } from '../lib/units.ts';
import type { CheckActor } from './check-actor.ts';
import type { EngineContext } from './context.ts';
import { changesBetween, deliveriesFor, publishStep } from './status-changes.ts';

/** Takes every deadline of the check that has passed by `nowMs`: usually none, then this costs one comparison. */
export function applyDueDeadlines(context: EngineContext, actor: CheckActor, nowMs: number): void {
  for (let dueMs = nextDeadline(actor.check.state); dueMs <= nowMs; dueMs = nextDeadline(actor.check.state)) {
    context.metrics.deadlineLatenessSeconds.observe((nowMs - dueMs) / second);
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
        publishStep(context, check, deliveries);
      },
      rolledBack() {
        context.registry.replaceRecord(actor, before);
        context.ticker.watchAgain(actor);
      },
    },
  );
}
