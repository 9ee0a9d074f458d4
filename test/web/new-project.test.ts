/** A project that is created in a real browser. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a project', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'job' });
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('is cancelled by Escape and by its button, and the focus goes back', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    for (const leave of [() => at.page.keyboard.press('Escape'), () => button('Cancel').press('Enter')]) {
      await button('New project').press('Enter');
      await expect.poll(() => button('Create project').count()).toBe(1);
      await leave();
      await expect.poll(() => button('Create project').count()).toBe(0);
      expect(await at.page.evaluate('document.activeElement.textContent')).toContain('New project');
    }
  });

  test('has its form opened by the palette on the page itself, with the focus in it', async () => {
    const { page } = at;
    await page.goto(`${at.knell.app.httpUrl}/projects`);
    await button('New project').waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.className');
    const ask = async (): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('new project');
      await page.getByRole('option', { name: 'New project' }).waitFor();
      await page.keyboard.press('Enter');
    };
    await ask();
    await button('Create project').waitFor();
    await expect.poll(focused).toBe('new-name');
    // Where it is open already, the focus goes back there.
    await button('Create project').focus();
    await ask();
    await expect.poll(focused).toBe('new-name');
    await page.keyboard.type('night');
    await expect.poll(() => page.locator('.new-name').inputValue()).toBe('night');
    await page.keyboard.press('Escape');
    await expect.poll(() => button('Create project').count()).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await ask();
    await expect.poll(focused).toBe('new-name');
    await page.keyboard.press('Escape');
  });

  test('makes another one, limited to the free plan, and shows its keys, which work', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await button('New project').click();
    // Typed at once: a letter without a field is a shortcut, `n` the form of a new check.
    await at.page.keyboard.type('enduring');
    await expect.poll(() => at.page.getByLabel('Name', { exact: true }).inputValue()).toBe('enduring');
    await at.page.getByLabel('Name', { exact: true }).fill('third');
    await at.page.getByLabel(/^Limit it to 20 checks/).check();
    await at.page.getByLabel('Name', { exact: true }).press('Enter');
    await at.page.getByText('third was created').waitFor();
    const key = (await at.page.locator('.shown-once pre').first().textContent()) ?? '';
    expect((await at.knell.request('/api/v3/checks/', { headers: { 'x-api-key': key } })).status).toBe(200);
    // The keys are shown only once.
    await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Copy');
    const question = at.page.getByRole('dialog', { name: 'Leave without copying the key?' });
    for (const leave of [at.page.getByRole('link', { name: 'Go to third' }), button('Close')]) {
      await leave.press('Enter');
      await question.getByRole('button', { name: 'Stay' }).press('Enter');
      await question.waitFor({ state: 'hidden' });
    }
    const { page } = at;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const at of [0, 1]) {
      const copy = page.locator('.shown-once .copyable button').nth(at);
      await copy.press('Enter');
      await expect.poll(() => copy.textContent()).toBe('Copied');
    }
    await expect.poll(() => at.page.getByLabel('Name', { exact: true }).count()).toBe(0);
    await at.page.keyboard.press('Escape');
    await expect.poll(() => button('Close').count()).toBe(1);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByRole('link', { name: 'Go to third' }).click();
    await at.page.getByText('Set up your first check').waitFor();
    await at.page.getByRole('button', { name: 'More', exact: true }).click();
    await at.page.getByRole('menuitem', { name: 'Settings' }).click();
    await at.page.getByText('0 of the 20 checks of the free plan').waitFor();
    const [third] = (await at.owner.get('/web/state')).json().projects.slice(-1);
    await at.owner.post(`/web/in/${third.id}/delete`, { name: 'third' });
    await at.open('settings');
  });

  test('keeps the keys of each project until they are dismissed', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await button('New project').click();
    const name = at.page.getByLabel('Name', { exact: true });
    const box = (of: string) => at.page.locator('.shown-once', { hasText: `${of} was created` });
    for (const one of ['alpha', 'beta']) {
      await name.fill(one);
      await name.press('Enter');
      await box(one).waitFor();
      await button('Create another project').click();
      await expect.poll(() => at.page.evaluate('document.activeElement.value')).toBe('');
    }
    const keys = async (of: string) => (await box(of).locator('pre').allTextContents()).join();
    expect(await keys('alpha')).toMatch(/^hcw_\S+,hcr_\S+$/);
    expect(await keys('alpha')).not.toBe(await keys('beta'));
    expect(await at.findings()).toEqual([]);
    for (const width of [390, 1024, 1440]) {
      await at.page.setViewportSize({ width, height: 800 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await button('Hide these keys of beta').press('Enter');
    await expect.poll(() => box('beta').count()).toBe(0);
    await expect.poll(() => box('alpha').count()).toBe(1);
    await expect.poll(() => at.page.evaluate('document.activeElement.value')).toBe('');
    await name.press('Escape');
    await expect.poll(() => box('alpha').count()).toBe(1);
    await button('Hide these keys of alpha').click();
    await name.press('Escape');
    await expect.poll(() => button('Create project').count()).toBe(0);
  });

  test('is refused with a name that exists, at the field', async () => {
    await at.owner.post('/web/projects', { name: 'Northwind' });
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await button('New project').click();
    const name = at.page.getByLabel('Name', { exact: true });
    await name.fill('Northwind');
    await button('Create project').click();
    await at.page.locator('#name-error', { hasText: 'A project named Northwind exists already.' }).waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    expect(await at.findings()).toEqual([]);
    await name.fill('');
    await button('Cancel').click();
  });

  test('is refused with a name that is too long, and nothing is cut', async () => {
    const long = 'n'.repeat(101);
    const refused = async (name: Locator, send: string): Promise<void> => {
      await name.fill('');
      await at.page.keyboard.insertText(long);
      await expect.poll(() => name.inputValue()).toBe(long);
      await button(send).click();
      await at.page.getByRole('alert').getByText('Use at most 100 characters.').waitFor();
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
      await expect
        .poll(() => name.evaluate((one: Json) => one === one.ownerDocument.activeElement))
        .toBe(true);
    };
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await button('New project').click();
    await refused(at.page.getByLabel('Name', { exact: true }), 'Create project');
    await at.open('settings');
    const own = at.page.getByLabel('Name of this project');
    await refused(own, 'Rename');
    await own.fill(long.slice(1));
    await button('Rename').click();
    await at.page.getByText('Renamed.').waitFor();
    const { projects } = (await at.owner.get('/web/state')).json();
    expect(projects.map(({ name }: Json) => name)).toContain(long.slice(1));
  });
});
