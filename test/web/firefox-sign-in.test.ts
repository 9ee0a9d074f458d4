/** Signing in through OpenID Connect and the account page, in Firefox: a provider of its own, from the button to the sessions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firefoxMissing } from '../support/page/browser.ts';
import { OidcServer, oidcClient } from '../support/page/oidc-browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { freePort } from '../support/wire/free-port.ts';

describe.skipIf(firefoxMissing !== '')('in Firefox, a member', () => {
  let at: OwnerBrowser;
  let provider: OidcServer;

  beforeAll(async () => {
    const address = `127.0.0.1:${await freePort()}`;
    provider = await OidcServer.start(`http://${address}/web/oidc/callback`);
    provider.people.set('s-grace', { email: 'grace@example.org', email_verified: true });
    const env = {
      KNELL_HTTP: address,
      KNELL_BASE_URL: `http://${address}`,
      KNELL_OIDC_ISSUER: provider.issuer,
      KNELL_OIDC_CLIENT_ID: oidcClient.id,
      KNELL_OIDC_CLIENT_SECRET: oidcClient.secret,
      KNELL_OIDC_NAME: 'Sign in with Example',
      KNELL_OIDC_ROLE: 'editor',
    };
    at = await OwnerBrowser.start(env, 'firefox');
    await at.knell.create({ name: 'Nightly backup' });
    await at.page.context().clearCookies();
  });

  afterAll(async () => {
    await at?.stop();
    await provider?.stop();
  });

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const theme = () => at.page.evaluate<string | null>('document.documentElement.getAttribute("data-theme")');

  test('signs in at the provider, and lands on the page that was wanted', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await at.page.getByRole('link', { name: 'Sign in with Example' }).waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('link', { name: 'Sign in with Example' }).press('Enter');
    await at.page.getByPlaceholder('Enter any login').fill('s-grace');
    await at.page.getByPlaceholder('and password').fill('any');
    await button('Sign-in').click();
    await button('Continue').click();
    await at.page.getByRole('button', { name: /account of grace@example\.org/ }).waitFor();
    await at.page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await at.page.getByText('this browser').waitFor();
  });

  test('has an account page without faults, wide, on a phone, in light and dark', async () => {
    for (const width of [1280, 390, 320]) {
      await at.page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await at.page.emulateMedia({ colorScheme });
        expect([width, colorScheme, await at.findings(), (await at.overflow()) <= 0]).toEqual([
          width,
          colorScheme,
          [],
          true,
        ]);
      }
    }
    // Nobody signs in there by a password: the provider has it.
    await expect.poll(() => at.page.getByRole('heading', { name: 'Password' }).count()).toBe(0);
  });

  test('keeps a name, a time zone, a clock and colours, which hold after a reload', async () => {
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.page.getByRole('textbox', { name: 'Name' }).fill('Grace H.');
    await at.page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await at.page.getByLabel('Clock').selectOption('12');
    await at.page.getByLabel('Colours').selectOption('dark');
    await button('Save').press('Enter');
    await at.page.getByText('Saved.').waitFor();
    await expect.poll(theme).toBe('dark');
    await at.page.reload();
    await at.page.getByRole('button', { name: /account of Grace H\./ }).waitFor();
    await expect.poll(theme).toBe('dark');
    await expect.poll(() => at.page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
  });

  test('signs out by keyboard, and is asked to sign in', async () => {
    await at.page.getByRole('button', { name: /account of/ }).press('Enter');
    await at.page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
    await at.page.getByRole('link', { name: 'Sign in with Example' }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
