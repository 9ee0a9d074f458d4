/** What has the focus can be seen: not below the bar of a phone, not below what stays at the side, and its ring is not cut off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the focus', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await failingHook(at);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  afterAll(() => at?.stop());

  const faults = () => focusFaults(at.page);

  test.each([
    ['the badges', 'badges', 'img'],
    ['the settings', 'settings', '.line'],
  ])('is in sight at every stop of %s on a phone', async (_, path, settled) => {
    await at.open(path);
    await at.page.locator(settled).first().waitFor();
    expect(await faults()).toEqual([]);
    expect(await focusFaults(at.page, 'Shift+Tab')).toEqual([]);
  });

  test('has its ring in the list of the pages of the manual', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.goto(`${at.knell.app.httpUrl}/docs/installing`);
    expect(await faults()).toEqual([]);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  test('is in sight in the overview, where a phone reads that it is an integration that fails', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    const said = at.page.locator('.narrow-only', { hasText: /^1 integration failing, 1 cannot send$/ });
    await said.waitFor();
    // The table has it of each project.
    await at.page.locator('.notice').waitFor({ state: 'detached' });
    expect(await faults()).toEqual([]);
    await at.page.setViewportSize({ width: 1024, height: 844 });
    await at.page.getByRole('cell', { name: '1 failing, 1 cannot send in default' }).waitFor();
    await said.waitFor({ state: 'hidden' });
  });
});
