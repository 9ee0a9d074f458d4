/**
 * Reads of the listeners, from the engine's memory and from the history. A check that is read is brought up to its deadlines
 * first, so that an answer is right to the millisecond whether or not the ticker has come round.
 */

import type { StoredSetting } from '../../domain/accounts/project.ts';
import type { Check, Status } from '../../domain/check/check.ts';
import { readsMail } from '../../domain/check/classify.ts';
import { assert } from '../../lib/errors.ts';
import type { BadgeId, CheckId, ProjectId } from '../../lib/ids.ts';
import type { ChangeRange, StoredEvent } from '../../store/store.ts';
import { adminKeyOf } from '../changes/accept-admin-key.ts';
import type { EngineContext } from '../context/context.ts';
import type {
  ChecksDown,
  EngineRead,
  KeyHolder,
  Mailbox,
  PingTarget,
  WantedCheck,
} from '../contract/engine.ts';
import { uniqueKeysPerTurn } from '../contract/limits.ts';
import { applyDueDeadlines } from '../deadlines/accept-timeout.ts';
import { findHandle, findTarget } from '../pings/find-target.ts';
import { noHandle } from '../registry/hashed-handles.ts';
import type { ProjectIndex } from '../registry/project-index.ts';
import type { Registry } from '../registry/registry.ts';
import { alertingReads } from './alerting-reads.ts';
import { loggedPast } from './logged-past.ts';
import { bodyReads, keptReader, retainedPings, retentionNow, retentionOfCheck } from './retained.ts';

/** The same one each time: who reads them looks whether they are others. */
const noSettings: readonly StoredSetting[] = [];

export function createRead(context: EngineContext): EngineRead {
  const { registry, store } = context;
  const upToDate = (handle: number, nowMs: number): Check | null => {
    if (handle < 0) return null;
    applyDueDeadlines(context, handle, nowMs);
    return registry.check(handle);
  };
  return {
    get writable() {
      return !store.full;
    },
    get isLogSilent() {
      return store.isLogSilent;
    },
    get badgeSecret() {
      assert(registry.installation !== null, 'the installation is made before the listeners open');
      return registry.installation.badgeSecret;
    },
    get importedSecret() {
      return registry.installation?.importedSecret;
    },
    holderOf: (key) => holderOf(context, key),
    adminKeys: () => registry.adminKeys,
    serverSettings: () => registry.installation?.settings ?? noSettings,
    adminKeyOf: (key) => adminKeyOf(registry.adminKeys, key),
    projects: () => inOrderOfCreation([...registry.projectIndexes()].map((index) => index.project)),
    project: (id) => registry.projectIndex(id)?.project ?? null,
    projectByBadgeKey: (badgeKey) => registry.projectByBadgeKey(badgeKey)?.project ?? null,
    users: () => inOrderOfCreation([...registry.users.values()]),
    sessionEnded: (userId, id) => registry.endedSessions.has(userId, id),
    keys: (projectId) => inOrderOfCreation(registry.keys(projectId)),
    channels: (projectId) => registry.projectIndex(projectId)?.channels() ?? [],
    channel: (id) => registry.projectOfChannel(id)?.channel(id) ?? null,
    statusPages: (projectId) => inOrderOfCreation(registry.statusPages.of(projectId)),
    statusPage: (id) => registry.statusPages.get(id),
    statusPageBySlug: (slug) => registry.statusPages.bySlug(slug),
    ...alertingReads(registry, store),
    loggedPast: (check, atMs, nowMs) => loggedPast(context, check, atMs, nowMs),
    statusOf: (id) => statusOf(registry, id),
    checks: (projectId, nowMs) => checksOf(context, projectId, nowMs, (handle) => registry.check(handle)),
    checksListed: (projectId, nowMs) =>
      checksOf(context, projectId, nowMs, (handle) => registry.table.listed(handle)),
    oldestCheck: (projectId, wanted, nowMs) => upToDate(oldestOf(context, projectId, wanted), nowMs),
    checkOfTarget: (target, nowMs) => upToDate(findHandle(registry, target), nowMs),
    get historyVersion() {
      return store.historyVersion;
    },
    listVersion: (projectId) => registry.table.movesOf(projectId),
    checkCount: (projectId) => registry.projectIndex(projectId)?.size ?? 0,
    checksDown: (projectId) => checksDown(registry, registry.projectIndex(projectId)),
    check: (id, nowMs) => upToDate(registry.handleOf(id), nowMs),
    indexUniqueKeys: (projectId) =>
      registry.projectIndex(projectId)?.indexUniqueKeys(uniqueKeysPerTurn) ?? true,
    checkByUniqueKey: (projectId, uniqueKey, nowMs) =>
      upToDate(registry.projectIndex(projectId)?.byUniqueKey(uniqueKey) ?? noHandle, nowMs),
    checkByBadge: (id: BadgeId, nowMs) => upToDate(registry.handleByBadge(id), nowMs),
    mailbox: (target) => mailboxOf(context, target),
    pings: (id: CheckId, limit) => retainedPings(context, id, limit),
    ...bodyReads(context),
    prefetchBodies: (wanted) => store.prefetchBodies(wanted),
    retention: (check) => retentionOfCheck(context, check),
    changes: (id: CheckId, range: ChangeRange, limit?: number) => store.changes(id, range, limit),
    lastChange: (id: CheckId) => store.lastChange(id),
    statistics: (id: CheckId, edges, nowMs) => store.statistics(id, edges, nowMs),
    uptimes: (id: CheckId, ranges, nowMs) => store.uptimes(id, ranges, nowMs),
    async countAhead(id: CheckId, nowMs) {
      if (registry.handleOf(id) !== noHandle) await store.countAhead(id, nowMs);
    },
    latestRuns: (id: CheckId, count) => store.latestRuns(id, count, retentionNow(context, id)),
    notifications: (id: CheckId, range: ChangeRange, limit) => store.notifications(id, range, limit),
    runEndings: (id: CheckId, range: ChangeRange, limit) => store.runEndings(id, range, limit),
    audit: (before, limit) => store.audit(before, limit),
    snoozeAudit: (id: CheckId, range: ChangeRange, limit) => store.snoozeAudit(id, range, limit),
    ...eventReads(context),
    isCaughtUp: () => !context.ticker.isBehind(),
    durably: (read) => durably(context, read),
  };
}

type EventReads =
  | 'events'
  | 'eventsFrom'
  | 'eventsUntil'
  | 'eventsEpoch'
  | 'checkAsIs'
  | 'eventFeeds'
  | 'eventFeed'
  | 'deletedCheck';

function eventReads(context: EngineContext): Pick<EngineRead, EventReads> {
  const { registry, store } = context;
  const kept = keptReader(context);
  const isKept = (event: StoredEvent): boolean =>
    (event.type !== 'ping' && event.type !== 'run') || kept.hasPing(event.checkId, event.ping);
  return {
    events(after, wanted) {
      const page = store.events(after, wanted);
      return page.events.every(isKept) ? page : { ...page, events: page.events.filter(isKept) };
    },
    eventsFrom: (wanted) => store.eventsFrom(wanted),
    eventsUntil: () => store.eventsUntil,
    eventsEpoch: () => store.eventsEpoch,
    checkAsIs(id) {
      const handle = registry.handleOf(id);
      return handle === noHandle ? null : registry.check(handle);
    },
    eventFeeds: () => registry.eventFeeds.values(),
    eventFeed: (id) => registry.eventFeeds.get(id) ?? null,
    deletedCheck: (id) => store.deletedCheck(id),
  };
}

function mailboxOf({ registry }: EngineContext, target: PingTarget): Mailbox {
  const found = findTarget(registry, target);
  if (found === 'ambiguous') return found;
  if (typeof found === 'string' || found.handle === null) return 'not-found';
  return readsMail(registry.check(found.handle).config) ? 'filters' : 'open';
}

function holderOf({ registry }: EngineContext, clear: string): KeyHolder | null {
  const key = registry.keyByClear(clear);
  const index = key && registry.projectIndex(key.projectId);
  return key && index
    ? { project: index.project, scope: key.scope, keyId: key.id, name: key.name ?? '' }
    : null;
}

function* checksOf<Read>(
  context: EngineContext,
  projectId: ProjectId,
  nowMs: number,
  read: (handle: number) => Read,
): Iterable<Read> {
  const { registry } = context;
  for (const handle of registry.projectIndex(projectId)?.handles() ?? []) {
    applyDueDeadlines(context, handle, nowMs);
    yield read(handle);
  }
}

function checksDown(registry: Registry, index: ProjectIndex | null): ChecksDown {
  const down = index?.down ?? new Set<number>();
  return { count: down.size, checks: checksIn(registry, down) };
}

function* checksIn(registry: Registry, handles: Iterable<number>): Iterable<Check> {
  for (const handle of handles) yield registry.check(handle);
}

function oldestOf(
  { registry }: EngineContext,
  projectId: ProjectId,
  { matches, mentions }: WantedCheck,
): number {
  const texts = mentions.filter((text) => text !== '').map((text) => Buffer.from(text));
  for (const handle of registry.projectIndex(projectId)?.handles() ?? []) {
    const isPossible = texts.every((text) => registry.mentions(handle, text));
    if (isPossible && matches(registry.check(handle).config)) return handle;
  }
  return noHandle;
}

/**
 * The barrier is in the same batch as everything the read can have seen. Once a failed batch has been rolled back
 * as a whole (a microtask later) it is read again.
 */
function durably<T>(context: EngineContext, read: () => T): Promise<T> {
  return new Promise((resolve) => {
    const value = read();
    context.store.barrier({
      durable: () => resolve(value),
      // Records that remain may be in flight still: a log of many machines has not answered for earlier ones.
      rolledBack: () => queueMicrotask(() => resolve(durably(context, read))),
    });
  });
}

/** The history gives things in the order of their ids: without this a list would look different after a restart. */
function inOrderOfCreation<Item extends { readonly createdAtMs: number }>(
  items: readonly Item[],
): readonly Item[] {
  return [...items].sort((a, b) => a.createdAtMs - b.createdAtMs);
}

function statusOf(registry: Registry, id: CheckId): Status | null {
  const handle = registry.handleOf(id);
  return handle < 0 ? null : registry.table.rows.status(handle);
}
