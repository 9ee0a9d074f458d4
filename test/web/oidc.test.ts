/** The button for OpenID Connect in a real browser: it opens the provider's page, and what went wrong there is said. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OidcServer, oidcClient } from '../support/page/oidc-browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the button for OpenID Connect', () => {
  let at: OwnerBrowser;
  let provider: OidcServer;

  beforeAll(async () => {
    provider = await OidcServer.start();
    at = await OwnerBrowser.start({
      KNELL_OIDC_ISSUER: provider.issuer,
      KNELL_OIDC_CLIENT_ID: oidcClient.id,
      KNELL_OIDC_CLIENT_SECRET: oidcClient.secret,
      KNELL_OIDC_NAME: 'Sign in with Example',
    });
    await at.page.context().clearCookies();
  });

  afterAll(async () => {
    await at?.stop();
    await provider?.stop();
  });

  test('is beside the password, and says what went wrong', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/sign-in?failed=unverified`);
    await at.page.getByText('The provider has not verified your email address.').waitFor();
    await at.page.getByRole('link', { name: 'Sign in with Example' }).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.goto(`${at.knell.app.httpUrl}/sign-in?failed=<img src=x>`);
    await at.page.getByRole('link', { name: 'Sign in with Example' }).waitFor();
    await expect.poll(() => at.page.getByRole('alert').count()).toBe(0);
  });

  test('opens the sign-in page of the provider, by keyboard', async () => {
    await at.page.getByRole('link', { name: 'Sign in with Example' }).focus();
    expect(at.complaints).toEqual([]);
    await at.page.keyboard.press('Enter');
    await at.page.waitForURL(`${provider.issuer}/interaction/**`);
    await at.page.getByPlaceholder('Enter any login').waitFor();
  });
});
