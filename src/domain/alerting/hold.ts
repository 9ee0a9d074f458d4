/**
 * What a step of a check means for its notifications: a hold begins, goes on for the same or another reason, or ends. And what the
 * settings that look back have to remember of the step. `hold-reason` decides why; `deliveries/after-snooze` what is due at the end.
 * Not here: who records it (`engine/deadlines/alerts`).
 * Invariants: pure. With no setting of alerting the very same check comes back. That a check came up again is kept back only by its
 * own settings, never by a window or by another check.
 */

import { second } from '../../lib/units.ts';
import {
  type AlertState,
  hasFailedEnough,
  looksBack,
  noAlertState,
  outcomesKept,
} from '../check/alert-state.ts';
import type { Check } from '../check/check.ts';
import { expectedAfter } from '../check/deadline.ts';
import type { Cause, StatusChange } from '../check/flip.ts';
import type { Hold } from '../check/snooze.ts';
import { withholding } from '../deliveries/after-snooze.ts';
import { notificationKindOf } from '../deliveries/delivery.ts';
import { type AlertingFacts, reasonToHold } from './hold-reason.ts';

/** `s`: it was well. `f`: it failed, or did not come. Null: what says neither. */
export type Outcome = 's' | 'f' | null;

export interface Step {
  readonly before: Check;
  readonly changes: readonly StatusChange[];
  readonly atMs: number;
  readonly outcome: Outcome;
}

export interface Shaped {
  readonly check: Check;
  /** The hold that this ended, with all that it kept back; null for none. */
  readonly ended: Hold | null;
}

/** `downAtMs`: when it went down; asked only of a check that was down before. */
export interface StepSources {
  readonly facts: AlertingFacts;
  readonly downAtMs: () => number;
}

/** `check` as the statechart left it. */
export function shapeAlerts(check: Check, step: Step, { facts, downAtMs }: StepSources): Shaped {
  const { before, changes, atMs } = step;
  const known = remembered(check, step);
  if (known.snooze) return { check: withholding(known, changes), ended: null };
  if (known.hold) return heldOn(withholding(known, changes), atMs, facts);
  if (!changes.some((change) => notificationKindOf(change) !== null)) return { check: known, ended: null };
  const wasDown = before.state.status === 'down';
  const reason = reasonToHold(known, { atMs, sinceMs: atMs, wasDown }, facts);
  if (reason === null || reason.untilMs <= atMs) return { check: known, ended: null };
  const hold: Hold = { atMs, ...reason, wasDown, downAtMs: wasDown ? downAtMs() : 0, withheld: [] };
  return { check: withholding({ ...known, hold }, changes), ended: null };
}

/** The hold of a check goes on, for the same reason or another one, or is over. */
export function heldOn(check: Check, atMs: number, facts: AlertingFacts): Shaped {
  const { hold, state } = check;
  if (!hold) return { check, ended: null };
  const { wasDown } = hold;
  const sinceMs = hold.withheld.find(({ to }) => to === state.status)?.atMs ?? hold.atMs;
  const reason = reasonToHold(check, { atMs, sinceMs, wasDown }, facts);
  if (reason === null || reason.untilMs <= atMs) return { check: { ...check, hold: undefined }, ended: hold };
  const isSame =
    reason.reason === hold.reason && reason.about === hold.about && reason.untilMs === hold.untilMs;
  return { check: isSame ? check : { ...check, hold: { ...hold, ...reason } }, ended: null };
}

/** The check when its snooze is over: what that kept back, a hold may go on keeping back. */
export function afterSnooze(check: Check, atMs: number, facts: AlertingFacts): Check {
  const { snooze, ...rest } = check;
  const without: Check = { ...rest, snooze: undefined };
  if (!snooze) return without;
  const { wasDown, downAtMs, withheld } = snooze;
  const sinceMs = withheld.find(({ to }) => to === check.state.status)?.atMs ?? snooze.atMs;
  const reason = reasonToHold(without, { atMs, sinceMs, wasDown }, facts);
  if (reason === null || reason.untilMs <= atMs) return without;
  return { ...without, hold: { atMs, ...reason, wasDown, downAtMs, withheld } };
}

/** A ping that did not come by now counts as one more failure. The very same check where none was due. */
export function withMiss(check: Check, atMs: number): Check {
  const { alerting } = check;
  if (alerting === undefined || alerting.nextMissMs === 0 || alerting.nextMissMs > atMs) return check;
  const outcomes = added(check, alerting.outcomes, 'f');
  return { ...check, alerting: dated(check, { ...alerting, outcomes }, alerting.nextMissMs) };
}

/** The very same check where no setting looks back and nothing was remembered. */
function remembered(check: Check, { before, changes, atMs, outcome }: Step): Check {
  const { config, alerting } = check;
  if (!looksBack(config)) return alerting === undefined ? check : { ...check, alerting: undefined };
  const known = alerting ?? noAlertState;
  const changed = changes.filter(({ from, to }) => to === 'down' || (from === 'down' && to === 'up'));
  if (outcome === null && before.state.status === check.state.status)
    return alerting === undefined ? check : settled(check, alerting);
  const after: AlertState = {
    ...known,
    outcomes: outcome === null ? known.outcomes : added(check, known.outcomes, outcome),
    changesMs: withChanges(check, known.changesMs, changed),
  };
  // After a ping the next one is due from then on; after one that did not come, from when it should have.
  const isMiss = changes.some(({ cause }) => missCauses.has(cause));
  return { ...check, alerting: dated(check, after, isMiss ? atMs : atMs + config.graceS * second) };
}

const missCauses: ReadonlySet<Cause> = new Set(['timeout', 'missed', 'hung', 'update']);

/** Nothing has happened, but the settings may be others. */
function settled(check: Check, alerting: AlertState): Check {
  const isCounting = check.state.status === 'down' && !hasFailedEnough(check.config, alerting);
  const nextMissMs = isCounting ? alerting.nextMissMs : 0;
  const outcomes = alerting.outcomes.slice(-outcomesKept(check.config));
  const isSame = nextMissMs === alerting.nextMissMs && outcomes === alerting.outcomes;
  return isSame ? check : { ...check, alerting: { ...alerting, outcomes, nextMissMs } };
}

/** `fromMs`: when the ping that came last, or did not come, would have been too late. */
function dated(check: Check, alerting: AlertState, fromMs: number): AlertState {
  const { config, state } = check;
  const graceMs = config.graceS * second;
  const isCounting = state.status === 'down' && !hasFailedEnough(config, alerting);
  const nextMs = isCounting ? expectedAfter(config, fromMs - graceMs) + graceMs : 0;
  return { ...alerting, nextMissMs: Number.isFinite(nextMs) ? nextMs : 0 };
}

function added({ config }: Check, outcomes: string, outcome: 's' | 'f'): string {
  return (outcomes + outcome).slice(-outcomesKept(config));
}

function withChanges(
  { config }: Check,
  changesMs: readonly number[],
  changes: readonly StatusChange[],
): readonly number[] {
  if (config.unstableChanges === 0 || changes.length === 0) return changesMs;
  return [...changesMs, ...changes.map(({ atMs }) => atMs)].slice(-(config.unstableChanges + 1));
}
