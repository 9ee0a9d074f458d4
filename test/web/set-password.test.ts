/** The page on which the first user sets name and password, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';

describe.skipIf(browserMissing !== '')('setting a password', () => {
  let knell: Knell;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    knell = await Knell.start();
    browser = await openBrowser('chromium');
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell.stop();
  });

  test('marks all fields that are wrong', async () => {
    const page = await browser.newPage();
    const { pathname, hash } = new URL(knell.app.setUpUrl ?? '');
    await page.goto(knell.app.httpUrl + pathname + hash);
    await page.locator('[name=name]').fill('');
    await page.locator('[name=password]').fill('short');
    await page.locator('[name=password]').press('Enter');
    await page.locator('#name-error').getByText('Fill this in.').waitFor();
    await expect
      .poll(() => page.locator('#password-error').textContent())
      .toMatch(/^At least \d+ characters\.$/);
  });
});
