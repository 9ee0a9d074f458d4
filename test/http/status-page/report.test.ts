/** Which outages a status page lists: those that lasted as long as its owner wants. Its days count all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bannerOf, type ServiceReport, type StatusReport } from '../../../src/http/status-page/report.ts';
import { hour, minute, second } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient, projectIn } from '../../support/page/page-client.ts';

const clock = new SimulatedClock(Date.UTC(2026, 2, 10, 9));
let knell: Knell;
let owner: PageClient;
let uuid = '';
let path = '';
let pages = '';

beforeAll(async () => {
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  uuid = (await knell.create({ name: 'job', timeout: 24 * 3600, grace: 3600 })).uuid;
  await knell.request(`/ping/${uuid}`);
  pages = `/web/in/${await projectIn(owner)}/status-pages`;
  const services = [{ name: 'Backups', checks: [uuid] }];
  const made = await owner.post(pages, { slug: 'northwind', title: 'Northwind', services });
  path = `${pages}/${made.json().id}`;
  for (const lastsMs of [4 * minute, 30 * minute, 2 * hour]) {
    await knell.request(`/ping/${uuid}/fail`);
    await clock.advance(lastsMs);
    await knell.request(`/ping/${uuid}`);
    await clock.advance(10 * minute);
  }
});

afterAll(() => knell?.stop());

const html = async (): Promise<string> => (await knell.request('/status/northwind')).text;
const feed = async (): Promise<string> => (await knell.request('/status/northwind/feed.rss')).text;
const began = (text: string): number => (text.match(/<title>Backups: down</g) ?? []).length;
const listed = (text: string): number => (text.match(/Backups: outage/g) ?? []).length;
const listAfter = async (incidentsAfter: string) => (await owner.post(path, { incidentsAfter })).status;

test('all of them unless something else was chosen, which is one of a few spans', async () => {
  expect(listed(await html())).toBe(3);
  expect(await listAfter('2m')).toBe(400);
  expect(listed(await html())).toBe(3);
});

test('only the longer ones, at once; the day has been down as long as before', async () => {
  for (const [after, count] of [
    ['1m', 3],
    ['5m', 2],
    ['15m', 2],
    ['1h', 1],
    ['', 3],
  ] as const) {
    expect(await listAfter(after)).toBe(200);
    const text = await html();
    expect([after, listed(text)]).toEqual([after, count]);
    expect(text).toContain('<title>Tue 10 Mar: down for 2 hours 34 minutes</title>');
  }
});

test('one that goes on as soon as it has lasted so long; until then the page says all the same what is down', async () => {
  expect(await listAfter('1h')).toBe(200);
  await knell.request(`/ping/${uuid}/fail`);
  await clock.advance(59 * minute);
  const young = await html();
  expect(young).toContain('The service is down');
  expect(began(await feed())).toBe(1);
  await clock.advance(minute + 6 * second);
  expect(began(await feed())).toBe(2);
  // The page has said it at the service all the time, and lists it once it is over.
  expect(listed(await html())).toBe(1);
  await knell.request(`/ping/${uuid}`);
  await clock.advance(6 * second);
  expect(listed(await html())).toBe(2);
});

test('the banner is red as soon as more than half of the services are down', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const check = await knell.create({ name });
    await knell.request(`/ping/${check.uuid}`);
    ids.push(check.uuid);
  }
  const services = ids.map((id, at) => ({ name: `Part ${at}`, checks: [id] }));
  expect((await owner.post(pages, { title: 'Parts', slug: 'parts', services })).status).toBe(201);
  const banner = async () => {
    await clock.advance(6 * second);
    const text = (await knell.request('/status/parts')).text;
    return /<section class="banner card (\w+)">.*?<h2>([^<]+)<\/h2><p>([^<]+)</.exec(text)?.slice(1);
  };
  expect(await banner()).toEqual(['up', 'All services are up', '4 of 4 services are up']);
  for (const after of [
    ['late', 'Some services are affected', '1 of 4 services is down'],
    ['late', 'Some services are affected', '2 of 4 services are down'],
    ['down', 'Most services are down', '3 of 4 services are down'],
    ['down', 'All services are down', '4 of 4 services are down'],
  ]) {
    await knell.request(`/ping/${ids[Number(after[2]?.[0]) - 1]}/fail`);
    expect(await banner()).toEqual(after);
  }
});

test.each([
  [
    'down late maintenance up',
    'Some services are affected',
    '1 of 4 services is down, 1 late, 1 under maintenance',
  ],
  [
    'late late maintenance up none',
    'Some services are late',
    '2 of 5 services are late, 1 under maintenance, 1 without data',
  ],
  ['late', 'The service is late', ''],
  ['down', 'The service is down', ''],
  ['up', 'The service is up', ''],
  ['late late', 'All services are late', '2 of 2 services are late'],
  ['down down late', 'Most services are down', '2 of 3 services are down, 1 late'],
  ['maintenance up', 'Some services are under maintenance', '1 of 2 services is under maintenance'],
  ['up up none', 'No problems', '2 of 3 services are up, 1 without data'],
  ['up waiting none', 'No problems', '1 of 3 services is up, 1 waiting for the next ping, 1 without data'],
  ['waiting none', 'Waiting for the next ping', 'No service has reported since it was resumed'],
  ['up paused none', 'No problems', '1 of 3 services is up, 1 paused, 1 without data'],
  [
    'waiting paused',
    'Waiting for the next ping',
    '0 of 2 services are up, 1 waiting for the next ping, 1 paused',
  ],
  ['paused', 'Not watched now', 'The service is paused'],
  ['paused paused', 'Not watched now', 'All services are paused'],
  ['paused none', 'Not watched now', 'Some services are paused'],
  ['none none', 'No data yet', 'No service has reported yet'],
] as const)('the banner counts all that is not simply up: %s', (statuses, title, text) => {
  const services = statuses.split(' ').map((status) => ({ status }) as ServiceReport);
  expect(bannerOf({ services } as unknown as StatusReport, [])).toMatchObject({ title, text });
});
