/** Rows of checks that are deleted while the pointer rests on the list, in a real browser: own ones go, those of others say so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('deleted rows under the pointer', () => {
  let at: OwnerBrowser;
  const checks: Json[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['Alpha', 'Bravo', 'Charlie', 'Delta', 'Echo'])
      checks.push(await at.knell.create({ name, timeout: 3600, grace: 3600 }));
  }, 120_000);

  afterAll(() => at?.stop());

  test('are gone at once where the reader has deleted them', async () => {
    const { page } = at;
    await at.open('checks');
    for (const name of ['Bravo', 'Charlie']) await page.getByLabel(`Select ${name}`).check();
    await page.locator('.bulk').getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByRole('textbox').fill('2');
    const row = await page.locator('.row', { hasText: 'Echo' }).boundingBox();
    await dialog.getByRole('button', { name: 'Delete permanently' }).focus();
    await page.mouse.move((row?.x ?? 0) + 200, (row?.y ?? 0) + 10);
    await page.keyboard.press('Enter');
    await page.getByText('2 checks deleted').waitFor();
    await page.mouse.move((row?.x ?? 0) + 205, (row?.y ?? 0) + 12);
    await expect.poll(() => page.locator('.rows .row').allTextContents()).toHaveLength(3);
    expect(await page.locator('.row.loading').all()).toEqual([]);
  });

  test('say so where another one has', async () => {
    const { page } = at;
    await page.locator('.row', { hasText: 'Alpha' }).hover();
    await at.knell.api('DELETE', `/api/v3/checks/${checks[4]?.uuid}`);
    await page.getByText('Echo: deleted').waitFor();
    await page.mouse.move(2, 2);
    await expect.poll(() => page.locator('.rows .row').allTextContents()).toHaveLength(2);
  });
});
