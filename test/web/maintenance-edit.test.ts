/** The form of a maintenance window that is there, in a real browser: its times are said again only once they are changed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a maintenance window that is there', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const window = { name: 'Sundays', schedule: '0 2 * * 0', duration: '2h' };
    await at.knell.api('POST', '/api/v3/maintenance/', window);
  }, 60_000);

  afterAll(() => at?.stop());

  const said = () => at.page.locator('form p[aria-live]');
  /** Between the fields of its times and the part below. */
  const gapPx = () =>
    at.page.evaluate<number>(`(() => {
      const said = document.querySelector('form p[aria-live]');
      const above = [...said.previousElementSibling.querySelectorAll('input')].at(-1);
      return said.nextElementSibling.getBoundingClientRect().top - above.getBoundingClientRect().bottom;
    })()`);

  test.each([390, 1024])(
    'says its times once they are changed, and keeps no space before, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 2000 });
      await at.open('settings/maintenance');
      await at.page.getByRole('button', { name: 'Edit Sundays' }).click();
      await at.page.getByLabel('Name', { exact: true }).fill('All Sundays');
      await expect.poll(() => said().textContent()).toBe('');
      expect(await gapPx()).toBe(28);
      await at.page.getByLabel('Duration').fill('3h');
      const beforePx = await gapPx();
      await expect.poll(() => said().textContent(), { interval: 20 }).toMatch(/^Next: .*;.*;/);
      expect(await gapPx()).toBe(beforePx);
      await at.page.getByLabel('Duration').fill('2h');
      await expect.poll(() => said().textContent(), { interval: 20 }).toBe('');
      expect(await gapPx()).toBe(28);
    },
  );

  test('moves nothing when it says what is wrong', async () => {
    await at.page.setViewportSize({ width: 390, height: 2000 });
    await at.page.getByLabel('Begins at').fill('0 2 * *');
    const beforePx = await gapPx();
    await expect.poll(() => said().textContent(), { interval: 20 }).toMatch(/is not a valid cron/);
    expect(await gapPx()).toBe(beforePx);
  });
});
