/**
 * The report of a status page as plain facts, before it is HTML or a feed, with the rules that follow from them. `gather` reads
 * the facts; `render` and `feed` present them.
 * Invariant: it contains only what its owner wrote for readers, statuses and times.
 */

import { noticeSpan, type StatusNotice, type StatusPage } from '../../domain/accounts/status-page.ts';
import { incidentsAfterMs } from '../../domain/accounts/status-page-fields.ts';
import type { Outage } from '../../domain/check/outages.ts';

/**
 * Statuses, the worst first. `maintenance`: nothing else is known to be wrong. `waiting`: it was resumed after a pause, and has not
 * reported since. `paused`: nothing else is known. `none`: nothing has reported yet.
 */
export const serviceStatuses = ['down', 'late', 'maintenance', 'up', 'waiting', 'paused', 'none'] as const;
export type ServiceStatus = (typeof serviceStatuses)[number];

export interface ServiceDay {
  readonly fromMs: number;
  readonly status: ServiceStatus;
  /** Time for which any of its checks was down. */
  readonly downMs: number;
}

export interface ServiceReport {
  readonly id: string;
  readonly name: string;
  readonly status: ServiceStatus;
  /** Beginning of the present outage; null unless it is down. */
  readonly downSinceMs: number | null;
  /** When the first ping that is late was expected; null unless it is late. */
  readonly lateSinceMs: number | null;
  /** When the last of its maintenance windows ends; null unless it is in maintenance. */
  readonly maintainedUntilMs: number | null;
  /** Whether maintenance of one of its checks, whenever it is or was, does not count as downtime. */
  readonly isExcused: boolean;
  /** Days, the oldest first and today last. */
  readonly days: readonly ServiceDay[];
  /** Uptime of the days; null without any data. */
  readonly percent: number | null;
  /** Outages, the oldest first. */
  readonly outages: readonly Outage[];
}

export interface StatusReport {
  readonly page: StatusPage;
  readonly atMs: number;
  readonly services: readonly ServiceReport[];
}

/** An outage of a service, or a notice. */
export type Incident =
  | {
      readonly kind: 'notice';
      readonly notice: StatusNotice;
      readonly fromMs: number;
      readonly untilMs: number | null;
    }
  | ({
      readonly kind: 'outage';
      readonly service: ServiceReport;
    } & Outage);

/** Returns the incidents, the newest first, including open ones. A notice is what its owner wrote: it takes the place of no outage. */
export function incidentsOf({ page, services, atMs }: StatusReport): readonly Incident[] {
  const notices = page.notices.map((notice): Incident => ({ kind: 'notice', notice, ...noticeSpan(notice) }));
  const outages = services.flatMap((service) =>
    service.outages
      .filter((outage) => isListed(page, outage, atMs))
      .map((outage): Incident => ({ kind: 'outage', service, ...outage })),
  );
  return [...notices, ...outages].sort((a, b) => b.fromMs - a.fromMs);
}

/** Whether the page lists the outage. One that is not over is listed once it has lasted long enough. */
export function isListed(page: StatusPage, { fromMs, untilMs }: Outage, nowMs: number): boolean {
  return (untilMs ?? nowMs) - fromMs >= incidentsAfterMs(page);
}

export interface Banner {
  /** Of what only waits or is paused, as of what has no data. */
  readonly status: Exclude<ServiceStatus, 'waiting' | 'paused'>;
  readonly title: string;
  readonly text: string;
}

/** What the banner says follows from no more than this. */
interface BannerFacts {
  readonly services: readonly Pick<ServiceReport, 'status'>[];
}

/** Of one service and of a page, none of which has reported since a pause. */
export const waitingTitle = 'Waiting for the next ping';

/** Of one service and of a page, of which all that has ever been watched is paused. */
export const pausedTitle = 'Not watched now';

/** Returns the banner: its title names the worst state, its text counts all that is not simply up. */
export function bannerOf({ services }: BannerFacts, incidents: readonly Pick<Incident, 'untilMs'>[]): Banner {
  const count = (wanted: ServiceStatus): number => services.filter(({ status }) => status === wanted).length;
  const [down, late, maintained, up] = [count('down'), count('late'), count('maintenance'), count('up')];
  const of = services.length;
  const words = countWords(services, count);
  // Of one service, the title says all of it, unless it is about an incident.
  const text = of === 1 ? '' : words;
  const some = (number: number, what: string): string => {
    if (of === 1) return `The service is ${what}`;
    return `${number === of ? 'All' : 'Some'} services are ${what}`;
  };
  if (down > 0 && down === of) return { status: 'down', title: some(down, 'down'), text };
  if (2 * down > of) return { status: 'down', title: 'Most services are down', text };
  if (down > 0) return { status: 'late', title: 'Some services are affected', text };
  if (incidents.some(({ untilMs }) => untilMs === null))
    return { status: 'late', title: 'An incident is open', text: words };
  if (late > 0) return { status: 'late', title: some(late, 'late'), text };
  if (maintained > 0)
    return {
      status: 'maintenance',
      title: maintained === of ? 'Under maintenance' : some(maintained, 'under maintenance'),
      text,
    };
  const paused = count('paused');
  if (up === 0 && count('waiting') > 0) {
    const since = paused > 0 ? text : 'No service has reported since it was resumed';
    return { status: 'none', title: waitingTitle, text: since };
  }
  if (up === 0 && paused > 0) return { status: 'none', title: pausedTitle, text: some(paused, 'paused') };
  if (up === 0) return { status: 'none', title: 'No data yet', text: 'No service has reported yet' };
  return { status: 'up', title: up < of ? 'No problems' : some(up, 'up'), text };
}

/** Returns `1 of 4 services is down, 1 late, 1 under maintenance`; only where nothing is wrong, how many are up. */
function countWords(services: BannerFacts['services'], count: (wanted: ServiceStatus) => number): string {
  const [only, ...more] = services;
  if (only && more.length === 0) return `The service is ${countedWords[only.status]}`;
  const wrong = (['down', 'late', 'maintenance'] as const).filter((status) => count(status) > 0);
  const [first = 'up', ...others] = wrong;
  const number = count(first);
  const rest = [...others, ...(['waiting', 'paused', 'none'] as const).filter((status) => count(status) > 0)];
  return [
    `${number} of ${services.length} services ${number === 1 ? 'is' : 'are'} ${countedWords[first]}`,
    ...rest.map((status) => `${count(status)} ${countedWords[status]}`),
  ].join(', ');
}

const countedWords: Readonly<Record<ServiceStatus, string>> = {
  down: 'down',
  late: 'late',
  maintenance: 'under maintenance',
  up: 'up',
  waiting: 'waiting for the next ping',
  paused: 'paused',
  none: 'without data',
};
