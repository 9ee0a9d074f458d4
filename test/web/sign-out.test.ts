/** An owner who signs out, and somebody who guesses a password. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 720 });
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  test('signs out, and lets nobody guess for long', async () => {
    await at.page.getByRole('button', { name: 'account of ada' }).click();
    await at.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await at.page.getByLabel('Name').fill('ada');
    await at.page.getByLabel('Password').fill('a guess');
    const password = at.page.locator('input[name="password"]');
    for (const type of ['text', 'password']) {
      await at.page.getByLabel('Show what I type').click();
      await expect.poll(() => password.getAttribute('type')).toBe(type);
    }
    await expect.poll(() => password.inputValue()).toBe('a guess');
    for (let n = 0; n < 30; n++) {
      if (await at.page.getByText('Too many attempts').isVisible()) break;
      await at.page.getByLabel('Password').fill(`guess ${n}`);
      await at.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await at.page.getByRole('alert').waitFor();
      const busy = () => at.page.locator('main button[disabled]').count();
      await expect.poll(busy).toBe(0);
    }
    await at.page.getByText('Too many attempts').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('had nothing to complain of', () => {
    expect(at.complaints.filter((text) => !/status of (401|429)|WebSocket/.test(text))).toEqual([]);
  });
});
