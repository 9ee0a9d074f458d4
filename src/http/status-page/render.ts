/**
 * Renders a status page as HTML that is complete without a script, in light and dark, on a phone. `render-parts` has its parts,
 * `report` its contents, and `cache` keeps it.
 * Invariant: texts of owners are text, never markup; nothing is loaded from elsewhere.
 */
import { isResolved, type StatusService } from '../../domain/accounts/status-page.ts';
import { incidentsPerPiece, pastIncidentsShownMax } from '../limits.ts';
import { bar, bell, mark } from './marks.ts';
import { openIncident, pastIncident, service } from './render-parts.ts';
import { bannerOf, type Incident, type ServiceStatus, type StatusReport } from './report.ts';
import { script, style } from './style.ts';
import { escaped, type PageClock, pageClock } from './words.ts';

/** Addresses of files that belong to the page. */
export interface PageAddresses {
  readonly feed: string;
  readonly logo: string;
}

/**
 * Yields the page in pieces, so that the event loop can turn between them: each is a service, or some incidents. `incidents`
 * are the result of `incidentsOf`.
 */
export function* pagePieces(
  report: StatusReport,
  incidents: readonly Incident[],
  addresses: PageAddresses,
): Generator<string, void> {
  const { page, atMs } = report;
  const clock = pageClock(page.timeZone, atMs);
  const banner = bannerOf(report, incidents);
  // An outage is at its service, with since when: there is nothing more to say of it here.
  const open = incidents.filter(({ kind, untilMs }) => kind === 'notice' && untilMs === null);
  const past = incidents.filter(({ untilMs }) => untilMs !== null);
  const days = report.services[0]?.days.map(({ fromMs }) => clock.date(fromMs)) ?? [];
  yield documentBegin({
    title: `${page.title} – ${banner.title}`,
    head: `<link rel="alternate" type="application/rss+xml" title="${escaped(page.title)}" href="${escaped(addresses.feed)}">`,
    top: `${logo(page.logo, addresses.logo)}<h1>${escaped(page.title)}</h1><a class="button" href="${escaped(addresses.feed)}">${bellLine}Subscribe by RSS</a>`,
    isPublic: page.passwordHash === '',
  });
  yield description(page.description) + bannerCard(report, clock, banner);
  yield* inGroups(open, (incident) => openIncident(incident, page.services, clock, atMs));
  if (report.services.length > 0) {
    yield `<div class="over"><h2>Last 90 days</h2>${legend}</div><ul class="services card">`;
    for (const one of report.services) yield service(one, { clock, days, atMs });
    yield '</ul>';
    if (report.services.some(({ isExcused }) => isExcused))
      yield '<p class="faint">Downtime during planned maintenance is not counted.</p>';
  }
  yield `<h2 class="over">Past incidents</h2>`;
  yield* pastPieces(past, page.services, clock);
  yield documentEnd();
}

function* pastPieces(
  past: readonly Incident[],
  services: readonly StatusService[],
  clock: PageClock,
): Generator<string, void> {
  if (past.length === 0) {
    yield '<p class="faint">None in the last 90 days.</p>';
    return;
  }
  const list = function* (some: readonly Incident[]): Generator<string, void> {
    yield '<ul class="past card">';
    yield* inGroups(some, (one) => pastIncident(one, services, clock));
    yield '</ul>';
  };
  yield* list(past.slice(0, pastIncidentsShownMax));
  if (past.length <= pastIncidentsShownMax) return;
  yield `<details><summary>All incidents (${past.length - pastIncidentsShownMax} more)</summary>`;
  yield* list(past.slice(pastIncidentsShownMax));
  yield '</details>';
}

function* inGroups(
  incidents: readonly Incident[],
  render: (one: Incident) => string,
): Generator<string, void> {
  for (let at = 0; at < incidents.length; at += incidentsPerPiece)
    yield incidents
      .slice(at, at + incidentsPerPiece)
      .map(render)
      .join('');
}

interface DocumentHead {
  readonly title: string;
  readonly head: string;
  /** HTML beside the logo. */
  readonly top: string;
  readonly isPublic: boolean;
}

function documentBegin({ title, head, top, isPublic }: DocumentHead): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `${icon}${isPublic ? '' : '<meta name="robots" content="noindex">'}<title>${escaped(title)}</title>${head}<style>${style}</style></head>` +
    `<body><header><div>${top}</div></header><main>`
  );
}

function documentEnd(): string {
  return (
    `</main><footer><span class="faint">${bell}Powered by Knell</span></footer>` +
    `<script>${script}</script></body></html>`
  );
}

/** An empty icon: without one browsers ask for a file that does not exist. */
const icon = '<link rel="icon" href="data:,">';

/** Renders the form for the password. It does not show the title of the page. */
export function passwordForm(isWrong: boolean, said = 'The password is wrong.'): string {
  const wrong = isWrong ? `<p class="wrong" role="alert">${escaped(said)}</p>` : '';
  const form = `<form class="card" method="post"><label for="password">Password of this status page</label><input id="password" name="password" type="password" required autocomplete="current-password">${wrong}<button type="submit">Show the page</button></form>`;
  const head = { title: 'Status page', head: '', top: '<h1>Status page</h1>', isPublic: false };
  return documentBegin(head) + form + documentEnd();
}

function description(text: string): string {
  return text === '' ? '' : `<p>${escaped(text)}</p>`;
}

function logo(kept: string, address: string): string {
  return kept === '' ? '' : `<img src="${escaped(address)}" alt="" height="32">`;
}

const bellLine =
  '<svg viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4Zm4 5h4"/></svg>';

function bannerCard(
  { page, atMs }: StatusReport,
  clock: PageClock,
  { status, title, text }: ReturnType<typeof bannerOf>,
): string {
  const open = page.notices.some((notice) => !isResolved(notice));
  const shape: ServiceStatus = open && status === 'up' ? 'late' : status;
  return `<section class="banner card ${status}">${mark(shape, 36)}<div><h2>${escaped(title)}</h2>${text === '' ? '' : `<p>${escaped(text)}</p>`}</div><p class="faint">Updated ${clock.seconds(atMs)}<br>${escaped(page.timeZone)}</p></section>`;
}

/** What the bars mean, where they begin. */
const legendWords: readonly (readonly [ServiceStatus, string])[] = [
  ['up', 'Up'],
  ['down', 'Down'],
  ['late', 'Late, counts as up'],
  ['none', 'No data'],
];

/** A window of maintenance has no bar: its mark is beside its words at the service. */
const legend = `<ul class="legend" aria-label="Legend">${legendWords
  .map(
    ([status, words]) =>
      `<li><svg viewBox="0 0 6 24" width="6" height="16" preserveAspectRatio="none" aria-hidden="true">${bar(status, 0)}</svg>${words}</li>`,
  )
  .join('')}</ul>`;
