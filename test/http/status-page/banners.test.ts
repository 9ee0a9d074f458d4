/** The list of a project's status pages says what each shows its readers first: the words of the page itself, in every state. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hour, minute } from '../../../src/lib/units.ts';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { ownerPage, type PageClient, projectIn } from '../../support/page/page-client.ts';

const clock = new SimulatedClock(Date.UTC(2026, 2, 10, 9));
let knell: Knell;
let owner: PageClient;
let path = '';
let database: Json;
let mail: Json;

beforeAll(async () => {
  knell = await Knell.start({ clock });
  owner = await ownerPage(knell);
  path = `/web/in/${await projectIn(owner)}`;
  const spec = { timeout: 3600, grace: 3600 };
  database = await knell.create({ ...spec, name: 'database' });
  mail = await knell.create({ ...spec, name: 'mail', tags: 'mail' });
  const page = (slug: string, services: readonly Json[]) =>
    owner.post(`${path}/status-pages`, { slug, title: slug, services });
  await page('all', [
    { name: 'Database', checks: [database.uuid] },
    { name: 'Mail', tag: 'mail' },
  ]);
  await page('mail', [{ name: 'Mail', tag: 'mail' }]);
});

afterAll(() => knell.stop());

/** What the list says of both; each is what its page says. */
async function titles(): Promise<readonly string[]> {
  // The pages that readers got before are too old then.
  await clock.advance(10_000);
  const listed: readonly Json[] = (await owner.get(`${path}/status-pages`)).json().pages;
  for (const { slug, banner } of listed) {
    const html = (await knell.request(`/status/${slug}`)).text;
    const [, look, title, text = ''] =
      /<section class="banner card (\w+)">.*?<h2>([^<]+)<\/h2>(?:<p>([^<]+))?/.exec(html) ?? [];
    expect(banner).toEqual({ status: look, title, text });
  }
  return listed.map(({ banner }) => banner.title);
}

const pinged = (check: Json, rest = '') => knell.request(`/ping/${check.uuid}${rest}`);

test('as long as nothing has reported, when all is up, late, down, and in maintenance', async () => {
  expect(await titles()).toEqual(['No data yet', 'No data yet']);
  await pinged(database);
  expect(await titles()).toEqual(['No problems', 'No data yet']);
  await pinged(mail);
  expect(await titles()).toEqual(['All services are up', 'The service is up']);
  await clock.advance(hour + minute);
  expect(await titles()).toEqual(['All services are late', 'The service is late']);
  await pinged(database);
  await pinged(mail, '/fail');
  expect(await titles()).toEqual(['Some services are affected', 'The service is down']);
  const window = { name: 'Move', tags: ['mail'], duration: '1h' };
  expect((await owner.post(`${path}/maintenance`, window)).status).toBe(201);
  expect(await titles()).toEqual(['Some services are under maintenance', 'Under maintenance']);
});

test('when a notice is open, until it is resolved', async () => {
  const [, { id }]: Json = (await owner.get(`${path}/status-pages`)).json().pages;
  const post = (notice: string, fields: Json) =>
    owner.post(`${path}/status-pages/${id}/notices${notice}`, fields);
  await pinged(database);
  await pinged(mail);
  const posted = await post('', { title: 'Slow', stage: 'investigating', text: 'We look at it.' });
  expect(await titles()).toEqual(['Some services are under maintenance', 'An incident is open']);
  const [notice] = posted.json().notices;
  await post(`/${notice.id}`, { stage: 'resolved', text: 'It is over.' });
  expect(await titles()).toEqual(['Some services are under maintenance', 'Under maintenance']);
});

test('when checks were resumed after a pause, until each was pinged; the page keeps their days', async () => {
  await clock.advance(2 * hour);
  for (const check of [database, mail]) await pinged(check);
  const pause = async (check: Json): Promise<void> => {
    await clock.advance(minute);
    for (const act of ['pause', 'resume']) await knell.api('POST', `/api/v3/checks/${check.uuid}/${act}`);
  };
  await pause(mail);
  expect(await titles()).toEqual(['No problems', 'Waiting for the next ping']);
  const html = async (): Promise<string> => (await knell.request('/status/mail')).text;
  expect(await html()).toContain('>Waiting for the next ping</span>');
  expect(await html()).toMatch(/<title>Tue 10 Mar: down for [^<]+<\/title>/);
  expect(await html()).toMatch(/<b>\d+\.\d\d % up/);
  await knell.api('POST', `/api/v3/checks/${mail.uuid}/pause`);
  expect(await titles()).toEqual(['No problems', 'Not watched now']);
  expect(await html()).toContain('>Not watched now</span>');
  expect(await html()).toMatch(/<b>\d+\.\d\d % up/);
  await knell.api('POST', `/api/v3/checks/${mail.uuid}/resume`);
  await pause(database);
  expect(await titles()).toEqual(['Waiting for the next ping', 'Waiting for the next ping']);
  // That a job has begun is no report yet.
  await pinged(mail, '/start');
  expect(await titles()).toEqual(['Waiting for the next ping', 'Waiting for the next ping']);
  const young = await knell.create({ name: 'young', tags: 'young', timeout: 3600 });
  await pinged(young, '/start');
  const services = [{ name: 'Young', tag: 'young' }];
  await owner.post(`${path}/status-pages`, { slug: 'young', title: 'young', services });
  expect((await titles()).at(-1)).toBe('No data yet');
  await pinged(mail);
  expect(await titles()).toEqual(['No problems', 'The service is up', 'No data yet']);
});
