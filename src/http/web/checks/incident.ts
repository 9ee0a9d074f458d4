/**
 * One incident, as its page shows it, with what can be sent again, the snoozes of its checks and the descriptions of what is down; and
 * which incidents are snoozed. The list, and what people do with an incident, are the management API's, which the page uses.
 * Invariant: what is shown is durable, and an incident of another project is as one that does not exist.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import type {
  IncidentCheckView,
  IncidentSnooze,
  IncidentView,
  SnoozedIncidentsView,
} from '../../../domain/views/incident-view.ts';
import type { AlertAction } from '../../../domain/views/log-view.ts';
import { alertEntries } from '../../../domain/views/snooze-log.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { asIncidentId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { incidentDetails } from '../../api/incidents/incident-json.ts';
import { incidentDescCharsMax, incidentLogsPerTurn, incidentSnoozesMax } from '../../limits.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { mayPing } from '../calls/shown-id.ts';
import { offersRetry } from './retries.ts';

/** Viewers see who was notified, as in the log of a check. */
export async function showIncident({ context, project, role, path, nowMs }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  const id = asIncidentId(path.id ?? '');
  const incident = await read.durably(() => read.incident(id));
  if (incident?.projectId !== project.id) return notFound;
  const { outbox } = context.commands;
  const deliveries = () => outbox.all();
  const isOffered = offersRetry(context);
  const reader = { read, readOnly: !mayPing(role), withNotifications: true, deliveries, isOffered, nowMs };
  const details = await incidentDetails(incident, reader);
  const descs = await read.durably(() => incident.checks.map((check) => descOf(check, read, nowMs)));
  const checks = details.checks.map((check, at) => Object.assign({}, check, descs[at]));
  const snoozes = await snoozesOf(incident, read, nowMs);
  const shown = { ...details, checks, ...(snoozes.length === 0 ? {} : { snoozes }) };
  return jsonReply(shown satisfies IncidentView);
}

const snoozeActions: ReadonlySet<AlertAction> = new Set([
  'snoozed',
  'snooze-changed',
  'unsnoozed',
  'snooze-over',
]);

/** The newest while it was open, newest first. The audit log has them: nothing is written for it. */
async function snoozesOf(
  { checks, openedMs, resolvedMs }: Incident,
  read: EngineRead,
  nowMs: number,
): Promise<readonly IncidentSnooze[]> {
  const found: IncidentSnooze[] = [];
  const untilMs = resolvedMs || NEVER;
  for (let from = 0; from < checks.length; from += incidentLogsPerTurn) {
    const part = checks.slice(from, from + incidentLogsPerTurn);
    const alerts = await read.durably(() =>
      part.flatMap(({ id, name }) => {
        const check = read.check(id, nowMs);
        if (check === null) return [];
        const audited = read.snoozeAudit(id, { fromMs: 0, untilMs }, incidentSnoozesMax);
        return alertEntries(check, audited, [], nowMs).map((entry) => ({ ...entry, check: name }));
      }),
    );
    for (const { atMs, action, by, untilMs: endMs, check } of alerts)
      if (snoozeActions.has(action) && atMs >= openedMs && atMs <= untilMs)
        found.push({ atMs, action, by, untilMs: endMs, check });
    await nextTurn();
  }
  return found.sort((a, b) => b.atMs - a.atMs).slice(0, incidentSnoozesMax);
}

/** Nobody is alerted of them for now, although nobody has acknowledged them. */
export async function showSnoozedIncidents({ context, project, nowMs }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  const untilMs: Record<string, number> = {};
  const incidents = read.openIncidents(project.id);
  for (let from = 0; from < incidents.length; from += incidentLogsPerTurn) {
    if (from > 0) await nextTurn();
    const part = incidents.slice(from, from + incidentLogsPerTurn);
    const ends = await read.durably(() => part.map((incident) => snoozedUntil(incident, read, nowMs)));
    for (const [at, { id }] of part.entries()) {
      const endMs = ends[at] ?? 0;
      if (endMs > nowMs) untilMs[id] = endMs;
    }
  }
  return jsonReply({ untilMs } satisfies SnoozedIncidentsView);
}

/** When the first snooze of its checks ends; 0 where one that is down is not snoozed. */
function snoozedUntil(
  { id, checks }: Incident,
  read: Pick<EngineRead, 'check' | 'unlistedCount'>,
  nowMs: number,
): number {
  if (read.unlistedCount(id) > 0) return 0;
  const down = checks.filter(({ leftMs }) => leftMs === 0);
  const ends = down.map((one) => read.check(one.id, nowMs)?.snooze?.untilMs ?? 0);
  return ends.length === 0 ? 0 : Math.min(...ends);
}

/** What to do about the check, which people look for while it is down. The page of the check has all of a long one. */
function descOf(
  { id, leftMs }: IncidentCheck,
  read: EngineRead,
  nowMs: number,
): Pick<IncidentCheckView, 'desc'> {
  const desc = leftMs === 0 ? (read.check(id, nowMs)?.config.desc ?? '') : '';
  if (desc === '') return {};
  if (desc.length <= incidentDescCharsMax) return { desc };
  // Only whole words: an address that is cut would be another one.
  return { desc: `${desc.slice(0, incidentDescCharsMax).replace(/\s*\S*$/, '')} …` };
}
