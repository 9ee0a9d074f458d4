/**
 * What can be asked of incidents, of maintenance, and of who would be notified. Not here: what any of it means (`domain/alerting`).
 * Invariant: an incident that is given out counts the checks that it does not list, as they are at this moment.
 */
import { type Incident, withMore } from '../../domain/alerting/incident.ts';
import { quietHoursOf } from '../../domain/alerting/maintenance.ts';
import type { SentOfOutage } from '../../domain/alerting/what-was-sent.ts';
import { whoIsNotified } from '../../domain/alerting/who-is-notified.ts';
import type { Check } from '../../domain/check/check.ts';
import { withheldOf } from '../../domain/check/snooze.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { CheckId, ProjectId } from '../../lib/ids.ts';
import { NEVER } from '../../lib/units.ts';
import type { Store } from '../../store/store.ts';
import type { EngineRead } from '../contract/engine.ts';
import { alertingFacts } from '../deadlines/alerting-facts.ts';
import { flag } from '../registry/hot-rows.ts';
import type { Registry } from '../registry/registry.ts';
import { sentAbout } from './logged-past.ts';

type AlertingReads = Pick<
  EngineRead,
  | 'incidents'
  | 'openIncidents'
  | 'openIncidentCounts'
  | 'incident'
  | 'unlistedCount'
  | 'isOpenIn'
  | 'openIncidentWith'
  | 'incidentOf'
  | 'whoIsNotified'
  | 'maintenance'
  | 'maintenanceWindow'
>;

export function alertingReads(
  registry: Registry,
  store: Pick<Store, 'lastChange' | 'notifications'>,
): AlertingReads {
  const { incidents, maintenance } = registry;
  const whole = (incident: Incident): Incident => withMore(incident, incidents.unlisted(incident.id).size);
  const orNull = (incident: Incident | null): Incident | null => incident && whole(incident);
  return {
    incidents: (projectId, beforeMs, limit) =>
      newest(registry, projectId, beforeMs).slice(0, limit).map(whole),
    openIncidents: (projectId) => incidents.openIn(projectId).map(whole),
    openIncidentCounts: (projectId) => incidents.openCounts(projectId),
    incident: (id) => orNull(incidents.get(id)),
    unlistedCount: (id) => incidents.unlisted(id).size,
    isOpenIn: (id, incident) => incidents.openOf(id)?.id === incident && !isHeldFromAll(registry, id),
    openIncidentWith(id) {
      const last = incidents.lastOf(id);
      return last?.stage === 'resolved' ? null : orNull(last);
    },
    incidentOf: (id) => orNull(incidents.openOf(id)),
    whoIsNotified: (check, nowMs, waiting = []) =>
      whoIsNotified(check, {
        facts: alertingFacts(registry),
        channelOf: (id) => registry.projectIndex(check.projectId)?.channel(id) ?? null,
        quietOf: ({ id: channelId }) =>
          quietHoursOf(maintenance.of(check.projectId), { channelId, check }, nowMs),
        nowMs,
        sent: sentOf(store, check, waiting),
      }),
    maintenance: (projectId) => maintenance.of(projectId),
    maintenanceWindow: (id) => maintenance.get(id),
  };
}

/** Undefined for a check that is not down. */
function sentOf(
  store: Pick<Store, 'lastChange' | 'notifications'>,
  check: Check,
  waiting: readonly Delivery[],
): SentOfOutage | undefined {
  if (check.state.status !== 'down') return undefined;
  const change = store.lastChange(check.id);
  if (change?.to !== 'down') return undefined;
  return {
    change,
    log: sentAbout(store, check, change),
    waiting: waiting.filter((one) => one.change.atMs === change.atMs),
  };
}

/** Whether its outage is kept back from everybody. Only a check that is snoozed, or not plain, is decoded for it. */
function isHeldFromAll(registry: Registry, id: CheckId): boolean {
  const handle = registry.handleOf(id);
  const isPlain = handle < 0 || (registry.table.rows.flags(handle) & flag.plain) !== 0;
  if (isPlain && (handle < 0 || registry.snoozedUntil(handle) === NEVER)) return false;
  return withheldOf(registry.check(handle))?.wasDown === false;
}

/** Of at most a thousand and some: sorted, as a restore gives them in the order of their ids. */
function newest({ incidents }: Registry, projectId: ProjectId, beforeMs: number): readonly Incident[] {
  return [...incidents.of(projectId)]
    .filter(({ openedMs }) => openedMs < beforeMs)
    .sort((a, b) => b.openedMs - a.openedMs);
}
