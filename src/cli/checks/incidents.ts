/**
 * Lists, shows and changes incidents, over the socket or remotely.
 * Invariant: an id that may mean several incidents means none, and nothing is changed.
 */

import { projectsNamed } from '../../client/find-check.ts';
import type { Management, ProjectRef } from '../../client/management.ts';
import { countOf } from '../../client/options.ts';
import { answeredTitle } from '../../domain/accounts/channel-title.ts';
import type {
  IncidentAnswer,
  IncidentDetailsAnswer,
  IncidentListAnswer,
} from '../../domain/views/api-answers.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { incidentsListedMax, incidentsPerRequest } from '../io/limits.ts';
import { formOf, printColumns, printedForPrograms } from '../io/output.ts';
import { type Colour, type Column, coloured, printable, tableStyle } from '../io/table.ts';
import { exitDone, print } from '../io/terminal.ts';
import { localTime } from './check-log.ts';
import { spanText } from './check-rows.ts';

interface FoundIncident {
  readonly project: ProjectRef;
  readonly incident: IncidentAnswer;
}

export async function listIncidents(management: Management, flags: Flags): Promise<number> {
  const count = countOf('-n', typeof flags.n === 'string' ? flags.n : '50', incidentsListedMax);
  const state = typeof flags.state === 'string' ? flags.state : '';
  const found: FoundIncident[] = [];
  const projects = await projectsNamed(management, projectIn(flags));
  for (const project of projects) found.push(...(await incidentsOf(management, project, { state, count })));
  const newest = found
    .sort((a, b) => Date.parse(b.incident.opened) - Date.parse(a.incident.opened))
    .slice(0, count);
  const shown = newest.map(({ incident }) => incident);
  if (printedForPrograms(flags, shown)) return exitDone;
  if (shown.length === 0) print('no incidents');
  else printColumns(columns({ wide: formOf(flags) === 'wide', projects: projects.length > 1 }), newest);
  return exitDone;
}

interface Wanted {
  /** Empty for all. */
  readonly state: string;
  readonly count: number;
}

async function incidentsOf(
  management: Management,
  project: ProjectRef,
  { state, count }: Wanted,
): Promise<readonly FoundIncident[]> {
  const found: FoundIncident[] = [];
  let before = '';
  do {
    const limit = Math.max(1, Math.min(count - found.length, incidentsPerRequest));
    const query = new URLSearchParams({ limit: String(limit), state, ...(before === '' ? {} : { before }) });
    const answer = await management.call(project, 'GET', `incidents/?${query}`);
    const { incidents, next } = answer as IncidentListAnswer;
    found.push(...incidents.map((incident) => ({ project, incident })));
    before = next ?? '';
  } while (before !== '' && found.length < count);
  return found.slice(0, count);
}

const stateColours: Readonly<Record<IncidentAnswer['state'], Colour>> = {
  open: 'red',
  acknowledged: 'yellow',
  resolved: 'grey',
};

/** Characters of an id that are shown: enough to find it again. */
const shownIdLength = 8;

function columns(more: {
  readonly wide: boolean;
  readonly projects: boolean;
}): readonly Column<FoundIncident>[] {
  return [
    { title: 'ID', cell: ({ incident: { id } }) => (more.wide ? id : id.slice(0, shownIdLength)) },
    { title: 'STATE', cell: ({ incident: { state } }) => ({ text: state, colour: stateColours[state] }) },
    { title: 'WHAT', cell: ({ incident }) => incident.title, shrinks: true },
    { title: 'OPENED', cell: ({ incident }) => localTime(Date.parse(incident.opened)) },
    { title: 'TOOK', cell: ({ incident }) => durationText(incident) },
    { title: 'ACKNOWLEDGED BY', cell: ({ incident }) => incident.acknowledged_by ?? '', shrinks: true },
    ...(more.projects
      ? [{ title: 'PROJECT', cell: ({ project }: FoundIncident) => project.name, shrinks: true } as const]
      : []),
  ];
}

function durationText({ duration, resolved }: IncidentAnswer): string {
  return `${spanText(Math.round(duration))}${resolved === null ? ' so far' : ''}`;
}

export async function showIncident(management: Management, word: string, flags: Flags): Promise<number> {
  const { project, id } = await findIncident(management, word, flags);
  const shown = (await management.call(project, 'GET', `incidents/${id}`)) as IncidentDetailsAnswer;
  if (!printedForPrograms(flags, shown)) for (const line of detailLines(shown)) print(line);
  return exitDone;
}

function detailLines(incident: IncidentDetailsAnswer): readonly string[] {
  const style = tableStyle(process.stdout, process.env);
  const { acknowledged, acknowledged_by, resolved, checks, n_checks } = incident;
  const facts: readonly (readonly [title: string, text: string])[] = [
    ['Id', incident.id],
    ['State', coloured(incident.state, stateColours[incident.state], style)],
    ['Opened', localTime(Date.parse(incident.opened))],
    ['Took', durationText(incident)],
    ...(acknowledged === null
      ? []
      : [
          [
            'Acknowledged',
            `${localTime(Date.parse(acknowledged))} by ${printable(acknowledged_by ?? '')}`,
          ] as const,
        ]),
    ...(resolved === null ? [] : [['Resolved', localTime(Date.parse(resolved))] as const]),
  ];
  const more = n_checks - checks.length;
  return [
    coloured(printable(incident.title), 'bold', style),
    ...facts.map(([title, text]) => `${title.padEnd(titleWidth)}  ${text}`),
    '',
    ...checks.map(checkLine),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    ...timelineOf(incident),
  ];
}

const titleWidth = 'Acknowledged'.length;

function checkLine({
  name,
  uuid,
  unique_key,
  left,
  dependent,
}: IncidentDetailsAnswer['checks'][number]): string {
  const state = left === null ? 'down' : `no longer down since ${localTime(Date.parse(left))}`;
  const why = dependent ? ', depends on what is down' : '';
  return `  ${printable(name || uuid || unique_key || '')}: ${state}${why}`;
}

/** Entries and notifications by time, oldest first. */
function timelineOf({ entries, notifications = [], waiting = [] }: IncidentDetailsAnswer): readonly string[] {
  const lines = [
    ...waiting.map((one) => ({ at: one.since, text: waitingText(one) })),
    ...entries.map((entry) => ({ at: entry.timestamp, text: entryText(entry) })),
    ...notifications.map((sent) => ({ at: sent.timestamp, text: notificationText(sent) })),
  ];
  return lines
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ at, text }) => `${localTime(Date.parse(at))}  ${printable(text)}`);
}

function entryText({ kind, check, by, text }: IncidentDetailsAnswer['entries'][number]): string {
  const parts = [kind.padEnd(titleWidth), check, by === '' ? '' : `by ${by}`].filter((part) => part !== '');
  return `${parts.join(' ')}${text === '' ? '' : `: ${text}`}`.trimEnd();
}

type ShownNotification = NonNullable<IncidentDetailsAnswer['notifications']>[number];

function notificationText({
  check,
  event,
  outcome,
  channel_name,
  channel_kind,
  error,
}: ShownNotification): string {
  const what = outcome.padEnd(titleWidth);
  if (outcome === 'held') return `${what} ${check} ${event}: ${error}`;
  const why = error === '' ? '' : `: ${error}`;
  return `${what} ${check} ${event} to ${answeredTitle(channel_name, channel_kind)}${why}`;
}

type Waiting = NonNullable<IncidentDetailsAnswer['waiting']>[number];

/** `failing      backup down to Pager: status 500, 3 attempts, next try 2026-11-23 05:40`. */
function waitingText(waiting: Waiting): string {
  const { check, event, channel_name, channel_kind, attempts, error, next_attempt } = waiting;
  const what = (attempts === 0 ? 'waiting' : 'failing').padEnd(titleWidth);
  const next =
    next_attempt === null
      ? ''
      : `${attempts === 0 ? 'to be sent' : 'next try'} ${localTime(Date.parse(next_attempt))}`;
  const tried = attempts === 0 ? '' : `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const why = [error, tried, next].filter((part) => part !== '').join(', ');
  return `${what} ${check} ${event} to ${answeredTitle(channel_name, channel_kind)}${why === '' ? '' : `: ${why}`}`;
}

interface IncidentChange {
  readonly action: 'acknowledge' | 'unacknowledge' | 'notes';
  readonly word: string;
  /** Empty for none. */
  readonly note: string;
}

export async function changeIncident(
  management: Management,
  { action, word, note }: IncidentChange,
  flags: Flags,
): Promise<number> {
  const { project, id } = await findIncident(management, word, flags);
  const path = `incidents/${id}/${action}`;
  const json = note === '' ? {} : { note };
  const changed = (await management.call(project, 'POST', path, json)) as IncidentDetailsAnswer;
  if (!printedForPrograms(flags, changed)) print(`${verbs[action]} ${printable(changed.title)}`);
  return exitDone;
}

const verbs = {
  acknowledge: 'acknowledged:',
  unacknowledge: 'no longer acknowledged:',
  notes: 'left a note:',
} as const;

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const idBeginning = /^[0-9a-f-]{6,36}$/;

async function findIncident(
  management: Management,
  word: string,
  flags: Flags,
): Promise<{ readonly project: ProjectRef; readonly id: string }> {
  const lower = word.toLowerCase();
  if (!idBeginning.test(lower))
    throw new KnellError('usage', 'give the id of an incident, or 6 or more characters of its beginning');
  const projects = await projectsNamed(management, projectIn(flags));
  const [only] = projects;
  if (only && projects.length === 1 && wholeId.test(lower)) return { project: only, id: lower };
  const found: FoundIncident[] = [];
  for (const project of projects) {
    const all = await incidentsOf(management, project, { state: '', count: Number.POSITIVE_INFINITY });
    found.push(...all.filter(({ incident: { id } }) => id.startsWith(lower)));
  }
  const [first, ...others] = found;
  if (first === undefined)
    throw new KnellError('not-found', `no incident has the id ${word}: see knell incidents`);
  if (others.length > 0)
    throw new KnellError('usage', `${word} may be ${found.map(({ incident }) => incident.id).join(' or ')}`);
  return { project: first.project, id: first.incident.id };
}

function projectIn({ project }: Flags): string | undefined {
  return typeof project === 'string' ? project : undefined;
}
