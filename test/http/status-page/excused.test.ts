/** Maintenance on a status page over a real socket: what readers see while it is on, and what counts afterwards. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient, projectIn } from '../../support/page/page-client.ts';

const startMs = Date.UTC(2026, 2, 10, 9);
let clock: SimulatedClock;
let knell: Knell;
let owner: PageClient;
let db: Json;
let web: Json;

beforeEach(async () => {
  clock = new SimulatedClock(startMs);
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
  const pages = `/web/in/${await projectIn(owner)}/status-pages`;
  await owner.post(pages, { slug: 'northwind', title: 'Northwind', services });
  await clock.advance(hour);
});
afterEach(() => knell.stop());

async function html(): Promise<string> {
  await clock.advance(minute + 5 * second);
  return (await knell.request('/status/northwind')).text;
}
const maintain = async (fields: object): Promise<void> => {
  const answer = await knell.api('POST', '/api/v3/maintenance/', { tags: ['db'], duration: '2h', ...fields });
  expect(answer.status).toBe(201);
};
/** The words of each service. */
const states = (text: string): readonly string[] =>
  [...text.matchAll(/<span class="state \w+">([^<]+)</g)].map(([, words = '']) => words);

test('a service is under maintenance while a window is on about one of its checks, down or not', async () => {
  await maintain({});
  const quiet = await html();
  expect(states(quiet)).toEqual(['Under maintenance until 12:00', 'Up']);
  expect(quiet).toContain('Some services are under maintenance');
  // No bar has it, and its mark is beside its words.
  expect(/<ul class="legend".*?<\/ul>/s.exec(quiet)?.[0]).not.toContain('Under maintenance');
  await knell.request(`/ping/${db.uuid}/fail`);
  const down = await html();
  expect(states(down)).toEqual(['Under maintenance until 12:00', 'Up']);
  expect(down).not.toContain('outage');
  await knell.request(`/ping/${web.uuid}/fail`);
  expect(states(await html())).toEqual([
    expect.stringMatching(/^Down since/),
    expect.stringMatching(/^Down since/),
  ]);
});

test('what was down meanwhile is no outage afterwards; what goes on is one from the end of the window', async () => {
  await maintain({});
  await knell.request(`/ping/${db.uuid}/fail`);
  await clock.advance(hour);
  await knell.request(`/ping/${db.uuid}`);
  await clock.advance(10 * minute);
  await knell.request(`/ping/${db.uuid}/fail`);
  await clock.advance(2 * hour);
  const still = await html();
  // The window began at 10:00.
  expect(states(still)[0]).toBe('Down since 12:00, for 1 hour 11 minutes');
  await knell.request(`/ping/${db.uuid}`);
  const text = await html();
  expect(states(text)).toEqual(['Up', 'Up']);
  expect(text.match(/Both: outage/g)).toHaveLength(1);
  expect(text).toMatch(/<title>Tue 10 Mar: down for 1 hour 1\d minutes<\/title>/);
});

test('an outage with a window in its middle is one incident, and the time of the window is left out', async () => {
  await knell.request(`/ping/${db.uuid}/fail`);
  await clock.advance(hour);
  await maintain({});
  await clock.advance(3 * hour);
  expect(states(await html())[0]).toMatch(/^Down since 10:00, for 4 hours/);
  await knell.request(`/ping/${db.uuid}`);
  const text = await html();
  expect(text.match(/Both: outage/g)).toHaveLength(1);
  expect(text).toMatch(/Lasted 4 hours/);
  expect(text).toMatch(/<title>Tue 10 Mar: down for 2 hours/);
});

test('a window that comes again leaves out nothing from before it was created', async () => {
  await knell.request(`/ping/${db.uuid}/fail`);
  await clock.advance(2 * hour);
  await knell.request(`/ping/${db.uuid}`);
  await maintain({ schedule: '30 10 * * *' });
  const text = await html();
  expect(text).toMatch(/Lasted 2 hours/);
  expect(text).toMatch(/<title>Tue 10 Mar: down for 2 hours/);
});

test('a day with nothing but maintenance is up, and so is the percentage', async () => {
  await maintain({});
  await knell.request(`/ping/${db.uuid}/fail`);
  await clock.advance(hour);
  await knell.request(`/ping/${db.uuid}`);
  await clock.advance(day);
  const text = await html();
  expect(text).not.toContain('outage');
  expect(text).not.toContain('down for');
  expect(text.match(/100\.00 % up/g)?.length).toBeGreaterThanOrEqual(2);
});

test('with the choice that it counts, it does', async () => {
  await maintain({ counts_as_downtime: true });
  await knell.request(`/ping/${db.uuid}/fail`);
  expect(states(await html())).toEqual(['Under maintenance until 12:00', 'Up']);
  await clock.advance(hour);
  await knell.request(`/ping/${db.uuid}`);
  const text = await html();
  expect(text).toContain('Both: outage');
  expect(text).toMatch(/<title>Tue 10 Mar: down for 1 h/);
  await clock.advance(day);
  expect((await html()).match(/100\.00 % up/g)).toHaveLength(2);
});

test('that maintenance is left out of the percentages is said only where it is', async () => {
  const words = 'Downtime during planned maintenance is not counted.';
  expect(await html()).not.toContain(words);
  await maintain({ counts_as_downtime: true });
  expect(await html()).not.toContain(words);
  await maintain({ tags: ['elsewhere'] });
  expect(await html()).not.toContain(words);
  await maintain({});
  expect(await html()).toContain(words);
});
