/**
 * The end of a snooze, because its time has come or because somebody asks for it. `domain/deliveries/after-snooze` decides
 * what is due then.
 * Invariants: the end and the deliveries that are due then are in one batch: no crash separates them. An end whose commit
 * fails is tried again until it is committed.
 */

import { settingsOf } from '../../domain/accounts/project.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { createDeliveriesAfterSnooze, dueAfterSnooze } from '../../domain/deliveries/after-snooze.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { SentNotification } from '../../domain/deliveries/sent-notification.ts';
import { asDeliveryId } from '../../lib/ids.ts';
import { NEVER, second } from '../../lib/units.ts';
import type { EngineContext } from '../context/context.ts';
import { sentBeforeSnoozeMax } from '../contract/limits.ts';
import { publishStep } from './status-changes.ts';

/** Who waits for a change. */
interface Asker {
  done(check: Check): void;
  refused(): void;
}

/** A snooze whose time has come: what cannot be written is tried again. */
export function endSnoozeOnTime(context: EngineContext, handle: number, dueMs: number): void {
  endSnooze(context, handle, dueMs, { done() {}, refused: () => context.ticker.watchAgain(handle) });
}

export function endSnooze(context: EngineContext, handle: number, atMs: number, asker: Asker): void {
  const { registry, store } = context;
  const before = registry.check(handle);
  const check: Check = { ...before, snooze: undefined };
  const deliveries = deliveriesAfterSnooze(context, before, atMs);
  registry.replace(handle, check);
  context.ticker.watch(handle);
  store.beginGroup();
  for (const delivery of deliveries) store.append({ type: 'delivery', delivery }, null);
  store.append(
    { type: 'check', check, changes: [] },
    {
      durable() {
        asker.done(check);
        publishStep(context, check, deliveries);
        context.events.snoozeChanged.publish(check);
      },
      rolledBack() {
        registry.replace(handle, before);
        context.ticker.watch(handle);
        asker.refused();
      },
    },
  );
  store.endGroup();
}

function deliveriesAfterSnooze(context: EngineContext, before: Check, atMs: number): readonly Delivery[] {
  const { registry, ids } = context;
  if (before.config.channels.length === 0) return [];
  const due = dueAfterSnooze(before, () => downBefore(context, before));
  const index = registry.projectIndex(before.projectId);
  let sent: readonly SentNotification[] | null = null;
  const { atMs: snoozedMs = 0, downAtMs = 0 } = before.snooze ?? {};
  return createDeliveriesAfterSnooze(before, due, {
    atMs,
    channelOf: (id) => index?.channel(id) ?? null,
    newId: () => asDeliveryId(ids.newUuid()),
    wasNotified(channel) {
      const delayMs = settingsOf(channel).delayS * second;
      if (delayMs === 0) return true;
      sent ??= sentDuringSnooze(context, before);
      const own = sent.filter(({ channelId, kind }) => channelId === channel.id && kind === 'down');
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

/** Includes deliveries that the snooze has superseded: those that were still within their delay had notified nobody. */
function sentDuringSnooze({ store }: EngineContext, { id, snooze }: Check): readonly SentNotification[] {
  return store.notifications(id, { fromMs: snooze?.atMs ?? 0, untilMs: NEVER }, sentBeforeSnoozeMax);
}

/** The history forgets it after two months: then the check is down at least since the snooze began. */
function downBefore(context: EngineContext, { id, snooze }: Check): StatusChange {
  const sinceMs = snooze?.atMs ?? 0;
  return context.pendingDowns.latest(id) ?? { atMs: sinceMs, from: 'up', to: 'down', cause: 'timeout' };
}
