/**
 * Reads the history of a status page, its days and its outages, from the sums that are kept by the day and from the status
 * changes of the days with an outage. Pings are not read.
 * Invariant: no turn of the event loop takes longer than reading one check's days, or some hundred of its changes.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { StatusChange } from '../../domain/check/flip.ts';
import { joinedOutages, type Outage, outagesOf } from '../../domain/check/outages.ts';
import type { RunStatistics } from '../../domain/runs/run-statistics.ts';
import { bucketEdges } from '../../domain/runs/time-ranges.ts';
import type { EngineRead } from '../../engine/contract/engine.ts';
import type { CheckId } from '../../lib/ids.ts';
import { hour } from '../../lib/units.ts';
import { outagesJoinedPerTurn } from '../limits.ts';
import { excusedTimes, withoutExcused } from './excused.ts';
import type { Member } from './members.ts';
import { isListed, type ServiceDay, type ServiceStatus } from './report.ts';

export interface ServiceHistory {
  readonly days: readonly ServiceDay[];
  readonly percent: number | null;
  readonly outages: readonly Outage[];
}

export interface HistoryLimits {
  readonly incidentsMax: number;
  readonly changesPerRead: number;
}

interface HistoryOptions {
  readonly read: EngineRead;
  readonly page: StatusPage;
  readonly members: readonly Member[];
  readonly limits: HistoryLimits;
  readonly nowMs: number;
}

interface DaySum {
  /** Of the check that was down the longest: what is known where not all of its outages are. */
  downMs: number;
  /** Of the check that was watched the longest. */
  watchedMs: number;
  late: number;
}

/** Returns the histories in the order of the page's services. */
export async function historyOf({
  read,
  page,
  members,
  limits,
  nowMs,
}: HistoryOptions): Promise<readonly ServiceHistory[]> {
  const edges = bucketEdges('90d', page.timeZone, nowMs);
  const sums = page.services.map(() =>
    edges.slice(1).map((): DaySum => ({ downMs: 0, watchedMs: 0, late: 0 })),
  );
  const outages = page.services.map((): readonly Outage[] => []);
  const incidents = page.services.map((): readonly Outage[] => []);
  const windows = new Set(members.flatMap(({ excused }) => excused));
  const times = await excusedTimes(windows, { fromMs: edges[0] ?? 0, untilMs: nowMs });
  for (const { id, status, services, excused } of members) {
    await read.countAhead(id, nowMs);
    const days = await read.durably(() => read.statistics(id, edges, nowMs));
    const outagesFound = await outagesBetween({ read, id, edges, days, limits, isDown: status === 'down' });
    const spans = excused.flatMap((window) => times.get(window) ?? []);
    const counted = withoutExcused({ days, outages: outagesFound }, { edges, spans, nowMs });
    for (const place of services) {
      addDays(sums[place] ?? [], counted.days);
      await join(outages, place, counted.outages);
      if (windows.size > 0) await join(incidents, place, counted.incidents);
    }
    await nextTurn();
  }
  const histories: ServiceHistory[] = [];
  for (const [place, of] of sums.entries()) {
    const joined = outages[place] ?? [];
    const downMs = downByDay(joined, edges, nowMs);
    const days = of.map(
      (sum, index): ServiceDay => ({
        fromMs: edges[index] ?? 0,
        status: dayStatus(sum),
        downMs: Math.max(sum.downMs, downMs[index] ?? 0),
      }),
    );
    const whole = windows.size > 0 ? (incidents[place] ?? []) : joined;
    const listed = whole.filter((outage) => outage.untilMs === null || isListed(page, outage, nowMs));
    histories.push({ days, percent: percentOf(days, of), outages: listed.slice(-limits.incidentsMax) });
    await nextTurn();
  }
  return histories;
}

/** Adds what was found of one check to what is known of a service. */
async function join(known: (readonly Outage[])[], place: number, found: readonly Outage[]): Promise<void> {
  if (found.length === 0) return;
  // Both lists are sorted: joining them anew takes as long as reading them once.
  const joined = joinedOutages([...(known[place] ?? []), ...found]);
  known[place] = joined;
  if (joined.length > outagesJoinedPerTurn) await nextTurn();
}

/** `outages` are sorted, the oldest first, and do not overlap. Future days have 0. */
function downByDay(outages: readonly Outage[], edges: readonly number[], nowMs: number): readonly number[] {
  const sums = edges.slice(1).map(() => 0);
  let first = 0;
  for (const { fromMs, untilMs } of outages) {
    const endMs = Math.min(untilMs ?? nowMs, nowMs);
    while (first < sums.length - 1 && (edges[first + 1] ?? 0) <= fromMs) first++;
    for (let place = first; place < sums.length && (edges[place] ?? 0) < endMs; place++) {
      const within = Math.min(endMs, edges[place + 1] ?? 0) - Math.max(fromMs, edges[place] ?? 0);
      sums[place] = (sums[place] ?? 0) + Math.max(0, within);
    }
  }
  return sums;
}

function addDays(sums: readonly DaySum[], days: readonly RunStatistics[]): void {
  days.forEach(({ downMs, watchedMs, late, outages }, index) => {
    const sum = sums[index];
    if (!sum) return;
    // An outage that was over within a millisecond still counts.
    sum.downMs = Math.max(sum.downMs, downMs, outages > 0 ? 1 : 0);
    sum.watchedMs = Math.max(sum.watchedMs, watchedMs, outages > 0 ? 1 : 0);
    sum.late += late;
  });
}

function dayStatus({ downMs, watchedMs, late }: DaySum): ServiceStatus {
  if (downMs > 0) return 'down';
  if (late > 0) return 'late';
  return watchedMs > 0 ? 'up' : 'none';
}

/** By the rule of the bars, in percent: the service is down while any of its checks is. */
function percentOf(days: readonly ServiceDay[], sums: readonly DaySum[]): number | null {
  const watchedMs = sums.reduce((total, sum) => total + sum.watchedMs, 0);
  const downMs = days.reduce((total, day, at) => total + Math.min(day.downMs, sums[at]?.watchedMs ?? 0), 0);
  return watchedMs === 0 ? null : 100 * (1 - downMs / watchedMs);
}

interface OutageSearch {
  readonly read: EngineRead;
  readonly id: CheckId;
  readonly edges: readonly number[];
  readonly days: readonly RunStatistics[];
  readonly limits: HistoryLimits;
  readonly isDown: boolean;
}

/** Returns the outages of one check: the latest, if it goes down thousands of times. */
async function outagesBetween({
  read,
  id,
  edges,
  days,
  limits,
  isDown,
}: OutageSearch): Promise<readonly Outage[]> {
  const changes: StatusChange[] = [];
  let isWhole = true;
  const ranges = rangesOf(edges, days, limits.changesPerRead);
  // The newest range is read first; a change is in one range only.
  for (const range of ranges.reverse()) {
    changes.push(...(await read.durably(() => read.changes(id, range))));
    if (changes.length > 4 * limits.incidentsMax) {
      isWhole = false;
      break;
    }
    await nextTurn();
  }
  const oldestFirst = changes.reverse();
  if (oldestFirst.length === 0 && !isDown) return [];
  const last = isDown ? await read.durably(() => read.lastChange(id)) : null;
  const beganMs = oldestFirst.length === 0 ? (last?.atMs ?? edges[0] ?? 0) : (edges[0] ?? 0);
  const sinceMs = isWhole ? beganMs : null;
  return outagesOf(oldestFirst, { isDown, sinceMs });
}

interface Range {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Returns the days on which the check was down, each cut into as many ranges as it has hundreds of changes. Statistics are kept
 * by the hour, and an hour may belong to two days in a zone whose days do not begin with an hour of UTC.
 */
function rangesOf(edges: readonly number[], days: readonly RunStatistics[], changesPerRead: number): Range[] {
  const ranges: Range[] = [];
  let endMs = 0;
  days.forEach(({ downMs, outages, late }, index) => {
    if (downMs === 0 && outages === 0) return;
    const fromMs = Math.max(endMs, (edges[index] ?? 0) - hour);
    const untilMs = (edges[index + 1] ?? 0) + hour;
    endMs = untilMs;
    const pieces = Math.ceil((2 * (outages + late) + 1) / changesPerRead);
    for (let piece = 0; piece < pieces; piece++) {
      const at = (part: number): number => fromMs + ((untilMs - fromMs) * part) / pieces;
      ranges.push({ fromMs: at(piece), untilMs: at(piece + 1) });
    }
  });
  return ranges;
}
