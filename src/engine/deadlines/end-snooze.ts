/**
 * The end of a snooze, because its time has come or because somebody asks for it; and that of a hold. `domain/deliveries/after-snooze` decides
 * what is due then.
 * Invariants: the end and the deliveries that are due then are in one batch: no crash separates them. An end whose commit
 * fails is tried again until it is committed.
 */

import { afterSnooze } from '../../domain/alerting/hold.ts';
import type { Check } from '../../domain/check/check.ts';
import type { EngineContext } from '../context/context.ts';
import { deliveriesAfterHold } from './after-hold.ts';
import { alertingFacts } from './alerting-facts.ts';
import { alertsNow, appendHeld, heldNow } from './alerts.ts';
import { appendIncidents, incidentsAfter } from './incident-steps.ts';
import { noDeliveries, publishStep } from './status-changes.ts';

/** Who waits for a change. */
interface Asker {
  done(check: Check): void;
  refused(): void;
  /** Wants it to be as if the snooze had not been. */
  readonly isUndo?: boolean;
}

/** A snooze whose time has come: what cannot be written is tried again. */
export function endSnoozeOnTime(context: EngineContext, handle: number, dueMs: number): void {
  endSnooze(context, handle, dueMs, { done() {}, refused: () => context.ticker.watchAgain(handle) });
}

export function endSnooze(context: EngineContext, handle: number, atMs: number, asker: Asker): void {
  const { registry, store } = context;
  const before = registry.check(handle);
  const after = afterSnooze(before, atMs, alertingFacts(registry));
  const { check, changed, own } = incidentsAfter(context, after, atMs, before.snooze);
  const deliveries = check.hold
    ? noDeliveries
    : deliveriesAfterHold(context, before, { atMs, incident: own, isUndo: asker.isUndo });
  registry.replace(handle, check);
  context.ticker.watch(handle);
  store.beginGroup();
  appendHeld(context, heldNow(context, before, check, atMs));
  appendIncidents(context, changed);
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

/**
 * What holds the notifications of a check back is looked at again: its time has come, or something around it has changed. The end and
 * its deliveries are one batch, as those of a snooze.
 */
export function lookAtHold(context: EngineContext, handle: number, atMs: number): void {
  const { registry, store, ticker } = context;
  const before = registry.check(handle);
  const { check, deliveries, held, incidents } = alertsNow(context, before, atMs);
  if (check === before && incidents.length === 0) {
    registry.lookedAt(handle);
    ticker.watch(handle);
    return;
  }
  registry.replace(handle, check);
  ticker.watch(handle);
  store.beginGroup();
  appendHeld(context, held);
  appendIncidents(context, incidents);
  for (const delivery of deliveries) store.append({ type: 'delivery', delivery }, null);
  store.append(
    { type: 'check', check, changes: [] },
    {
      durable: () => publishStep(context, check, deliveries),
      rolledBack() {
        registry.replace(handle, before);
        ticker.watchAgain(handle);
      },
    },
  );
  store.endGroup();
}
