/**
 * Which alert a service that forgets alerts is sent again: one of a check that is down, of which the integration was notified. Not
 * here: when (`refreshes`).
 *
 * That somebody has acknowledged it changes nothing: a refresh keeps the service's state, it reminds nobody. In a snooze, in
 * maintenance and in quiet hours nothing is sent, as the service may have lost what it sent to people, too, and notify them again.
 * Invariants: pure. Of what is not down, or is to be sent as a notification, nothing is refreshed.
 */
import type { Channel } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { acceptsChange, type Delivery, isReminder, recipientsOf } from '../../domain/deliveries/delivery.ts';
import type { CheckId, DeliveryId } from '../../lib/ids.ts';
import { refreshLeadsMax } from '../contract/limits.ts';
import type { ChannelQueue, CheckQueue } from './channel-queue.ts';
import type { DispatchSources } from './dispatch-options.ts';
import type { NotifiedIncidents } from './notified-incidents.ts';
import type { Refreshed } from './refreshes.ts';

type Sources = Pick<DispatchSources, 'channel' | 'check' | 'lastChange' | 'maintenance' | 'quietUntil'>;

interface Known {
  readonly sources: Sources;
  readonly notified: Pick<NotifiedIncidents, 'openIn' | 'isOver'>;
}

/** The integration is, or the check, or the integration knows of no check of the incident any more that it is down. */
export function isGone({ sources, notified }: Known, { channelId, checkId, incident }: Refreshed): boolean {
  if (!sources.channel(channelId)) return true;
  return incident === undefined ? !sources.check(checkId) : notified.isOver(channelId, incident);
}

interface Refresh {
  readonly refreshed: Refreshed;
  readonly id: DeliveryId;
  readonly nowMs: number;
}

/** The delivery that a refresh is sent as. It is in no outbox. Null while something else is in flight, or there is nothing to send. */
export function refreshOf(
  { sources, notified }: Known,
  queue: ChannelQueue,
  refresh: Refresh,
): Delivery | null {
  const { channelId, checkId, incident } = refresh.refreshed;
  const isBusy =
    incident !== undefined &&
    (queue.sending.has(incident) || queue.ofIncident(incident).some(({ busy }) => busy !== null));
  if (isBusy) return null;
  const leads = incident === undefined ? [checkId] : notified.openIn(channelId, incident);
  for (const lead of leads.slice(0, refreshLeadsMax)) {
    if (!queue.ofCheck(lead).every(isQuietQueue)) continue;
    const delivery = deliveryOf(sources, lead, refresh);
    if (delivery) return delivery;
  }
  return null;
}

function deliveryOf(
  sources: Sources,
  checkId: CheckId,
  { refreshed: { channelId, incident }, id, nowMs }: Refresh,
): Delivery | null {
  const [channel, check] = [sources.channel(channelId), sources.check(checkId)];
  const change = channel && check && changeToRefresh(sources, channel, check);
  if (!change || sources.maintenance(check) || sources.quietUntil(channel, check)) return null;
  return {
    ...{ id, checkId, channelId, change, state: 'waiting' },
    ...{ attempts: 0, sinceMs: nowMs, notBeforeMs: nowMs, error: '', endedMs: 0, reminder: true },
    ...(incident === undefined ? {} : { incident }),
  };
}

/** An integration that was disabled, or taken from the check, or that would not be notified of this outage, is sent nothing. */
function changeToRefresh(sources: Sources, channel: Channel, check: Check): StatusChange | null {
  if (check.state.status !== 'down' || check.snooze || check.hold?.wasDown === false) return null;
  const change = sources.lastChange(check.id);
  if (change?.to !== 'down' || !acceptsChange(channel, check, change, () => change)) return null;
  return isAssigned(sources, channel, check) ? change : null;
}

export function isAssigned(
  { channel: channelOf }: Pick<Sources, 'channel'>,
  { id }: Channel,
  check: Check,
): boolean {
  for (const recipient of recipientsOf(check.config.channels, { channelOf }))
    if (recipient.id === id) return true;
  return false;
}

/** Nothing is in flight, and what waits is at most a reminder: what is sent later must be what was true later. */
function isQuietQueue({ busy, waiting }: CheckQueue): boolean {
  return busy === null && (waiting === null || isReminder(waiting));
}
