/** What has the focus on the pages of integrations can be seen on a phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the focus, among integrations,', () => {
  let at: OwnerBrowser;
  let channel = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    channel = await failingHook(at);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  afterAll(() => at?.stop());

  const faults = () => focusFaults(at.page);

  test.each([
    ['the integrations', 'integrations', '.gallery'],
    ['a new webhook', 'integrations/new/webhook', 'textarea'],
  ])('is in sight at every stop of %s on a phone', async (_, path, settled) => {
    await at.open(path);
    await at.page.locator(settled).first().waitFor();
    expect(await faults()).toEqual([]);
    expect(await focusFaults(at.page, 'Shift+Tab')).toEqual([]);
  });

  test('is in sight at every stop of an integration, with the notices above it', async () => {
    await at.open(`integrations/${channel}`);
    await at.page.locator('.notice').first().waitFor();
    await at.page.getByRole('radio', { name: 'Chosen checks' }).check();
    await at.page.locator('.choices input').first().waitFor();
    expect(await faults()).toEqual([]);
  });
});
