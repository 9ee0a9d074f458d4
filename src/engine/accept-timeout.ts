/**
 * A deadline has passed: the check moves on, dated by the deadline, and the step is journalled. Not who notices
 * (`ticker`, or a ping or read that comes first).
 * Invariant: a timeout whose commit fails is tried again until it is committed.
 */
import { assert } from '../lib/errors.ts';
import { second } from '../lib/units.ts';
import type { EngineContext } from './context.ts';
import { changesBetween, deliveriesFor, publishStep } from './status-changes.ts';

/** Takes every deadline of the check that has passed by `nowMs`: usually none, then this costs one comparison. */
export function applyDueDeadlines(context: EngineContext, handle: number, nowMs: number): void {
  const { registry, metrics } = context;
  for (let dueMs = registry.deadline(handle); dueMs <= nowMs; dueMs = registry.deadline(handle)) {
    metrics.deadlineLatenessSeconds.observe((nowMs - dueMs) / second);
    acceptTimeout(context, handle, dueMs);
  }
}

function acceptTimeout(context: EngineContext, handle: number, dueMs: number): void {
  const before = context.registry.check(handle);
  context.registry.send(handle, { type: 'timeout', atMs: dueMs });
  const check = context.registry.check(handle);
  assert(check !== before, 'a deadline that has passed moves the check on');
  context.ticker.watch(handle);
  const changes = changesBetween(before, check, 'timeout', dueMs);
  const deliveries = deliveriesFor(context, check, changes);
  context.store.append(
    { type: 'state', check, changes, deliveries },
    {
      durable() {
        publishStep(context, check, deliveries);
      },
      rolledBack() {
        context.registry.replace(handle, before);
        context.ticker.watchAgain(handle);
      },
    },
  );
}
