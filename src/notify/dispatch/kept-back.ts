/**
 * Why a delivery would not be sent if it was tried now: asks the same as its turn does.
 * Invariant: pure; decides nothing by itself.
 */
import { heldWords, untilWords } from '../../domain/alerting/held-words.ts';
import { type Delivery, isReminder } from '../../domain/deliveries/delivery.ts';
import { candidateOf } from './candidate.ts';
import type { DispatchSources } from './dispatch-options.ts';
import { holdOf, snoozedReason, unsentEndOf } from './still-due.ts';

/** Returns such as `snoozed until 2026-05-04T22:00:00Z`; empty for one that would be sent. `delivery`: one that was tried. */
export function keptBackBy(sources: DispatchSources, delivery: Delivery, nowMs: number): string {
  const end = unsentEndOf(sources, delivery);
  if (end !== null) return end.kind === 'dropped' ? 'its check and its integration were deleted' : end.error;
  const { check, isAcknowledged, maintenance, quiet } = candidateOf(sources, delivery, {
    nowMs,
    pausedUntilMs: 0,
  });
  const hold = check && holdOf(delivery, check);
  if (check?.snooze && hold) return snoozedReason(check.snooze.untilMs);
  if (isAcknowledged || (hold && isReminder(delivery)))
    return 'acknowledged: no reminders until it is up again';
  if (maintenance)
    return heldWords({ reason: 'maintenance', about: maintenance.name, untilMs: maintenance.untilMs });
  return quiet ? `quiet hours “${quiet.name}”${untilWords(quiet.untilMs)}` : '';
}
