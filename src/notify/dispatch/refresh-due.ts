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
import type { DeliveryId } from '../../lib/ids.ts';
import type { CheckQueue } from './channel-queue.ts';
import type { DispatchSources } from './dispatch-options.ts';
import type { Refreshed } from './refreshes.ts';

type Sources = Pick<DispatchSources, 'channel' | 'check' | 'lastChange' | 'maintenanceUntil' | 'quietUntil'>;

/** The delivery that a refresh is sent as. It is in no outbox. Null while there is nothing to send. */
export function refreshOf(
  sources: Sources,
  { channelId, checkId, incident }: Refreshed,
  { id, nowMs }: { readonly id: DeliveryId; readonly nowMs: number },
): Delivery | null {
  const [channel, check] = [sources.channel(channelId), sources.check(checkId)];
  const change = channel && check && changeToRefresh(sources, channel, check);
  if (!change || sources.maintenanceUntil(check) > nowMs || sources.quietUntil(channel, check)) return null;
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
export function isQuietQueue({ busy, waiting }: CheckQueue): boolean {
  return busy === null && (waiting === null || isReminder(waiting));
}
