/** The forms of an account that open on a phone: what gets the focus, and what is said of it, is above the bar at the bottom. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the focus', () => {
  let at: OwnerBrowser;
  let url = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_BASE_URL: '' });
    // A passkey belongs to a name, never to an address.
    url = at.knell.app.httpUrl.replace('127.0.0.1', 'localhost');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url }]);
  });

  afterAll(() => at?.stop());

  /** By how many pixels what has the focus, and what is said of it, ends above the bar at the bottom. */
  const aboveBar = () =>
    at.page.evaluate<number>(`(() => {
      const one = document.activeElement;
      const said = document.getElementById(one.getAttribute('aria-describedby') ?? '');
      const bar = [...document.querySelectorAll('header nav')].find((nav) => getComputedStyle(nav).position === 'fixed');
      return bar.getBoundingClientRect().top - (said ?? one).getBoundingClientRect().bottom;
    })()`);

  test.each([
    ['Set up…', 'Turn on', 'Your password', 'Code that the app shows'],
    ['Add a passkey…', 'Add passkey', 'Name of the passkey', 'Name of the passkey'],
  ])('is above the bar of a phone in the form that opens by %s', async (opener, send, first, other) => {
    for (const height of [844, 664, 560]) {
      await at.page.setViewportSize({ width: 390, height });
      await at.page.goto(`${url}/account`);
      await at.page.getByRole('button', { name: opener, exact: true }).click();
      const focused = () => at.page.evaluate<string>('document.activeElement.labels?.[0]?.textContent');
      await expect.poll(focused).toMatch(new RegExp(`^${first}`));
      await expect.poll(aboveBar).toBeGreaterThan(4);
      await at.page.getByLabel(other).fill('000000');
      await at.page.getByLabel('Your password').fill('not the password');
      await at.page.getByRole('button', { name: send }).press('Enter');
      await at.page.getByText('This is not your current password.').waitFor();
      await expect.poll(focused).toBe('Your password');
      await expect.poll(aboveBar).toBeGreaterThan(4);
    }
  });
});
