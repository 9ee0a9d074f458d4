/** What is said after a check was created, and of an empty schedule, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a new check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1024, height: 768 });
    await at.knell.create({ name: 'There' });
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const toast = (text: string) => at.page.locator('.toast', { hasText: text });

  test('offers to undo the check whose page follows, and no longer the one before', async () => {
    await at.open('new');
    await form().getByLabel(/^Name/).fill('Alpha');
    await form().getByRole('button', { name: 'Create and add another' }).click();
    await toast('Alpha was created.').waitFor();
    await form().getByLabel(/^Name/).fill('Beta');
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByRole('heading', { name: 'Beta', exact: true }).waitFor();
    await toast('Beta was created.').waitFor();
    await expect.poll(() => toast('Alpha').count()).toBe(0);
    await at.page.keyboard.press('u');
    await toast('Undone: “Beta was created.”').waitFor();
    await at.page.locator('.row', { hasText: 'Alpha' }).waitFor();
    await expect.poll(() => at.page.locator('.row', { hasText: 'Beta' }).count()).toBe(0);
  });

  test('says of an empty schedule that it is empty, and marks an unknown zone at once', async () => {
    await at.open('new');
    await form().getByLabel('Cron', { exact: true }).check();
    await form().getByLabel('Schedule', { exact: true }).fill('');
    await form().getByLabel('Time zone').fill('Mars/Base');
    await form().getByRole('button', { name: 'Create check' }).click();
    await expect.poll(() => form().locator('#tz-error').textContent()).toMatch(/^Unknown time zone/);
    await expect.poll(() => form().locator('#schedule-error').textContent()).toBe('Fill this in.');
  });
});
