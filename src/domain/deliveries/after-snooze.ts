/**
 * A snooze begins, keeps changes back, and ends: what its check is then, and which notifications are due. Not here: who asks
 * for it and what is recorded (`engine/changes/accept-snooze`, `engine/deadlines/end-snooze`).
 * Invariants: pure. What a snooze has kept back is in the snooze itself: of each kind the latest change. When it is over,
 * every integration has been notified last of what the check is.
 */

import { second } from '../../lib/units.ts';
import { type Channel, settingsOf } from '../accounts/project.ts';
import type { Check } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import { type Snooze, withheldOf } from '../check/snooze.ts';
import {
  acceptsChange,
  type CreateDeliveryOptions,
  type Delivery,
  type NotificationKind,
  newDelivery,
  notificationKindOf,
  recipientsOf,
  reminderOf,
} from './delivery.ts';

/**
 * A snooze from now on, or the one that there is, with another end; it takes over what a hold keeps back. `downAtMs`: asked for only
 * if the check is down.
 */
export function snoozeOf(
  { state, snooze, hold }: Check,
  { untilMs, by }: Pick<Snooze, 'untilMs' | 'by'>,
  atMs: number,
  downAtMs: () => number,
): Snooze {
  if (snooze) return { ...snooze, untilMs, by };
  if (hold) {
    const { wasDown, downAtMs, withheld } = hold;
    return { atMs, by, untilMs, wasDown, downAtMs, withheld };
  }
  const wasDown = state.status === 'down';
  return { atMs, by, untilMs, wasDown, downAtMs: wasDown ? downAtMs() : 0, withheld: [] };
}

/** The check with these changes kept back: the very same one where nothing is or nobody would be notified. */
export function withholding(check: Check, changes: readonly StatusChange[]): Check {
  const { snooze, hold } = check;
  const before = withheldOf(check);
  if (!before) return check;
  let { downAtMs, withheld } = before;
  for (const change of changes) {
    // What goes down after a pause is another outage, also for those who knew of the one before.
    if (change.to === 'paused') downAtMs = 0;
    const kind = notificationKindOf(change);
    if (kind === null) continue;
    withheld = [...withheld.filter((other) => notificationKindOf(other) !== kind), change];
  }
  if (withheld === before.withheld && downAtMs === before.downAtMs) return check;
  const after = { downAtMs, withheld };
  if (snooze) return { ...check, snooze: { ...snooze, ...after } };
  return hold ? { ...check, hold: { ...hold, ...after } } : check;
}

/** The change of which integrations are notified when the snooze or the hold of a check ends. */
export interface DueAfterSnooze {
  readonly change: StatusChange;
  /**
   * `reminded`: those that were notified that the check is down before the snooze began are only reminded, as their settings
   * say. `notified`: only those.
   */
  readonly to: 'all' | 'reminded' | 'notified';
}

/**
 * Down: that, also to those that were notified before the snooze, unless somebody has acknowledged it, or undoes the snooze. Not down any more: that
 * it came up, to those that were notified that it is down. Late: that as well; it replaces the other.
 * `downBefore`: gives the change to down from before the snooze; asked only if the check has been down all the time.
 */
export function dueAfterSnooze(
  check: Check,
  downBefore: () => StatusChange,
  isUndo = false,
): readonly DueAfterSnooze[] {
  const { hold, state, acknowledgement } = check;
  const before = withheldOf(check);
  if (!before) return [];
  const latest = (kind: NotificationKind) =>
    before.withheld.find((change) => notificationKindOf(change) === kind) ?? null;
  if (state.status === 'down') {
    const change = latest('down');
    // Those who were not notified that it came up know that it is down. What was paused in between is another outage.
    const isSame = hold?.wasDown === true && hold.downAtMs !== 0;
    const isKnown = isSame && (change?.from === 'up' || change?.from === 'grace');
    if (change) return [{ change, to: isKnown ? 'reminded' : 'all' }];
    return [{ change: downBefore(), to: acknowledgement || isUndo ? 'reminded' : 'all' }];
  }
  const due: DueAfterSnooze[] = [];
  const up = latest('up');
  if (up && before.wasDown) due.push({ change: up, to: 'notified' });
  const late = latest('late');
  if (late && state.status === 'grace') due.push({ change: late, to: 'all' });
  return due;
}

interface AfterSnoozeOptions extends CreateDeliveryOptions {
  /** When the snooze ended. */
  readonly atMs: number;
  /** Whether the integration may have been notified, before the snooze began, that the check is down. */
  wasNotified(channel: Channel): boolean;
  /** Whether it knows that the check is down, or will as soon as what is in flight is there. */
  knowsDown(channel: Channel): boolean;
  /** Whether a snooze is undone before which the notification of this change had been given up: it stays so. */
  isGivenUp(channel: Channel, change: StatusChange): boolean;
}

/** The deliveries of what is due when a snooze ends: at most one to each integration, the last of `due` that is for it. */
export function createDeliveriesAfterSnooze(
  check: Check,
  due: readonly DueAfterSnooze[],
  options: AfterSnoozeOptions,
): readonly Delivery[] {
  if (due.length === 0) return [];
  const deliveries: Delivery[] = [];
  for (const channel of recipientsOf(check.config.channels, options)) {
    const made = due.map((one) => afterSnooze(check, channel, one, options));
    const last = made.findLast((delivery) => delivery !== null);
    if (last) deliveries.push(last);
  }
  return deliveries;
}

/** Attempts end 24 hours after the end of the snooze, or, where a delay goes on beyond it, as without a snooze. */
function afterSnooze(
  check: Check,
  channel: Channel,
  { change, to }: DueAfterSnooze,
  options: AfterSnoozeOptions,
): Delivery | null {
  if (!acceptsChange(channel, check, change, options.downBefore)) return null;
  const { atMs } = options;
  if (to === 'notified' && !options.wasNotified(channel)) return null;
  if (to === 'reminded' && options.isGivenUp(channel, change)) return null;
  const delivery = newDelivery(check, channel, change, options);
  if (to === 'reminded' && options.knowsDown(channel)) {
    const repeatMs = settingsOf(channel).repeatS * second;
    return repeatMs === 0 ? null : reminderOf(delivery, atMs, repeatMs);
  }
  return delivery.notBeforeMs > atMs ? delivery : { ...delivery, sinceMs: atMs };
}
