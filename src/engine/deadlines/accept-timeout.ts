/**
 * A deadline has passed: the check moves on, dated by the deadline, and the step is journalled. Not who notices
 * (`ticker`, or a ping or read that comes first).
 * Invariant: a timeout whose commit fails is tried again until it is committed.
 */
import { assert } from '../../lib/errors.ts';
import { second } from '../../lib/units.ts';
import type { EngineContext } from '../context/context.ts';
import { alertsOf, appendAlerts } from './alerts.ts';
import { endSnoozeOnTime, lookAtHold } from './end-snooze.ts';
import { appendEndings, changesBetween, hasRowChanged, publishStep } from './status-changes.ts';

/** Takes every deadline of the check that has passed by `nowMs`, the end of a snooze too, in order: usually none. */
export function applyDueDeadlines(context: EngineContext, handle: number, nowMs: number): void {
  const { registry, metrics } = context;
  for (let dueMs = registry.nextDue(handle); dueMs <= nowMs; dueMs = registry.nextDue(handle)) {
    // What is to be looked at as soon as can be is not late.
    if (dueMs > 0) metrics.deadlineLatenessSeconds.observe((nowMs - dueMs) / second);
    if (registry.deadline(handle) <= dueMs) acceptTimeout(context, handle, dueMs);
    else if (registry.snoozedUntil(handle) <= dueMs) endSnoozeOnTime(context, handle, dueMs);
    else lookAtHold(context, handle, dueMs > 0 ? dueMs : nowMs);
  }
}

function acceptTimeout(context: EngineContext, handle: number, dueMs: number): void {
  const before = context.registry.check(handle);
  const step = context.registry.send(handle, { type: 'timeout', atMs: dueMs });
  const moved = context.registry.check(handle);
  assert(moved !== before, 'a deadline that has passed moves the check on');
  context.ticker.watch(handle);
  const changes = changesBetween(before, moved, step?.cause ?? 'timeout', dueMs);
  const hasFailed = changes.some(({ to }) => to === 'down') || (step?.endings.length ?? 0) > 0;
  const outcome = hasFailed ? 'f' : null;
  const alerts = alertsOf(context, handle, { before, changes, atMs: dueMs, outcome });
  const { check, deliveries } = alerts;
  context.store.beginGroup();
  const own = appendAlerts(context, alerts, changes);
  appendEndings(context, check, step);
  context.store.append(
    { type: hasRowChanged(before, check) ? 'check' : 'state', check, changes, deliveries: own },
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
