/** Links of Healthchecks' alerts, over a real socket. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, Knell } from '../../support/knell.ts';
import { ownerPage, PageClient } from '../../support/page-client.ts';

let knell: Knell;
let owner: PageClient;
let check: Json;
let readOnly: Json;

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  check = await knell.create({ name: 'job' });
  [readOnly] = (await knell.api('GET', '/api/v3/checks/', undefined, knell.keys.readOnly)).json().checks;
});

afterAll(() => knell?.stop());

const addresses = () => [
  `/cloaked/${readOnly.unique_key}/`,
  `/cloaked/${readOnly.unique_key}`,
  `/checks/${check.uuid}/details/`,
];

test('redirect who is signed in to the page of the check', async () => {
  const { projects } = (await owner.get('/web/state')).json();
  for (const address of addresses()) {
    const answer = await owner.get(address);
    expect(answer.status, address).toBe(302);
    const page = `http://knell.test/project/${projects[0].id}/checks/${check.uuid}`;
    expect(answer.headers.get('location')).toBe(page);
  }
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
