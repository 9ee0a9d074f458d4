/**
 * The log of one check, a page at a time, from the newest on: `LogView`. Each page is read anew and merged by time.
 * Invariant: it shows only what is durable; for a page a bounded number of pings, changes, notifications and entries of the
 * audit log is read.
 */

import type { AuditEntry } from '../../../domain/accounts/audit.ts';
import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import { planLimits } from '../../../domain/accounts/plan-limits.ts';
import { mayActAs } from '../../../domain/accounts/user.ts';
import type { Check } from '../../../domain/check/check.ts';
import { tracksRuns } from '../../../domain/check/run-state.ts';
import {
  changeEntries,
  endingEntries,
  isWanted,
  notificationEntries,
  pingEntries,
  sortedLog,
  waitingEntry,
} from '../../../domain/views/check-log.ts';
import {
  type LogEntry,
  type LogFilter,
  type LogView,
  logFilters,
  type NotificationEntry,
} from '../../../domain/views/log-view.ts';
import { maintenanceEntries } from '../../../domain/views/maintenance-log.ts';
import { alertEntries } from '../../../domain/views/snooze-log.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { asAuditId } from '../../../lib/ids.ts';
import { NEVER } from '../../../lib/units.ts';
import {
  logEntriesPerPage,
  logMaintenanceAuditMax,
  logMaintenanceMax,
  logMaintenanceMs,
  logReadMax,
  logRunChangesMax,
} from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { errorNow } from '../calls/error-now.ts';
import { keptBackOf } from '../calls/kept-back.ts';
import { checkIdOf } from '../calls/shown-id.ts';
import { LogSearch } from './log-search.ts';
import { offersRetry } from './retries.ts';

const search = new LogSearch();

export async function showLog(call: ProjectCall): Promise<HttpReply> {
  const { context, project, path, nowMs, request } = call;
  const query = new URLSearchParams(request.query);
  const filter = logFilters.find((one) => one === (query.get('filter') ?? 'all'));
  if (!filter) return errorReply(400, `filter must be one of ${logFilters.join(', ')}`);
  const before = query.get('before');
  const beforeMs = before === null ? NEVER : Number(before);
  if (Number.isNaN(beforeMs)) return errorReply(400, 'before must be a time in milliseconds');
  const text = (query.get('q') ?? '').trim();
  const { read } = context.engine;
  const id = await checkIdOf(call, path.id ?? '');
  const found = await read.durably(() => {
    const check = read.check(id, nowMs);
    return check?.projectId === project.id ? { check, ...readLog(call, check, { beforeMs, filter }) } : null;
  });
  if (!found) return notFound;
  const wanted = found.entries.filter((entry) => isWanted(entry, filter));
  const page =
    text === ''
      ? pageOf(wanted, found.floorMs)
      : await searchedPage(call, found.check, { wanted, beforeMs, floorMs: found.floorMs, text });
  return page === null ? tooManySearches : jsonReply({ ...page, nowMs } satisfies LogView);
}

interface ReadLog {
  /** Entries before `beforeMs`, the newest first. */
  readonly entries: readonly LogEntry[];
  /** Older entries have not been read; 0 if there are none. */
  readonly floorMs: number;
}

interface Wanted {
  readonly beforeMs: number;
  readonly filter: LogFilter;
}

function readLog(call: ProjectCall, check: Check, { beforeMs, filter }: Wanted): ReadLog {
  const { context, project, role, nowMs } = call;
  const { read } = context.engine;
  const apart = channelsApart(read.channels(project.id), mayActAs(role, 'editor'));
  const named = (entry: NotificationEntry): NotificationEntry => ({ ...entry, ...apart(entry.channelId) });
  const range = { fromMs: 0, untilMs: beforeMs };
  const pings = read.pings(check.id, planLimits[project.plan].pingsMax);
  const since = { fromMs: pings.at(-1)?.atMs ?? NEVER, untilMs: NEVER };
  const runChanges = pings.length > 0 ? read.changes(check.id, since, logRunChangesMax) : [];
  const changes = read.changes(check.id, range, logReadMax);
  const sent = read.notifications(check.id, range, logReadMax);
  const audited = read.snoozeAudit(check.id, range, logReadMax);
  const isTracked = tracksRuns(check.config) || check.runs !== undefined;
  const endings = read.runEndings(check.id, range, logReadMax);
  const tracked = isTracked ? { endings, open: check.runs?.open ?? [] } : null;
  const runs = pingEntries(pings, runChanges, check.state.startedMs, tracked);
  const graceS = isTracked ? null : check.config.graceS;
  const isOffered = offersRetry(context);
  const maintained = maintenanceIn(call, check, { beforeMs, filter });
  const all = [
    ...runs,
    ...endingEntries(endings),
    ...changeEntries(changes, { pings, runs, changes: runChanges, graceS }),
    ...notificationEntries(sent).map((entry) => {
      const deliveryId = entry.deliveryId !== null && isOffered(entry.deliveryId) ? entry.deliveryId : null;
      const error = errorNow(call, entry.error);
      return { ...named(entry), error, deliveryId, ...keptBackOf(context, deliveryId) };
    }),
    ...waitingFor(call, check).map(named),
    ...alertEntries(check, audited, changes, nowMs),
    ...maintained.entries,
  ];
  const floorMs = Math.max(...[changes, sent, audited, endings].map(floorOf), maintained.floorMs);
  return {
    entries: sortedLog(all.filter(({ atMs }) => atMs < beforeMs && atMs >= floorMs)),
    floorMs,
  };
}

/** None where the filter has none, so that what is read of it ends no page of others. */
function maintenanceIn({ context, project, nowMs }: ProjectCall, check: Check, { beforeMs, filter }: Wanted) {
  if (filter !== 'all' && filter !== 'snoozes') return { entries: [], floorMs: 0 };
  const { read } = context.engine;
  return maintenanceEntries(check, {
    windows: read.maintenance(project.id),
    // A moment past now: one that has just begun is on.
    range: { fromMs: nowMs - logMaintenanceMs, untilMs: Math.min(beforeMs, nowMs + 1) },
    max: logMaintenanceMax,
    nowMs,
    auditedAt: (atMs) => auditedUntil(read, atMs),
  });
}

/** The last entries of the audit log until that instant. */
function auditedUntil(read: EngineRead, atMs: number): readonly AuditEntry[] {
  return read.audit({ atMs: atMs + 1, id: firstAuditId }, logMaintenanceAuditMax);
}

/** Of an instant the first. */
const firstAuditId = asAuditId('00000000-0000-0000-0000-000000000000');

/** If the bound was reached, entries older than the oldest one belong to a later page. */
function floorOf(newestFirst: readonly { readonly atMs: number }[]): number {
  return newestFirst.length < logReadMax ? 0 : (newestFirst.at(-1)?.atMs ?? 0);
}

/** One pass, because there may be a hundred thousand. */
function waitingFor(call: ProjectCall, { id }: Check): readonly NotificationEntry[] {
  const { context } = call;
  const { read } = context.engine;
  const entries: NotificationEntry[] = [];
  for (const delivery of context.commands.outbox.withSettling()) {
    if (delivery.checkId !== id || delivery.state !== 'waiting') continue;
    const entry = waitingEntry(delivery, read.channel(delivery.channelId));
    if (entry)
      entries.push({ ...entry, error: errorNow(call, entry.error), ...keptBackOf(context, delivery) });
  }
  return entries;
}

type Page = Omit<LogView, 'nowMs'>;

/** Entries of one instant are on one page: the next page begins before it. */
function pageOf(entries: readonly LogEntry[], floorMs: number): Page {
  const last = entries[logEntriesPerPage - 1];
  if (!last) return { entries, olderMs: floorMs > 0 ? floorMs : null };
  const shown = entries.filter(({ atMs }, at) => at < logEntriesPerPage || atMs === last.atMs);
  const hasMore = shown.length < entries.length || floorMs > 0;
  return { entries: shown, olderMs: hasMore ? last.atMs : null };
}

const tooManySearches = errorReply(503, 'too many searches at once: try again in a moment', [
  ['Retry-After', '2'],
]);

interface Searched {
  readonly wanted: readonly LogEntry[];
  readonly beforeMs: number;
  readonly floorMs: number;
  readonly text: string;
}

/** Returns null if too many searches wait. */
async function searchedPage(call: ProjectCall, check: Check, asked: Searched): Promise<Page | null> {
  const { wanted, beforeMs, floorMs, text } = asked;
  const options = { entries: wanted, text, limit: logEntriesPerPage };
  const found = await search.find(call.context.engine.read, check.id, options);
  if (!found) return null;
  const { entries, searched } = found;
  const next = wanted[searched];
  // Entries of the same instant are searched again then, but shown once, because the page knows entries by their ids. A page
  // never repeats the whole previous one.
  if (next) return { entries, olderMs: Math.min(next.atMs + 1, beforeMs - 1) };
  return { entries, olderMs: floorMs > 0 ? floorMs : null };
}
