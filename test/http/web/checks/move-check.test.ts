/** A check is moved to another project on the page: by whom, to where, and what goes with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let project = '';
let other = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  other = (await owner.post('/web/projects', { name: 'other' })).json().id;
});

afterAll(() => knell?.stop());

const move = (uuid: string, to: string, channels = 'all', by = owner) =>
  by.post(`/web/in/${project}/checks/${uuid}/move`, { project: to, channels });
const namesIn = async (id: string): Promise<Json> =>
  (await owner.get(`/web/in/${id}/list`)).json().rows.map(({ name }: Json) => name);

test('its pings go on under the same URL, and the list of the other project has it', async () => {
  const { uuid } = await knell.create({ name: 'Moving' });
  await knell.request(`/ping/${uuid}`);
  const answer = await move(uuid, other);
  expect([answer.status, answer.json()]).toEqual([200, { channels: 0 }]);
  expect([await namesIn(project), await namesIn(other)]).toEqual([[], ['Moving']]);
  expect((await knell.request(`/ping/${uuid}`)).text).toBe('OK');
});

test('what cannot be is refused with a sentence, and changes nothing', async () => {
  const { uuid } = await knell.create({ name: 'Stays', slug: 'taken' });
  const refused = async (...asked: Parameters<typeof move>): Promise<unknown> => {
    const answer = await move(...asked);
    return [answer.status, answer.json().error];
  };
  expect(await refused(uuid, project)).toEqual([409, 'the check is in "default" already']);
  expect(await refused(uuid, 'nowhere')).toEqual([404, 'no such project']);
  expect(await refused(uuid, other, 'some')).toEqual([400, 'channels must be all or none']);
  expect(await refused('nothing', other)).toEqual([404, 'not found']);
  expect(await namesIn(project)).toEqual(['Stays']);
});

test('viewers move nothing', async () => {
  const { link } = (await owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
  const viewer = new PageClient(knell);
  await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await viewer.get('/web/state');
  const { uuid } = await knell.create({ name: 'Seen' });
  expect((await move(uuid, other, 'all', viewer)).status).toBe(403);
});
