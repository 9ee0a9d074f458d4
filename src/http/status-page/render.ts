/**
 * A status page as HTML: whole without a script, in light and dark, on a phone. Not here: its parts (`render-parts`), what it
 * says (`report`), how long it is kept (`cache`).
 * Invariant: what owners wrote is text, never markup; nothing is loaded from elsewhere.
 */
import { isResolved } from '../../domain/status-page.ts';
import { bar, bell, mark } from './marks.ts';
import { openIncident, pastIncident, service } from './render-parts.ts';
import { bannerOf, incidentsOf, type ServiceStatus, type StatusReport } from './report.ts';
import { script, style } from './style.ts';
import { escaped, type PageClock, pageClock } from './words.ts';

/** Addresses of what belongs to the page. */
export interface PageAddresses {
  readonly feed: string;
  readonly logo: string;
}

const pastShown = 10;

export function renderPage(report: StatusReport, addresses: PageAddresses): string {
  const { page, atMs } = report;
  const clock = pageClock(page.timeZone, atMs);
  const banner = bannerOf(report);
  const incidents = incidentsOf(report);
  const open = incidents.filter(({ untilMs }) => untilMs === null);
  const past = incidents.filter(({ untilMs }) => untilMs !== null);
  const days = report.services[0]?.days.map(({ fromMs }) => clock.date(fromMs)) ?? [];
  const main = [
    description(page.description),
    bannerCard(report, clock, banner),
    ...open.map((incident) => openIncident(incident, clock, atMs)),
    report.services.length === 0
      ? ''
      : `<ul class="services card">${report.services.map((one) => service(one, { clock, days })).join('')}</ul>`,
    `<h2 class="over">Past incidents</h2>`,
    past.length === 0
      ? '<p class="faint">None in the last 90 days.</p>'
      : `<ul class="past card">${past
          .slice(0, pastShown)
          .map((one) => pastIncident(one, clock))
          .join('')}</ul>`,
    past.length <= pastShown
      ? ''
      : `<details><summary>All incidents (${past.length - pastShown} more)</summary><ul class="past card">${past
          .slice(pastShown)
          .map((one) => pastIncident(one, clock))
          .join('')}</ul></details>`,
  ];
  return documentOf({
    title: `${page.title} – ${banner.title}`,
    head: `<link rel="alternate" type="application/rss+xml" title="${escaped(page.title)}" href="${escaped(addresses.feed)}">`,
    top: `${logo(page.logo, addresses.logo)}<h1>${escaped(page.title)}</h1><a class="button" href="${escaped(addresses.feed)}">${bellLine}Subscribe<span class="hidden"> by RSS</span></a>`,
    main: main.join(''),
    legend,
    isPublic: page.passwordHash === '',
  });
}

interface DocumentParts {
  readonly title: string;
  readonly head: string;
  /** Beside the logo. */
  readonly top: string;
  readonly main: string;
  readonly legend: string;
  readonly isPublic: boolean;
}

export function documentOf({ title, head, top, main, legend, isPublic }: DocumentParts): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `${icon}${isPublic ? '' : '<meta name="robots" content="noindex">'}<title>${escaped(title)}</title>${head}<style>${style}</style></head>` +
    `<body><header><div>${top}</div></header><main>${main}</main>` +
    `<footer>${legend}<span class="faint">${bell}Powered by Knell</span></footer><script>${script}</script></body></html>`
  );
}

/** Or browsers ask for one that is not there. */
const icon = '<link rel="icon" href="data:,">';

/** Its readers do not learn what it is called. */
export function passwordForm(isWrong: boolean, said = 'The password is wrong.'): string {
  const wrong = isWrong ? `<p class="wrong" role="alert">${escaped(said)}</p>` : '';
  return documentOf({
    title: 'Status page',
    head: '',
    top: '<h1>Status page</h1>',
    main: `<form class="card" method="post"><label for="password">Password of this status page</label><input id="password" name="password" type="password" required autocomplete="current-password">${wrong}<button type="submit">Show the page</button></form>`,
    legend: '',
    isPublic: false,
  });
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
  return `<section class="banner card ${status}">${mark(shape, 36)}<div><h2>${escaped(title)}</h2><p>${escaped(text)}</p></div><p class="faint">Updated ${clock.seconds(atMs)}<br>${escaped(page.timeZone)}</p></section>`;
}

const legendWords: readonly (readonly [ServiceStatus, string])[] = [
  ['up', 'Up'],
  ['down', 'Down'],
  ['late', 'Late'],
  ['none', 'No data'],
];

const legend = `<ul class="legend" aria-label="Legend">${legendWords
  .map(
    ([status, words]) =>
      `<li><svg viewBox="0 0 6 24" width="6" height="16" aria-hidden="true">${bar(status, 0)}</svg>${words}</li>`,
  )
  .join('')}</ul>`;
