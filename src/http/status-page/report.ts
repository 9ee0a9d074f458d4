/**
 * The report of a status page as plain facts, before it is HTML or a feed, with the rules that follow from them. `gather` reads
 * the facts; `render` and `feed` present them.
 * Invariant: it contains only what its owner wrote for readers, statuses and times.
 */

import { noticeSpan, type StatusNotice, type StatusPage } from '../../domain/accounts/status-page.ts';
import { incidentsAfterMs } from '../../domain/accounts/status-page-fields.ts';
import type { Outage } from '../../domain/check/outages.ts';

/** Statuses, the worst first. `maintenance`: nothing else is known to be wrong. `none` means that nothing has reported yet, or that all of it is paused. */
export const serviceStatuses = ['down', 'late', 'maintenance', 'up', 'none'] as const;
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
  | {
      readonly kind: 'outage';
      readonly service: ServiceReport;
      readonly fromMs: number;
      readonly untilMs: number | null;
    };

/** Returns the incidents, the newest first, including open ones. An outage that a notice is about is not shown twice. */
export function incidentsOf({ page, services, atMs }: StatusReport): readonly Incident[] {
  const notices = page.notices.map((notice): Incident => ({ kind: 'notice', notice, ...noticeSpan(notice) }));
  const outages = services.flatMap((service) =>
    service.outages
      .filter((outage) => isListed(page, outage, atMs))
      .filter((outage) => !page.notices.some((notice) => isAbout(notice, service, outage)))
      .map((outage): Incident => ({ kind: 'outage', service, ...outage })),
  );
  return [...notices, ...outages].sort((a, b) => b.fromMs - a.fromMs);
}

/** Whether the page lists the outage. One that is not over is listed once it has lasted long enough. */
export function isListed(page: StatusPage, { fromMs, untilMs }: Outage, nowMs: number): boolean {
  return (untilMs ?? nowMs) - fromMs >= incidentsAfterMs(page);
}

/**
 * Whether the notice is about the outage: mostly it is begun some time after the outage, and resolved some time after its end.
 */
function isAbout(notice: StatusNotice, { id }: ServiceReport, outage: Outage): boolean {
  if (!notice.services.includes(id)) return false;
  const { fromMs, untilMs } = noticeSpan(notice);
  return (
    (untilMs === null || outage.fromMs <= untilMs) && (outage.untilMs === null || outage.untilMs >= fromMs)
  );
}

export interface Banner {
  readonly status: ServiceStatus;
  readonly title: string;
  readonly text: string;
}

/** Returns the banner, which names the worst state. */
export function bannerOf({ services }: StatusReport, incidents: readonly Incident[]): Banner {
  const count = (wanted: ServiceStatus): number => services.filter(({ status }) => status === wanted).length;
  const [down, late, maintained, up] = [count('down'), count('late'), count('maintenance'), count('up')];
  const of = services.length;
  const words = (number: number, what: string): string =>
    `${number} of ${of} ${of === 1 ? 'service' : 'services'} ${number === 1 ? 'is' : 'are'} ${what}`;
  if (down > 0 && down === of)
    return {
      status: 'down',
      title: of === 1 ? 'The service is down' : 'All services are down',
      text: words(down, 'down'),
    };
  if (2 * down > of) return { status: 'down', title: 'Most services are down', text: words(down, 'down') };
  if (down > 0) return { status: 'late', title: 'Some services are affected', text: words(down, 'down') };
  if (incidents.some(({ untilMs }) => untilMs === null))
    return {
      status: 'late',
      title: 'An incident is open',
      text: late > 0 ? words(late, 'late') : words(up, 'up'),
    };
  if (late > 0) return { status: 'late', title: 'Some services are late', text: words(late, 'late') };
  if (maintained > 0)
    return {
      status: 'maintenance',
      title: maintained === of ? 'Under maintenance' : 'Some services are under maintenance',
      text: words(maintained, 'under maintenance'),
    };
  if (up === 0) return { status: 'none', title: 'No data yet', text: 'No service has reported yet' };
  if (up < of) return { status: 'up', title: 'No problems', text: words(up, 'up') };
  return {
    status: 'up',
    title: of === 1 ? 'The service is up' : 'All services are up',
    text: words(up, 'up'),
  };
}
