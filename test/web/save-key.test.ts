/** Ctrl+Enter saves a form from anywhere in it, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('Ctrl+Enter', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.create({ name: 'database', slug: 'database', channels: '' });
  });
  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const depends = () => form().getByLabel(/^No alert while one of these/);
  const saved = (name: string) => at.page.getByRole('heading', { level: 1, name }).waitFor();

  test('saves a check from the field of what its alerts wait for', async () => {
    await at.open('new');
    await form().getByLabel(/^Name/).fill('export');
    await form().locator('summary', { hasText: 'Alerts' }).click();
    await depends().fill('database');
    await form().getByRole('option', { name: 'database' }).waitFor();
    await depends().press('Enter');
    await form().locator('.chosen', { hasText: 'database' }).waitFor();
    await depends().press('Control+Enter');
    await saved('export');
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form().getByLabel(/^Name/).fill('exports');
    // What is typed is chosen, too.
    await depends().press('Control+Enter');
    await saved('exports');
  });

  test('saves from the heading of a part', async () => {
    await at.open('new');
    await form().getByLabel(/^Name/).fill('import');
    await form().locator('summary', { hasText: 'Runs' }).press('Control+Enter');
    await saved('import');
  });

  test('saves from a field that finds checks in a form', async () => {
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).first().click();
    await form().getByLabel('Name', { exact: true }).fill('Night');
    await form().getByLabel('Chosen checks').check();
    await form().getByLabel('database').check();
    await form().getByRole('checkbox', { name: 'database' }).press('Control+Enter');
    await at.page.locator('.toast').getByText('Night was created.').waitFor();
  });

  test('sums up of the runs only what is right', async () => {
    await at.open('new');
    const runs = () => form().locator('details', { has: at.page.locator('summary', { hasText: /^Runs/ }) });
    await runs().locator('summary').first().click();
    await runs()
      .getByLabel(/^Exit statuses/)
      .fill('abc=foo');
    await runs()
      .getByLabel(/^Machines/)
      .fill('db-1 db-1');
    await expect.poll(() => runs().locator('summary').first().textContent()).toContain('1 machine');
    await expect.poll(() => runs().locator('summary').first().textContent()).not.toContain('abc');
    await runs()
      .getByLabel(/^Exit statuses/)
      .fill('24=warning');
    await expect.poll(() => runs().locator('summary').first().textContent()).toContain('statuses 24=warning');
    expect(at.complaints).toEqual([]);
  });
});
