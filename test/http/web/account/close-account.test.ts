/** The end of one's own account: what is said before, what it takes, and what is over then. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreSnapshot } from '../../../../src/store/snapshot/restore.ts';
import { MailFlows } from '../../../support/page/mail-flows.ts';
import { goodPassword, listener, PageClient } from '../../../support/page/page-client.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

const name = 'grace@example.org';
let at: MailFlows;

beforeEach(async () => {
  at = await MailFlows.start();
});

afterEach(() => at.stop());

const close = (page: PageClient, typed = name, present = goodPassword) =>
  page.post('/web/account/close', { name: typed, present });
const closingOf = async (page: PageClient) => (await page.get('/web/account')).json().closing;
const isSignedIn = async (page: PageClient): Promise<boolean> =>
  (await page.get('/web/state')).json().user !== null;

describe('an account', () => {
  test('is closed with the password and the name: sessions, live pages and links end, and a mail says so', async () => {
    const page = await at.member(name);
    const other = new PageClient(at.knell);
    await other.signIn(name);
    await page.post('/web/reports', { frequency: 'weekly', address: 'reports@example.org' });
    await page.post('/web/account', { name: 'hopper@example.net', present: goodPassword });
    const { text } = await at.mail('hopper@example.net', /Confirm/);
    const live = await listener(at.knell, other);
    const answer = await close(page);
    expect([answer.status, answer.headers.get('set-cookie')?.includes('Max-Age=0')]).toEqual([200, true]);
    await live.closed;
    expect([await isSignedIn(page), await isSignedIn(other)]).toEqual([false, false]);
    expect((await new PageClient(at.knell).signIn(name)).status).toBe(401);
    expect((await at.mail(name, /Your account was closed/)).text).toContain(name);
    const [, link = ''] = /http:\/\/knell\.test(\/confirm-address\/\S+)/.exec(text) ?? [];
    expect((await at.knell.request(link, { method: 'POST' })).status).toBe(404);
    expect(await at.audit()).toContain(`member ${name} deleted member ${name}: ; `);
  });

  test('stays with another name, a wrong password, or none', async () => {
    const page = await at.member(name);
    const refused = await close(page, 'grace');
    expect([refused.status, refused.json().error]).toEqual([
      400,
      `to close your account, type its name: ${name}`,
    ]);
    expect((await page.post('/web/account/close', { name })).status).toBe(400);
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++)
      statuses.push((await close(page, name, 'wrong horse battery')).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
    expect(await isSignedIn(page)).toBe(true);
    // The signature of a session says nothing without the token of the page.
    expect(
      (await page.send('POST', '/web/account/close', { name, present: goodPassword }, { 'x-knell-csrf': '' }))
        .status,
    ).toBe(403);
  });

  test('of the last owner of the server stays, and why is said before', async () => {
    expect((await closingOf(at.owner)).refusal).toContain('you are the only owner of this server');
    const refused = await close(at.owner, 'ada');
    expect([refused.status, refused.json().error]).toEqual([
      409,
      'you are the only owner of this server, so make another member an owner first',
    ]);
    expect((await closingOf(at.owner)).isLastOwner).toBe(true);
    const second = await at.member('joan', 'owner');
    expect(await closingOf(at.owner)).toMatchObject({ refusal: '', isLastOwner: false });
    const both = await Promise.all([close(at.owner, 'ada'), close(second, 'joan')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(at.knell.app.engine.read.users().filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  test('is closed once by two tabs', async () => {
    const page = await at.member(name);
    const both = await Promise.all([close(page), close(page)]);
    // The other one is over with its session, or finds the account gone.
    const [first, second] = both.map(({ status }) => status).sort();
    expect([first, second === 401 || second === 404]).toEqual([200, true]);
    expect((await close(page)).status).toBe(401);
  });

  test('stays closed through a restart and a snapshot', async () => {
    const page = await at.member(name);
    await close(page);
    await at.knell.restart();
    expect(await isSignedIn(page)).toBe(false);
    const file = `${tempDir()}/all.knell`;
    await at.knell.app.engine.writeSnapshot(file, () => {});
    await at.knell.restart(async () => {
      rmSync(at.knell.dataDir, { recursive: true });
      await restoreSnapshot(file, at.knell.dataDir, () => {});
    });
    expect([at.user(name), await isSignedIn(page)]).toEqual([undefined, false]);
  });
});

test('projects that nobody else owns are named before, stay, and are the server owners’', async () => {
  const page = await at.memberOfProject(name, 'owner');
  expect(await closingOf(page)).toEqual({ refusal: '', isLastOwner: false, projects: ['default'], more: 0 });
  const joan = await at.memberOfProject('joan', 'editor');
  expect((await closingOf(page)).projects).toEqual(['default']);
  const { id } = at.user('joan') ?? {};
  await at.owner.post(`/web/in/${at.project}/members/${id}`, { role: 'owner' });
  expect((await closingOf(page)).projects).toEqual([]);
  expect((await closingOf(joan)).projects).toEqual([]);
  expect((await close(page)).status).toBe(200);
  expect((await closingOf(joan)).projects).toEqual(['default']);
  await close(joan, 'joan');
  expect((await at.owner.get('/web/state')).json().projects).toMatchObject([
    { name: 'default', role: 'owner' },
  ]);
});

test('without a mail server an account is closed without a word', async () => {
  const plain = await MailFlows.start(false);
  try {
    const page = await plain.member(name);
    expect((await close(page)).status).toBe(200);
    expect(plain.user(name)).toBeUndefined();
  } finally {
    await plain.stop();
  }
});
