/**
 * The incidents of a project as its page lists and exports them: as the management API does, with how those ended that no job ended,
 * whether those opened again that are open, and only of a time that is asked for.
 * Invariant: what is shown is durable.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Incident } from '../../../domain/alerting/incident.ts';
import { endedBy, outagesMs, reopenedMs } from '../../../domain/alerting/incident-words.ts';
import { incidentsKeptMax } from '../../../domain/limits.ts';
import type {
  IncidentAlerts,
  IncidentsView,
  ListedIncidentView,
} from '../../../domain/views/incident-view.ts';
import { csvHead, incidentCsv } from '../../../domain/views/incidents-csv.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { instantWords, momentIn } from '../../../spec/instant.ts';
import { type IncidentQuery, parseIncidentQuery } from '../../api/incidents/incident-query.ts';
import { exitStatusOf, readIncidents } from '../../api/incidents/incidents.ts';
import { incidentLogsPerTurn } from '../../limits.ts';
import { errorReply, jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { lackingAlerts } from './incident-alerts.ts';

export async function showIncidents(call: ProjectCall): Promise<HttpReply> {
  const query = queryIn(call);
  return typeof query === 'string' ? errorReply(400, query) : jsonReply(await viewOf(call, query, true));
}

/** All that the query selects, newest first. A project keeps a thousand at most; one that has more that are open shows the newest. */
export async function exportIncidents(call: ProjectCall): Promise<HttpReply> {
  const query = queryIn(call);
  if (typeof query === 'string') return errorReply(400, query);
  const { incidents } = await viewOf(call, { ...query, before: null, limit: incidentsKeptMax }, false);
  const day = new Date(call.nowMs).toISOString().slice(0, 10);
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/csv; charset=utf-8'],
      ['Content-Disposition', `attachment; filename="knell-incidents-${day}.csv"`],
    ],
    body: csvHead + incidents.map(incidentCsv).join(''),
  };
}

async function viewOf(
  { context, project, nowMs }: ProjectCall,
  query: IncidentQuery,
  isPage: boolean,
): Promise<IncidentsView> {
  const { read } = context.engine;
  const { shown, answer } = await readIncidents(read, project.id, query, nowMs);
  const alerts: ReadonlyMap<string, IncidentAlerts> = isPage
    ? await lackingAlerts(shown, context)
    : new Map();
  const exits = isPage ? await exitStatuses(shown, read, nowMs) : [];
  const incidents = answer.incidents.map((one, at) => {
    const lacking = alerts.get(one.id);
    const exitStatus = exits[at] ?? null;
    return {
      ...one,
      ...(lacking === undefined ? {} : { alerts: lacking }),
      ...(exitStatus === null ? {} : { exitStatus }),
      ...courseOf(shown[at]),
    };
  });
  return { incidents, next: answer.next };
}

/** How it ended, or how often it was down until then; of one that is not over, when it opened again. */
function courseOf(
  incident: Incident | undefined,
): Pick<ListedIncidentView, 'endedBy' | 'outages' | 'reopenedMs'> {
  if (incident === undefined) return {};
  const { stage, entries } = incident;
  if (stage !== 'resolved') {
    const againMs = reopenedMs(entries);
    return againMs === null ? {} : { reopenedMs: againMs };
  }
  const ended = endedBy(entries);
  if (ended !== null) return { endedBy: ended };
  const outages = outagesMs(entries);
  if (outages.length < 2) return {};
  const downS = Math.round(outages.reduce((sum, ms) => sum + ms, 0) / 1000);
  return { outages: { count: outages.length, downS } };
}

/** Of each, in the same order. */
async function exitStatuses(
  incidents: readonly Incident[],
  read: EngineRead,
  nowMs: number,
): Promise<readonly (number | null)[]> {
  const found: (number | null)[] = [];
  for (let start = 0; start < incidents.length; start += incidentLogsPerTurn) {
    if (start > 0) await nextTurn();
    const part = incidents.slice(start, start + incidentLogsPerTurn);
    found.push(...(await read.durably(() => part.map((one) => exitStatusOf(one, read, nowMs)))));
  }
  return found;
}

/** An error in words if it is none. */
function queryIn({ request }: ProjectCall): IncidentQuery | string {
  const asked = new URLSearchParams(request.query);
  const parsed = parseIncidentQuery(asked);
  if (!parsed.ok) return parsed.error;
  const given = (name: string): string => asked.get(name) ?? '';
  const moment = (name: string): number | null => (given(name) === '' ? null : momentIn(given(name)));
  const [sinceMs, untilMs] = [moment('since'), moment('until')];
  if (given('since') !== '' && sinceMs === null) return `since must be ${instantWords}`;
  if (given('until') !== '' && untilMs === null) return `until must be ${instantWords}`;
  return {
    ...parsed.query,
    opened: { fromMs: sinceMs ?? 0, untilMs: untilMs ?? Number.POSITIVE_INFINITY },
  };
}
