/**
 * The state of the projects: counts by status, and the checks that are down or late, for the overview and for a screen on the
 * wall. The reader is a member, or has the link of one project's wall view, whose key opens nothing else.
 * Invariant: it costs no more than the lists of the projects, which are kept while somebody looks.
 */

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Channel, Project } from '../../../domain/accounts/project.ts';
import { maySee } from '../../../domain/accounts/user.ts';
import { activeAt } from '../../../domain/alerting/calendar.ts';
import { windowFor } from '../../../domain/alerting/maintenance.ts';
import type {
  ListSummary,
  Overview,
  ProjectOverview,
  UnchangedView,
  UptimesView,
} from '../../../domain/views/page-view.ts';
import type { KeyHolder } from '../../../engine/contract/engine.ts';
import { projectsSeenBy } from '../../../engine/reads/build-report.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { overviewIncidentsMax, overviewRowsMax, projectsPerTurn } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import { eachInTurns, jsonListInTurns } from '../../wire/list-in-turns.ts';
import type { HttpReply } from '../../wire/message.ts';
import { sortedInTurns } from '../../wire/sorted-in-turns.ts';
import type { PublicCall, UserCall } from '../calls/call.ts';
import { integrationTroubles, type MissingSettings, missingSettings } from '../calls/integration-troubles.ts';
import { wallIncidents } from '../list/open-incidents.ts';
import type { ProjectList } from '../list/project-list.ts';
import { briefRow, compressed } from '../live/rows.ts';

/** The key of a wall link, which the page takes from its address. */
export const wallKeyHeader = 'x-knell-wall';

interface Looked {
  readonly project: Project;
  readonly list: ProjectList;
  readonly summary: ListSummary;
  readonly integrations: ProjectOverview['integrations'];
  readonly hasIntegrations: boolean;
}

export async function showOverview(call: PublicCall): Promise<HttpReply> {
  const link = wallLinkOf(call);
  const reply = await overviewFor(call, link);
  if (link) call.context.engine.change.noteKeyUse(link.keyId, call.nowMs);
  return reply;
}

async function overviewFor(call: PublicCall, link: KeyHolder | null): Promise<HttpReply> {
  const { context, request, nowMs } = call;
  const asked = new URLSearchParams(request.query);
  const shown = await projectsFor(call, link, asked.get('project'));
  if (!Array.isArray(shown)) return shown;
  const rows = asked.has('rows') ? overviewRowsMax : 0;
  const incidentsMax = asked.has('rows') ? overviewIncidentsMax : 0;
  const { read } = context.engine;
  const missing = missingSettings(context);
  const looked: Looked[] = [];
  const revisions = createHash('sha256');
  for (const [at, project] of shown.entries()) {
    // A list that is read already answers without a turn of its own.
    if (at % projectsPerTurn === projectsPerTurn - 1) await nextTurn();
    const list = context.lists.of(project.id, nowMs);
    const summary = await list.summary(nowMs);
    const channels = read.channels(project.id);
    const integrations = asked.has('rows') ? countedTroubles(channels, missing) : null;
    const hasIntegrations = channels.length > 0;
    const maintained = asked.has('rows')
      ? read.maintenance(project.id).map((one) => activeAt(one, nowMs))
      : [];
    looked.push({ project, list, summary, integrations, hasIntegrations });
    revisions.update(
      `${list.revision} ${JSON.stringify([summary.incidents, integrations, hasIntegrations, maintained])} ${project.name}\n`,
    );
  }
  const revision = revisions.digest('base64url');
  if (asked.get('known') === revision) return jsonReply({ same: true } satisfies UnchangedView);
  const isLink = keyOf(request) !== '';
  const projects: ProjectOverview[] = [];
  for (const [at, { project, list, ...counted }] of looked.entries()) {
    if (at % projectsPerTurn === projectsPerTurn - 1) await nextTurn();
    const troubled = await troubledRows(call, project, list.worst(rows, nowMs));
    const incidents = await read.durably(() => wallIncidents(read, project.id, { max: incidentsMax, nowMs }));
    projects.push({ id: isLink ? '' : project.id, name: project.name, ...counted, troubled, incidents });
  }
  const listed = await jsonListInTurns(await sortedInTurns(projects, byTrouble), projectsPerTurn);
  const rest: Omit<Overview, 'projects'> = { revision, nowMs };
  return compressed(`${JSON.stringify(rest).slice(0, -1)},"projects":${listed}}`, request);
}

/** It is separate from the counts, which are requested every other second, because it reads the history of every check. */
export async function showUptimes({ context, principal, nowMs }: UserCall): Promise<HttpReply> {
  const uptimes: Record<string, number | null> = {};
  const since: Record<string, number> = {};
  let seen = 0;
  for (const { id } of projectsSeenBy(context.engine.read, principal.user)) {
    if (++seen % projectsPerTurn === 0) await nextTurn();
    const { share, sinceMs } = await context.lists.of(id, nowMs).uptime(nowMs);
    uptimes[id] = share === null ? null : 100 * share;
    if (sinceMs !== null) since[id] = sinceMs;
  }
  return jsonReply({ uptimes, since } satisfies UptimesView);
}

/** Only numbers: people who have the link of a wall see neither names nor addresses of integrations. */
function countedTroubles(
  channels: readonly Channel[],
  missing: MissingSettings,
): ProjectOverview['integrations'] {
  const { unable, failing } = integrationTroubles(channels, missing);
  return { failing: failing.length, unable: unable.length };
}

/** Returns the projects that the caller may see, or a reply that says why there are none. */
async function projectsFor(
  { context, request, principal }: PublicCall,
  link: KeyHolder | null,
  id: string | null,
): Promise<Project[] | HttpReply> {
  const { read } = context.engine;
  if (keyOf(request) !== '')
    return link ? [link.project] : errorReply(403, 'this link was revoked or is wrong');
  if (!principal) return errorReply(401, 'sign in first');
  const seen: Project[] = [];
  await eachInTurns(read.projects(), projectsPerTurn, (project) => {
    if ((id === null || project.id === id) && maySee(principal.user, project.id)) seen.push(project);
  });
  return id !== null && seen.length === 0 ? notFound : seen;
}

/** Null for a member, and for a key that is no wall link. */
function wallLinkOf({ context, request }: PublicCall): KeyHolder | null {
  const key = keyOf(request);
  const holder = key === '' ? null : context.engine.read.holderOf(key);
  return holder?.scope === 'wall' ? holder : null;
}

function keyOf({ headers }: PublicCall['request']): string {
  return headers[wallKeyHeader] ?? '';
}

/** Renders rows as a viewer sees them: a screen on the wall shows no address that accepts pings. */
async function troubledRows(
  { context, nowMs }: PublicCall,
  { id }: Project,
  checks: readonly CheckId[],
): Promise<ProjectOverview['troubled']> {
  if (checks.length === 0) return [];
  const { read } = context.engine;
  const windows = read.maintenance(id);
  return read.durably(() =>
    checks
      .map((check) => read.check(check, nowMs))
      .filter((check) => check !== null)
      .filter(({ projectId }) => projectId === id)
      .map((check) => {
        const row = { ...briefRow(read, check, nowMs), channels: [] };
        const maintained = windowFor(windows, check, nowMs);
        return maintained ? { ...row, maintainedUntilMs: maintained.untilMs } : row;
      }),
  );
}

function byTrouble(one: ProjectOverview, other: ProjectOverview): number {
  const [a, b] = [one.summary.counts, other.summary.counts];
  return b.down - a.down || b.late - a.late || (one.name < other.name ? -1 : 1);
}
