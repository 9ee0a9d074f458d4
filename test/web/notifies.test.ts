/** Whom a check notifies, in the list in a real browser: what sends nothing now is marked there, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await failingHook(at);
    await at.knell.create({ name: 'Backup', channels: '*' });
    const schedule = { schedule: '0 18 * * 1-5', tz: 'Europe/Berlin', grace: 3600 };
    await at.knell.create({ name: 'Report', channels: '', ...schedule });
  }, 60_000);
  afterAll(() => at?.stop());

  test('marks integrations that fail, and those that this server cannot send to', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('checks');
    const cell = at.page.locator('.row', { hasText: 'Backup' }).locator('.notifies');
    await cell.locator('[title*="Failing since"] .mark').waitFor();
    await cell.locator('[title="Chat: Cannot send, needs KNELL_TELEGRAM_TOKEN"] .mark').waitFor();
    await at.page.setViewportSize({ width: 1024, height: 900 });
    // What has no space of its own marks the number.
    await cell.locator('.below-1280:is(.down, .late)').waitFor();
    expect(await at.findings('.row')).toEqual([]);
  });

  test.each([1440, 1024, 390])(
    'has space above and below each schedule, with its zone, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open('checks');
      const row = at.page.locator('.row', { hasText: 'Report' });
      const schedule = row.locator('.schedule');
      await schedule.locator(':text("Berlin"):visible').first().waitFor();
      const [above, below] = await schedule.evaluate((one: Json) => {
        const [inner, outer] = [one, one.closest('.row')].map((each: Json) => each.getBoundingClientRect());
        return [inner.top - outer.top, outer.bottom - inner.bottom];
      });
      expect([above >= 5, below >= 5]).toEqual([true, true]);
    },
  );
});
