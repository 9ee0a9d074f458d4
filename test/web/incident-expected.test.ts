/** An incident of a ping that did not come, in a real browser: when it was expected, and later who marked the check as up by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('an incident of a ping that did not come', () => {
  let at: OwnerBrowser;
  let uuid: string;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    ({ uuid } = await at.knell.create({ name: 'heartbeat', channels: '', timeout: 3600, grace: 600 }));
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(90 * 60_000);
  });
  afterAll(() => at?.stop());

  const open = async (): Promise<void> => {
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/')).json();
    await at.open(`incidents/${incidents[0].id}`);
  };

  test.each([1440, 390])('says when it was expected, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    await open();
    await at.page
      .locator('.incident-checks')
      .getByText(/^Expected (?:at|yesterday) .+, every hour; last success (?:at|yesterday) /)
      .waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });

  test('says who marked the check as up', async () => {
    await at.owner.post(`/web/in/${at.project}/checks/${uuid}/ping`, { mark_up: true });
    await open();
    await at.page.locator('.timeline').getByText('Marked as up by ada: resolved').waitFor();
    await expect.poll(() => at.page.getByText('is no longer down').count()).toBe(0);
    await at.clock.advance(90 * 60_000);
    await at.knell.request(`/ping/${uuid}`);
    await open();
    await at.page.locator('.timeline').getByText('heartbeat is no longer down: resolved').waitFor();
  });
});
