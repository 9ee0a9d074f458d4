/**
 * Lists, shows, acknowledges and annotates incidents: an addition of Knell to the API.
 * Not here: what an incident is (`domain/alerting/incident`), what a change does (`engine/changes/accept-incident`).
 * Invariant: what an answer shows is durable, and no incident of another project is shown or changed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Incident, IncidentCheck } from '../../../domain/alerting/incident.ts';
import { hasText } from '../../../domain/alerting/incident-words.ts';
import type { StatusChange } from '../../../domain/check/flip.ts';
import { incidentNoteCharsMax, snoozedByLengthMax } from '../../../domain/limits.ts';
import { failedExit } from '../../../domain/runs/latest-runs.ts';
import { overrunMs } from '../../../domain/runs/overrun.ts';
import type { IncidentListAnswer, ListedIncidentAnswer } from '../../../domain/views/api-answers.ts';
import type { EngineRead, IncidentAction } from '../../../engine/contract/engine.ts';
import { asIncidentId, type CheckId, type IncidentId, type ProjectId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import { incidentLogsPerTurn, incidentRunsReadMax, incidentsPerTurn } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { type ApiCall, pathPart } from '../call.ts';
import { repliedOr } from '../change-checks.ts';
import { secondsRounded } from '../history.ts';
import { incidentDetails, incidentJson } from './incident-json.ts';
import { comparePlaces, cursorOf, type IncidentQuery, parseIncidentQuery } from './incident-query.ts';
import { type NameNow, namesNow } from './names-now.ts';

export async function listIncidents(call: ApiCall): Promise<HttpReply> {
  const { read, project, query, nowMs } = call;
  const parsed = parseIncidentQuery(query);
  if (!parsed.ok) return errorReply(400, parsed.error);
  const { shown, answer } = await readIncidents(read, project.id, parsed.query, nowMs);
  // The duration of one that is open is another each time.
  if (shown.some(({ stage }) => stage !== 'resolved')) call.changesAt(nowMs);
  return jsonReply(answer);
}

interface IncidentPage {
  readonly shown: readonly Incident[];
  /** Of the same incidents, in the same order. */
  readonly answer: IncidentListAnswer;
}

/** A page of the list, as the query wants it. */
export async function readIncidents(
  read: EngineRead,
  projectId: ProjectId,
  query: IncidentQuery,
  nowMs: number,
): Promise<IncidentPage> {
  const { limit } = query;
  const all = await read.durably(() => read.incidents(projectId, NEVER, Number.POSITIVE_INFINITY));
  const nameNow = namesNow({ projectId }, read, nowMs);
  const wanted = await firstWanted([...all].sort(comparePlaces), query, nameNow);
  const shown = wanted.slice(0, limit);
  const last = wanted.length > limit ? shown.at(-1) : undefined;
  const incidents: ListedIncidentAnswer[] = [];
  // Also where nothing is found: by which names that is so must be durable, too.
  for (let start = 0; start === 0 || start < shown.length; start += incidentLogsPerTurn) {
    if (start > 0) await nextTurn();
    const part = shown.slice(start, start + incidentLogsPerTurn);
    const json = (incident: Incident) => listed(incident, { read, nowMs, nameNow });
    incidents.push(...(await read.durably(() => part.map(json))));
  }
  return { shown, answer: { incidents, next: last === undefined ? null : cursorOf(last) } };
}

interface Listing {
  readonly read: Pick<EngineRead, 'unlistedCount' | 'lastChange' | 'changes' | 'check' | 'latestRuns'>;
  readonly nowMs: number;
  readonly nameNow: NameNow;
}

function listed(incident: Incident, { read, nowMs, nameNow }: Listing): ListedIncidentAnswer {
  const [first] = incident.checks;
  const change = first && downChange(first, read);
  const json = incidentJson(incident, read, nowMs, nameNow);
  // Not spread: a key that is gained after a spread costs a hidden class each time (test/path/hidden-classes).
  if (!change) return json;
  const givenMs = overrunAt(first.id, change, read, nowMs);
  const { cause } = change;
  return Object.assign(json, givenMs === null ? { cause } : { cause, overrun: secondsRounded(givenMs) });
}

/** What the run was given that took the check down; null where none did, or where that is too long ago to be known. */
function overrunAt(
  id: CheckId,
  change: StatusChange,
  read: Pick<EngineRead, 'check' | 'latestRuns'>,
  nowMs: number,
): number | null {
  if (change.cause !== 'timeout') return null;
  const check = read.check(id, nowMs);
  if (check === null || check.runs !== undefined) return null;
  return overrunMs(change, read.latestRuns(id, incidentRunsReadMax), check.config.graceS);
}

/** The exit status, not 0, of the run that took the only check of an incident down; null where it had none, or where that is too long ago to be known. */
export function exitStatusOf(
  { checks, more }: Incident,
  read: Pick<EngineRead, 'lastChange' | 'changes' | 'check' | 'latestRuns'>,
  nowMs: number,
): number | null {
  const [only, ...others] = checks;
  if (only === undefined || others.length + more > 0 || read.check(only.id, nowMs) === null) return null;
  const change = downChange(only, read);
  if (change?.cause !== 'fail') return null;
  // What failed with 0 failed by what it reported.
  return failedExit(change, read.latestRuns(only.id, incidentRunsReadMax)) || null;
}

/** The change by which it went down: before it joined where a snooze or a hold put that off. None where it is too old to be kept. */
function downChange(
  { id, joinedMs, leftMs }: IncidentCheck,
  read: Pick<EngineRead, 'lastChange' | 'changes'>,
): StatusChange | undefined {
  // The second one is for a check that came up in the same millisecond.
  const newest =
    leftMs === 0 ? [read.lastChange(id)] : read.changes(id, { fromMs: 0, untilMs: joinedMs + 1 }, 2);
  return newest.find((change) => change?.to === 'down') ?? undefined;
}

/** One more than the page has, since it shows whether there is another. */
async function firstWanted(
  all: readonly Incident[],
  { states, text, limit, before, opened }: IncidentQuery,
  nameNow: NameNow,
): Promise<readonly Incident[]> {
  const wanted: Incident[] = [];
  for (const [at, incident] of all.entries()) {
    if (wanted.length > limit) break;
    if (at % incidentsPerTurn === incidentsPerTurn - 1) await nextTurn();
    if (before !== null && comparePlaces(incident, before) <= 0) continue;
    if (states !== null && !states.has(incident.stage)) continue;
    if (opened && (incident.openedMs < opened.fromMs || incident.openedMs >= opened.untilMs)) continue;
    if (text === '' || hasText(incident, text, nameNow)) wanted.push(incident);
  }
  return wanted;
}

const denied = errorReply(403, 'access denied: the incident belongs to another project');

type IncidentLookup = { readonly incident: Incident } | { readonly refusal: HttpReply };

function findIncident({ read, project }: ApiCall, id: IncidentId): IncidentLookup {
  const incident = read.incident(id);
  if (incident === null) return { refusal: notFound };
  return incident.projectId === project.id ? { incident } : { refusal: denied };
}

export async function getIncident(call: ApiCall): Promise<HttpReply> {
  const id = asIncidentId(pathPart(call, 'incident'));
  const found = await call.read.durably(() => findIncident(call, id));
  if (!('incident' in found)) return found.refusal;
  // The duration of one that is open is another each time.
  if (found.incident.stage !== 'resolved') call.changesAt(call.nowMs);
  return detailsReply(call, found.incident);
}

export function acknowledgeIncident(call: ApiCall): Promise<HttpReply> {
  return changeIncident(call, (id, action) => call.change.acknowledgeIncident(id, action, call.nowMs));
}

export function unacknowledgeIncident(call: ApiCall): Promise<HttpReply> {
  return changeIncident(call, (id, action) => call.change.unacknowledgeIncident(id, action, call.nowMs));
}

export async function noteIncident(call: ApiCall): Promise<HttpReply> {
  const { note } = call.json;
  if (note === undefined || (typeof note === 'string' && note.trim() === ''))
    return errorReply(400, 'a note needs a text');
  return changeIncident(call, (id, action) => call.change.noteIncident(id, action, call.nowMs));
}

type ChangeOf = (id: IncidentId, action: IncidentAction) => Promise<Incident>;

function changeIncident(call: ApiCall, changeOf: ChangeOf): Promise<HttpReply> {
  return repliedOr(call, async () => {
    const { note = '' } = call.json;
    if (typeof note !== 'string') return errorReply(400, 'note is not a string');
    if (note.trim().length > incidentNoteCharsMax)
      return errorReply(400, `a note has at most ${incidentNoteCharsMax} characters`);
    const found = await foundToChange(call);
    if ('refusal' in found) return found.refusal;
    const by = [...call.by].slice(0, snoozedByLengthMax).join('');
    return detailsReply(call, await changeOf(found.incident.id, { by, note }));
  });
}

/** A refusal is sent only when the data behind it is durable. */
async function foundToChange(call: ApiCall): Promise<IncidentLookup> {
  const id = asIncidentId(pathPart(call, 'incident'));
  const found = findIncident(call, id);
  return 'incident' in found ? found : call.read.durably(() => findIncident(call, id));
}

/** Of notifications a read-only key sees nothing, as elsewhere in the API. */
async function detailsReply(call: ApiCall, incident: Incident): Promise<HttpReply> {
  const { read, readOnly, nowMs } = call;
  const reader = { read, readOnly, nowMs, withNotifications: !readOnly, deliveries: () => call.deliveries() };
  const details = await incidentDetails(incident, reader);
  // An attempt that fails is no change of the project.
  if (details.waiting !== undefined) call.changesAt(nowMs);
  return jsonReply(details);
}
