/** The undo of a pause, over a real socket: what the check waits for, and what is sent. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Json } from '../../../support/knell.ts';
import { AlertTimeline, minute } from '../../../support/page/alert-timeline.ts';
import { ownerPage, type PageClient, projectIn } from '../../../support/page/page-client.ts';

let timeline: AlertTimeline;
let owner: PageClient;
let project = '';
let uuid = '';
beforeEach(async () => {
  timeline = await AlertTimeline.start();
  owner = await ownerPage(timeline.knell);
  project = await projectIn(owner);
  ({ uuid } = await timeline.check('db', { timeout: 3600, grace: 600 }));
  await timeline.ping('db');
});
afterEach(() => timeline.stop());

const check = async (): Promise<Json> => (await timeline.knell.api('GET', `/api/v3/checks/${uuid}`)).json();
const pause = () => timeline.act('db', 'pause');
const undo = () => owner.post(`/web/in/${project}/checks/${uuid}/undo-pause`);

test('leaves the deadline as it was: a job that is dead still alerts', async () => {
  const before = await check();
  await timeline.advance(minute);
  await pause();
  await timeline.advance(minute);
  expect((await undo()).status).toBe(200);
  expect(await check()).toMatchObject({ status: 'up', next_ping: before.next_ping });
  await timeline.advance(69 * minute);
  await expect.poll(() => timeline.receiver.all.map(({ body }) => body)).toEqual(['db DOWN']);
});

test('after the deadline lets it wait for a ping, as resuming does', async () => {
  await pause();
  await timeline.advance(2 * 60 * minute);
  expect((await undo()).status).toBe(200);
  expect((await check()).status).toBe('new');
});

test('does not bring back an outage, and needs a check that is paused', async () => {
  await timeline.ping('db', '/fail');
  await pause();
  expect((await undo()).status).toBe(200);
  expect((await check()).status).toBe('new');
  expect((await undo()).status).toBe(409);
  expect((await owner.post(`/web/in/${project}/checks/${project}/undo-pause`)).status).toBe(404);
});

test('lets one that was late be late, and says so to nobody again', async () => {
  await timeline.advance(62 * minute);
  expect((await check()).status).toBe('grace');
  await pause();
  expect((await undo()).status).toBe(200);
  expect((await check()).status).toBe('grace');
  await timeline.advance(7 * minute);
  expect((await check()).status).toBe('grace');
  await timeline.advance(2 * minute);
  await expect.poll(() => timeline.receiver.all.map(({ body }) => body)).toEqual(['db DOWN']);
});
