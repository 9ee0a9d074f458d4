/**
 * Renders a status page as an RSS 2.0 feed: an item for each update of a notice, one for the beginning of an outage and one for
 * its end, or for the maintenance that it went into.
 * Invariant: an item keeps its guid without end, and a guid names nothing that is secret.
 */
import { createHash } from 'node:crypto';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { StatusPageId } from '../../lib/ids.ts';
import { feedItemsMax } from '../limits.ts';
import { stageWords } from './render-parts.ts';
import type { Incident, StatusReport } from './report.ts';
import { escaped, type PageClock, pageClock, spanWords } from './words.ts';

interface Item {
  readonly title: string;
  readonly text: string;
  readonly atMs: number;
  /** Subject of the item: parts of its guid. */
  readonly about: readonly (string | number)[];
}

/** `incidents` are the result of `incidentsOf`; `url` is the address of the page. */
export function renderFeed(
  report: StatusReport,
  incidents: readonly Incident[],
  { url, feed }: { readonly url: string; readonly feed: string },
): string {
  const { page } = report;
  const clock = pageClock(page.timeZone, report.atMs);
  // The incidents that began last, and those that ended last: no other can be among the newest items.
  const ended = [...incidents].sort((a, b) => (b.untilMs ?? 0) - (a.untilMs ?? 0));
  const notices = incidents.filter(({ kind }) => kind === 'notice');
  const wanted = new Set([...incidents.slice(0, feedItemsMax), ...ended.slice(0, feedItemsMax), ...notices]);
  const items = [...wanted]
    .flatMap((incident) => itemsOf(incident, page, clock))
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, feedItemsMax);
  const newest = items[0]?.atMs ?? page.createdAtMs;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>` +
    `<title>${escaped(page.title)}</title><link>${escaped(url)}</link><description>${escaped(page.description || `Incidents of ${page.title}`)}</description>` +
    `<language>en</language><lastBuildDate>${rssDate(newest)}</lastBuildDate><generator>Knell</generator><ttl>5</ttl>` +
    `<atom:link href="${escaped(feed)}" rel="self" type="application/rss+xml"/>` +
    `${items.map((item) => rendered(item, page.id, url)).join('')}</channel></rss>\n`
  );
}

function itemsOf(incident: Incident, page: StatusPage, clock: PageClock): readonly Item[] {
  if (incident.kind === 'notice') {
    const { id, title, updates } = incident.notice;
    return updates.map(({ stage, text, atMs: writtenMs }, place) => ({
      title: `${stageWords[stage]}: ${title}`,
      text,
      atMs: writtenMs,
      about: ['notice', id, place],
    }));
  }
  const { service, fromMs, untilMs, isCut = false } = incident;
  const since = `Since ${clock.date(fromMs)} ${clock.seconds(fromMs)} (${page.timeZone}).`;
  const began: Item = {
    title: `${service.name}: down`,
    text: since,
    atMs: fromMs,
    about: ['down', service.id, fromMs],
  };
  if (untilMs === null) return [began];
  const downFor = `It was down for ${spanWords(untilMs - fromMs)}`;
  const [kind, title, text] = isCut
    ? ['maintenance', 'under maintenance', `${downFor} until maintenance began.`]
    : ['up', 'up again', `${downFor}.`];
  return [
    began,
    { title: `${service.name}: ${title}`, text, atMs: untilMs, about: [kind, service.id, fromMs] },
  ];
}

function rendered({ title, text, atMs, about }: Item, id: StatusPageId, url: string): string {
  const guid = createHash('sha256')
    .update(JSON.stringify([id, ...about]))
    .digest('base64url')
    .slice(0, 22);
  return (
    `<item><title>${escaped(title)}</title><link>${escaped(url)}</link><guid isPermaLink="false">${guid}</guid>` +
    `<pubDate>${rssDate(atMs)}</pubDate><description>${escaped(text)}</description></item>`
  );
}

/** A date of RFC 822, with a year of four digits. */
function rssDate(atMs: number): string {
  return new Date(atMs).toUTCString();
}
