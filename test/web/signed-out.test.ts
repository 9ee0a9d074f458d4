/** A session that ends elsewhere, in a real browser: what somebody has typed into a form stays, and is saved after signing in again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { PageClient } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('a session that is ended elsewhere', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    uuid = (await at.knell.create({ name: 'Backup' })).uuid;
  });
  afterAll(() => at?.stop());

  const name = () => at.page.getByLabel(/^Name/);
  const dialog = () => at.page.getByRole('dialog', { name: 'You were signed out' });
  const path = () => new URL(at.page.url()).pathname;

  /** Ends the session of the page, and returns another one. */
  async function endSessions(): Promise<PageClient> {
    const other = new PageClient(at.knell);
    await other.signIn('ada');
    at.clock.skip(1000);
    expect((await other.post('/web/account/sessions/others')).status).toBe(200);
    return other;
  }

  async function take({ cookie }: PageClient): Promise<void> {
    const [key = '', value = ''] = cookie.split('=');
    await at.page.context().addCookies([{ name: key, value, url: at.knell.app.httpUrl }]);
  }

  test('keeps what is not saved, which is saved once one has signed in again', async () => {
    await at.open(`checks/${uuid}?edit=`);
    await name().fill('Nightly backup');
    const other = await endSessions();
    await dialog().getByText('What you have changed here is kept.').waitFor();
    // The server is there: nothing is wrong with the connection.
    await at.page.locator('header .connection').getByText('Signed out', { exact: true }).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await expect
      .poll(() => dialog().getByRole('link', { name: 'Sign in' }).getAttribute('target'))
      .toBe('_blank');
    await dialog().getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => name().inputValue()).toBe('Nightly backup');
    // What is sent without a session is refused, and why is said again.
    await at.page.getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor();
    await take(other);
    await at.page.evaluate("dispatchEvent(new Event('focus'))");
    await dialog().waitFor({ state: 'hidden' });
    await at.page.getByText('You are signed in again, and can save now.').waitFor();
    await expect.poll(() => name().inputValue()).toBe('Nightly backup');
    await at.page.getByRole('button', { name: 'Save' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Nightly backup' }).waitFor();
    expect((await at.knell.check(uuid)).name).toBe('Nightly backup');
  });

  test('shows the sign-in page where nothing is lost', async () => {
    await at.open(`checks/${uuid}?edit=`);
    await name().waitFor();
    await endSessions();
    await at.page.getByLabel('Password').waitFor();
    expect(path()).toBe('/sign-in');
    expect(at.complaints.filter((text) => !/status of 401|WebSocket/.test(text))).toEqual([]);
  });
});
