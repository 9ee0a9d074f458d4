/** A project that is deleted, by its owner or by somebody else, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const evil = '<img src=x onerror="window.evil=1">';

describe.skipIf(browserMissing !== '')('a project', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'job' });
    await at.owner.post(`/web/in/${at.project}/rename`, { name: evil });
    await at.owner.post('/web/projects', { name: 'second' });
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('is left with a word of explanation where somebody else deletes it', async () => {
    const [, second] = (await at.owner.get('/web/state')).json().projects;
    const tab = await at.page.context().newPage();
    await tab.goto(`${at.knell.app.httpUrl}/project/${second.id}/integrations`);
    await tab.getByText('Live', { exact: true }).waitFor();
    expect((await at.owner.post(`/web/in/${second.id}/delete`, { name: 'second' })).status).toBe(200);
    await tab.getByText('This project was deleted, the link is wrong, or you have no access').waitFor();
    expect(await tab.title()).toBe('Project not found – Knell');
    await tab.getByRole('link', { name: evil }).click();
    await tab.locator('.row', { hasText: 'job' }).waitFor();
    await tab.close();
    await at.owner.post('/web/projects', { name: 'second' });
    await at.open('settings');
    await button('Delete the project…').waitFor();
  });

  test('deletes it once its name is typed, by keyboard alone, and goes to one that is left', async () => {
    await button('Delete the project…').focus();
    await at.page.keyboard.press('Enter');
    await at.page
      .getByText(
        /^Its check with its history, its keys, integrations, maintenance windows and status pages go with it\./,
      )
      .waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.keyboard.press('Escape');
    await expect.poll(() => button('Delete permanently').isVisible()).toBe(false);
    await at.page.keyboard.press('Enter');
    await at.page.getByLabel('to confirm').fill('second');
    await expect.poll(() => button('Delete permanently').isDisabled()).toBe(true);
    await at.page.getByLabel('to confirm').fill(evil);
    await expect.poll(() => button('Delete permanently').isEnabled()).toBe(true);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Set up your first check').waitFor();
    await at.page.locator('.toast').getByText(`Project ${evil} was deleted.`).waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.id')).toBe('main');
    await at.page.reload();
    await at.page.getByText('Set up your first check').waitFor();
    await expect.poll(() => at.page.locator('.toast').count()).toBe(0);
    expect((await at.owner.get('/web/state')).json().projects).toMatchObject([{ name: 'second' }]);
    expect(at.complaints.filter((text) => !/status of 40[09]/.test(text))).toEqual([]);
  });
});
