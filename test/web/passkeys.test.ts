/** Passkeys in a real browser, with the authenticator that its developers' tools simulate: added, used, removed, refused. */
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { goodPassword, ownerPage, PageClient } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('a passkey', () => {
  let knell: Knell;
  let owner: PageClient;
  let context: BrowserContext;
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId = '';
  let url = '';

  beforeAll(async () => {
    // Its base URL is that of localhost then: an address is no name that a passkey could belong to.
    knell = await Knell.start({ env: { KNELL_BASE_URL: '' } });
    url = `http://localhost:${new URL(knell.app.httpUrl).port}`;
    owner = await ownerPage(knell);
    const browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 360, height: 800 } });
    const [name = '', value = ''] = owner.cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    // The browser signs out of that session.
    owner = new PageClient(knell);
    await owner.signIn('ada');
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    authenticatorId = await newAuthenticator();
  });

  afterAll(async () => {
    await closeBrowser(context?.browser());
    await knell?.stop();
  });

  async function newAuthenticator(): Promise<string> {
    const made = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return made.authenticatorId;
  }

  const account = async (): Promise<Json> => (await owner.get('/web/account')).json();

  async function signOut(): Promise<void> {
    await page.getByRole('button', { name: /account of ada/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  }

  test('is added with the current password, and listed', async () => {
    await page.goto(`${url}/account`);
    const focused = () =>
      page.evaluate<string>(
        '(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent)(document.activeElement)',
      );
    await page.getByRole('button', { name: 'Add a passkey…' }).press('Enter');
    await expect.poll(focused).toBe('Name of the passkey optional, “Passkey” if empty');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect.poll(focused).toBe('Add a passkey…');
    await page.getByRole('button', { name: 'Add a passkey…' }).press('Enter');
    await page.getByText('No passkey yet.').waitFor({ state: 'detached' });
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await expect.poll(() => page.getByRole('button', { name: 'Add passkey' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Add passkey' }).press('Enter');
    await page.getByText('Enter your current password.').waitFor();
    await expect.poll(focused).toBe('Your password');
    await page.getByLabel('Your password').fill('not the password');
    const form = page.locator('form', { has: page.getByLabel('Name of the passkey') });
    await form.getByLabel('Show what I type').check();
    await expect.poll(() => page.getByLabel('Your password').getAttribute('type')).toBe('text');
    await form.getByLabel('Show what I type').uncheck();
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('This is not your current password.').waitFor();
    await expect.poll(focused).toBe('Your password');
    await expect.poll(() => page.getByLabel('Your password').getAttribute('aria-invalid')).toBe('true');
    expect((await account()).passkeys).toEqual([]);
    await page.getByLabel('Your password').fill(goodPassword);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('not used yet').waitFor();
    expect((await account()).passkeys).toMatchObject([{ name: 'Laptop', usedAtMs: null }]);
  });

  test('signs in without a name or a password', async () => {
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: /account of ada/ }).waitFor();
    expect((await account()).passkeys[0].usedAtMs).toBeGreaterThan(0);
    expect((await owner.get('/web/audit')).text).toContain('with a passkey');
  });

  test('of a copied authenticator is refused: its counter has not grown', async () => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    if (!credential) throw new Error('the authenticator has nothing');
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    authenticatorId = await newAuthenticator();
    await devtools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is not known here').waitFor();
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    authenticatorId = await newAuthenticator();
    await devtools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 100 },
    });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: /account of ada/ }).waitFor();
  });

  test('signs nobody in once it is removed', async () => {
    await page.goto(`${url}/account`);
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor({ state: 'detached' });
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is not known here').waitFor();
  });

  test('is not taken from garbage, nor a challenge twice or from somebody else', async () => {
    const stranger = (body: unknown) =>
      knell.request('/web/sign-in/passkey', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    for (const response of [undefined, null, 7, {}, { id: 'x' }, { id: 'x', response: {} }, []])
      expect((await stranger({ response })).status).toBe(401);
    for (const response of [undefined, null, {}, { id: 'x', rawId: 'x', response: {}, type: 'public-key' }])
      expect((await owner.post('/web/account/passkeys', { response })).status).toBe(400);
  });
});
