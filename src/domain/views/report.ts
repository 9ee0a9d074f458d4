/**
 * Content of a report: how the checks did in a period, the worst first, and how they are now. The mail and the page show the
 * same.
 * Not here: which period (`report-period`), how it is read (`engine/reads/build-report`). Pure.
 * Invariant: however many checks there are, no more lines are kept than `reportLinesMax` twice.
 */

import type { ProjectId } from '../../lib/ids.ts';
import { second } from '../../lib/units.ts';
import type { ReportPeriod } from '../accounts/report-period.ts';
import type { Incident } from '../alerting/incident.ts';
import { type ShownStatus, shownStatuses } from '../check/shown-status.ts';
import { reportLinesMax } from '../limits.ts';
import type { Uptime } from '../runs/run-statistics.ts';
import { shortSpan } from '../words/span-words.ts';

/** A check that was down. */
export interface ReportLine {
  readonly projectId: ProjectId;
  readonly project: string;
  /** Key by which its page is found; it reveals nothing of its ping URL. */
  readonly uniqueKey: string;
  /** May be empty. */
  readonly name: string;
  readonly status: ShownStatus;
  readonly downMs: number;
  readonly outages: number;
  /** Uptime in percent; null when it was new or paused all the time. */
  readonly percent: number | null;
  /** When it was watched first in the period; absent if that was at its beginning. */
  readonly watchedSinceMs?: number;
}

export interface Report extends ReportPeriod {
  /** When it was made. */
  readonly nowMs: number;
  readonly checks: number;
  /** Checks that were not new or paused all the time. */
  readonly watched: number;
  /** Checks that were down. */
  readonly affected: number;
  readonly outages: number;
  readonly downMs: number;
  readonly percent: number | null;
  /** Number of checks with each status now. */
  readonly now: Readonly<Record<ShownStatus, number>>;
  /** Those of the new ones that were resumed, and wait for a ping. */
  readonly waiting: number;
  /** Checks that were down, the worst first. */
  readonly worst: readonly ReportLine[];
  /** The incidents that opened in the period; absent for none. */
  readonly incidents?: ReportedIncidents;
  /** How it was in the period before; absent where that was not asked for, or no check was watched in it. */
  readonly before?: ReportBefore;
}

export interface ReportBefore extends Pick<Report, 'percent' | 'outages' | 'downMs'> {
  /** The incidents that opened in it. */
  readonly incidents: number;
}

export interface ReportedIncidents {
  readonly count: number;
  /** How many of them somebody has acknowledged, and not withdrawn that. */
  readonly acknowledged: number;
  /** Median of the time until then; null for none. */
  readonly medianMs: number | null;
}

export type ReportedCheck = Pick<
  ReportLine,
  'projectId' | 'project' | 'uniqueKey' | 'name' | 'status' | 'watchedSinceMs'
> & {
  /** It is new, and was pinged before: it was resumed. */
  readonly isWaiting: boolean;
};

/** Counts check by check. */
export class ReportTally {
  readonly #now: Record<ShownStatus, number> = Object.fromEntries(
    shownStatuses.map((status) => [status, 0]),
  ) as Record<ShownStatus, number>;
  #lines: ReportLine[] = [];
  #checks = 0;
  #waiting = 0;
  #watched = 0;
  #affected = 0;
  #outages = 0;
  #downMs = 0;
  #watchedMs = 0;
  #incidents = 0;
  readonly #before = { watchedMs: 0, downMs: 0, outages: 0, incidents: 0 };
  /** Of each incident that was acknowledged: how long that took. */
  readonly #acknowledgedAfterMs: number[] = [];

  add({ isWaiting, ...check }: ReportedCheck, { downMs, watchedMs, outages }: Uptime): void {
    this.#checks++;
    if (isWaiting) this.#waiting++;
    this.#now[check.status]++;
    if (watchedMs > 0) this.#watched++;
    this.#watchedMs += watchedMs;
    if (outages === 0 && downMs === 0) return;
    this.#affected++;
    this.#outages += outages;
    this.#downMs += downMs;
    this.#lines.push({ ...check, downMs, outages, percent: percentOf(downMs, watchedMs) });
    if (this.#lines.length >= 2 * reportLinesMax) this.#lines = this.#worst();
  }

  addIncident(incident: Pick<Incident, 'openedMs' | 'acknowledgedMs' | 'entries'>): void {
    this.#incidents++;
    const atMs = firstAcknowledgedMs(incident);
    if (atMs > 0) this.#acknowledgedAfterMs.push(atMs - incident.openedMs);
  }

  /** The same check in the period before. */
  addBefore({ downMs, watchedMs, outages }: Uptime): void {
    const before = this.#before;
    before.watchedMs += watchedMs;
    before.downMs += downMs;
    before.outages += outages;
  }

  addIncidentBefore(): void {
    this.#before.incidents++;
  }

  report(period: ReportPeriod, nowMs: number): Report {
    return {
      ...period,
      nowMs,
      checks: this.#checks,
      watched: this.#watched,
      affected: this.#affected,
      outages: this.#outages,
      downMs: this.#downMs,
      percent: percentOf(this.#downMs, this.#watchedMs),
      now: { ...this.#now },
      waiting: this.#waiting,
      worst: this.#worst(),
      ...(this.#incidents === 0 ? {} : { incidents: this.#reportedIncidents() }),
      ...(this.#before.watchedMs === 0 ? {} : { before: this.#reportedBefore() }),
    };
  }

  #reportedBefore(): ReportBefore {
    const { watchedMs, downMs, outages, incidents } = this.#before;
    return { percent: percentOf(downMs, watchedMs), outages, downMs, incidents };
  }

  #reportedIncidents(): ReportedIncidents {
    const afterMs = this.#acknowledgedAfterMs;
    return { count: this.#incidents, acknowledged: afterMs.length, medianMs: medianOf(afterMs) };
  }

  #worst(): ReportLine[] {
    return this.#lines.sort(worstFirst).slice(0, reportLinesMax);
  }
}

/**
 * Also of one that was acknowledged and went on later, when nobody has done so again. One that was withdrawn does not count. 0 for never.
 */
function firstAcknowledgedMs({
  entries,
  acknowledgedMs,
}: Pick<Incident, 'entries' | 'acknowledgedMs'>): number {
  const stayed: number[] = [];
  for (const { kind, atMs } of entries) {
    if (kind === 'acknowledged') stayed.push(atMs);
    if (kind === 'unacknowledged') stayed.pop();
  }
  return stayed[0] ?? acknowledgedMs;
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}

/** How the checks are now, the worst first: `1 down`, `2 new`, `3 waiting`. A check that was resumed is not new to anybody. */
export function nowWords({ now, waiting }: Pick<Report, 'now' | 'waiting'>): readonly string[] {
  const counts = shownStatuses.map(
    (status) => [now[status] - (status === 'new' ? waiting : 0), status] as const,
  );
  return [...counts, [waiting, 'waiting'] as const]
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString('en-US')} ${word}`);
}

/** What is counted in a report but has no line in it; null where all checks that were down have one. */
export function withoutLine({
  affected,
  outages,
  downMs,
  worst,
}: Pick<Report, 'affected' | 'outages' | 'downMs' | 'worst'>): Pick<
  Report,
  'affected' | 'outages' | 'downMs'
> | null {
  if (affected <= worst.length) return null;
  const inLines = (of: (line: ReportLine) => number): number =>
    worst.reduce((sum, line) => sum + of(line), 0);
  return {
    affected: affected - worst.length,
    outages: outages - inLines((line) => line.outages),
    downMs: downMs - inLines((line) => line.downMs),
  };
}

/** `3 opened, of which 2 were acknowledged after 5 min (median)`. */
export function incidentWords({ count, acknowledged, medianMs }: ReportedIncidents): string {
  const all = `${count.toLocaleString('en-US')} opened`;
  if (medianMs === null) return `${all}, ${count === 1 ? 'not' : 'none'} acknowledged`;
  const soon = medianMs < second ? 'at once' : `after ${shortSpan(medianMs)}`;
  const after = `acknowledged ${soon}${acknowledged === 1 ? '' : ' (median)'}`;
  if (acknowledged === count) return `${all}, ${after}`;
  return `${all}, of which ${acknowledged.toLocaleString('en-US')} ${acknowledged === 1 ? 'was' : 'were'} ${after}`;
}

/** Why there are fewer incidents than outages, in one sentence; empty where there are not. */
export function fewerIncidentsWords({ outages, incidents }: Pick<Report, 'outages' | 'incidents'>): string {
  if (incidents === undefined || outages <= incidents.count) return '';
  return 'Not each outage is an incident: one incident may have several, and one in maintenance, in a snooze or held back opens none.';
}

/** Why there are more incidents than outages, in one sentence; empty where there are not. */
export function moreIncidentsWords({ outages, incidents }: Pick<Report, 'outages' | 'incidents'>): string {
  if (incidents === undefined || incidents.count <= outages) return '';
  return 'Incidents of checks that have been deleted or moved since are counted, too; their outages are not.';
}

function percentOf(downMs: number, watchedMs: number): number | null {
  return watchedMs === 0 ? null : 100 * (1 - downMs / watchedMs);
}

function worstFirst(a: ReportLine, b: ReportLine): number {
  if (a.downMs !== b.downMs) return b.downMs - a.downMs;
  if (a.outages !== b.outages) return b.outages - a.outages;
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/** `99.98 %`, rounded down: `100.0 %` only where nothing is missing. */
export function percentWords(percent: number | null): string {
  if (percent === null) return '–';
  return percent === 100 ? '100.0 %' : `${(Math.floor(percent * 100) / 100).toFixed(2)} %`;
}
