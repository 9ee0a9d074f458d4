/** A field that is wrong is marked where it is, has the focus, and loses its mark while one types: in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what is wrong', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    uuid = (await at.knell.create({ name: 'backup', channels: '' })).uuid;
  });
  afterAll(() => at?.stop());

  const button = (name: string | RegExp) => at.page.getByRole('button', { name });
  const marked = () => at.page.locator('main [aria-invalid=true], dialog [aria-invalid=true]').count();
  const isFocusMarked = () =>
    at.page.evaluate('document.activeElement.getAttribute("aria-invalid") === "true"');

  test('in the schedule of a check, on its page', async () => {
    await at.open(`checks/${uuid}`);
    await button('Edit schedule').click();
    const late = at.page.locator('form.in-place [name=grace]');
    await late.fill('0');
    await late.press('Enter');
    await expect.poll(marked).toBe(1);
    await expect.poll(isFocusMarked).toBe(true);
    await late.fill('2');
    await expect.poll(marked).toBe(0);
  });

  test('in the grace time of several checks', async () => {
    await at.open('checks');
    await at.page.keyboard.press('a');
    await button('Grace time').click();
    const late = at.page.getByRole('dialog').getByLabel(/^Alert when a ping is late by more than/);
    await late.fill('0');
    await late.press('Enter');
    await expect.poll(marked).toBe(1);
    await expect.poll(isFocusMarked).toBe(true);
    await late.fill('2');
    await expect.poll(marked).toBe(0);
    await at.page.keyboard.press('Escape');
  });

  test('in the choice of checks of a maintenance window', async () => {
    await at.open('settings/maintenance');
    await button('Create maintenance window').first().click();
    await at.page.getByLabel('Name', { exact: true }).fill('Night');
    await at.page.getByLabel('Chosen checks').check();
    await at.page.getByLabel('Name', { exact: true }).press('Enter');
    await at.page.getByText('Choose at least one check.').waitFor();
    await expect.poll(marked).toBe(1);
    await expect.poll(isFocusMarked).toBe(true);
    await at.page.keyboard.press('Space');
    await expect.poll(marked).toBe(0);
    await button('Cancel').click();
  });

  test('in the name of a member whom a project is offered to', async () => {
    await at.open('settings');
    const member = at.page.getByLabel('Name or email address of the member');
    await member.fill('nobody');
    await member.press('Enter');
    await expect.poll(marked).toBe(1);
    await expect.poll(isFocusMarked).toBe(true);
    await expect.poll(() => at.page.locator('#hand-over-error').count()).toBe(1);
    await member.fill('no');
    await expect.poll(marked).toBe(0);
    await member.fill('');
  });

  test('in the name that is typed before something is deleted', async () => {
    await at.owner.post('/web/projects', { name: 'Other' });
    await at.open('settings');
    await button('Delete the project…').click();
    const name = at.page.getByLabel('to confirm');
    await name.fill('another');
    await name.press('Enter');
    await at.page.getByText(/^Type .* first\.$/).waitFor();
    await expect.poll(marked).toBe(1);
    await name.fill('');
    await expect.poll(marked).toBe(0);
  });
});
