/**
 * Puts a page's report together: statuses now, days and outages as they were read last, or anew.
 * Invariant: what is read of the history takes a bounded share of the time, however many checks the page is about.
 */
import { createHash } from 'node:crypto';
import type { Outage } from '../../domain/outages.ts';
import type { StatusPage } from '../../domain/status-page.ts';
import type { EngineRead } from '../../engine/engine.ts';
import { type HistoryLimits, historyOf, type ServiceHistory } from './history.ts';
import { type Member, membersOf } from './members.ts';
import type { ServiceReport, ServiceStatus, StatusReport } from './report.ts';

export interface GatherLimits extends HistoryLimits {
  readonly historyMs: number;
  readonly historyShareMax: number;
  readonly freshMs: number;
}

/** What was read of the history, for whom and when. */
export interface ReadHistory {
  readonly page: StatusPage;
  /** Of the checks and their statuses. */
  readonly hash: string;
  readonly atMs: number;
  readonly tookMs: number;
  readonly services: readonly ServiceHistory[];
}

export interface Gathered {
  readonly report: StatusReport;
  readonly history: ReadHistory;
}

/** `before`: what was read for this page the last time. */
export async function gather(
  read: EngineRead,
  page: StatusPage,
  { before, limits, nowMs }: { before: ReadHistory | null; limits: GatherLimits; nowMs: number },
): Promise<Gathered> {
  const members = await membersOf(read, page, nowMs);
  const hash = hashOf(members);
  const history =
    before && isFresh(before, { page, hash, limits, nowMs })
      ? before
      : await readHistory(read, page, { members, hash, limits, nowMs });
  const services = page.services.map(({ id, name }, place): ServiceReport => {
    const { days = [], percent = null, outages: read = [] } = history.services[place] ?? {};
    const status = worstOf(members, place);
    const outages = reconciled(read, status === 'down', { readAtMs: history.atMs, nowMs });
    const open = outages.find(({ untilMs }) => untilMs === null);
    return { id, name, status, downSinceMs: open?.fromMs ?? null, days, percent, outages };
  });
  return { report: { page, atMs: nowMs, services }, history };
}

async function readHistory(
  read: EngineRead,
  page: StatusPage,
  {
    members,
    hash,
    limits,
    nowMs,
  }: { members: readonly Member[]; hash: string; limits: GatherLimits; nowMs: number },
): Promise<ReadHistory> {
  const startMs = performance.now();
  const services = await historyOf({ read, page, members, limits, nowMs });
  return { page, hash, atMs: nowMs, tookMs: performance.now() - startMs, services };
}

interface Wanted {
  readonly page: StatusPage;
  readonly hash: string;
  readonly limits: GatherLimits;
  readonly nowMs: number;
}

function isFresh(before: ReadHistory, { page, hash, limits, nowMs }: Wanted): boolean {
  const { services, timeZone } = before.page;
  if (services !== page.services || timeZone !== page.timeZone) return false;
  const ageMs = Math.abs(nowMs - before.atMs);
  const leastMs = Math.max(
    before.hash === hash ? limits.historyMs : limits.freshMs,
    before.tookMs / limits.historyShareMax,
  );
  return ageMs < leastMs;
}

function hashOf(members: readonly Member[]): string {
  const hash = createHash('sha1');
  for (const { id, status } of members) hash.update(`${id} ${status} `);
  return hash.digest('base64');
}

/** The history may have been read before the last status change. */
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

/** Checks that are paused, or have not reported yet, say nothing. */
function worstOf(members: readonly Member[], place: number): ServiceStatus {
  let worst: ServiceStatus = 'none';
  for (const { status, services } of members) {
    if (!services.includes(place)) continue;
    if (status === 'down') return 'down';
    if (status === 'grace') worst = 'late';
    else if (status === 'up' && worst === 'none') worst = 'up';
  }
  return worst;
}
