/**
 * Renders the parts of a status page: a service with its 90 days, an incident, a past one.
 * Invariant: a bar says in words what it shows by colour and height, and every day that was not simply up is in a table too.
 */
import {
  type NoticeStage,
  type NoticeUpdate,
  noticeSpan,
  type StatusNotice,
  type StatusService,
} from '../../domain/accounts/status-page.ts';
import { webAddress } from '../../domain/words/web-address.ts';
import { bar, barsWidth, mark } from './marks.ts';
import {
  type Incident,
  pausedTitle,
  type ServiceDay,
  type ServiceReport,
  type ServiceStatus,
  waitingTitle,
} from './report.ts';
import { escaped, type PageClock, percentWords, spanWords } from './words.ts';

interface ServiceOptions {
  readonly clock: PageClock;
  readonly atMs: number;
  /** Days in words, the same for every service. */
  readonly days: readonly string[];
}

const statusWords: Readonly<Record<ServiceStatus, string>> = {
  down: 'Down',
  late: 'Late',
  maintenance: 'Under maintenance',
  up: 'Up',
  waiting: waitingTitle,
  paused: pausedTitle,
  none: 'No data',
};

export function service(of: ServiceReport, { clock, atMs, days }: ServiceOptions): string {
  const { name, status } = of;
  const words = statusWords[status] + sinceOrUntil(of, clock, atMs);
  return (
    `<li><div class="line">${mark(status)}<div><h3>${escaped(name)}</h3><span class="state ${status}">${words}</span></div></div>` +
    bars(of, days) +
    `<div class="scale"><span>90 days ago</span><i></i><b>${percentWords(of.percent)}${sinceWords(of, clock)}</b><i></i><span>Today</span></div>` +
    table(of, days) +
    '</li>'
  );
}

/** ` since 05:26, for 3 hours 9 minutes` of what is down or late, ` until 05:26` of maintenance; empty for the rest. */
function sinceOrUntil(
  { downSinceMs, lateSinceMs, maintainedUntilMs }: ServiceReport,
  clock: PageClock,
  atMs: number,
): string {
  const time = (ms: number): string => clock.time(ms).replace('today ', '');
  if (downSinceMs !== null) return ` since ${time(downSinceMs)}, for ${spanWords(atMs - downSinceMs)}`;
  if (lateSinceMs !== null) return ` since ${time(lateSinceMs)}`;
  return maintainedUntilMs === null ? '' : ` until ${time(maintainedUntilMs)}`;
}

/** ` since 24 Oct` where there is nothing of the days before; else empty. */
function sinceWords({ days }: ServiceReport, clock: PageClock): string {
  const first = days.findIndex(({ status }) => status !== 'none');
  const day = days[first];
  return day && first > 0 ? ` since ${clock.shortDate(day.fromMs)}` : '';
}

function bars({ days, percent }: ServiceReport, names: readonly string[]): string {
  const count = (wanted: ServiceStatus): number => days.filter(({ status }) => status === wanted).length;
  const label = `Last 90 days: ${percentWords(percent)}, ${daysWords(count('down'))} with downtime, ${daysWords(count('late'))} late`;
  const drawn = days
    .map((one, place) => bar(one.status, place, `${names[place] ?? ''}: ${dayWords(one)}`))
    .join('');
  return `<svg class="bars" viewBox="0 0 ${barsWidth(days.length)} 24" preserveAspectRatio="none" role="img" aria-label="${label}">${drawn}</svg>`;
}

function daysWords(count: number): string {
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}

function dayWords({ status, downMs }: ServiceDay): string {
  return status === 'down' ? `down for ${spanWords(downMs)}` : statusWords[status].toLowerCase();
}

/** Renders the table of days, the newest first. */
function table({ name, days }: ServiceReport, names: readonly string[]): string {
  const rows = days.flatMap((one, place) =>
    one.status === 'down' || one.status === 'late'
      ? [`<tr><th scope="row">${names[place] ?? ''}</th><td>${dayWords(one)}</td></tr>`]
      : [],
  );
  if (rows.length === 0) return '';
  return `<details><summary>${daysWords(rows.length)} with trouble<span class="hidden">, ${escaped(name)}</span></summary><table><thead><tr><th scope="col">Day</th><th scope="col">Status</th></tr></thead><tbody>${rows.reverse().join('')}</tbody></table></details>`;
}

export const stageWords: Readonly<Record<NoticeStage, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

export function titleOf(incident: Incident): string {
  if (incident.kind === 'notice') return incident.notice.title;
  return `${incident.service.name}: outage`;
}

/** `Affected: API, Website` of a notice that names services; empty for one about the page as a whole. */
function affected({ services }: StatusNotice, all: readonly StatusService[]): string {
  const names = all.filter(({ id }) => services.includes(id)).map(({ name }) => escaped(name));
  return names.length === 0 ? '' : `<p class="affected">Affected: ${names.join(', ')}</p>`;
}

/** `services`: all of the page, to name those that a notice is about. */
export function openIncident(
  incident: Incident,
  services: readonly StatusService[],
  clock: PageClock,
  atMs: number,
): string {
  const head = `<div class="line"><span class="chip">Incident</span><h3>${escaped(titleOf(incident))}</h3><span class="faint">Open for ${spanWords(atMs - incident.fromMs)}</span></div>`;
  const rest =
    incident.kind === 'notice'
      ? affected(incident.notice, services) + updates(incident.notice.updates, clock)
      : `<p class="updates">Since ${clock.time(incident.fromMs)}.</p>`;
  return `<section class="incident card">${head}${rest}</section>`;
}

export function pastIncident(
  incident: Incident,
  services: readonly StatusService[],
  clock: PageClock,
): string {
  const { fromMs } = incident.kind === 'notice' ? noticeSpan(incident.notice) : incident;
  const date = `<time datetime="${new Date(fromMs).toISOString()}">${clock.moment(fromMs)}</time>`;
  const line = `<div class="line">${date}<h3>${escaped(titleOf(incident))}</h3><span class="after">${endingOf(incident)}</span></div>`;
  if (incident.kind === 'outage') return `<li>${line}</li>`;
  const { title, updates: all } = incident.notice;
  return `<li class="resolved">${line}<details><summary>${all.length} ${all.length === 1 ? 'update' : 'updates'}<span class="hidden"> of ${escaped(title)}</span></summary>${affected(incident.notice, services)}${updates(all, clock)}</details></li>`;
}

function endingOf(incident: Incident): string {
  const { fromMs, untilMs } = incident.kind === 'notice' ? noticeSpan(incident.notice) : incident;
  const after = spanWords((untilMs ?? fromMs) - fromMs);
  if (incident.kind === 'notice') return `${mark('up', 16)}Resolved after ${after}`;
  if (incident.isCut) return `For ${after}, until maintenance began`;
  // It may have ended with a pause: only people say that something is resolved.
  return `Lasted ${after}`;
}

/** Turns web addresses into links; everything else stays text. */
function linked(text: string): string {
  return text
    .split(webAddress)
    .map((part, at) =>
      at % 2 === 1
        ? `<a href="${escaped(part)}" rel="nofollow noopener noreferrer">${escaped(part)}</a>`
        : escaped(part),
    )
    .join('');
}

/** Renders the updates, the newest first. */
function updates(all: readonly NoticeUpdate[], clock: PageClock): string {
  const items = all.map(
    ({ stage, atMs, text }) =>
      `<li><strong>${stageWords[stage]}</strong> <span class="faint">${clock.time(atMs)}</span>${text === '' ? '' : `<p>${linked(text)}</p>`}</li>`,
  );
  return `<ol class="updates">${items.reverse().join('')}</ol>`;
}
