/**
 * Accounts without a password: those who sign in by OpenID Connect are believed for some minutes after it, and those whom a proxy
 * signs in are the proxy's. A real provider, real mails.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { OidcBrowser, OidcServer, oidcClient } from '../support/page/oidc-browser.ts';
import { ownerPage, PageClient } from '../support/page/page-client.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const name = 'grace@example.org';
const refusal = 'sign out and in again first: there is no password to ask you for';
const minute = 60_000;

let provider: OidcServer;
let inbox: MailReceiver;
let knell: Knell;
let clock: SimulatedClock;

beforeAll(async () => {
  provider = await OidcServer.start();
  inbox = await MailReceiver.start();
  clock = new SimulatedClock(Date.now());
  const env = {
    KNELL_MAIL_URL: inbox.url,
    KNELL_OIDC_ISSUER: provider.issuer,
    KNELL_OIDC_CLIENT_ID: oidcClient.id,
    KNELL_OIDC_CLIENT_SECRET: oidcClient.secret,
    KNELL_OIDC_ROLE: 'viewer',
  };
  knell = await Knell.start({ clock, env });
  await ownerPage(knell);
});

afterAll(async () => {
  await knell?.stop();
  await inbox?.stop();
  await provider?.stop();
});

/** Somebody who has just signed in at the provider. */
async function signedIn(): Promise<PageClient> {
  provider.people.set('s-grace', { email: name, email_verified: true });
  const browser = new OidcBrowser(() => knell.app.httpUrl);
  await browser.signIn('s-grace');
  const page = new PageClient(knell);
  page.cookie = browser.cookie;
  await page.get('/web/state');
  return page;
}

test('another address is asked for, and the account closed, only soon after signing in', async () => {
  const page = await signedIn();
  expect((await page.get('/web/account')).json()).toMatchObject({ name, hasPassword: false });
  const asked = await page.post('/web/account', { name: 'hopper@example.net' });
  expect(asked.json()).toEqual({ asked: { to: 'hopper@example.net', error: null } });
  expect((await page.send('DELETE', '/web/account/new-address')).status).toBe(200);
  clock.skip(11 * minute);
  for (const answer of [
    await page.post('/web/account', { name: 'hopper@example.net' }),
    await page.post('/web/account/close', { name }),
  ])
    expect([answer.status, answer.json().error]).toEqual([409, refusal]);
  const again = await signedIn();
  expect((await again.post('/web/account/close', { name })).status).toBe(200);
  for (const one of [page, again]) expect((await one.get('/web/state')).json().user).toBeNull();
  // Who comes back is a new member.
  const { user } = (await (await signedIn()).get('/web/state')).json();
  expect([user.name, user.role]).toEqual([name, 'viewer']);
});

test('an account of a proxy is not closed here, as the proxy would bring it back', async () => {
  const proxied = await Knell.start({ env: { KNELL_AUTH_PROXY_HEADER: 'Remote-User' } });
  try {
    await new PageClient(proxied, { 'remote-user': 'ada' }).get('/web/state');
    const page = new PageClient(proxied, { 'remote-user': 'joan' });
    await page.post('/web/sign-out');
    await page.get('/web/state');
    const { closing } = (await page.get('/web/account')).json();
    expect(closing.refusal).toMatch(/^a proxy signs you in/);
    const answer = await page.post('/web/account/close', { name: 'joan' });
    expect([answer.status, answer.json().error]).toEqual([409, closing.refusal]);
    expect((await page.post('/web/account', { name: 'other@example.org' })).status).toBe(409);
  } finally {
    await proxied.stop();
  }
});
