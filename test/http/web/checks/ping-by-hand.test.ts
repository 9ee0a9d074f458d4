/** What people do to a check on the page, through its own calls: a ping by hand, a snooze, an acknowledgement. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let viewer: PageClient;
let project = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
  viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
});

afterAll(() => knell.stop());

const inProject = (rest: string): string => `/web/in/${project}/${rest}`;

test('a ping by hand is a success that says who sent it, whatever the rules for texts say', async () => {
  const { uuid } = await knell.create({ filter_http_body: true, failure_kw: 'x', filter_default_fail: true });
  const answer = await owner.post(inProject(`checks/${uuid}/ping`));
  expect([answer.status, answer.json()]).toEqual([200, {}]);
  expect(await knell.pings(uuid)).toMatchObject([{ type: 'success', method: 'POST', ua: 'by hand by ada' }]);
  expect((await knell.check(uuid)).status).toBe('up');
});

test('of a run that is ended by hand the page knows no duration, and the API does', async () => {
  const { uuid } = await knell.create();
  await knell.request(`/ping/${uuid}/start`);
  await owner.post(inProject(`checks/${uuid}/ping`));
  const { rows } = (await owner.get(inProject(`rows?ids=${uuid}`))).json();
  expect(rows).toMatchObject([{ lastDurationMs: null, runs: [[expect.any(Number), 'succeeded', null]] }]);
  const { runs } = (await owner.get(inProject(`checks/${uuid}/statistics?range=24h`))).json();
  expect(runs).toMatchObject([{ outcome: 'succeeded', durationMs: null, isEndedByHand: true }]);
  expect((await knell.check(uuid)).last_duration).toEqual(expect.any(Number));
  await knell.request(`/ping/${uuid}/start`);
  await knell.request(`/ping/${uuid}`);
  const after = (await owner.get(inProject(`rows?ids=${uuid}`))).json().rows;
  expect(after).toMatchObject([{ lastDurationMs: expect.any(Number) }]);
});

test('a viewer sends none, nobody sends one to another project, or without the token of the page', async () => {
  const { uuid } = await knell.create();
  expect((await viewer.post(inProject(`checks/${uuid}/ping`))).status).toBe(403);
  const other = (await owner.post('/web/projects', { name: 'other' })).json().id;
  expect((await owner.post(`/web/in/${other}/checks/${uuid}/ping`)).status).toBe(404);
  expect((await owner.post(inProject('checks/nope/ping'))).status).toBe(404);
  const headers = { 'x-knell-csrf': '' };
  expect((await owner.send('POST', inProject(`checks/${uuid}/ping`), {}, headers)).status).toBe(403);
  expect((await knell.check(uuid)).n_pings).toBe(0);
});

test('the row says what an editor has acknowledged and snoozed, with his name; a viewer may do neither', async () => {
  const { uuid } = await knell.create();
  await knell.request(`/ping/${uuid}/fail`);
  const path = inProject(`api/checks/${uuid}`);
  const row = async () =>
    (await owner.get(inProject('rows'))).json().rows.find(({ id }: { id: string }) => id === uuid);
  expect(await row()).toMatchObject({ acknowledged: null, snoozedUntilMs: null });
  expect((await viewer.post(`${path}/acknowledge`)).status).toBe(403);
  expect((await owner.post(`${path}/acknowledge`)).status).toBe(200);
  const until = Math.floor(Date.now() / 1000) + 3600;
  expect((await owner.post(`${path}/snooze`, { until })).status).toBe(200);
  expect(await row()).toMatchObject({
    acknowledged: { by: 'ada', atMs: expect.any(Number) },
    snoozedUntilMs: until * 1000,
  });
  await owner.post(inProject(`checks/${uuid}/ping`), { mark_up: true });
  expect(await row()).toMatchObject({ acknowledged: null, snoozedUntilMs: until * 1000 });
});

test('the log says who sent a ping by hand, and takes no user agent of a job for that', async () => {
  const { uuid } = await knell.create();
  await knell.request(`/ping/${uuid}/fail`);
  await owner.post(inProject(`checks/${uuid}/ping`), { mark_up: true });
  await knell.request(`/ping/${uuid}`, { headers: { 'User-Agent': 'by hand by Eve' } });
  const { entries } = (await owner.get(inProject(`checks/${uuid}/log`))).json();
  const said = entries.flatMap(({ what, from, byHand }: Json) =>
    what === 'run' ? [from.byHand] : what === 'change' ? [byHand] : [],
  );
  expect(said.sort()).toEqual(['', '', '', 'ada', 'ada']);
});

test('a check that is down is marked as up only by somebody who was asked, who knows whom it notifies', async () => {
  const channel = async (fields: object) =>
    (await owner.post(inProject('channels'), { kind: 'webhook', ...fields })).json().id;
  const url = 'http://127.0.0.1:9/';
  const both = await channel({ name: 'both', fields: { url_down: url, url_up: url } });
  const downs = await channel({ name: 'downs only', fields: { url_down: url } });
  const late = await channel({ name: 'after an hour', fields: { url_down: url, url_up: url } });
  await owner.post(inProject(`channels/${late}`), { delayS: 3600 });
  // Its token is not set.
  const chat = await channel({ kind: 'telegram', name: 'chat', value: '{"id":1}' });
  const { uuid } = await knell.create({ channels: [both, downs, late, chat].join(',') });
  await knell.request(`/ping/${uuid}/fail`);
  const path = inProject(`checks/${uuid}/ping`);
  const view = (await owner.get(path)).json();
  // Its alert that the check is down may have failed by now.
  expect([...view.notified, ...view.failing]).toEqual([{ name: 'both', kind: 'webhook' }]);
  expect(view.unable).toEqual([{ name: 'chat', kind: 'telegram' }]);
  // Those of the others may have failed for good by now.
  expect(view.unsent).toContainEqual({ name: 'after an hour', kind: 'webhook' });
  expect((await viewer.get(path)).status).toBe(403);
  const unasked = await owner.post(path);
  expect([unasked.status, unasked.json().field]).toEqual([409, 'mark_up']);
  expect((await knell.check(uuid)).status).toBe('down');
  await owner.post(inProject(`api/checks/${uuid}/snooze`), { for: 3600 });
  expect((await owner.get(path)).json()).toMatchObject({ notified: [], snoozedUntilMs: expect.any(Number) });
  expect((await owner.post(path, { mark_up: true })).status).toBe(200);
  expect((await knell.check(uuid)).status).toBe('up');
});
