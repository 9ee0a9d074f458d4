/** All that is wrong in the form of a status page is marked at once, each at its field, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a status page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.create({ name: 'backup', tags: 'web', channels: '' });
    await at.open('status-pages/new');
  });
  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const marked = () =>
    form()
      .locator('[aria-invalid=true]')
      .evaluateAll((all) => all.map((one) => one.closest('label, .field')?.textContent?.trim() ?? ''));
  const said = () => form().locator('.problem').allTextContents();
  const isSaidInView = (words: string) =>
    form()
      .getByText(words)
      .evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top >= 0 && bottom <= 900;
      });

  test('marks the name and the checks of a service at once, in view', async () => {
    await form().getByLabel('Title').fill('Quarter');
    await form().getByLabel('Title').press('Enter');
    await expect
      .poll(said)
      .toEqual(['Enter a name for readers.', 'Choose at least one check, or all with a tag.']);
    await expect.poll(marked).toEqual(['Name for readers', 'backup']);
    await expect.poll(() => at.page.evaluate('document.activeElement.placeholder')).toBe('Such as Website');
    await expect.poll(() => isSaidInView('Enter a name for readers.')).toBe(true);
    expect(await at.findings()).toEqual([]);
  });

  test('takes each mark away while one types', async () => {
    await form().getByLabel('Name for readers').fill('Web');
    await expect.poll(said).toEqual(['Choose at least one check, or all with a tag.']);
    await expect.poll(() => at.page.evaluate('document.activeElement.placeholder')).toBe('Such as Website');
    await form().getByLabel('All checks with a tag').check();
    await expect.poll(said).toEqual([]);
    await form().getByLabel('Title').press('Enter');
    await expect.poll(said).toEqual(['Enter a tag.']);
    await expect.poll(marked).toEqual(['Tag']);
    await form().getByLabel('Tag', { exact: true }).fill('web');
    await expect.poll(said).toEqual([]);
  });

  test('opens each service that is wrong', async () => {
    await form().getByRole('button', { name: 'Add service' }).click();
    await form().getByLabel('Name for readers').fill('');
    await form().getByRole('button', { name: /^Edit/ }).click();
    await form().getByLabel('Tag', { exact: true }).fill('');
    await form().getByLabel('Title').fill('');
    await form().getByLabel('Title').press('Enter');
    await expect
      .poll(said)
      .toEqual([
        'Give the page a title. Its address follows from it.',
        'Enter a tag.',
        'Enter a name for readers.',
        'Choose at least one check, or all with a tag.',
      ]);
    await form().getByLabel('Title').fill('Quarter');
    await form().getByLabel('Tag', { exact: true }).fill('web');
    await form()
      .getByRole('button', { name: /^Remove/ })
      .last()
      .click();
    await expect.poll(said).toEqual([]);
    await form().getByRole('button', { name: 'Publish' }).click();
    await at.page.locator('.toast').getByText('Published: Quarter.').waitFor();
  });

  test('marks an address that another page has', async () => {
    await at.open('status-pages/new');
    await form().getByLabel('Title').fill('Quarter');
    await form().getByLabel('Name for readers').fill('Web');
    await form().getByLabel('backup').check();
    await form().getByLabel('Name for readers').press('Enter');
    await expect.poll(said).toEqual(['Another status page has the address quarter.']);
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('slug');
    await expect.poll(() => form().locator('[aria-invalid=true]').count()).toBe(1);
    expect(at.complaints.filter((one) => !one.includes('409'))).toEqual([]);
  });
});
