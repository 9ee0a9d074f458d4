/** All that is wrong with the fields of a check, over a real socket: for the page, beside the API, which names the first. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let project = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
});

afterAll(() => knell?.stop());

const wrong = { name: 'n'.repeat(101), schedule: 'x', grace: 1, slug: 'Capital' };
const judge = (body: unknown, page = owner) => page.post(`/web/in/${project}/check-draft`, body);

test('says all of it to the page, and creates nothing', async () => {
  expect((await judge(wrong)).json()).toEqual({
    errors: [
      'grace is too small',
      'name is too long',
      'schedule is not a valid cron or OnCalendar expression',
      'slug does not match pattern',
    ],
  });
  expect((await judge({ name: 'right', timeout: 60 })).json()).toEqual({ errors: [] });
  expect((await knell.api('GET', '/api/v3/checks/')).json().checks).toEqual([]);
});

test('leaves the answers of the API as they are: the first error', async () => {
  const error = 'json validation error: grace is too small';
  const { status, text } = await knell.api('POST', '/api/v3/checks/', wrong);
  expect([status, text]).toEqual([400, JSON.stringify({ error })]);
  const through = await owner.post(`/web/in/${project}/api/checks/`, wrong);
  expect([through.status, through.json()]).toEqual([400, { error }]);
});

test('is for who may create checks', async () => {
  const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
  const viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
  expect((await judge(wrong, viewer)).status).toBe(403);
});
