/**
 * Gathers a page's report: the present statuses, with days and outages as they were last read, or read anew. Or only the banners
 * of several pages, which need no history.
 * Invariant: no turn of the event loop goes through more than some thousand checks.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { noticeSpan, type StatusPage } from '../../domain/accounts/status-page.ts';
import type { Outage } from '../../domain/check/outages.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import type { ProjectId } from '../../lib/ids.ts';
import { membersPerTurn } from '../limits.ts';
import type { Histories } from './histories.ts';
import { type Member, membersOf } from './members.ts';
import {
  type Banner,
  bannerOf,
  type ServiceDay,
  type ServiceReport,
  type ServiceStatus,
  type StatusReport,
  serviceStatuses,
} from './report.ts';

export async function gather(
  read: EngineRead,
  page: StatusPage,
  { histories, nowMs }: { readonly histories: Histories; readonly nowMs: number },
): Promise<StatusReport> {
  const members = await membersOf(read, page, nowMs);
  const { hash, sums } = await summed(page, members);
  const history = await histories.of(page, { members, hash, nowMs });
  const services = page.services.map(({ id, name }, place): ServiceReport => {
    const { days = [], percent = null, outages: known = [] } = history.services[place] ?? {};
    const { status, lateSinceMs, maintainedUntilMs, isExcused } = sums[place] ?? nothingKnown;
    // What is down in maintenance is no outage to readers, until it is down without.
    const reported = status === 'maintenance' ? known.filter(({ untilMs }) => untilMs !== null) : known;
    const outages = reconciled(reported, status === 'down', { readAtMs: history.atMs, nowMs });
    const open = outages.find(({ untilMs }) => untilMs === null);
    const shown = status === 'late' ? lateToday(days) : days;
    return {
      ...{ id, name, status, days: shown, percent, outages },
      downSinceMs: open?.fromMs ?? null,
      lateSinceMs: status === 'late' ? lateSinceMs : null,
      maintainedUntilMs: status === 'maintenance' ? maintainedUntilMs : null,
      isExcused,
    };
  });
  return { page, atMs: nowMs, services };
}

/** A page as it is now. */
interface Present {
  readonly banner: Banner;
  /** Of its services, in their order. */
  readonly statuses: readonly ServiceStatus[];
}

/**
 * The banners and statuses of pages of one project, as readers have them now: the checks are gone through once for all of them. Outages are
 * not asked for: one is open only where a service is down, and that comes before open incidents.
 */
export async function presentOf(
  read: EngineRead,
  { projectId, pages }: { readonly projectId: ProjectId; readonly pages: readonly StatusPage[] },
  nowMs: number,
): Promise<readonly Present[]> {
  const all = { projectId, services: pages.flatMap(({ services }) => services) };
  const { sums } = await summed(all, await membersOf(read, all, nowMs));
  let from = 0;
  return pages.map(({ services, notices }) => {
    const own = sums.slice(from, from + services.length);
    from += services.length;
    const banner = bannerOf({ services: own }, notices.map(noticeSpan));
    return { banner, statuses: own.map(({ status }) => status) };
  });
}

/** Statistics count what was late once it has come: until then the day has this from the status. */
function lateToday(days: readonly ServiceDay[]): readonly ServiceDay[] {
  const today = days.at(-1);
  return today?.status === 'up' ? [...days.slice(0, -1), { ...today, status: 'late' }] : days;
}

/** The checks of a service together: the worst status, the earliest that is late, the last end of maintenance. */
type Sum = Pick<ServiceReport, 'status' | 'lateSinceMs' | 'maintainedUntilMs' | 'isExcused'>;

const nothingKnown: Sum = { status: 'none', lateSinceMs: null, maintainedUntilMs: null, isExcused: false };

/** Returns a hash of the checks and their statuses, and the sum of each service. */
async function summed(
  page: Pick<StatusPage, 'services'>,
  members: readonly Member[],
): Promise<{ readonly hash: string; readonly sums: readonly Sum[] }> {
  const hash = createHash('sha1');
  const sums = page.services.map(() => nothingKnown);
  for (let at = 0; at < members.length; at += membersPerTurn) {
    if (at > 0) await nextTurn();
    const some = members.slice(at, at + membersPerTurn);
    hash.update(some.map((member) => `${member.id} ${member.status} ${isMaintained(member)}`).join());
    for (const member of some)
      for (const place of member.services) sums[place] = added(sums[place] ?? nothingKnown, member);
  }
  return { hash: hash.digest('base64'), sums };
}

function added(sum: Sum, member: Member): Sum {
  const shown = shownOf(member);
  const late = shown === 'late' ? member.lateSinceMs : null;
  const until = shown === 'maintenance' ? member.maintainedUntilMs : null;
  return {
    status: worse(sum.status, shown),
    lateSinceMs: late === null ? sum.lateSinceMs : Math.min(late, sum.lateSinceMs ?? late),
    maintainedUntilMs:
      until === null ? sum.maintainedUntilMs : Math.max(until, sum.maintainedUntilMs ?? until),
    isExcused: sum.isExcused || member.excused.length > 0,
  };
}

function isMaintained({ maintainedUntilMs }: Member): boolean {
  return maintainedUntilMs !== null;
}

/** Checks that are paused, or have not reported yet, do not count. One that was resumed or is paused is worth a word, if nothing else is known. */
function shownOf(member: Member): ServiceStatus {
  const { status } = member;
  const isWatched = status === 'down' || status === 'up' || status === 'grace';
  if (isWatched && isMaintained(member)) return 'maintenance';
  if (status === 'down' || status === 'up') return status;
  if (status === 'grace') return 'late';
  if (status === 'paused') return 'paused';
  return member.isWaiting ? 'waiting' : 'none';
}

function worse(a: ServiceStatus, b: ServiceStatus): ServiceStatus {
  return serviceStatuses.indexOf(a) <= serviceStatuses.indexOf(b) ? a : b;
}

/** Brings the history up to the present statuses: it may have been read before the last status change. */
function reconciled(
  outages: readonly Outage[],
  isDown: boolean,
  { readAtMs, nowMs }: { readonly readAtMs: number; readonly nowMs: number },
): readonly Outage[] {
  const isOpen = outages.some(({ untilMs }) => untilMs === null);
  if (isDown === isOpen) return outages;
  if (isDown) return [...outages, { fromMs: readAtMs, untilMs: null }];
  return outages.map((outage) => ({ ...outage, untilMs: outage.untilMs ?? nowMs }));
}
