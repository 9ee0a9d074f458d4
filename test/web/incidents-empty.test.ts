/** The list of incidents in a real browser while there is none: nothing is monitored, or all is well. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('incidents of which there is none', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.open('incidents');
  });
  afterAll(() => at.stop());

  test('say in a project without checks that nothing is monitored, and go on to the first one', async () => {
    await at.page.getByRole('heading', { name: 'Nothing is monitored yet' }).waitFor();
    expect(await at.findings()).toEqual([]);
    // A dashed ring would look like one that loads.
    await expect.poll(() => at.page.locator('.no-incidents .mark').count()).toBe(0);
    await at.page.getByRole('link', { name: 'Create a check' }).click();
    await at.page.waitForURL('**/new');
  });

  test('say that there is none once a check is watched', async () => {
    await at.knell.create({ name: 'job' });
    await at.open('incidents');
    await at.page.getByRole('heading', { name: 'No incidents' }).waitFor();
    await expect.poll(() => at.page.getByText('Nothing is monitored yet').count()).toBe(0);
  });
});
