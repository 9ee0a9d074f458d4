/**
 * The deliveries that are due when a snooze or a hold is over. `domain/deliveries/after-snooze` decides what; this knows who was
 * notified before.
 */
import { type Channel, settingsOf } from '../../domain/accounts/project.ts';
import { type Incident, incidentRef } from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { withheldOf } from '../../domain/check/snooze.ts';
import { createDeliveriesAfterSnooze, dueAfterSnooze } from '../../domain/deliveries/after-snooze.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { lastDelivered, type SentNotification } from '../../domain/deliveries/sent-notification.ts';
import { lastDeliveredSearched } from '../../domain/limits.ts';
import { asDeliveryId } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { EngineContext } from '../context/context.ts';
import { sentBeforeSnoozeMax } from '../contract/limits.ts';

interface AfterHold {
  readonly atMs: number;
  /** The incident that the check is in by now, or was in until now; null for none. */
  readonly incident: Incident | null;
}

/** `before`: with the snooze or the hold that is over. */
export function deliveriesAfterHold(
  context: EngineContext,
  before: Check,
  { atMs, incident }: AfterHold,
): readonly Delivery[] {
  const { registry, ids } = context;
  if (before.config.channels.length === 0) return [];
  const due = dueAfterSnooze(before, () => downBefore(context, before));
  const index = registry.projectIndex(before.projectId);
  let sent: readonly SentNotification[] | null = null;
  const { atMs: snoozedMs = 0, downAtMs = 0 } = withheldOf(before) ?? {};
  return createDeliveriesAfterSnooze(before, due, {
    atMs,
    channelOf: (id) => index?.channel(id) ?? null,
    newId: () => asDeliveryId(ids.newUuid()),
    downBefore: () => context.pendingDowns.latest(before.id),
    incident: incident && incidentRef(incident),
    wasNotified(channel) {
      const { delayS, collectS, escalateS } = settingsOf(channel);
      const delayMs = Math.max(delayS, collectS, escalateS) * second;
      const waits = collectS + escalateS > 0 || hasQuietHours(context, channel);
      if (delayMs === 0 && !waits) return true;
      sent ??= sentDuring(context, before);
      const own = sent.filter(({ channelId, kind }) => channelId === channel.id && kind === 'down');
      if (own.some(({ attempts }) => attempts > 0) || knowsDown(context, before, channel)) return true;
      // What waits for something else than its delay was not sent, whatever the time was.
      if (own.length > 0 && waits) return false;
      const wasPutOff = own.some(
        ({ outcome, attempts, changedAtMs, atMs: endedMs }) =>
          outcome === 'superseded' && attempts === 0 && endedMs < changedAtMs + delayMs,
      );
      // A delivery that the snooze has superseded a moment ago is in no history yet. If the clock was set back, the history says
      // more.
      return !wasPutOff && (own.length > 0 || snoozedMs >= downAtMs + delayMs);
    },
  });
}

/** Whether the last that it was sent of the check is that it is down: perhaps of an outage before, whose end was not sent. */
function knowsDown({ store }: EngineContext, check: Check, channel: Channel): boolean {
  const sent = store.notifications(check.id, { fromMs: 0, untilMs: NEVER }, lastDeliveredSearched);
  return lastDelivered(sent, channel.id) === 'down';
}

function hasQuietHours({ registry }: EngineContext, { id, projectId }: Channel): boolean {
  return registry.maintenance.of(projectId).some(({ integrations }) => integrations.includes(id));
}

/** Includes deliveries that the snooze has superseded: those that were still within their delay had notified nobody. */
function sentDuring({ store }: EngineContext, check: Check): readonly SentNotification[] {
  const { id } = check;
  return store.notifications(
    id,
    { fromMs: withheldOf(check)?.atMs ?? 0, untilMs: NEVER },
    sentBeforeSnoozeMax,
  );
}

/** The history forgets it after two months: then the check is down at least since the snooze began. */
function downBefore(context: EngineContext, check: Check): StatusChange {
  const sinceMs = withheldOf(check)?.atMs ?? 0;
  return context.pendingDowns.latest(check.id) ?? { atMs: sinceMs, from: 'up', to: 'down', cause: 'timeout' };
}
