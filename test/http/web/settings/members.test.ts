/** New members, over a real socket: whose address is broken. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../../../support/knell.ts';
import { ownerPage, type PageClient } from '../../../support/page/page-client.ts';

let knell: Knell;
let owner: PageClient;
let project = '';

beforeAll(async () => {
  knell = await Knell.start();
  owner = await ownerPage(knell);
  project = (await owner.get('/web/state')).json().projects[0].id;
});

afterAll(() => knell?.stop());

const invite = (name: string) => owner.post(`/web/in/${project}/members`, { name, role: 'viewer' });
const names = () => knell.app.engine.read.users().map(({ name }) => name);

test('are refused with an address that is none, with what to do', async () => {
  for (const name of ['bad@', '@example.org', 'a@b@example.org', 'a b@example.org']) {
    for (const answer of [await invite(name), await owner.post('/web/users', { name, role: 'viewer' })]) {
      expect(answer.status).toBe(400);
      expect(answer.json()).toEqual({
        field: 'name',
        error: 'this email address is not complete: enter one such as ada@example.org, or a name without @',
      });
    }
  }
  expect(names()).toEqual(['ada']);
  for (const name of ['grace', 'mary@example.org']) expect((await invite(name)).status).toBe(201);
  expect(names().sort()).toEqual(['ada', 'grace', 'mary@example.org']);
});
