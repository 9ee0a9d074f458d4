/**
 * A deadline has passed: the check moves on, dated by the deadline, and the step is journalled. Not who notices
 * (`ticker`, or a ping or read that comes first).
 * Invariant: a timeout whose commit fails is tried again until it is committed.
 */
import { assert } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import type { EngineContext } from '../context/context.ts';
import { endSnoozeOnTime } from './end-snooze.ts';
import {
  appendEndings,
  changesBetween,
  deliveriesFor,
  hasRowChanged,
  publishStep,
  withhold,
} from './status-changes.ts';

/** Takes every deadline of the check that has passed by `nowMs`, the end of a snooze too, in order: usually none. */
export function applyDueDeadlines(context: EngineContext, handle: number, nowMs: number): void {
  const { registry, metrics } = context;
  for (let dueMs = registry.nextDue(handle); dueMs <= nowMs; dueMs = registry.nextDue(handle)) {
    metrics.deadlineLatenessSeconds.observe((nowMs - dueMs) / second);
    if (registry.deadline(handle) <= dueMs) acceptTimeout(context, handle, dueMs);
    else endSnoozeOnTime(context, handle, dueMs);
  }
}

function acceptTimeout(context: EngineContext, handle: number, dueMs: number): void {
  const before = context.registry.check(handle);
  const step = context.registry.send(handle, { type: 'timeout', atMs: dueMs });
  const moved = context.registry.check(handle);
  assert(moved !== before, 'a deadline that has passed moves the check on');
  context.ticker.watch(handle);
  const changes = changesBetween(before, moved, step?.cause ?? 'timeout', dueMs);
  const check = withhold(context, handle, changes);
  const deliveries = deliveriesFor(context, check, changes);
  context.store.beginGroup();
  appendEndings(context, check, step);
  context.store.append(
    { type: hasRowChanged(before, check) ? 'check' : 'state', check, changes, deliveries },
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
  context.store.endGroup();
  context.pendingDowns.appended(check, changes);
}
