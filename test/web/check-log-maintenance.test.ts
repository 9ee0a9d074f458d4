/** The log of a check in a real browser: it says when maintenance of the check began and ended, and who ended it early. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('maintenance in the log of a check', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    check = await at.knell.create({ name: 'nightly', tags: 'db' });
    await at.knell.request(`/ping/${check.uuid}`);
    await at.clock.advance(60_000);
    const move = { name: 'DB move', tags: ['db'], duration: '1h' };
    await at.knell.api('POST', '/api/v3/maintenance/', move);
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Others', tags: ['web'], duration: '1h' });
    await at.clock.advance(2 * 3_600_000);
    const restart = { name: 'Restart', checks: [check.uuid], duration: '2h' };
    await at.knell.api('POST', '/api/v3/maintenance/', restart);
    await at.clock.advance(60_000);
  });
  afterAll(() => at?.stop());

  const said = () =>
    at.page
      .locator('#log .said', { hasText: /aintenance/ })
      .evaluateAll((all) => all.map((one) => one.textContent));

  test('has when it began and ended, of windows about the check', async () => {
    await at.page.setViewportSize({ width: 1280, height: 900 });
    await at.open(`checks/${check.uuid}`);
    const past = ['Maintenance ended · DB move', 'Maintenance began · DB move'];
    await expect
      .poll(said)
      .toEqual([expect.stringMatching(/^Maintenance began · Restart · until \S/), ...past]);
    // What is done on the page is there at once.
    await at.page.locator('.now .taken').getByRole('button', { name: 'End' }).click();
    await expect
      .poll(said)
      .toEqual(['Maintenance ended early by ada · Restart', 'Maintenance began · Restart', ...past]);
    await at.page.locator('#log').getByRole('button', { name: 'Acknowledged, snoozed, maintenance' }).click();
    await expect.poll(() => at.page.locator('#log ol.log > li').count()).toBe(4);
    await expect.poll(said).toHaveLength(4);
    expect(await at.findings('.log-card')).toEqual([]);
    for (const width of [1440, 1024, 768, 390]) {
      await at.page.setViewportSize({ width, height: 900 });
      await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
    }
  });
});
