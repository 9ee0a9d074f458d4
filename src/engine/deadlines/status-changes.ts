/**
 * Effects of a check's step besides its new record: the status change, and the deliveries of that. Shared by pings, timeouts and
 * changes by the owner. Not which integrations accept what (`domain/deliveries/delivery`).
 */

import { type Incident, incidentRef } from '../../domain/alerting/incident.ts';
import type { Check } from '../../domain/check/check.ts';
import type { Cause, StatusChange } from '../../domain/check/flip.ts';
import { createDeliveries, type Delivery } from '../../domain/deliveries/delivery.ts';
import type { RunStep } from '../../domain/runs/track-runs.ts';
import { asDeliveryId } from '../../lib/ids.ts';
import type { EngineContext } from '../context/context.ts';

const noChanges: readonly StatusChange[] = [];

/** The status change that a step made, if it made one. */
export function changesBetween(
  before: Check,
  after: Check,
  cause: Cause,
  atMs: number,
): readonly StatusChange[] {
  const from = before.state.status;
  const to = after.state.status;
  return from === to ? noChanges : [{ atMs, from, to, cause }];
}

export const noDeliveries: readonly Delivery[] = [];

/** Whether a step changed the check's configuration row, besides its state: see `alerts` and the statechart. */
export function hasRowChanged(before: Check, after: Check): boolean {
  return (
    before.snooze !== after.snooze ||
    before.hold !== after.hold ||
    before.incident !== after.incident ||
    before.alerting !== after.alerting ||
    before.acknowledgement !== after.acknowledgement ||
    before.runs !== after.runs
  );
}

/** Appends the runs that ended without a ping, in the batch of the step that ended them. */
export function appendEndings(
  { store }: EngineContext,
  { id }: Pick<Check, 'id'>,
  step: RunStep | null,
): void {
  if (step === null) return;
  for (const ending of step.endings) store.append({ type: 'run-ending', checkId: id, ending }, null);
}

/**
 * The deliveries of a step to the integrations assigned at this moment; none for most steps, at no cost. `incident`: which the check is
 * in by now, or was in until now.
 */
export function deliveriesFor(
  { registry, ids, pendingDowns }: EngineContext,
  check: Check,
  changes: readonly StatusChange[],
  incident: Incident | null,
): readonly Delivery[] {
  if (changes.length === 0 || check.config.channels.length === 0) return noDeliveries;
  if (check.snooze || check.hold) return noDeliveries;
  const index = registry.projectIndex(check.projectId);
  return createDeliveries(check, changes, {
    channelOf: (id) => index?.channel(id) ?? null,
    newId: () => asDeliveryId(ids.newUuid()),
    downBefore: () => pendingDowns.latest(check.id),
    incident: incident && incidentRef(incident),
  });
}

/** Once the step is durable: the engine's events of it. */
export function publishStep({ events }: EngineContext, check: Check, deliveries: readonly Delivery[]): void {
  events.checkChanged.publish(check);
  if (deliveries.length > 0) events.deliveriesDurable.publish(deliveries);
}
