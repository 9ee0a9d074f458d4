/** One's own account by the page's endpoints: name, preferences, password, sessions, codes at the sign-in. */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { bytesOfBase32, codeAt, totpStepMs } from '../../../../src/domain/accounts/totp.ts';
import { restoreSnapshot } from '../../../../src/store/snapshot/restore.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { type Answer, type Json, Knell } from '../../../support/knell.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';
import { tempDir } from '../../../support/temp-dirs.ts';

const startMs = Date.UTC(2026, 0, 1);
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start() {
  const clock = new SimulatedClock(startMs);
  const knell = await Knell.start({ clock });
  closers.push(() => knell.stop());
  return { clock, knell, page: await ownerPage(knell) };
}

const accountOf = async (page: PageClient): Promise<Json> => (await page.get('/web/account')).json();
const userOf = async (page: PageClient): Promise<Json> => (await page.get('/web/state')).json().user;

async function otherBrowser(
  knell: Knell,
  agent = 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
): Promise<PageClient> {
  const page = new PageClient(knell, { 'user-agent': agent });
  expect((await page.signIn('ada')).status).toBe(200);
  return page;
}

/** A member with that role. */
async function member(knell: Knell, owner: PageClient, name: string, role: string): Promise<PageClient> {
  const { link } = (await owner.post('/web/users', { name, role })).json();
  const page = new PageClient(knell);
  await page.post('/web/set-password', { link: linkIn(link), password: goodPassword });
  await page.get('/web/state');
  return page;
}

describe('name and preferences', () => {
  test('are kept with the member, across a restart; a viewer may change them, but no role', async () => {
    const { knell, page } = await start();
    const grace = await member(knell, page, 'grace', 'viewer');
    const preferences = { timeZone: 'Asia/Tokyo', clock: '12', theme: 'dark' };
    expect(
      (await grace.post('/web/account', { name: 'Grace H.', ...preferences, role: 'owner' })).status,
    ).toBe(200);
    await knell.restart();
    expect(await userOf(grace)).toEqual({
      id: expect.any(String),
      name: 'Grace H.',
      role: 'viewer',
      preferences,
    });
    expect((await grace.post('/web/account', { theme: 'light' })).status).toBe(200);
    expect((await userOf(grace)).preferences).toEqual({ ...preferences, theme: 'light' });
  });

  test('a name that somebody has, an unknown zone and other nonsense are refused', async () => {
    const { knell, page } = await start();
    const grace = await member(knell, page, 'grace', 'viewer');
    expect((await grace.post('/web/account', { name: 'ADA' })).status).toBe(409);
    for (const wrong of [{ name: ' ' }, { timeZone: 'Mars/Olympus' }, { clock: '13' }, { theme: 'pink' }])
      expect((await grace.post('/web/account', wrong)).status, JSON.stringify(wrong)).toBe(400);
  });
});

describe('a new password', () => {
  test('needs the present one, ends the other sessions, and this browser stays signed in', async () => {
    const { knell, page } = await start();
    const other = await otherBrowser(knell);
    const password = 'another horse battery';
    const wrong = await page.post('/web/account/password', { present: 'wrong horse battery', password });
    expect([wrong.status, wrong.json().error]).toEqual([400, 'this is not your current password']);
    expect(
      (await page.post('/web/account/password', { present: goodPassword, password: 'short' })).status,
    ).toBe(400);
    expect((await page.post('/web/account/password', { present: goodPassword, password })).status).toBe(200);
    expect((await userOf(page)).name).toBe('ada');
    expect(await userOf(other)).toBeNull();
    expect((await new PageClient(knell).signIn('ada')).status).toBe(401);
    expect((await new PageClient(knell).signIn('ada', password)).status).toBe(200);
  });

  test('wrong current passwords are limited as those of the sign-in', async () => {
    const { page } = await start();
    const asked = { present: 'wrong horse battery', password: 'another horse battery' };
    const answers: Answer[] = [];
    for (let at = 0; at < 11; at++) answers.push(await page.post('/web/account/password', asked));
    expect(answers.map(({ status }) => status).filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});

describe('sessions', () => {
  test('are listed with address and last use; one is signed out, the others stay', async () => {
    const { knell, clock, page } = await start();
    const phone = await otherBrowser(knell, 'phone/1');
    const laptop = await otherBrowser(knell, 'laptop/1');
    clock.skip(11 * 60_000);
    await userOf(phone);
    const { sessions } = await accountOf(page);
    expect(sessions).toHaveLength(3);
    const used = (agent: string): Json => sessions.find(({ userAgent }: Json) => userAgent === agent);
    expect(used('phone/1')).toMatchObject({
      address: '127.0.0.1',
      startedAtMs: startMs,
      usedAtMs: startMs + 660_000,
    });
    expect(used('laptop/1')).toMatchObject({ usedAtMs: startMs, isOwn: false });
    expect(sessions.filter(({ isOwn }: Json) => isOwn)).toHaveLength(1);
    expect((await page.send('DELETE', `/web/account/sessions/${used('phone/1').id}`)).status).toBe(200);
    expect([await userOf(phone), (await userOf(laptop)).name]).toEqual([null, 'ada']);
    expect((await page.send('DELETE', `/web/account/sessions/${used('phone/1').id}`)).status).toBe(404);
    await knell.restart();
    expect((await accountOf(page)).sessions).toHaveLength(2);
    expect(await userOf(phone)).toBeNull();
  });

  test('of another member cannot be ended', async () => {
    const { knell, page } = await start();
    const grace = await member(knell, page, 'grace', 'editor');
    const [own] = (await accountOf(page)).sessions;
    expect((await grace.send('DELETE', `/web/account/sessions/${own.id}`)).status).toBe(404);
    expect((await userOf(page)).name).toBe('ada');
  });

  test('all others end at once, for good, through a snapshot too; this one goes on', async () => {
    const { knell, clock, page } = await start();
    const others = [await otherBrowser(knell), await otherBrowser(knell)];
    clock.skip(1);
    expect((await page.post('/web/account/sessions/others')).status).toBe(200);
    for (const other of others) expect(await userOf(other)).toBeNull();
    expect((await userOf(page)).name).toBe('ada');
    const file = `${tempDir()}/all.knell`;
    await knell.app.engine.writeSnapshot(file, () => {});
    await knell.restart(async () => {
      const { rmSync } = await import('node:fs');
      rmSync(knell.dataDir, { recursive: true });
      await restoreSnapshot(file, knell.dataDir, () => {});
    });
    for (const other of others) expect(await userOf(other)).toBeNull();
    expect((await userOf(page)).name).toBe('ada');
    expect((await accountOf(page)).sessions).toHaveLength(1);
  });
});

describe('codes at the sign-in', () => {
  const codeOf = (secret: string, atMs: number): string =>
    codeAt(
      (key, message) => createHmac('sha1', key).update(message).digest(),
      bytesOfBase32(secret) ?? new Uint8Array(),
      Math.floor(atMs / totpStepMs),
    );

  async function enabled() {
    const started = await start();
    const { page, clock } = started;
    const { secret, uri } = (await page.post('/web/account/totp/new')).json();
    expect(uri).toContain(`otpauth://totp/Knell:ada?secret=${secret}`);
    const asked = { secret, password: goodPassword };
    expect((await page.post('/web/account/totp', { ...asked, code: '000000' })).status).toBe(400);
    const code = codeOf(secret, clock.nowMs());
    expect(
      (await page.post('/web/account/totp', { ...asked, code, password: 'wrong horse battery' })).status,
    ).toBe(400);
    expect((await accountOf(page)).recoveryCodesLeft).toBeNull();
    const answer = await page.post('/web/account/totp', { ...asked, code });
    expect(answer.status).toBe(200);
    const codes: string[] = answer.json().codes;
    return { ...started, secret, codes };
  }

  const signIn = (knell: Knell, code?: string): Promise<Answer> =>
    new PageClient(knell).post('/web/sign-in', {
      name: 'ada',
      password: goodPassword,
      ...(code ? { code } : {}),
    });

  test('are asked for after the password, good once, and refused when they are used again', async () => {
    const { knell, clock, secret } = await enabled();
    clock.skip(totpStepMs);
    const asked = await signIn(knell);
    expect([asked.status, asked.json(), asked.headers.get('set-cookie')]).toEqual([
      200,
      { code: true },
      null,
    ]);
    const code = codeOf(secret, clock.nowMs());
    expect(
      (await new PageClient(knell).post('/web/sign-in', { name: 'ada', password: 'wrong', code })).status,
    ).toBe(401);
    const both = await Promise.all([signIn(knell, code), signIn(knell, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    await knell.restart();
    expect((await signIn(knell, code)).status).toBe(401);
    clock.skip(totpStepMs);
    expect((await signIn(knell, codeOf(secret, clock.nowMs()))).status).toBe(200);
  });

  test('a code that was used to set it up signs nobody in', async () => {
    const { knell, clock, secret } = await enabled();
    expect((await signIn(knell, codeOf(secret, clock.nowMs()))).status).toBe(401);
  });

  test('ten recovery codes sign in once each; new ones replace them; none is kept in clear', async () => {
    const { knell, page, codes } = await enabled();
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = ''] = codes;
    expect((await signIn(knell, first.toLowerCase())).status).toBe(200);
    expect((await signIn(knell, first)).status).toBe(401);
    expect((await accountOf(page)).recoveryCodesLeft).toBe(9);
    const { entries } = (await page.get('/web/audit?subject=session&q=recovery')).json();
    expect(entries).toMatchObject([{ action: 'signed-in', detail: 'with a password and a recovery code' }]);
    const kept = JSON.stringify(knell.app.engine.read.users());
    for (const code of codes) expect(kept).not.toContain(code.replace('-', ''));
    const made = await page.post('/web/account/totp/recovery', { password: goodPassword });
    expect(made.json().codes).toHaveLength(10);
    expect((await signIn(knell, second)).status).toBe(401);
    expect((await signIn(knell, made.json().codes[0])).status).toBe(200);
  });

  test('are limited per account, from whatever address', async () => {
    const { knell } = await enabled();
    const answers: number[] = [];
    for (let at = 0; at < 9; at++) answers.push((await signIn(knell, '000000')).status);
    expect(answers).toContain(401);
    const second = await Knell.start({
      clock: new SimulatedClock(startMs),
      env: { KNELL_TRUST_PROXY: '127.0.0.1' },
    });
    closers.push(() => second.stop());
    const owner = await ownerPage(second);
    const { secret } = (await owner.post('/web/account/totp/new')).json();
    const asked = { secret, password: goodPassword, code: codeOf(secret, startMs) };
    expect((await owner.post('/web/account/totp', asked)).status).toBe(200);
    const away: number[] = [];
    for (let at = 0; at < 12; at++) {
      const page = new PageClient(second, { 'x-forwarded-for': `198.51.100.${at}` });
      const body = { name: 'ada', password: goodPassword, code: '000000' };
      away.push((await page.post('/web/sign-in', body)).status);
    }
    expect(away).toEqual([...Array(10).fill(401), 429, 429]);
  }, 60_000);

  test('a link sets a password and signs nobody in; an owner, or the command line, switches the codes off', async () => {
    const { knell, page } = await enabled();
    const { link } = (await knell.app.admin(
      { command: 'password reset', args: { user: 'ada' } },
      () => {},
    )) as Json;
    const other = new PageClient(knell);
    const set = await other.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    expect([set.status, set.json(), other.cookie]).toEqual([200, { signIn: true }, '']);
    expect((await signIn(knell)).json()).toEqual({ code: true });
    await knell.app.admin({ command: 'user reset-totp', args: { user: 'ada' } }, () => {});
    expect((await page.signIn('ada')).headers.get('set-cookie')).not.toBeNull();
    await expect(
      knell.app.admin({ command: 'user reset-totp', args: { user: 'ada' } }, () => {}),
    ).rejects.toThrow('ada signs in without codes');
    const { entries } = (await page.get('/web/audit?subject=member')).json();
    const ofCodes = entries.filter(({ fields }: Json) => fields.includes('two-factor sign-in'));
    expect(ofCodes.map(({ changes }: Json) => changes)).toEqual([
      [{ field: 'two-factor sign-in', before: 'true', after: 'false' }],
      [{ field: 'two-factor sign-in', before: 'false', after: 'true' }],
    ]);
  });

  test('an owner resets those of a member; an editor cannot', async () => {
    const { knell, page, clock } = await start();
    const grace = await member(knell, page, 'grace', 'editor');
    const { secret } = (await grace.post('/web/account/totp/new')).json();
    const asked = { secret, password: goodPassword, code: codeOf(secret, clock.nowMs()) };
    expect((await grace.post('/web/account/totp', asked)).status).toBe(200);
    const { id } = await userOf(grace);
    const { id: ownId } = await userOf(page);
    expect((await grace.post(`/web/users/${ownId}`, { resetTotp: true })).status).toBe(403);
    expect((await page.post(`/web/users/${id}`, { resetTotp: true })).status).toBe(200);
    expect((await accountOf(grace)).recoveryCodesLeft).toBeNull();
  });

  test('are switched off with the password only', async () => {
    const { page } = await enabled();
    expect((await page.post('/web/account/totp/off', { password: 'wrong horse battery' })).status).toBe(400);
    expect((await page.post('/web/account/totp/off', { password: goodPassword })).status).toBe(200);
    expect((await page.signIn('ada')).json()).toEqual({});
  });
});
