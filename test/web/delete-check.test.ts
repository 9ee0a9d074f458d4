/** A check that is paused, goes on, and is deleted in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 720 });
    const { uuid } = await at.knell.create({ name: 'Backup' });
    await at.knell.request(`/ping/${uuid}`);
    await at.open(`checks/${uuid}`);
  });

  afterAll(() => at?.stop());

  test('pauses, resumes and deletes it, the last by its name', async () => {
    await at.page.getByRole('button', { name: 'Pause' }).click();
    await at.page.locator('.big').getByText('Paused').waitFor();
    await at.page.getByRole('main').getByRole('button', { name: 'Resume' }).click();
    await at.page.locator('.big').getByText('Waiting for a ping').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByRole('button', { name: 'More actions' }).click();
    await at.page.getByRole('menuitem', { name: 'Delete…' }).click();
    const sure = at.page.getByRole('button', { name: 'Delete permanently' });
    await expect.poll(() => sure.isDisabled()).toBe(true);
    await at.page.getByLabel('to confirm').fill('Backup');
    await sure.click();
    await at.page.getByText('Set up your first check').waitFor();
  });

  test('had nothing to complain of', () => {
    expect(at.complaints).toEqual([]);
  });
});
