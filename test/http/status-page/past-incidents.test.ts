/** Past incidents of a status page over a real socket: of an outage that has a notice, or went into maintenance, too. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient, projectIn } from '../../support/page/page-client.ts';

let clock: SimulatedClock;
let knell: Knell;
let owner: PageClient;
let page: Json;
let pages = '';
let db: Json;
let web: Json;

beforeEach(async () => {
  clock = new SimulatedClock(Date.UTC(2026, 2, 10, 9));
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  const spec = { timeout: 7 * 24 * 3600, grace: 3600 };
  db = await knell.create({ ...spec, name: 'db', tags: 'db' });
  web = await knell.create({ ...spec, name: 'web' });
  for (const { uuid } of [db, web]) await knell.request(`/ping/${uuid}`);
  const services = [
    { name: 'Both', checks: [db.uuid, web.uuid] },
    { name: 'Website', checks: [web.uuid] },
  ];
  pages = `/web/in/${await projectIn(owner)}/status-pages`;
  page = (await owner.post(pages, { slug: 'northwind', title: 'Northwind', services })).json();
  await clock.advance(hour);
});
afterEach(() => knell.stop());

const read = async (path = ''): Promise<string> => {
  await clock.advance(5 * second);
  return (await knell.request(`/status/northwind${path}`)).text;
};
const fails = ({ uuid }: Json) => knell.request(`/ping/${uuid}/fail`);
const succeeds = ({ uuid }: Json) => knell.request(`/ping/${uuid}`);
/** The titles of the feed's items, with their texts. */
const items = (text: string): readonly string[] =>
  [...text.matchAll(/<item><title>([^<]+)<.*?<description>([^<]*)</gs)].map(
    ([, title, words]) => `${title}. ${words}`,
  );
/** The words of past incidents, with how each ended. */
const past = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /<time[^>]+>([^<]+)<\/time><h3>([^<]+)<\/h3><span class="after">(?:<svg.*?<\/svg>)?([^<]+)</gs,
    ),
  ].map((found) => found.slice(1).join(', '));

test('an outage is among them and in the feed, whether a notice is about it or not', async () => {
  await fails(db);
  await clock.advance(25 * hour);
  const notice = { title: 'A disk is full', stage: 'investigating', services: [page.services[0].id] };
  const { notices } = (await owner.post(`${pages}/${page.id}/notices`, notice)).json();
  await clock.advance(5 * minute);
  await succeeds(db);
  await clock.advance(minute);
  const open = await read();
  expect(open).toContain('Open for 6 minutes');
  expect(past(open)).toEqual(['10 Mar 10:00, Both: outage, Lasted 1 day 1 hour']);
  await owner.post(`${pages}/${page.id}/notices/${notices[0].id}`, { stage: 'resolved' });
  expect(past(await read())).toEqual([
    expect.stringMatching(/^11 Mar 11:00, A disk is full, Resolved after 6 minutes$/),
    '10 Mar 10:00, Both: outage, Lasted 1 day 1 hour',
  ]);
  expect(items(await read('/feed.rss')).filter((item) => item.startsWith('Both'))).toEqual([
    'Both: up again. It was down for 1 day 1 hour.',
    'Both: down. Since Tue 10 Mar 10:00:00 (UTC).',
  ]);
});

test('of one that goes on in maintenance, it is not said that it ended', async () => {
  await fails(db);
  await clock.advance(2 * minute);
  const made = await knell.api('POST', '/api/v3/maintenance/', { tags: ['db'], duration: '2h' });
  expect(made.status).toBe(201);
  await clock.advance(minute);
  const text = await read();
  expect(past(text)).toEqual(['10 Mar 10:00, Both: outage, For 2 minutes, until maintenance began']);
  expect(items(await read('/feed.rss'))).toEqual([
    'Both: under maintenance. It was down for 2 minutes until maintenance began.',
    'Both: down. Since Tue 10 Mar 10:00:00 (UTC).',
  ]);
  // It goes on behind the window, and ends then.
  await clock.advance(2 * hour);
  expect(past(await read())).toEqual([]);
  expect(items(await read('/feed.rss'))).toHaveLength(1);
  await succeeds(db);
  await clock.advance(minute);
  expect(past(await read())).toEqual([expect.stringMatching(/^10 Mar 10:00, Both: outage, Lasted 2 hours/)]);
  expect(items(await read('/feed.rss'))[0]).toMatch(/^Both: up again. It was down for 2 hours/);
});

test('the percentage of a service is that of its bar: down while any of its checks is', async () => {
  await fails(db);
  await clock.advance(hour);
  await succeeds(db);
  await fails(web);
  await clock.advance(hour);
  await succeeds(web);
  await clock.advance(hour);
  const text = await read();
  expect(text).toContain('down for 2 hours<');
  // Of four hours two for both together, and one for the website.
  const percents = [...text.matchAll(/<b>([\d.]+) % up/g)].map(([, percent]) => Math.round(Number(percent)));
  expect(percents).toEqual([50, 75]);
});
