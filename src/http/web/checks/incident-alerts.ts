/**
 * What became of the alerts of listed incidents, where not all of them got through.
 * Invariant: a bounded number of logs is read for a page, a few in a turn; where one may be gone, nothing is said of nobody.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import { type Delivery, isReminder, notificationKindOf } from '../../../domain/deliveries/delivery.ts';
import type { IncidentAlerts } from '../../../domain/views/incident-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import type { CheckId, IncidentId } from '../../../lib/ids.ts';
import { sentInOutage } from '../../api/incidents/incident-notifications.ts';
import { incidentAlertLogsMax, incidentDeliveriesPerTurn, incidentLogsPerTurn } from '../../limits.ts';
import type { ProjectCall } from '../calls/call.ts';

/** By id: those of which an alert failed, or of which nobody was notified. */
export async function lackingAlerts(
  incidents: readonly Incident[],
  { engine, commands }: Pick<ProjectCall['context'], 'engine' | 'commands'>,
): Promise<ReadonlyMap<IncidentId, IncidentAlerts>> {
  const { read } = engine;
  const found = new Map<IncidentId, IncidentAlerts>();
  // Read first: what is sent meanwhile is then in both, rather than in none.
  const waiting = await waitingOf(incidents, commands.outbox.withSettling());
  let looked = 0;
  for (const incident of incidents) {
    const checks = incident.checks.filter(({ isDependent }) => !isDependent);
    looked += checks.length;
    if (looked > incidentAlertLogsMax) break;
    const alerts = new Map<string, Outcome>();
    for (let from = 0; from < checks.length; from += incidentLogsPerTurn) {
      const part = checks.slice(from, from + incidentLogsPerTurn);
      await read.durably(() => {
        for (const check of part) note(alerts, { incident, check, read });
      });
      if (looked >= incidentLogsPerTurn) await nextTurn();
    }
    const isCertain = await read.durably(() => checks.every((check) => isKept(check, read)));
    const lacking = lackingOf(alerts, waiting.get(incident.id) ?? [], isCertain && checks.length > 0);
    if (lacking !== null) found.set(incident.id, lacking);
  }
  return found;
}

type Outcome = 'delivered' | 'failed' | 'waiting';

interface Of {
  readonly incident: Incident;
  readonly check: IncidentCheck;
  readonly read: Pick<EngineRead, 'notifications' | 'changes'>;
}

/** Once per integration and outage, as repeated ones are about the same. */
function note(alerts: Map<string, Outcome>, { incident, check, read }: Of): void {
  for (const { kind, outcome, attempts, channelId, changedAtMs } of sentInOutage(incident, check, read)) {
    // The check was up before an attempt succeeded.
    const isFailed = outcome === 'failed' || (outcome === 'superseded' && attempts > 0);
    if (kind !== 'down' || !(isFailed || outcome === 'delivered')) continue;
    const about = `${check.id} ${channelId} ${changedAtMs}`;
    if (alerts.get(about) !== 'delivered') alerts.set(about, isFailed ? 'failed' : 'delivered');
  }
}

/** Whether its log still goes back to when it went down: nothing is known of one that is deleted, or was down when it came here. */
function isKept({ id, joinedMs, moved }: IncidentCheck, read: Pick<EngineRead, 'changes'>): boolean {
  const until = { fromMs: 0, untilMs: joinedMs + 1 };
  return moved !== true && read.changes(id, until, 2).some(({ to }) => to === 'down');
}

function lackingOf(
  alerts: Map<string, Outcome>,
  waiting: readonly Delivery[],
  isCertain: boolean,
): IncidentAlerts | null {
  for (const { checkId, channelId, change, attempts } of waiting) {
    const about = `${checkId} ${channelId} ${change.atMs}`;
    // Sent again, by hand or after a snooze: until it is delivered, it has failed so far.
    if (!alerts.has(about)) alerts.set(about, attempts > 0 ? 'failed' : 'waiting');
  }
  const count = (of: Outcome): number => [...alerts.values()].filter((one) => one === of).length;
  const counts = { delivered: count('delivered'), failed: count('failed'), waiting: count('waiting') };
  if (counts.failed > 0) return counts;
  return alerts.size === 0 && isCertain ? counts : null;
}

/** The down alerts of each that are to be sent, or sent again: one pass in turns, because there may be a hundred thousand. */
async function waitingOf(
  incidents: readonly Incident[],
  deliveries: Iterable<Delivery>,
): Promise<ReadonlyMap<IncidentId, readonly Delivery[]>> {
  const withCheck = new Map<CheckId, Incident[]>();
  for (const incident of incidents)
    for (const { id } of incident.checks) withCheck.set(id, [...(withCheck.get(id) ?? []), incident]);
  const found = new Map<IncidentId, Delivery[]>();
  let looked = 0;
  for (const delivery of deliveries) {
    if (++looked % incidentDeliveriesPerTurn === 0) await nextTurn();
    if (delivery.state !== 'waiting' || isReminder(delivery)) continue;
    if (notificationKindOf(delivery.change) !== 'down') continue;
    const { atMs } = delivery.change;
    const own = withCheck
      .get(delivery.checkId)
      ?.find(({ openedMs, resolvedMs }) => atMs >= openedMs && (resolvedMs === 0 || atMs <= resolvedMs));
    if (own) found.set(own.id, [...(found.get(own.id) ?? []), delivery]);
  }
  return found;
}
