/** Times as a British browser writes them, in a real one: small letters after the hour, and no comma behind the day of the week. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('times in British English', () => {
  let at: OwnerBrowser;
  let page: OwnerBrowser['page'];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const browser = at.page.context().browser();
    const cookies = await at.page.context().cookies();
    const context = await browser?.newContext({ locale: 'en-GB' });
    await context?.addCookies(cookies);
    page = (await context?.newPage()) ?? at.page;
  });

  afterAll(() => at?.stop());

  test('look alike in this year and the next', async () => {
    await page.goto(`${at.knell.app.httpUrl}/project/${at.project}/new`);
    await page.getByLabel('Cron', { exact: true }).check();
    await page.getByLabel('Schedule', { exact: true }).fill('0 3 28 1,12 *');
    const times = page.locator('form').getByText(/ (Dec|Jan)( \d{4})?, 03:00/);
    // In December the times of the schedule that the form begins with look like these.
    const text = async () => (await times.allTextContents()).join(' ');
    await expect.poll(text).toMatch(/\d{4}, 03:00/);
    expect(await text()).not.toMatch(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun),/);
  });

  test('are on a clock of 12 hours as the choice of it says', async () => {
    await page.goto(`${at.knell.app.httpUrl}/account`);
    const option = page.locator('option[value="12"]');
    await expect.poll(() => option.textContent()).toMatch(/^12 hours \(5:05\spm\)$/);
  });
});
