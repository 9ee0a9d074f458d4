/** Another address as one's name: asked for on the account page, confirmed by a mail. A real mail server gets the mails. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreSnapshot } from '../../../../src/store/snapshot/restore.ts';
import { confirmPath, MailFlows } from '../../../support/page/mail-flows.ts';
import { goodPassword, linkIn, PageClient } from '../../../support/page/page-client.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

const hourMs = 3_600_000;
const old = 'grace@example.org';
const wanted = 'hopper@example.net';

let at: MailFlows;
let grace: PageClient;

beforeEach(async () => {
  at = await MailFlows.start();
  grace = await at.member(old);
});

afterEach(() => at.stop());

const ask = (page: PageClient, name: string, present = goodPassword) =>
  page.post('/web/account', { name, present });
const linkTo = async (address: string): Promise<string> => {
  const mail = await at.mail(address, /Confirm your new address/);
  return confirmPath(mail);
};
const follow = (path: string, method = 'POST') => at.knell.request(path, { method });
const nameOf = async (page: PageClient): Promise<string | undefined> =>
  (await page.get('/web/state')).json().user?.name;

describe('a new address', () => {
  test('is shown where mails about the account go only once it is the name', async () => {
    const shown = async (page: PageClient) => (await page.get('/web/account')).json().mailAddress;
    expect([await shown(at.owner), await shown(grace)]).toEqual([null, old]);
    await ask(grace, wanted);
    const link = await linkTo(wanted);
    expect(await shown(grace)).toBe(old);
    await follow(link);
    expect(await shown(grace)).toBe(wanted);
  });

  test('counts only once its link was confirmed; the old one gets a mail that says so, and sessions stay', async () => {
    const other = new PageClient(at.knell);
    await other.signIn(old);
    const asked = await ask(grace, wanted);
    expect([asked.status, asked.json()]).toEqual([200, { asked: { to: wanted, error: null } }]);
    expect(await nameOf(grace)).toBe(old);
    expect((await grace.get('/web/account')).json().newAddress).toEqual({
      address: wanted,
      untilMs: at.clock.nowMs() + 24 * hourMs,
    });
    const path = await linkTo(wanted);
    const shown = await follow(path, 'GET');
    expect([shown.status, shown.text.includes('<button')]).toEqual([200, true]);
    expect((await follow(path, 'HEAD')).status).toBe(200);
    expect((await follow(path, 'PUT')).status).toBe(405);
    expect(await nameOf(grace)).toBe(old);
    expect((await at.mails()).some(({ subject }) => subject.startsWith('Your address was changed'))).toBe(
      false,
    );
    const done = await follow(path);
    expect([done.status, done.text.includes(wanted)]).toEqual([200, true]);
    expect([await nameOf(grace), await nameOf(other)]).toEqual([wanted, wanted]);
    expect((await at.mail(old, /Your address was changed/)).text).toContain(wanted);
    expect((await new PageClient(at.knell).signIn(old)).status).toBe(401);
    expect((await new PageClient(at.knell).signIn(wanted)).status).toBe(200);
    expect(await at.audit()).toContain(
      `recipient ${wanted} changed member ${wanted}: name,address to be confirmed; `,
    );
  });

  test('needs the current password, under the limits of signing in', async () => {
    expect((await grace.post('/web/account', { name: wanted })).status).toBe(400);
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++)
      statuses.push((await ask(grace, wanted, 'wrong horse battery')).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
    await at.settled();
    expect((await at.mails()).some(({ to }) => to === wanted)).toBe(false);
    expect(at.user(old)?.newAddress).toBeUndefined();
  });
});

describe('its link', () => {
  test('works once, also in two tabs', async () => {
    await ask(grace, wanted);
    const path = await linkTo(wanted);
    const both = await Promise.all([follow(path), follow(path)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await follow(path)).text).toContain('This link is broken or out of date');
    // Back at the old address, it must not work again.
    await ask(grace, old);
    expect((await follow(await linkTo(old))).status).toBe(200);
    expect((await follow(path)).status).toBe(404);
    expect(await nameOf(grace)).toBe(old);
    await at.settled();
    const changed = (await at.mails()).filter(({ subject }) =>
      subject.startsWith('Your address was changed'),
    );
    expect(changed.map(({ to }) => to).sort()).toEqual([old, wanted].sort());
  });

  test('is void after 24 hours, when tampered with, withdrawn, replaced, or after a new password', async () => {
    await ask(grace, wanted);
    const first = await linkTo(wanted);
    const wrong = first.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await follow(wrong)).status).toBe(404);
    expect((await follow(first.replace(/\/[0-9a-f]{8}/, '/00000000'))).status).toBe(404);
    at.clock.skip(24 * hourMs - 1);
    expect((await follow(first, 'GET')).status).toBe(200);
    at.clock.skip(1);
    expect((await follow(first)).status).toBe(404);
    expect((await grace.get('/web/account')).json().newAddress).toBeNull();

    await ask(grace, 'second@example.net');
    const second = await linkTo('second@example.net');
    await ask(grace, 'third@example.net');
    const third = await linkTo('third@example.net');
    expect((await follow(second)).status).toBe(404);
    expect((await grace.send('DELETE', '/web/account/new-address')).status).toBe(200);
    expect((await follow(third)).status).toBe(404);

    await ask(grace, 'fourth@example.net');
    const fourth = await linkTo('fourth@example.net');
    const password = 'another horse battery';
    expect((await grace.post('/web/account/password', { present: goodPassword, password })).status).toBe(200);
    expect((await follow(fourth)).status).toBe(404);
    expect(at.user(old)?.newAddress).toBeUndefined();
  });

  test('survives a restart, and a snapshot that is restored', async () => {
    await ask(grace, wanted);
    const path = await linkTo(wanted);
    await at.knell.restart();
    expect((await follow(path, 'GET')).status).toBe(200);
    const file = `${tempDir()}/all.knell`;
    await at.knell.app.engine.writeSnapshot(file, () => {});
    await at.knell.restart(async () => {
      rmSync(at.knell.dataDir, { recursive: true });
      await restoreSnapshot(file, at.knell.dataDir, () => {});
    });
    expect((await follow(path)).status).toBe(200);
    expect(await nameOf(grace)).toBe(wanted);
    await at.knell.restart();
    expect((await follow(path)).status).toBe(404);
  });

  test('of a member who was removed meanwhile is out of date', async () => {
    await ask(grace, wanted);
    const path = await linkTo(wanted);
    const { id } = at.user(old) ?? {};
    expect((await at.owner.send('DELETE', `/web/users/${id}`)).status).toBe(200);
    expect((await follow(path, 'GET')).status).toBe(404);
    expect((await follow(path)).status).toBe(404);
  });

  test('is followed at most so often from one address', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 70; tries++)
      statuses.push(
        (await follow(`/confirm-address/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.${'x'.repeat(43)}`))
          .status,
      );
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  });
});

describe('an address that somebody has', () => {
  test('is answered like any other, and its reader learns that there is an account', async () => {
    await at.member('taken@example.org');
    const free = await ask(grace, wanted);
    const taken = await ask(grace, 'Taken@example.org');
    expect([taken.status, Object.keys(taken.json().asked)]).toEqual([
      free.status,
      Object.keys(free.json().asked),
    ]);
    expect(taken.json().asked.error).toBeNull();
    const mail = await at.mail('Taken@example.org', /already/);
    expect(mail.text).not.toContain('/confirm-address/');
    expect(await nameOf(grace)).toBe(old);
  });

  test('is refused to an owner of the installation, who sees all members', async () => {
    const answer = await ask(at.owner, old);
    expect([answer.status, answer.json().error]).toEqual([409, `a user named ${old} exists already`]);
  });

  test('is not taken when it was given away after the mail', async () => {
    await ask(grace, wanted);
    const path = await linkTo(wanted);
    await at.member(wanted);
    const answer = await follow(path);
    expect([answer.status, answer.text.includes('Nothing was changed')]).toEqual([409, true]);
    expect(await nameOf(grace)).toBe(old);
  });
});

test('mails that a member asks for are few, and say so', async () => {
  for (let count = 0; count < 3; count++) expect((await ask(grace, wanted)).json().asked.error).toBeNull();
  expect((await ask(grace, wanted)).json().asked.error).toMatch(/^too many emails/);
  // What must be said is said all the same.
  for (let count = 0; count < 4; count++) await grace.post('/web/forgotten-password', { name: old });
  expect((await follow(await linkTo(wanted))).status).toBe(200);
  await at.mail(old, /Your address was changed/);
});

test('a name that is no address counts at once, and the old address gets a mail', async () => {
  expect((await ask(grace, 'Grace H.')).json()).toEqual({ asked: null });
  expect(await nameOf(grace)).toBe('Grace H.');
  expect((await at.mail(old, /Your address was changed/)).text).toContain('Grace H.');
});

test('without a mail server a name counts at once', async () => {
  const plain = await MailFlows.start(false);
  try {
    const page = await plain.member(old);
    expect((await ask(page, wanted)).json()).toEqual({ asked: null });
    expect(await nameOf(page)).toBe(wanted);
  } finally {
    await plain.stop();
  }
});

test('a link for a new password goes to the new address from then on', async () => {
  await ask(grace, wanted);
  await follow(await linkTo(wanted));
  await new PageClient(at.knell).post('/web/forgotten-password', { name: wanted });
  const mail = await at.mail(wanted, /Set a new password/);
  const [, path = ''] = /http:\/\/knell\.test(\/set-password#\S+)/.exec(mail.text) ?? [];
  const page = new PageClient(at.knell);
  expect((await page.post('/web/set-password', { link: linkIn(path), password: goodPassword })).status).toBe(
    200,
  );
});
