/**
 * Why nobody is notified of a check now, although something is wrong: the one place that decides it. The engine asks when a check
 * changes, and again when what it depends on may be another; so does everybody who wants to know who would be notified.
 * Not here: what is kept back meanwhile (`hold`), which integrations accept what (`deliveries/delivery`).
 * Invariant: pure; with no setting of alerting there is no reason, at the cost of a few comparisons.
 */

import { second } from '../../lib/units.ts';
import { failuresCounted, hasFailedEnough, isWellEnough, noAlertState } from '../check/alert-state.ts';
import type { Check } from '../check/check.ts';
import { expectedAfter } from '../check/deadline.ts';
import type { Hold } from '../check/snooze.ts';
import { heldAboutCharsMax } from '../limits.ts';

/** `untilMs`: looked at again then, at the latest; NEVER: when what it is about changes. */
export type Reason = Pick<Hold, 'reason' | 'about' | 'untilMs'>;

/** What is known around a check. */
export interface AlertingFacts {
  /** The maintenance window about the check that is open then, of several the one that ends last; null for none. */
  maintenance(check: Check, atMs: number): { readonly about: string; readonly untilMs: number } | null;
  /** The names of the checks that it depends on and that are down, without those that are held back for this one. */
  parentsDown(check: Check): readonly string[];
  /** What it depends on, down or not, as people call it, with commas between. */
  parentNames(check: Check): string;
}

/** `sinceMs`: when the check became what it is. `wasDown`: its integrations have been notified that it is down. */
export interface Moment {
  readonly atMs: number;
  readonly sinceMs: number;
  readonly wasDown: boolean;
}

/** Null: nothing keeps it back. */
export function reasonToHold(check: Check, moment: Moment, facts: AlertingFacts): Reason | null {
  switch (check.state.status) {
    case 'down':
      return (
        maintenance(check, moment, facts) ??
        parentReason(check, moment, facts) ??
        tooFewFailures(check) ??
        unstable(check, moment)
      );
    case 'grace':
      return maintenance(check, moment, facts) ?? parentReason(check, moment, facts);
    case 'up':
      return moment.wasDown ? (tooFewSuccesses(check) ?? unstable(check, moment)) : null;
    default:
      return null;
  }
}

/** Whether a warning is kept back: it is about a moment, so nothing of it is due later. */
export function reasonAgainstWarning(check: Check, atMs: number, facts: AlertingFacts): Reason | null {
  if (check.hold) return check.hold;
  return maintenance(check, { atMs }, facts);
}

function maintenance(check: Check, { atMs }: Pick<Moment, 'atMs'>, facts: AlertingFacts): Reason | null {
  const window = facts.maintenance(check, atMs);
  return window && { reason: 'maintenance', about: cut(window.about), untilMs: window.untilMs };
}

function parentReason(check: Check, { atMs, sinceMs }: Moment, facts: AlertingFacts): Reason | null {
  const { config, hold } = check;
  const parents = config.dependsOn === '' ? [] : facts.parentsDown(check);
  const about = cut(parents.join(', '));
  if (parents.length > 0) return { reason: 'parent-down', about, untilMs: Number.POSITIVE_INFINITY };
  if (hold?.reason === 'parent-down') {
    const untilMs = nextPingDue(check, atMs);
    return untilMs > atMs ? { reason: 'parent-back', about: hold.about, untilMs } : null;
  }
  if (hold?.reason === 'parent-back' && atMs < hold.untilMs)
    return { reason: 'parent-back', about: hold.about, untilMs: hold.untilMs };
  const waitUntilMs = sinceMs + config.holdS * second;
  if (config.dependsOn === '' || check.state.status !== 'down' || atMs >= waitUntilMs) return null;
  return { reason: 'awaiting-parent', about: cut(facts.parentNames(check)), untilMs: waitUntilMs };
}

/** When a check whose parent came up at `atMs` must have pinged: as if it had pinged then. */
function nextPingDue({ config }: Check, atMs: number): number {
  const expectedMs = expectedAfter(config, atMs);
  return Number.isFinite(expectedMs) ? expectedMs + config.graceS * second : atMs;
}

function tooFewFailures({ config, alerting = noAlertState }: Check): Reason | null {
  if (config.alertAfter <= 1 || hasFailedEnough(config, alerting)) return null;
  // Nothing can fail any more: better an early alert than none.
  if (alerting.nextMissMs === 0) return null;
  const failed = failuresCounted(config, alerting);
  const ofLast = config.alertOfLast > config.alertAfter ? ` of the last ${config.alertOfLast}` : '';
  const about = `${failed} of ${config.alertAfter} failures${ofLast}`;
  return { reason: 'alert-after', about, untilMs: Number.POSITIVE_INFINITY };
}

function tooFewSuccesses({ config, alerting = noAlertState }: Check): Reason | null {
  if (config.recoverAfter <= 1 || isWellEnough(config, alerting)) return null;
  const well = alerting.outcomes.length - (alerting.outcomes.lastIndexOf('f') + 1);
  const about = `${well} of ${config.recoverAfter} successes`;
  return { reason: 'recover-after', about, untilMs: Number.POSITIVE_INFINITY };
}

/** Only once somebody was notified: see `hold`. */
function unstable({ config, alerting = noAlertState }: Check, { atMs, wasDown }: Moment): Reason | null {
  const { unstableChanges, unstableWindowS } = config;
  const lastMs = alerting.changesMs.at(-1);
  if (unstableChanges === 0 || !wasDown || lastMs === undefined) return null;
  const windowMs = unstableWindowS * second;
  const changes = alerting.changesMs.filter((changeMs) => changeMs > lastMs - windowMs).length;
  const steadyMs = lastMs + windowMs;
  if (changes <= unstableChanges || atMs >= steadyMs) return null;
  const about = `more than ${unstableChanges} changes in ${Math.round(unstableWindowS / 60)} min`;
  return { reason: 'unstable', about, untilMs: steadyMs };
}

function cut(about: string): string {
  return about.length <= heldAboutCharsMax ? about : `${about.slice(0, heldAboutCharsMax - 1)}…`;
}
