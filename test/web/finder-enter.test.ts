/** Enter in a field that finds checks in a form: it ticks the only one that is found, and never submits. In a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('Enter where checks are found in a form', () => {
  let at: OwnerBrowser;
  /** What a form that is submitted sends. */
  const sent: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const mail = { kind: 'email', name: 'Ops', fields: { value: 'ops@example.org', down: 'yes', up: 'yes' } };
    await at.owner.post(`/web/in/${at.project}/channels`, mail);
    for (let n = 1; n <= 12; n++) await at.knell.create({ name: `job ${n}`, channels: '' });
    await at.knell.create({ name: 'backup', channels: '' });
    at.page.on('request', (request) => {
      if (request.method() !== 'GET' && !request.url().endsWith('/preview')) sent.push(request.url());
    });
  });
  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const finder = () => form().getByLabel('Find checks by name, slug or tag');
  const backup = () => form().getByRole('checkbox', { name: 'backup', exact: true });

  /** Presses Enter with every text that a form must not be submitted for. */
  const tryEnter = async (): Promise<void> => {
    sent.length = 0;
    await finder().press('Enter');
    await finder().fill('job 1');
    await finder().press('Enter');
    await finder().fill('nothing like it');
    await finder().press('Enter');
    await expect.poll(() => form().locator('.choices.names input').count()).toBe(0);
    await expect.poll(() => finder().inputValue()).toBe('nothing like it');
    // As quickly as somebody types who knows the name.
    await finder().fill('');
    await finder().pressSequentially('backup');
    await finder().press('Enter');
    await expect.poll(() => finder().inputValue()).toBe('');
    await expect.poll(() => backup().isChecked()).toBe(true);
    await expect.poll(() => form().locator('.choices.names :checked').count()).toBe(1);
    // It ticks, and takes no tick away.
    await finder().pressSequentially('backup');
    await finder().press('Enter');
    await expect.poll(() => finder().inputValue()).toBe('');
    await expect.poll(() => backup().isChecked()).toBe(true);
    expect(sent).toEqual([]);
  };

  test('an integration is not saved', async () => {
    await at.open('integrations');
    await at.page.getByRole('link', { name: 'Ops', exact: true }).click();
    await form()
      .getByRole('radio', { name: /^Chosen checks/ })
      .check();
    await tryEnter();
  });

  test('a status page is not published', async () => {
    await at.open('status-pages');
    await at.page.getByRole('button', { name: 'Create status page' }).first().click();
    await tryEnter();
  });

  test('a page that lacks checks has the focus where they are found, and says that it is published', async () => {
    const { page } = at;
    await backup().uncheck();
    await form().getByLabel('Title').fill('Our status');
    await form().getByLabel('Name for readers').fill('Search');
    await form().getByRole('button', { name: 'Publish' }).press('Enter');
    await form().getByText('Choose at least one check').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.type')).toBe('search');
    await page.keyboard.type('backup');
    await page.keyboard.press('Enter');
    await expect.poll(() => backup().isChecked()).toBe(true);
    await form().getByRole('button', { name: 'Publish' }).press('Enter');
    await page.locator('.toast').getByText('Published: Our status.').waitFor();
    await page.getByRole('button', { name: 'Edit Our status' }).press('Enter');
    await form().getByLabel('Title').fill('Their status');
    await form().getByRole('button', { name: 'Publish changes' }).press('Enter');
    await page.locator('.toast').getByText('Saved: Their status.').waitFor();
  });

  test('a maintenance window is not created', async () => {
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).first().click();
    await form().getByLabel('Chosen checks').check();
    await tryEnter();
  });

  test('a check is not saved from the field that finds what its alerts wait for', async () => {
    const { uuid } = await at.knell.create({ name: 'export', channels: '' });
    await at.open(`checks/${uuid}?edit`);
    const depends = form().getByLabel(/^No alert while one of these/);
    await depends.waitFor({ state: 'attached' });
    if (!(await depends.isVisible())) await form().locator('summary', { hasText: 'Alerts' }).click();
    // A form that has changed and is submitted would be saved and closed.
    await form().getByLabel(/^Name/).fill('half-written');
    sent.length = 0;
    for (const text of ['', '  ']) {
      await depends.fill(text);
      await depends.press('Enter');
    }
    await depends.waitFor();
    expect(sent).toEqual([]);
  });
});
