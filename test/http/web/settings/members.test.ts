/** New members, over a real socket: whose address is broken, and what an invitation says behind its link. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Knell } from '../../../support/knell.ts';
import { linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

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

const shown = async (link: string) => new PageClient(knell).post('/web/link', { link });

test('are shown who invites them, to what, by the link alone', async () => {
  const link = linkIn((await invite('noor')).json().link);
  const { name } = (await owner.get('/web/state')).json().projects[0];
  expect((await shown(link)).json()).toEqual({ kind: 'user', name: 'noor', invitedBy: 'ada', project: name });
  const forAll = await owner.post('/web/users', { name: 'omar', role: 'viewer' });
  const other = linkIn(forAll.json().link);
  expect((await shown(other)).json()).toEqual({ kind: 'user', name: 'omar', invitedBy: 'ada' });
  // The words of one invitation behind the link of another one say nothing.
  const [own, said] = [link.split('.').slice(0, 4), link.split('.').slice(4)];
  const moved = [...other.split('.').slice(0, 4), ...said].join('.');
  expect((await shown(moved)).json()).toEqual({ kind: 'user', name: 'omar' });
  expect((await shown(own.join('.'))).json()).toEqual({ kind: 'user', name: 'noor' });
  for (const broken of [
    ['x', ...own.slice(1), ...said],
    [...own.slice(0, 3), 'x', ...said],
  ]) {
    const { status, text } = await shown(broken.join('.'));
    expect(status).toBe(410);
    expect(text).not.toContain('ada');
  }
});

test('are not shown a project any more that is closed to them by now', async () => {
  const { id, link } = (await invite('pia')).json();
  await owner.post(`/web/in/${project}/members/${id}`, { role: 'none' });
  expect((await shown(linkIn(link))).json()).toEqual({ kind: 'user', name: 'pia', invitedBy: 'ada' });
});
