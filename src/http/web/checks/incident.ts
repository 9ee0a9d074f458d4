/**
 * One incident, as its page shows it, with what can be sent again, the snoozes and the maintenance of its checks, and the descriptions of
 * what is down; and which incidents are snoozed, or in maintenance. The list, and what people do with an incident, are the management API's, which the page uses.
 * Invariant: what is shown is durable, and an incident of another project is as one that does not exist.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { planLimits } from '../../../domain/accounts/plan-limits.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import { isAbout, type MaintenanceWindow, windowFor } from '../../../domain/alerting/maintenance.ts';
import { senderOf } from '../../../domain/check/ping.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import type {
  IncidentCheckView,
  IncidentMaintenance,
  IncidentSnooze,
  IncidentView,
  SentView,
  SnoozedIncidentsView,
  WaitingView,
} from '../../../domain/views/incident-view.ts';
import type { AlertAction } from '../../../domain/views/log-view.ts';
import { alertEntries } from '../../../domain/views/snooze-log.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { asIncidentId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { incidentDetails } from '../../api/incidents/incident-json.ts';
import { namesNow, withNamesNow } from '../../api/incidents/names-now.ts';
import {
  incidentDescCharsMax,
  incidentLogsPerTurn,
  incidentMaintenanceMax,
  incidentSnoozesMax,
} from '../../limits.ts';
import { excusedTimes } from '../../status-page/excused.ts';
import { jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { errorNow } from '../calls/error-now.ts';
import { keptBackOf } from '../calls/kept-back.ts';
import { mayPing } from '../calls/shown-id.ts';
import { offersRetry } from './retries.ts';

/** Viewers see who was notified, as in the log of a check. */
export async function showIncident(call: ProjectCall): Promise<HttpReply> {
  const { context, project, role, path, nowMs } = call;
  const { read } = context.engine;
  const id = asIncidentId(path.id ?? '');
  const stored = await read.durably(() => read.incident(id));
  if (stored?.projectId !== project.id) return notFound;
  const incident = await read.durably(() => withNamesNow(stored, namesNow(stored, read, nowMs)));
  const { outbox } = context.commands;
  const deliveries = () => outbox.withSettling();
  const isOffered = offersRetry(context);
  const placeOf = (delivery: Delivery) => outbox.stateOf(delivery);
  const shows = { readOnly: !mayPing(role), withNotifications: true };
  const reader = { read, ...shows, deliveries, isOffered, placeOf, nowMs };
  const details = await incidentDetails(incident, reader);
  const descs = await read.durably(() => incident.checks.map((check) => descOf(check, read, nowMs)));
  const hands = await handsOf(incident, read, planLimits[project.plan].pingsMax);
  const again = await read.durably(() => incident.checks.map((check) => againOf(check, read)));
  const checks = details.checks.map((check, at) => Object.assign({}, check, descs[at], hands[at], again[at]));
  const snoozes = await snoozesOf(incident, read, nowMs);
  const maintenance = await maintenanceOf(incident, read, nowMs);
  const apart = channelsApart(read.channels(project.id), mayActAs(role, 'editor'));
  const byNow = <One extends SentView | WaitingView>(all: readonly One[]): readonly One[] =>
    all.map((one) => ({
      ...{ ...one, ...apart(one.channel), error: errorNow(call, one.error) },
      ...keptBackOf(context, one.delivery),
    }));
  const shown = {
    ...{ ...details, checks },
    ...(details.notifications ? { notifications: byNow(details.notifications) } : {}),
    ...(details.waiting ? { waiting: byNow(details.waiting) } : {}),
    ...(snoozes.length === 0 ? {} : { snoozes }),
    ...(maintenance.length === 0 ? {} : { maintenance }),
  };
  return jsonReply(shown satisfies IncidentView);
}

/** Who marked its checks as up that have left, in the order of the checks. As in their logs, it is a ping that says so. */
async function handsOf(
  { checks }: Incident,
  read: EngineRead,
  pingsMax: number,
): Promise<readonly Pick<IncidentCheckView, 'leftBy'>[]> {
  const hands: Pick<IncidentCheckView, 'leftBy'>[] = [];
  for (const { id, leftMs } of checks) {
    // One in a turn: it reads as many pings as a log has.
    const pings = leftMs === 0 ? [] : await read.durably(() => read.pings(id, pingsMax));
    const by = pings.find(({ atMs, byHand }) => atMs === leftMs && byHand);
    hands.push(by ? { leftBy: senderOf(by) } : {});
    if (leftMs !== 0) await nextTurn();
  }
  return hands;
}

/** Who reads that it is no longer down, while it is, looks at the wrong incident. */
function againOf({ id, leftMs }: IncidentCheck, read: EngineRead): Pick<IncidentCheckView, 'again'> {
  const open = leftMs === 0 ? null : read.incidentOf(id);
  const change = open && read.lastChange(id);
  return open && change?.to === 'down' ? { again: { incident: open.id, sinceMs: change.atMs } } : {};
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

/** When windows about its checks were on while it was open, newest first. Nothing is written for it: the windows have their times. */
async function maintenanceOf(
  { projectId, checks, openedMs, resolvedMs }: Incident,
  read: EngineRead,
  nowMs: number,
): Promise<readonly IncidentMaintenance[]> {
  const about = await read.durably(() => {
    const known = checks.flatMap(({ id, name }) => {
      const check = read.check(id, nowMs);
      return check === null ? [] : [{ check, name }];
    });
    const named = new Map<MaintenanceWindow, readonly string[]>();
    for (const window of read.maintenance(projectId)) {
      const names = known.filter(({ check }) => isAbout(window, check)).map(({ name }) => name);
      if (names.length > 0) named.set(window, names);
    }
    return named;
  });
  // A moment past now: one that has just begun is on.
  const whileOpen = { fromMs: openedMs, untilMs: resolvedMs || nowMs + 1 };
  const times = await excusedTimes(new Set(about.keys()), whileOpen);
  const found = [...times].flatMap(([window, spans]) =>
    spans.map(({ fromMs, untilMs }) => ({
      ...{ name: window.name, untilMs, isOver: untilMs <= nowMs, checks: about.get(window) ?? [] },
      fromMs: fromMs > openedMs ? fromMs : null,
    })),
  );
  return found.sort((a, b) => b.untilMs - a.untilMs).slice(0, incidentMaintenanceMax);
}

/** Nobody is alerted of them for now, although nobody has acknowledged them. */
export async function showSnoozedIncidents({ context, project, nowMs }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  const untilMs: Record<string, number> = {};
  const maintainedUntilMs: Record<string, number> = {};
  const windows = read.maintenance(project.id);
  const snoozeEnd = ({ id }: IncidentCheck): number => read.check(id, nowMs)?.snooze?.untilMs ?? 0;
  const windowEnd = ({ id }: IncidentCheck): number => {
    const check = read.check(id, nowMs);
    return (check && windowFor(windows, check, nowMs)?.untilMs) ?? 0;
  };
  const incidents = read.openIncidents(project.id);
  for (let from = 0; from < incidents.length; from += incidentLogsPerTurn) {
    if (from > 0) await nextTurn();
    const part = incidents.slice(from, from + incidentLogsPerTurn);
    const ends = await read.durably(() =>
      part.map((incident) => [firstEnd(incident, read, snoozeEnd), firstEnd(incident, read, windowEnd)]),
    );
    for (const [at, { id }] of part.entries()) {
      const [snoozeMs = 0, windowMs = 0] = ends[at] ?? [];
      if (snoozeMs > nowMs) untilMs[id] = snoozeMs;
      if (windowMs > nowMs) maintainedUntilMs[id] = windowMs;
    }
  }
  return jsonReply({ untilMs, maintainedUntilMs } satisfies SnoozedIncidentsView);
}

/** When the first of its checks that are down is alerted of again; 0 where one is now. */
function firstEnd(
  { id, checks }: Incident,
  read: Pick<EngineRead, 'unlistedCount'>,
  endOf: (check: IncidentCheck) => number,
): number {
  if (read.unlistedCount(id) > 0) return 0;
  const ends = checks.filter(({ leftMs }) => leftMs === 0).map(endOf);
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
