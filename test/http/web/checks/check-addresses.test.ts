/** Links to the page of a check, those of Healthchecks' alerts among them, over a real socket. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let check: Json;
let readOnly: Json;
let project = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
  check = await knell.create({ name: 'job' });
  [readOnly] = (await knell.api('GET', '/api/v3/checks/', undefined, knell.keys.readOnly)).json().checks;
});

afterAll(() => knell?.stop());

const addresses = () => [
  `/cloaked/${readOnly.unique_key}/`,
  `/cloaked/${readOnly.unique_key}`,
  `/checks/${check.uuid}/details/`,
  `/checks/${check.uuid}/log/`,
  `/project/${project}/checks/${readOnly.unique_key}`,
];

test('redirect who is signed in to the page of the check', async () => {
  for (const address of addresses()) {
    const answer = await owner.get(address);
    expect(answer.status, address).toBe(302);
    expect(answer.headers.get('location')).toBe(`/project/${project}/checks/${check.uuid}`);
  }
  const asking = await owner.get(`/project/${project}/checks/${readOnly.unique_key}?snooze=1h`);
  expect(asking.headers.get('location')).toBe(`/project/${project}/checks/${check.uuid}?snooze=1h`);
  expect((await owner.get(`/project/${project}/checks/${check.uuid}`)).status).toBe(200);
});

test('redirect a viewer to the address without the UUID', async () => {
  const viewer = new PageClient(knell);
  const invited = (await owner.post('/web/users', { name: 'bob', role: 'viewer' })).json();
  await viewer.post('/web/set-password', { link: linkIn(invited.link), password: goodPassword });
  const page = `/project/${project}/checks/${readOnly.unique_key}`;
  for (const address of [...addresses().slice(0, 4), `/project/${project}/checks/${check.uuid}`])
    expect((await viewer.get(address)).headers.get('location'), address).toBe(page);
  expect((await viewer.get(page)).status).toBe(200);
});

test('show nobody else whether there is such a check, least of all its UUID', async () => {
  const stranger = new PageClient(knell);
  const unknown = `/cloaked/${'0'.repeat(40)}/`;
  const page = await stranger.get(unknown);
  expect(page.status).toBe(200);
  for (const address of addresses()) {
    const answer = await stranger.get(address);
    expect([answer.status, answer.text]).toEqual([200, page.text]);
  }
});

test('of a check that is not there get the page, which says so; what is no such address is not found', async () => {
  expect((await owner.get(`/cloaked/${'0'.repeat(40)}/`)).status).toBe(200);
  expect((await owner.get('/checks/00000000-0000-4000-8000-000000000000/details/')).status).toBe(200);
  expect((await owner.get('/cloaked/0123/')).status).toBe(404);
  expect((await owner.post(addresses()[0] ?? '')).status).toBe(404);
});
