/** Signing out is final: whatever happens to the process, the cookie is good no more; the other browsers' are. */

import { rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { restoreSnapshot } from '../../src/store/snapshot/restore.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { goodPassword, knellAt, linkIn, ownerPage, PageClient } from '../support/page/page-client.ts';
import { ChildKnell } from '../support/process/child-knell.ts';
import { tempDir } from '../support/temp-dirs.ts';

const day = 86_400_000;
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const userOf = async (page: PageClient): Promise<unknown> => (await page.get('/web/state')).json().user;
const ada = expect.objectContaining({ name: 'ada' });

/** Another browser that has the same cookie. */
function thief(knell: ConstructorParameters<typeof PageClient>[0], { cookie }: PageClient): PageClient {
  const page = new PageClient(knell);
  page.cookie = cookie;
  return page;
}

test('a cookie that was signed out of is worth nothing after kill -9, the others stay good', async () => {
  const dataDir = tempDir();
  let said = '';
  let child = await ChildKnell.start(dataDir, {}, (text) => {
    said = text;
  });
  closers.push(() => child.kill());
  const knell = knellAt(() => child.url);
  const stays = new PageClient(knell);
  const link = linkIn(/\S+\/set-password#\S+/.exec(said)?.[0] ?? '');
  expect((await stays.post('/web/set-password', { link, name: 'ada', password: goodPassword })).status).toBe(
    200,
  );
  const leaves = new PageClient(knell);
  await leaves.signIn('ada');
  const stolen = thief(knell, leaves);
  expect(await userOf(stolen)).toEqual(ada);
  expect((await leaves.post('/web/sign-out')).status).toBe(200);
  await child.kill('SIGKILL');
  child = await ChildKnell.start(dataDir, {});
  expect(await userOf(stolen)).toBeNull();
  expect(await userOf(stays)).toEqual(ada);
  if (!isLong) return;
  await child.kill('SIGTERM');
  child = await ChildKnell.start(dataDir, {});
  expect(await userOf(stolen)).toBeNull();
  expect(await userOf(stays)).toEqual(ada);
});

test('it stays so through folding, a snapshot and its restoring, and is forgotten when it has run out', async () => {
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1));
  const knell = await Knell.start({ clock });
  closers.push(() => knell.stop());
  const stays = await ownerPage(knell);
  const leaves = new PageClient(knell);
  await leaves.signIn('ada');
  const stolen = thief(knell, leaves);
  const { users } = knell.app.engine.read;
  const [user] = users();
  const id = stolen.cookie.split('.')[2] ?? '';
  const ended = (): boolean => user !== undefined && knell.app.engine.read.sessionEnded(user.id, id);
  await leaves.post('/web/sign-out');
  expect(ended()).toBe(true);
  const file = `${tempDir()}/signed-out.knell`;
  await knell.app.engine.writeSnapshot(file, () => {});
  await knell.restart();
  expect(await userOf(stolen)).toBeNull();
  await knell.restart(async () => {
    rmSync(knell.dataDir, { recursive: true });
    await restoreSnapshot(file, knell.dataDir, () => {});
  });
  expect(await userOf(stolen)).toBeNull();
  expect(await userOf(stays)).toEqual(ada);
  expect(ended()).toBe(true);
  clock.skip(31 * day);
  expect(await userOf(stolen)).toBeNull();
  await knell.restart();
  expect(ended()).toBe(false);
  expect(await userOf(stolen)).toBeNull();
});

test('a new password ends all sessions, in every browser, for good', async () => {
  const knell = await Knell.start();
  closers.push(() => knell.stop());
  const first = await ownerPage(knell);
  const second = new PageClient(knell);
  await second.signIn('ada');
  const made = await knell.app.admin({ command: 'password reset', args: {} }, () => {});
  const { link } = made as { link: string };
  const third = new PageClient(knell);
  await third.post('/web/set-password', { link: linkIn(link), password: 'another good password' });
  await knell.restart();
  expect([await userOf(first), await userOf(second), await userOf(third)]).toEqual([null, null, ada]);
});

test('signing out twice at once is signing out once, and somebody else is not touched', async () => {
  const knell = await Knell.start();
  closers.push(() => knell.stop());
  const owner = await ownerPage(knell);
  const { id, link } = (await owner.post('/web/users', { name: 'grace', role: 'viewer' })).json();
  const grace = new PageClient(knell);
  await grace.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await grace.get('/web/state');
  const same = thief(knell, grace);
  await same.get('/web/state');
  const both = await Promise.all([grace.post('/web/sign-out'), same.post('/web/sign-out')]);
  expect(both.map(({ status }) => status)).toContain(200);
  expect(await userOf(same)).toBeNull();
  expect(await userOf(owner)).toEqual(ada);
  expect((await owner.send('DELETE', `/web/users/${id}`)).status).toBe(200);
  expect(await userOf(owner)).toEqual(ada);
});
