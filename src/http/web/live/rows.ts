/**
 * Checks as the page's list shows them.
 * Invariant: rows say nothing that is not durable: they are read in slices that wait for it.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { type Channel, getsAlerts, settingsOf } from '../../../domain/accounts/project.ts';
import { mayActAs, type Role } from '../../../domain/accounts/user.ts';
import { type Incident, lastNote } from '../../../domain/alerting/incident.ts';
import { incidentTitle } from '../../../domain/alerting/incident-words.ts';
import type { Check } from '../../../domain/check/check.ts';
import { expectedAfter, nextPingMs } from '../../../domain/check/deadline.ts';
import type { StatusChange } from '../../../domain/check/flip.ts';
import { runDeadline } from '../../../domain/check/run-deadlines.ts';
import { noRuns, tracksRuns } from '../../../domain/check/run-state.ts';
import { failedExit, jobDurationMs, type Run } from '../../../domain/runs/latest-runs.ts';
import { overrunMs } from '../../../domain/runs/overrun.ts';
import { firstWatched, uptimeRange, watchedDays, watchedSince } from '../../../domain/runs/time-ranges.ts';
import { usualDuration } from '../../../domain/runs/usual-duration.ts';
import type {
  CheckRow,
  CheckStory,
  ListView,
  SummaryView,
  TrackedView,
  UnchangedView,
} from '../../../domain/views/page-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { visitChecks } from '../../../engine/reads/check-slices.ts';
import type { CheckId } from '../../../lib/ids.ts';
import { day, hour, NEVER } from '../../../lib/units.ts';
import { type NameNow, namesNow } from '../../api/incidents/names-now.ts';
import { rowRunsShownMax, rowsAskedMax, rowsPerTurn, storyChangesMax, tagsShownMax } from '../../limits.ts';
import { jsonReply, notFound, renderedReply } from '../../wire/json-reply.ts';
import type { HttpReply, HttpRequest } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { checkIdOf, mayPing, shownId } from '../calls/shown-id.ts';
import { partOf } from '../list/order.ts';
import { isNarrowed, readListPart, readListQuery } from '../list/query.ts';
import { rowResults } from './row-results.ts';
import { shownUptime } from './statistics.ts';

export type RowReads = Pick<EngineRead, 'lastChange' | 'latestRuns' | 'uptimes'>;

export function rowOf(read: RowReads, check: Check, role: Role, nowMs: number): CheckRow {
  const { id, config, state, createdAtMs, acknowledgement, snooze } = check;
  const last = read.lastChange(id);
  const runs = read.latestRuns(id, rowRunsShownMax);
  return {
    id: shownId(role, id),
    name: config.name,
    slug: config.slug,
    tags: config.tags,
    status: state.status,
    sinceMs: last?.atMs ?? createdAtMs,
    cause: last?.cause ?? null,
    startedMs: state.startedMs,
    ...missingOf(check),
    startedLateMs: startedLateMs(check),
    ...overrunOf(check, last, runs),
    ...exitOf(check, last, runs),
    kind: config.kind,
    timeoutS: config.timeoutS,
    graceS: config.graceS,
    schedule: config.schedule,
    tz: config.tz,
    lastPingMs: state.lastPingMs,
    lastDurationMs: runs.findLast(({ n }) => n !== null)?.isEndedByHand ? null : state.lastDurationMs,
    nextPingMs: nextPingMs(check),
    downAtMs: state.downAtMs === NEVER ? null : state.downAtMs,
    runs: runs.map((run) => [run.atMs, run.outcome, jobDurationMs(run)] as const),
    ...usualOf(check),
    ...rowResults(check, runs),
    ...uptimeIn30Days(read, check, nowMs),
    nPings: state.nPings,
    channels: config.channels,
    acknowledged: acknowledgement ? { atMs: acknowledgement.atMs, by: acknowledgement.by } : null,
    snoozedUntilMs: snooze?.untilMs ?? null,
    ...heldBackOf(check),
  };
}

function startedLateMs({ config, state }: Check): number {
  const { status, startedMs, lastPingMs } = state;
  if (startedMs === null || lastPingMs === null || (status !== 'grace' && status !== 'down')) return 0;
  return Math.max(0, startedMs - expectedAfter(config, lastPingMs));
}

function overrunOf(
  { config, state, runs: tracked }: Check,
  last: StatusChange | null,
  latest: readonly Run[],
): Pick<CheckRow, 'overrunMs'> {
  if (state.status !== 'down' || last === null || tracked !== undefined) return {};
  const { startedMs } = state;
  // Where no history is read, a run that is in flight since then still shows it.
  const isSince = startedMs !== null && startedMs <= last.atMs;
  const runs = isSince ? [{ atMs: last.atMs, outcome: 'missed', startedMs } as const] : latest;
  const givenMs = overrunMs(last, runs, config.graceS);
  return givenMs === null ? {} : { overrunMs: givenMs };
}

function exitOf(
  { state }: Check,
  last: StatusChange | null,
  latest: readonly Run[],
): Pick<CheckRow, 'exitStatus'> {
  const status = state.status === 'down' && last !== null ? failedExit(last, latest) : null;
  return status === null ? {} : { exitStatus: status };
}

/** Returns a row that says why the check is down, and has nothing else of its history, for somebody who may not change it. */
export function briefRow(read: RowReads, check: Check, nowMs: number): CheckRow {
  const row = rowOf(withoutHistory(read), check, 'viewer', nowMs);
  if (row.status !== 'down') return row;
  const runs = read.latestRuns(check.id, rowRunsShownMax);
  return { ...row, ...exitOf(check, read.lastChange(check.id), runs) };
}

function missingOf({ runs }: Check): Pick<CheckRow, 'missing'> {
  if (runs === undefined || runs.hosts.length === 0) return {};
  const hosts = runs.hosts.filter(({ status }) => status === 'missing').map(({ name }) => name);
  return hosts.length === 0 ? {} : { missing: { hosts, of: runs.hosts.length } };
}

function heldBackOf({ hold }: Check): Pick<CheckRow, 'heldBack'> {
  if (!hold) return {};
  const { reason, about, untilMs } = hold;
  return { heldBack: { reason, about, untilMs: Number.isFinite(untilMs) ? untilMs : null } };
}

/** Runs with ids are paired by themselves, which `latestRuns` cannot. */
function usualOf({ config, runs }: Check): Pick<CheckRow, 'usualMs'> {
  const usual = runs === undefined ? null : usualDuration(runs.durations, config.unusualFactor);
  return usual === null ? {} : { usualMs: Math.round(usual.medianMs) };
}

/** Days of UTC, that of the creation included, in which most checks are pinged first. */
const soonDays = 2;

function uptimeIn30Days(
  read: RowReads,
  { id, createdAtMs }: Check,
  nowMs: number,
): Pick<CheckRow, 'uptime' | 'watchedSinceMs'> {
  const range = uptimeRange('30d', nowMs);
  const asked = { range, createdAtMs, nowMs };
  // Most young checks were pinged soon: their first days are read with the rest, since a read by itself takes as long as all.
  const young = createdAtMs > range.fromMs ? watchedDays(asked).slice(0, soonDays) : [];
  const [uptime, ...ofDays] = read.uptimes(id, [range, ...young], nowMs);
  if (!uptime || uptime.watchedMs === 0) return { uptime: null };
  const { percent } = shownUptime(uptime);
  // Most checks are watched all the time.
  if (uptime.watchedMs >= nowMs - range.fromMs - hour) return { uptime: percent };
  const isKnown = ofDays.some(({ watchedMs }) => watchedMs > 0);
  const sinceMs = isKnown
    ? firstWatched(young, ofDays, asked)
    : watchedSince((ranges) => read.uptimes(id, ranges, nowMs), asked);
  return { uptime: percent, ...(sinceMs === null ? {} : { watchedSinceMs: sinceMs }) };
}

/** A row as a user of that role gets it. */
export function rowJson(read: RowReads, check: Check, role: Role, nowMs: number): string {
  return JSON.stringify(rowOf(read, check, role, nowMs));
}

/**
 * Returns the checks that `ids` names (a hundred at most), those of them that the query of the list finds, if there is one; or all
 * checks, for pages that show every check.
 */
export async function listRows(call: ProjectCall): Promise<HttpReply> {
  const { context, project, role, request, nowMs } = call;
  const { read } = context.engine;
  const ids = new URLSearchParams(request.query).get('ids');
  if (ids !== null) return showRows(call, ids.split(',').slice(0, rowsAskedMax));
  const slices = await visitChecks(read, project.id, nowMs, (checks) =>
    checks.map((check) => rowJson(withoutHistory(read), check, role, nowMs)).join(','),
  );
  return compressed(`{"rows":[${slices.filter((slice) => slice !== '').join(',')}]}`, request);
}

/** Where every check is shown, its history is not. */
export function withoutHistory({ lastChange }: RowReads): RowReads {
  return { lastChange, latestRuns: () => [], uptimes: () => [] };
}

async function showRows(call: ProjectCall, shown: readonly string[]): Promise<HttpReply> {
  const { context, project, role, request, nowMs } = call;
  const { read } = context.engine;
  const named = await Promise.all(shown.map((one) => checkIdOf(call, one)));
  const isFound = await filterOf(call);
  const ids = named.filter((id) => id !== null && isFound(id as CheckId));
  for (const id of ids) await read.countAhead(id as CheckId, nowMs);
  const found = await inTurns(read, ids, (id) => {
    const check = read.check(id as CheckId, nowMs);
    return check?.projectId === project.id ? rowJson(read, check, role, nowMs) : '';
  });
  const rows = found.filter((row) => row !== '');
  return compressed(`{"rows":[${rows.join(',')}]}`, request);
}

/** Whether the query of the list finds a check, as of now. */
async function filterOf({
  context,
  project,
  request,
  nowMs,
}: ProjectCall): Promise<(id: CheckId) => boolean> {
  const query = readListQuery(new URLSearchParams(request.query));
  if (query.statuses.length === 0 && !isNarrowed(query)) return () => true;
  const { all } = await context.lists.of(project.id, nowMs).select(query, nowMs);
  const found = new Set((await all()).map(({ id }) => id));
  return (id) => found.has(id);
}

/** Returns the part of the list that the query of the page's address selects: `ListView`. */
export async function showList({ context, project, role, request, nowMs }: ProjectCall): Promise<HttpReply> {
  const { read } = context.engine;
  const asked = new URLSearchParams(request.query);
  const query = readListQuery(asked);
  const wanted = readListPart(asked);
  const list = context.lists.of(project.id, nowMs);
  const selection = await list.select(query, nowMs);
  if (asked.get('known') === list.revision) return jsonReply({ same: true } satisfies UnchangedView);
  const part = await partOf(selection, wanted);
  const reader = mayPing(role) ? 'pings' : 'looks';
  const kept = new Map(part.map(({ id }) => [id, list.keptRow(id, reader, nowMs)] as const));
  const fresh = part.filter(({ id }) => kept.get(id) === null);
  // Later changes are not in the rows, so the page must not take the rows for newer than this.
  const { revision } = list;
  for (const { id } of fresh) await read.countAhead(id, nowMs);
  const keeps = fresh.map(({ id }) => list.beginRow(id, reader, nowMs));
  const found = await inTurns(read, fresh, ({ id }) => {
    const check = read.check(id, nowMs);
    return check?.projectId === project.id ? rowJson(read, check, role, nowMs) : '';
  });
  for (const [at, keep] of keeps.entries()) keep(found[at] ?? '');
  const rendered = new Map(fresh.map(({ id }, at) => [id, found[at] ?? ''] as const));
  const rows = part.map(({ id }) => rendered.get(id) ?? kept.get(id) ?? '').filter((row) => row !== '');
  const channels = read.channels(project.id);
  const apart = channelsApart(channels, mayActAs(role, 'editor'));
  const view: Omit<ListView, 'rows'> = {
    ...(await list.summary(nowMs)),
    revision,
    total: selection.total,
    found: isNarrowed(query) ? selection.counts : null,
    from: wanted.from,
    groups: selection.groups,
    tags: mostUsed(selection.tags),
    channels: channels.filter(getsAlerts).map((one) => ({ ...listedChannel(one), ...apart(one.id) })),
    nowMs,
  };
  return compressed(`${JSON.stringify(view).slice(0, -1)},"rows":[${rows.join(',')}]}`, request);
}

/** What keeps it from being notified is said only where there is something. */
function listedChannel(channel: Channel): ListView['channels'][number] {
  const { id, kind, name } = channel;
  const { disabled, unverified } = settingsOf(channel);
  return { id, kind, name, ...(disabled ? { disabled } : {}), ...(unverified ? { unverified } : {}) };
}

/** Returns the result of `render` for each item, durable, a few in every turn of the event loop. */
async function inTurns<Item, Result>(
  read: Pick<EngineRead, 'durably'>,
  items: readonly Item[],
  render: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += rowsPerTurn) {
    const part = items.slice(from, from + rowsPerTurn);
    results.push(...(await read.durably(() => part.map(render))));
    await nextTurn();
  }
  return results;
}

/** For pages that show no list: their tab shows what is down all the same. */
export async function showSummary({ context, project, nowMs }: ProjectCall): Promise<HttpReply> {
  const summary = await context.lists.of(project.id, nowMs).summary(nowMs);
  return jsonReply({ summary, nowMs } satisfies SummaryView);
}

function mostUsed(tags: ReadonlyMap<string, number>): ListView['tags'] {
  return [...tags]
    .sort(([a, aCount], [b, bCount]) => bCount - aCount || (a < b ? -1 : 1))
    .slice(0, tagsShownMax)
    .map(([name, count]) => ({ name, count }));
}

export async function compressed(json: string, { headers: asked }: HttpRequest): Promise<HttpReply> {
  if (!/\bgzip\b/.test(asked['accept-encoding'] ?? '')) return renderedReply(json);
  const { headers, ...rest } = renderedReply(await gzipped(json, quick));
  return { ...rest, headers: [...headers, ['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']] };
}

/**
 * Compresses on the thread pool. Rows are much alike: even the fastest level shrinks them to a tenth, and a phone waits for the
 * bytes.
 */
const gzipped = promisify(gzip);
const quick = { level: constants.Z_BEST_SPEED };

const storyMs = 90 * day;

/**
 * Returns the status changes of the last 90 days, from which the page draws the timeline: the latest ones, if a check changes
 * often.
 */
export async function showStory(call: ProjectCall): Promise<HttpReply> {
  const { context, project, path, nowMs } = call;
  const { read } = context.engine;
  const id = await checkIdOf(call, path.id ?? '');
  return read.durably(() => {
    const check = read.check(id, nowMs);
    if (check?.projectId !== project.id) return notFound;
    const fromMs = nowMs - storyMs;
    const changes = read.changes(check.id, { fromMs, untilMs: NEVER }, storyChangesMax);
    const oldestMs = changes.length < storyChangesMax ? fromMs : (changes.at(-1)?.atMs ?? fromMs);
    const tracked = trackedOf(check);
    const incident = read.incidentOf(check.id);
    const story: CheckStory = {
      ...{ fromMs: oldestMs, createdAtMs: check.createdAtMs, changes },
      ...(tracked === null ? {} : { tracked }),
      ...(incident?.projectId === project.id
        ? { incident: incidentView(incident, namesNow(incident, read, nowMs)) }
        : {}),
    };
    return jsonReply(story);
  });
}

function incidentView(incident: Incident, nameNow: NameNow): NonNullable<CheckStory['incident']> {
  const note = lastNote(incident);
  return {
    ...{ id: incident.id, title: incidentTitle(incident, nameNow) },
    ...(note ? { note: { by: note.by, text: note.text } } : {}),
  };
}

/** Null for a check that does not track its runs. */
function trackedOf({ config, runs }: Check): TrackedView | null {
  if (runs === undefined && !tracksRuns(config)) return null;
  const { open, hosts, durations } = runs ?? noRuns;
  return {
    open: open.map((run) => ({
      ...{ rid: run.rid, startedMs: run.startedMs, host: run.host },
      deadlineMs: runDeadline(config, run),
    })),
    hosts: hosts.map(({ name, status, reportedMs }) => ({ name, status, reportedMs })),
    usual: usualDuration(durations, config.unusualFactor),
    unusual: config.unusualRuntime,
  };
}
