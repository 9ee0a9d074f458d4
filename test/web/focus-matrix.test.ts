/** What has the focus in the matrix can be seen on a phone, where it scrolls to the side below names that stay. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the matrix', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let n = 0; n < 8; n++) await at.knell.create({ name: `job ${n}` });
    // So many that it scrolls to the side, and back for each of its rows.
    for (let n = 0; n < 4; n++)
      await at.owner.post(`/web/in/${at.project}/channels`, {
        kind: 'telegram',
        name: `Chat ${n}`,
        value: JSON.stringify({ id: n + 5 }),
      });
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('integrations?view=matrix');
    await at.page.locator('.matrix-row input').first().waitFor();
  });

  afterAll(() => at?.stop());

  test.each(['Tab', 'Shift+Tab'] as const)('shows where one is at every stop, by %s', async (key) => {
    expect(await focusFaults(at.page, key)).toEqual([]);
  });
});
