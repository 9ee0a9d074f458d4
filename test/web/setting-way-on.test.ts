/** From the tile of a kind that the server lacks a setting for, in a real browser: the setting is saved, and the integration added. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a setting that a kind of integration needs', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  test('has the way on to the form of that kind once it is saved', async () => {
    await at.open('integrations');
    await at.page.locator('a.kind[data-kind=email]').click();
    const row = at.page.locator('#KNELL_MAIL_URL');
    const coming = row.getByText('Then you go on with adding Email.');
    await coming.waitFor();
    await row.getByLabel('Host', { exact: true }).fill('mail.example.org');
    const next = row.getByRole('link', { name: 'Add Email' });
    await expect.poll(() => next.count()).toBe(0);
    await row.getByRole('button', { name: 'Save', exact: true }).click();
    await next.waitFor();
    await expect.poll(() => coming.count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await next.click();
    await at.page.getByRole('heading', { name: 'Add integration: Email' }).waitFor();
    expect(at.complaints).toEqual([]);
  });
});
