/** What a key is pressed for before the page has shown what the key before did, and where the focus is, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('keys and the focus', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { timezoneId: 'UTC' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.create({ name: 'one', tags: 'shop' });
    await at.knell.create({ name: 'two', tags: 'shop' });
    const mail = {
      kind: 'email',
      name: 'Team',
      fields: { value: 'ops@example.org', down: 'yes', up: 'yes' },
    };
    await at.owner.post(`/web/in/${at.project}/channels`, mail);
    const services = [{ id: '', name: 'Shop', tag: 'shop' }];
    await at.owner.post(`/web/in/${at.project}/status-pages`, { title: 'Status', slug: 'status', services });
  });

  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const focusedField = () =>
    at.page.evaluate<string>('document.activeElement.name || document.activeElement.id');
  const dialog = () => at.page.locator('dialog[open]');
  const button = (name: string) => at.page.getByRole('button', { name });

  test('b right after a goes to the bar of what a selects', async () => {
    await at.open('checks');
    await at.page.getByText('2 checks', { exact: true }).waitFor();
    await at.page.evaluate(
      `for (const key of 'ab') dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))`,
    );
    await at.page.locator('.bulk').getByText('2 checks selected').waitFor();
    await expect.poll(() => at.page.evaluate(`!!document.activeElement.closest('.bulk')`)).toBe(true);
    await expect.poll(() => at.page.getByText('Select checks first').count()).toBe(0);
  });

  test('b with nothing selected says so', async () => {
    await at.open('checks');
    await at.page.getByText('2 checks', { exact: true }).waitFor();
    await at.page.keyboard.press('b');
    await at.page.getByText('Select checks first, by x or their boxes.').waitFor();
  });

  test('an integration is edited from its first field on', async () => {
    await at.open('integrations');
    await at.page.getByRole('link', { name: 'Team', exact: true }).click();
    await expect.poll(focusedField).toBe('value');
  });

  test('a question has a title, and the way out is its last answer', async () => {
    await button('Delete…').click();
    await dialog().getByRole('heading', { name: 'Delete Team?' }).waitFor();
    await expect.poll(() => dialog().getByRole('button').allTextContents()).toEqual(['Delete', 'Cancel']);
    await expect.poll(focused).toBe('Cancel');
    await at.page.keyboard.press('Escape');
    await at.page.locator('[name=name]').fill('Crew');
    await at.page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await expect
      .poll(() => dialog().getByRole('button').allTextContents())
      .toEqual(['Discard changes', 'Stay']);
    await expect.poll(focused).toBe('Stay');
    await dialog().getByRole('button', { name: 'Discard changes' }).click();
    await at.page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor();
  });

  test('a service that is opened has the focus in its name, and Escape closes it', async () => {
    await at.open('status-pages');
    await button('Edit Status').click();
    await button('Edit Shop').click();
    await expect.poll(focusedField).toContain('-name');
    await at.page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Edit Shop');
    await expect.poll(() => at.page.getByLabel('Name for readers').count()).toBe(0);
  });

  test('a check that never had a ping is deleted after a plain question', async () => {
    await at.open('checks');
    await at.page.getByRole('link', { name: 'two', exact: true }).click();
    await button('More actions').click();
    await at.page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().getByText('It never had a ping. Its ping URL will return 404.').waitFor();
    await expect.poll(focused).toBe('Cancel');
    await dialog().getByRole('button', { name: 'Delete permanently' }).click();
    await at.page.getByText('two was deleted.').waitFor();
  });

  test('the zone of the server is no zone of an integration', async () => {
    await at.open('integrations/new/email');
    await expect.poll(() => at.page.locator('[name=timeZone]').inputValue()).toBe('');
  });

  test('a project that was created is in the table with its keys', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects?new`);
    await at.page.locator('.new-name').fill('Southwind');
    await button('Create project').click();
    await at.page.getByText('Southwind was created.').waitFor();
    await at.page.getByRole('row', { name: /Southwind/ }).waitFor({ timeout: 1500 });
  });

  test('a step larger than its field is said', async () => {
    await at.open('new');
    await at.page.getByLabel('Cron', { exact: false }).first().check();
    await at.page.locator('[name=schedule]').fill('*/99 * * * *');
    await at.page.getByText('*/99 is only minute 0.').waitFor();
  });

  test('the band of a check without runs has both of its ends', async () => {
    await at.open('checks');
    await at.page.getByRole('link', { name: 'one', exact: true }).click();
    await at.page.locator('.band-ends').getByText('Now', { exact: true }).waitFor();
    const ends = (of: string) => at.page.locator(of).evaluate((one) => one.getBoundingClientRect().right);
    await expect
      .poll(async () => Math.abs((await ends('.strip')) - (await ends('.band-ends'))))
      .toBeLessThan(2);
  });

  test('had nothing to complain of', () => {
    expect(at.complaints).toEqual([]);
  });
});
