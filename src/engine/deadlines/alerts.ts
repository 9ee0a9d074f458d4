/**
 * What a step of a check means for its notifications: deliveries, or a hold that keeps them back, with its line in the log. Shared by
 * pings, deadlines and changes by the owner. `domain/alerting` decides.
 * Invariant: whatever keeps a notification back leaves an entry in the check's log, in the batch of the step.
 */

import { heldWords } from '../../domain/alerting/held-words.ts';
import { heldOn, type Outcome, type Shaped, shapeAlerts, withMiss } from '../../domain/alerting/hold.ts';
import { type Reason, reasonAgainstWarning } from '../../domain/alerting/hold-reason.ts';
import type { Incident } from '../../domain/alerting/incident.ts';
import { looksBack } from '../../domain/check/alert-state.ts';
import type { Check } from '../../domain/check/check.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import {
  acceptsChange,
  type Delivery,
  hasShortForm,
  notificationKindOf,
  recipientsOf,
  warningOf,
} from '../../domain/deliveries/delivery.ts';
import { asChannelId, asDeliveryId } from '../../lib/ids.ts';
import type { JournalRecord } from '../../store/store.ts';
import type { EngineContext } from '../context/context.ts';
import { deliveriesAfterHold } from './after-hold.ts';
import { alertingFacts } from './alerting-facts.ts';
import { appendIncidents, incidentsAfter } from './incident-steps.ts';
import { deliveriesFor, noDeliveries } from './status-changes.ts';

type HeldRecord = Extract<JournalRecord, { type: 'notification' }>;

/** What a step means for notifications, to be recorded with it. */
export interface AlertRecords {
  readonly deliveries: readonly Delivery[];
  readonly held: readonly HeldRecord[];
  /** The incidents that are others after it. */
  readonly incidents: readonly Incident[];
}

export interface Alerts extends AlertRecords {
  /** After the step: the registry has it by then. */
  readonly check: Check;
}

const nothingHeld: readonly HeldRecord[] = [];

export const noAlerts: AlertRecords = { deliveries: noDeliveries, held: nothingHeld, incidents: [] };

interface AlertStep {
  readonly before: Check;
  readonly changes: readonly StatusChange[];
  readonly atMs: number;
  readonly outcome: Outcome;
}

export function alertsOf(context: EngineContext, handle: number, step: AlertStep): Alerts {
  const { registry } = context;
  const check = registry.check(handle);
  const { changes, atMs } = step;
  const isPlain = !check.hold && !check.alerting && !looksBack(check.config);
  if (isPlain && changes.length === 0) return { check, ...noAlerts };
  const downAtMs = (): number => context.pendingDowns.latest(check.id)?.atMs ?? 0;
  const shaped = shapeAlerts(check, step, { facts: alertingFacts(registry), downAtMs });
  const alerts = recorded(context, step.before, shaped, { changes, atMs });
  if (alerts.check !== check) {
    registry.replace(handle, alerts.check);
    context.ticker.watch(handle);
  }
  return alerts;
}

/** A hold is looked at again, as its time has come or something around it has changed. */
export function alertsNow(context: EngineContext, before: Check, atMs: number): Alerts {
  const shaped = heldOn(withMiss(before, atMs), atMs, alertingFacts(context.registry));
  return recorded(context, before, shaped, { changes: [], atMs });
}

function recorded(
  context: EngineContext,
  before: Check,
  { check: shaped, ended }: Shaped,
  { changes, atMs }: Pick<AlertStep, 'changes' | 'atMs'>,
): Alerts {
  const { check, changed: incidents, own } = incidentsAfter(context, shaped, atMs, ended);
  if (ended) {
    const deliveries = deliveriesAfterHold(context, { ...check, hold: ended }, { atMs, incident: own });
    return { check, deliveries, held: nothingHeld, incidents };
  }
  if (check.hold) {
    const held = heldNow(context, before, check, atMs);
    return { check, deliveries: noDeliveries, held, incidents };
  }
  const deliveries = deliveriesFor(context, check, changes, own);
  return { check, deliveries, held: nothingHeld, incidents };
}

/** A line in the log where the reason is a new one, or a change is kept back for it. */
export function heldNow(
  context: EngineContext,
  before: Check,
  check: Check,
  atMs: number,
): readonly HeldRecord[] {
  const { hold } = check;
  const change = hold?.withheld.at(-1);
  if (!hold || !change || !wouldNotify(context, check, change)) return nothingHeld;
  const isSame = before.hold?.reason === hold.reason && before.hold.about === hold.about;
  const isNew = hold.withheld !== (before.hold ?? before.snooze)?.withheld;
  if (isSame && !isNew) return nothingHeld;
  return [heldRecord(context, check, { change, reason: hold, atMs })];
}

/** A warning's deliveries, or why there are none. */
export function warningAlerts(context: EngineContext, check: Check, atMs: number): AlertRecords {
  const reason = check.snooze ? null : reasonAgainstWarning(check, atMs, alertingFacts(context.registry));
  const change = warningOf(check, atMs);
  if (reason === null) return { ...noAlerts, deliveries: deliveriesFor(context, check, [change], null) };
  if (!wouldNotify(context, check, change)) return noAlerts;
  return { ...noAlerts, held: [heldRecord(context, check, { change, reason, atMs })] };
}

/** Whether any integration would have been notified of the change. */
function wouldNotify({ registry }: EngineContext, check: Check, change: StatusChange): boolean {
  const index = registry.projectIndex(check.projectId);
  const recipients = recipientsOf(check.config.channels, { channelOf: (id) => index?.channel(id) ?? null });
  return recipients.some((channel) => acceptsChange(channel, check, change, () => null));
}

/** No integration: the entry is about all of them. */
const noChannel = asChannelId('00000000-0000-0000-0000-000000000000');

function heldRecord(
  { ids }: EngineContext,
  { id }: Check,
  { change, reason, atMs }: { change: StatusChange; reason: Reason; atMs: number },
): HeldRecord {
  const kind = notificationKindOf(change) ?? 'down';
  const deliveryId = asDeliveryId(ids.newUuid());
  const whom = { channelId: noChannel, channelName: '', channelKind: '' };
  const notification = {
    ...{ deliveryId, atMs, kind, changedAtMs: change.atMs, ...whom },
    ...{ outcome: 'held' as const, attempts: 0, error: heldWords(reason) },
  };
  return { type: 'notification', checkId: id, notification };
}

export function appendHeld({ store }: EngineContext, held: readonly HeldRecord[]): void {
  for (const record of held) store.append(record, null);
}

/**
 * Appends what a step means for notifications, in its batch, but for the deliveries of its own status changes. Returns those that are
 * in the record of the change: all but what that has no place for.
 */
export function appendAlerts(
  context: EngineContext,
  { deliveries, held, incidents }: AlertRecords,
  changes: readonly StatusChange[],
): readonly Delivery[] {
  appendHeld(context, held);
  appendIncidents(context, incidents);
  const inChange = changes.length > 0 ? deliveries.filter(hasShortForm) : noDeliveries;
  for (const delivery of deliveries)
    if (!inChange.includes(delivery)) context.store.append({ type: 'delivery', delivery }, null);
  return inChange;
}
