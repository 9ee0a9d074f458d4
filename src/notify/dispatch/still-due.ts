/**
 * Whether a delivery whose turn has come is still to be sent: not if its check has moved on or is gone, nor its integration, not
 * while the check is snoozed, and no reminder while somebody has acknowledged that it is down.
 * Invariant: pure; what is superseded for a snooze, the end of the snooze creates anew where it is still true.
 */

import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import type { Check, Status } from '../../domain/check/check.ts';
import {
  type Delivery,
  isReminder,
  notificationKindOf,
  statusOf,
  wasPutOff,
} from '../../domain/deliveries/delivery.ts';
import type { ChannelId, CheckId } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import { isoOf } from '../words/render.ts';

interface FactsByNow {
  channel(id: ChannelId): Channel | null;
  check(id: CheckId): Check | null;
}

/** `held`: waits for so many milliseconds, or until the snooze changes. */
export type Hold =
  | { readonly kind: 'held'; readonly forMs: number }
  | { readonly kind: 'superseded'; readonly reason: string };

/**
 * Null: nothing keeps it back. That a check came up, or is late, waits for the end of a snooze: its integrations may believe
 * something else until then, and the snooze knows only what happened since it began.
 */
export function holdOf(delivery: Delivery, { snooze, acknowledgement }: Check): Hold | null {
  if (snooze) {
    const isDown = notificationKindOf(delivery.change) === 'down';
    return isDown
      ? { kind: 'superseded', reason: snoozedReason(snooze.untilMs) }
      : { kind: 'held', forMs: NEVER };
  }
  if (!acknowledgement || !isReminder(delivery)) return null;
  return { kind: 'held', forMs: delivery.notBeforeMs - delivery.sinceMs };
}

/** The end of a delivery without an attempt. `dropped`: there is nobody left to read why. */
export type UnsentEnd =
  | { readonly kind: 'dropped' }
  | { readonly kind: 'refused' | 'superseded'; readonly error: string };

/** Null: it is to be sent, now or later. */
export function unsentEndOf(sources: FactsByNow, delivery: Delivery): UnsentEnd | null {
  const [channel, check] = [sources.channel(delivery.channelId), sources.check(delivery.checkId)];
  if (!channel && !check) return { kind: 'dropped' };
  if (!channel) return { kind: 'refused', error: 'the integration was deleted' };
  if (settingsOf(channel).disabled) return { kind: 'refused', error: 'the integration was disabled' };
  if (!check) return { kind: 'refused', error: 'the check was deleted' };
  if (isStale(delivery, check))
    return { kind: 'superseded', error: `the check was ${check.state.status} by the time this was due` };
  // Nobody is to be notified of this outage yet, so that was another one, which ended in a pause.
  if (check.hold?.wasDown === false && notificationKindOf(delivery.change) === 'down')
    return { kind: 'superseded', error: 'the check was paused, and is down anew, before this was sent' };
  const hold = holdOf(delivery, check);
  return hold?.kind === 'superseded' ? { kind: 'superseded', error: hold.reason } : null;
}

interface Along {
  readonly lead: Delivery;
  readonly delivery: Delivery;
  readonly channel: Channel;
  readonly nowMs: number;
}

/**
 * Whether a delivery of the same incident is sent in the message of `lead`, which is due: all but one whose integration waits longer
 * before it is notified of it. A reminder takes every reminder along, whenever that would be due: one for the whole incident.
 */
export function goesAlong(
  { statusOf: statusNow }: { statusOf(id: CheckId): Status | null },
  { lead, delivery, channel, nowMs }: Along,
): boolean {
  const { attempts, change, checkId } = delivery;
  if (isReminder(delivery)) return isReminder(lead) && statusNow(checkId) === 'down';
  if (notificationKindOf(change) !== 'down') return true;
  if (attempts === 0 && statusNow(checkId) !== 'down') return false;
  return attempts > 0 || nowMs >= change.atMs + settingsOf(channel).delayS * second;
}

/** Why it is not sent any more, once one of a later change waits. */
export function replacedReason(before: Delivery, later: Delivery): string {
  const { to } = later.change;
  if (to !== 'down') return `the check was ${to === 'grace' ? 'late' : to} before this was sent`;
  if (notificationKindOf(before.change) !== 'down') return 'the check was down again before this was sent';
  return before.change.atMs === later.change.atMs ? newerAlertReason : 'a newer outage came first';
}

/** Why one that failed is not tried again, once one of a later change, or a newer one of the same, waits. */
export function notAgainReason({ change }: Delivery, later: Delivery): string {
  const { to, atMs } = later.change;
  return change.atMs === atMs && change.to === to ? newerAlertReason : `then the check was ${to}`;
}

export const newerAlertReason = 'a newer alert about it takes its place';

export function snoozedReason(untilMs: number): string {
  return `snoozed until ${isoOf(untilMs)}`;
}

/**
 * Check and integration are both gone, as when their project was deleted: there is nobody to notify, and nobody to read why not.
 */
export function isOrphan(sources: FactsByNow, { checkId, channelId }: Delivery): boolean {
  return sources.channel(channelId) === null && sources.check(checkId) === null;
}

/** A late notification is of no use once the check has moved on; nor is what was put off for the check to stay as it is. */
function isStale(delivery: Delivery, { state }: Check): boolean {
  const notificationKind = notificationKindOf(delivery.change);
  if (notificationKind === null) return true;
  // What has happened to a run stays true.
  if (notificationKind === 'warning') return false;
  return (
    (notificationKind === 'late' || (notificationKind === 'down' && wasPutOff(delivery))) &&
    state.status !== statusOf(notificationKind)
  );
}
