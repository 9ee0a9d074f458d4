/**
 * A delivery: one status change of which one integration has to be notified. And which changes notify which integrations.
 * Not here: when and how it is sent (`notify/`). Invariant: pure; a delivery's id is its idempotency key, the same on
 * every attempt and after every restart.
 */
import { channelAccepts } from '../../integrations/channel-value.ts';
import type { ChannelId, CheckId, DeliveryId, IncidentId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { ChannelSettings, RoutedEvent } from '../accounts/channel-settings.ts';
import { type Channel, settingsOf } from '../accounts/project.ts';
import { type Check, type Status, tagsOf } from '../check/check.ts';
import type { StatusChange } from '../check/flip.ts';
import type { Growing } from '../check/unknown-fields.ts';

/**
 * `waiting`: to be sent, or sent again. `dead`: given up, for the reason in `error`. `superseded`: never sent, since a
 * later state came before it; `error` says which.
 */
export const deliveryStates = ['waiting', 'dead', 'superseded'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery extends Growing {
  readonly id: DeliveryId;
  readonly checkId: CheckId;
  readonly channelId: ChannelId;
  /** The change that the notification is about. */
  readonly change: StatusChange;
  readonly state: DeliveryState;
  /** Not sent before this instant: the channel's delay, a pause between attempts. */
  readonly notBeforeMs: number;
  /** Failed so far. */
  readonly attempts: number;
  /** When it was created or last asked for: attempts end 24 hours later. */
  readonly sinceMs: number;
  /** Error of the last attempt, or why the delivery was given up. Empty for none. Holds no secret. */
  readonly error: string;
  /** When it stopped waiting; 0 while it waits. */
  readonly endedMs: number;
  /** The change itself was delivered before. Older records do not say so: see `isReminder`. */
  readonly reminder?: boolean | undefined;
  /** Sent in one message with the others of the same incident to the same integration; absent for one of its own. */
  readonly incident?: IncidentId | undefined;
  /** Quiet hours, or a maintenance window that began while it waited, have kept it back. */
  readonly quiet?: boolean | undefined;
  /** When an attempt failed last, while it waits for another. Older records do not say so. */
  readonly triedMs?: number | undefined;
}

/** Whether the record of a status change has a place for it: for an untried delivery of nothing but that. */
export function hasShortForm({ incident, reminder, sinceMs, change }: Delivery): boolean {
  return incident === undefined && !reminder && sinceMs === change.atMs;
}

/** When it was tried last; null for not yet, and where an older record does not say so. */
export function lastTriedMs({ state, attempts, triedMs, endedMs }: Delivery): number | null {
  if (attempts === 0) return null;
  return state === 'dead' ? endedMs : (triedMs ?? null);
}

/** Whether it was put off, for the check to stay as it is, and has not been tried: once that has changed, it is of no use. */
export function wasPutOff({ attempts, notBeforeMs, quiet }: Delivery): boolean {
  return attempts === 0 && (notBeforeMs > 0 || quiet === true);
}

/** Whether it is put off now: its time has not come, or a window keeps it back. Of one that was tried, that is the wait for the next try. */
export function isPutOff({ notBeforeMs, quiet }: Delivery, nowMs: number): boolean {
  return quiet === true || notBeforeMs > nowMs;
}

/** What deliveries need to know of an incident. */
export interface IncidentRef {
  readonly id: IncidentId;
  /** All of its checks are up. */
  readonly isOver: boolean;
}

/** Without the word for it, one that waits since later than the change, to be sent later still. */
export function isReminder({ reminder, attempts, change, sinceMs, notBeforeMs }: Delivery): boolean {
  return reminder === true || (attempts === 0 && sinceMs > change.atMs && notBeforeMs > sinceMs);
}

/** The change of `delivery` once more, `repeatMs` after `sinceMs`, when it was delivered. */
export function reminderOf(delivery: Delivery, sinceMs: number, repeatMs: number): Delivery {
  const { triedMs: _, ...own } = delivery;
  return { ...own, attempts: 0, error: '', sinceMs, notBeforeMs: sinceMs + repeatMs, reminder: true };
}

/** Whether an integration is sent incidents as a whole. An escalation is about an incident, whatever is collected. */
export function isSentIncidents(channel: Channel): boolean {
  const { collectS, escalateS } = settingsOf(channel);
  return collectS + escalateS > 0;
}

/** The first notification of an integration that is notified only of what nobody has acknowledged. */
export function isEscalation({ change, attempts, reminder }: Delivery, channel: Channel): boolean {
  const { escalateS } = settingsOf(channel);
  return escalateS > 0 && attempts === 0 && reminder !== true && notificationKindOf(change) === 'down';
}

/** A reminder whose turn has not come. */
export function isUntriedReminder(delivery: Delivery): boolean {
  return delivery.attempts === 0 && isReminder(delivery);
}

/** Status that a notification reports of its check. */
export type NotificationKind = 'down' | 'up' | 'late' | 'warning';

/** What a warning is delivered as: the check stays as it is. */
export function warningOf({ state: { status } }: Pick<Check, 'state'>, atMs: number): StatusChange {
  return { atMs, from: status, to: status, cause: 'warn' };
}

/** Which notification a change calls for: null for none (new → up, pause, resume). */
export function notificationKindOf({
  from,
  to,
  cause,
}: Pick<StatusChange, 'from' | 'to' | 'cause'>): NotificationKind | null {
  if (cause === 'warn') return 'warning';
  if (to === 'down') return from === 'down' ? null : 'down';
  if (to === 'up' && from === 'down') return 'up';
  // After a pause that was undone it is as late as it was before.
  return to === 'grace' && cause !== 'resume' ? 'late' : null;
}

/** The status of a check for which such a notification is still true. */
export function statusOf(kind: Exclude<NotificationKind, 'warning'>): Status {
  return kind === 'late' ? 'grace' : kind;
}

/** What a change is for an integration that chooses by event; null for what it cannot choose by that. */
function routedEventOf(kind: NotificationKind, { cause }: Pick<StatusChange, 'cause'>): RoutedEvent | null {
  if (kind === 'up') return 'up';
  if (kind !== 'down') return null;
  return cause === 'hung' || cause === 'missed' ? cause : 'down';
}

/**
 * Whether an integration that chooses by tag and by event has chosen this. That a check came up, only if it has chosen how the check
 * went down.
 */
function isChosen(
  { tags, events }: ChannelSettings,
  check: Check,
  change: StatusChange,
  downBefore: () => StatusChange | null,
): boolean {
  if (events !== '') {
    const chosen = events.split(' ');
    const kind = notificationKindOf(change);
    const event = kind && routedEventOf(kind, change);
    if (event !== null && !chosen.includes(event)) return false;
    const down = event === 'up' ? downBefore() : null;
    if (down !== null && !chosen.includes(routedEventOf('down', down) ?? 'down')) return false;
  }
  if (tags === '') return true;
  const own = new Set(tagsOf(check.config));
  return tags.split(' ').some((tag) => own.has(tag));
}

/** Whether an integration is notified of this change of the check: its settings say so. */
export function acceptsChange(
  channel: Channel,
  check: Check,
  change: StatusChange,
  downBefore: () => StatusChange | null,
): boolean {
  const kind = notificationKindOf(change);
  if (kind === null || !acceptsNotification(channel, kind)) return false;
  return isChosen(settingsOf(channel), check, change, downBefore);
}

/**
 * Whether the settings of `channel` let this notification through. An address that nobody has confirmed gets nothing: that is shown
 * with the integration, and is no failure of each notification.
 */
export function acceptsNotification(channel: Channel, kind: NotificationKind): boolean {
  const { disabled, unverified, late, warnings, escalateS } = settingsOf(channel);
  if (disabled || unverified || (kind === 'late' && !late) || (kind === 'warning' && !warnings)) return false;
  // Only what is down can be acknowledged.
  if (escalateS > 0 && (kind === 'late' || kind === 'warning')) return false;
  return channelAccepts(channel.kind, channel.value, kind === 'up' ? 'up' : 'down');
}

const noDeliveries: readonly Delivery[] = [];

export interface CreateDeliveryOptions {
  /** Gives an integration by its id; null for one that is gone. */
  channelOf(id: ChannelId): Channel | null;
  /** A fresh id for every call. */
  newId(): DeliveryId;
  /** The change by which the check went down last; asked only for an integration that chooses by event. Null for none. */
  readonly downBefore: () => StatusChange | null;
  /** The incident that the check is in, or was in until this change; null for none. */
  readonly incident: IncidentRef | null;
}

/** The deliveries of one step: for each change, one to each assigned integration that accepts it. */
export function createDeliveries(
  check: Check,
  changes: readonly StatusChange[],
  options: CreateDeliveryOptions,
): readonly Delivery[] {
  if (changes.length === 0 || check.config.channels.length === 0) return noDeliveries;
  const deliveries: Delivery[] = [];
  for (const change of changes) {
    const kind = notificationKindOf(change);
    if (kind === null) continue;
    for (const channel of recipientsOf(check.config.channels, options)) {
      if (acceptsChange(channel, check, change, options.downBefore))
        deliveries.push(newDelivery(check, channel, change, options));
    }
  }
  return deliveries;
}

/** The assigned integrations, a group's members in its place, each once. */
export function recipientsOf(
  ids: readonly ChannelId[],
  { channelOf }: Pick<CreateDeliveryOptions, 'channelOf'>,
): readonly Channel[] {
  const found: Channel[] = [];
  for (const id of ids) {
    const channel = channelOf(id);
    if (channel === null) continue;
    if (channel.kind !== 'group') addOnce(found, channel);
    else if (!settingsOf(channel).disabled)
      for (const member of membersOf(channel, channelOf)) addOnce(found, member);
  }
  return found;
}

/** They are few: a check has some integrations, seldom a group. */
function addOnce(found: Channel[], channel: Channel): void {
  for (const { id } of found) if (id === channel.id) return;
  found.push(channel);
}

/** The integrations of a group that exist, in its project; groups in groups do not count. */
export function membersOf(group: Channel, channelOf: CreateDeliveryOptions['channelOf']): readonly Channel[] {
  const ids = new Set(group.value.split(',').map((id) => id.trim()));
  return [...ids]
    .map((id) => channelOf(id as ChannelId))
    .filter((member) => member !== null)
    .filter((member) => member.kind !== 'group' && member.projectId === group.projectId);
}

/** Creates the delivery of a status change. */
export function newDelivery(
  check: Check,
  channel: Channel,
  change: StatusChange,
  { newId, incident }: CreateDeliveryOptions,
): Delivery {
  const { delayS, collectS, escalateS } = settingsOf(channel);
  const kind = notificationKindOf(change);
  const isCollected = isSentIncidents(channel) && incident !== null && (kind === 'down' || kind === 'up');
  const collectMs = isCollected && !(kind === 'up' && incident.isOver) ? collectS * second : 0;
  const ownMs = kind === 'up' || kind === 'warning' ? 0 : Math.max(delayS, escalateS) * second;
  const delayMs = Math.max(ownMs, collectMs);
  return {
    id: newId(),
    checkId: check.id,
    channelId: channel.id,
    change,
    state: 'waiting',
    notBeforeMs: delayMs === 0 ? 0 : change.atMs + delayMs,
    attempts: 0,
    sinceMs: change.atMs,
    error: '',
    endedMs: 0,
    ...(isCollected ? { incident: incident.id } : {}),
  };
}
