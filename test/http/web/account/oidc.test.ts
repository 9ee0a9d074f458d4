/** Signing in by OpenID Connect against a real provider: who gets in, as whom, and what is refused with which words. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../../src/config.ts';
import { type Json, Knell } from '../../../support/knell.ts';
import { callback, OidcBrowser, OidcServer, oidcClient } from '../../../support/page/oidc-browser.ts';
import { goodPassword, linkIn, ownerPage, PageClient } from '../../../support/page/page-client.ts';

const closers: (() => Promise<void>)[] = [];
let provider: OidcServer;

beforeEach(async () => {
  provider = await OidcServer.start();
  closers.push(() => provider.stop());
  const verified = (email: string) => ({ email, email_verified: true });
  provider.people.set('s-grace', verified('grace@example.org'));
  provider.people.set('s-other', verified('Grace@example.org'));
  provider.people.set('s-eve', { email: 'eve@example.org', email_verified: false });
  provider.people.set('s-nomail', {});
});

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<Knell> {
  const knell = await Knell.start({
    env: {
      KNELL_OIDC_ISSUER: provider.issuer,
      KNELL_OIDC_CLIENT_ID: oidcClient.id,
      KNELL_OIDC_CLIENT_SECRET: oidcClient.secret,
      KNELL_OIDC_NAME: 'Sign in with Example',
      ...env,
    },
  });
  closers.push(() => knell.stop());
  return knell;
}

const browserOf = (knell: Knell): OidcBrowser => new OidcBrowser(() => knell.app.httpUrl);

describe('who signs in', () => {
  test('for the first time is a member with the role none, and the same one afterwards, whatever the address is then', async () => {
    const knell = await start();
    const owner = await ownerPage(knell);
    expect((await browserOf(knell).state()).oidc).toBe('Sign in with Example');
    const browser = browserOf(knell);
    expect(await browser.signIn('s-grace')).toBe('/sign-in');
    const { user, projects, csrf } = await browser.state();
    expect([user.name, user.role, projects]).toEqual(['grace@example.org', 'none', []]);
    expect(csrf).not.toBe('');
    provider.people.set('s-grace', { email: 'new@example.org', email_verified: true });
    await knell.restart();
    const again = browserOf(knell);
    expect(await again.signIn('s-grace')).toBe('/sign-in');
    expect((await again.state()).user.id).toBe(user.id);
    const log = (await owner.get('/web/audit.jsonl')).text;
    expect(log).toContain('with OpenID Connect');
  }, 60_000);

  test('has the role that is set, or must be known already', async () => {
    const knell = await start({ KNELL_OIDC_ROLE: 'viewer' });
    const browser = browserOf(knell);
    await browser.signIn('s-grace');
    expect((await browser.state()).user.role).toBe('viewer');
    const closed = await start({ KNELL_OIDC_ROLE: 'off' });
    const stranger = browserOf(closed);
    expect(await stranger.signIn('s-grace')).toBe('/sign-in?failed=unknown');
    expect((await stranger.state()).user).toBeNull();
    expect(closed.app.engine.read.users()).toEqual([]);
  }, 60_000);

  test('is the member with the verified address; what the inviter may have set up before is void', async () => {
    const knell = await start({ KNELL_OIDC_ROLE: 'off' });
    const owner = await ownerPage(knell);
    const made = (await owner.post('/web/users', { name: 'grace@example.org', role: 'editor' })).json();
    const inviter = new PageClient(knell);
    const asked = { link: linkIn(made.link), password: goodPassword };
    expect((await inviter.post('/web/set-password', asked)).status).toBe(200);
    const unused = (await owner.post(`/web/users/${made.id}`, { link: true })).json().link;
    const browser = browserOf(knell);
    expect(await browser.signIn('s-grace')).toBe('/sign-in');
    expect((await browser.state()).user).toMatchObject({ id: made.id, role: 'editor' });
    expect((await inviter.get('/web/state')).json().user).toBeNull();
    expect(
      (await inviter.post('/web/sign-in', { name: 'grace@example.org', password: goodPassword })).status,
    ).toBe(401);
    const late = { link: linkIn(unused), password: goodPassword };
    expect((await inviter.post('/web/set-password', late)).status).toBe(410);
    // Another account with the same address does not get in.
    expect(await browserOf(knell).signIn('s-other')).toBe('/sign-in?failed=other');
  }, 60_000);

  test('as an owner keeps the password, for when the provider is away', async () => {
    const knell = await start();
    const owner = await ownerPage(knell);
    provider.people.set('s-ada', { email: 'ADA', email_verified: true });
    const browser = browserOf(knell);
    expect(await browser.signIn('s-ada')).toBe('/sign-in');
    expect((await browser.state()).user).toMatchObject({ name: 'ada', role: 'owner' });
    expect((await owner.get('/web/state')).json().user.name).toBe('ada');
  }, 60_000);
});

describe('what is refused', () => {
  test.each([
    ['an address that is not verified', 's-eve', 'unverified'],
    ['an account without an address', 's-nomail', 'unverified'],
  ])('%s', async (_, login, failure) => {
    const knell = await start();
    const browser = browserOf(knell);
    expect(await browser.signIn(login)).toBe(`/sign-in?failed=${failure}`);
    expect((await browser.state()).user).toBeNull();
  });

  test('an answer with another state, without the cookie, and of another browser', async () => {
    const knell = await start();
    const browser = browserOf(knell);
    const back = await browser.signInAt(await browser.start(), 's-grace');
    const forged = new URL(back);
    forged.searchParams.set('state', 'forged');
    expect(await browserOf(knell).land(back)).toBe('/sign-in?failed=state');
    expect(await browser.land(forged.href)).toBe('/sign-in?failed=state');
    // The cookie is gone with the first failure.
    expect(await browser.land(back)).toBe('/sign-in?failed=state');
    expect((await browser.state()).user).toBeNull();
  });

  test('a code that was used already', async () => {
    const knell = await start();
    const victim = browserOf(knell);
    const back = await victim.signInAt(await victim.start(), 's-grace');
    const thief = victim.copy();
    expect(await victim.land(back)).toBe('/sign-in');
    expect(await thief.land(back)).toBe('/sign-in?failed=code');
    expect((await thief.state()).user).toBeNull();
  });

  test('an ID token with another nonce', async () => {
    const knell = await start();
    const browser = browserOf(knell);
    const there = new URL(await browser.start());
    expect(there.searchParams.get('code_challenge_method')).toBe('S256');
    there.searchParams.set('nonce', 'another');
    expect(await browser.land(await browser.signInAt(there.href, 's-grace'))).toBe('/sign-in?failed=answer');
  });

  test('another code verifier', async () => {
    const knell = await start();
    const browser = browserOf(knell);
    const there = new URL(await browser.start());
    there.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    expect(await browser.land(await browser.signInAt(there.href, 's-grace'))).toBe('/sign-in?failed=code');
  });

  test('an error of the provider', async () => {
    const knell = await start();
    const browser = browserOf(knell);
    const state = new URL(await browser.start()).searchParams.get('state');
    const denied = `${callback}?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
    expect(await browser.land(denied)).toBe('/sign-in?failed=denied');
  });
});

test('a provider that is away holds up nothing, and is found when it is back', async () => {
  const lines: Json[] = [];
  const issuer = provider.issuer;
  await provider.stop();
  closers.pop();
  const logger = {
    info() {},
    debug() {},
    error() {},
    warn: (what: Json, words: string) => lines.push([words, what]),
  };
  const knell = await Knell.start({
    env: { KNELL_OIDC_ISSUER: issuer, KNELL_OIDC_CLIENT_ID: 'knell' },
    logger: logger as never,
  });
  closers.push(() => knell.stop());
  expect((await knell.request('/web/state')).status).toBe(200);
  await expect.poll(() => lines.filter(([words]) => /provider cannot be reached/.test(words)).length).toBe(1);
  expect(await browserOf(knell).land('http://knell.test/web/oidc/start')).toBe('/sign-in?failed=unreachable');
});

test('without a provider there is no such address, and settings that make no sense are refused', async () => {
  const knell = await Knell.start();
  closers.push(() => knell.stop());
  expect((await knell.request('/web/oidc/start')).status).toBe(404);
  expect((await knell.request('/web/oidc/callback?code=x')).status).toBe(404);
  const read = (env: Readonly<Record<string, string>>) => () => readConfig(env, {});
  expect(read({ KNELL_OIDC_ISSUER: 'http://id.example.org' })).toThrow('KNELL_OIDC_ISSUER');
  expect(read({ KNELL_OIDC_ISSUER: 'https://id.example.org' })).toThrow('must be set together');
  expect(read({ KNELL_OIDC_ROLE: 'owner' })).toThrow('must be one of none, viewer, editor, off');
});
