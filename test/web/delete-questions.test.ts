/** What asks before it deletes begins at Cancel, and what was done is said, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what asks before it deletes', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'backup' });
    const mail = { kind: 'email', name: 'Ops', fields: { value: 'ops@example.org', down: 'yes', up: 'yes' } };
    await at.owner.post(`/web/in/${at.project}/channels`, mail);
  });

  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const dialog = () => at.page.locator('dialog[open]');
  const toast = (text: string) => at.page.locator('.toasts').getByText(text, { exact: true });

  test('of an integration, and what was said of it before goes', async () => {
    await at.open('integrations');
    const more = at.page.getByRole('button', { name: 'More for Ops' });
    await more.click();
    await at.page.getByRole('menuitem', { name: 'Turn off' }).click();
    await toast('Ops turned off.').waitFor();
    await more.click();
    await at.page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(focused).toBe('Cancel');
    await at.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await more.click();
    await at.page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect.poll(focused).toBe('Cancel');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await toast('Ops was deleted.').waitFor();
    await expect.poll(() => toast('Ops turned off.').count()).toBe(0);
  });

  test('of all checks of an integration', async () => {
    const mail = { kind: 'email', name: 'Dev', fields: { value: 'dev@example.org', down: 'yes', up: 'yes' } };
    await at.owner.post(`/web/in/${at.project}/channels`, mail);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('integrations?view=matrix');
    await at.page.getByRole('button', { name: 'Set all… checks that are shown, for Dev' }).click();
    await expect.poll(focused).toBe('Cancel');
    await at.page.keyboard.press('Enter');
  });

  test('of a check, and names the status pages that show it', async () => {
    const { uuid } = await at.knell.create({ name: 'shown', tags: 'shop' });
    const byTag = { title: 'By tag', slug: 'by-tag', services: [{ id: '', name: 'All', tag: 'shop' }] };
    const other = { title: 'Other', slug: 'other', services: [{ id: '', name: 'All', tag: 'other' }] };
    const byCheck = { title: 'By check', slug: 'check', services: [{ id: '', name: 'One', checks: [uuid] }] };
    for (const page of [byTag, byCheck, other])
      await at.owner.post(`/web/in/${at.project}/status-pages`, page);
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'More' }).click();
    await at.page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByText('The status pages By tag, By check will no longer show it.').waitFor();
  });

  test('of a status page, and says that it is gone', async () => {
    const page = { title: 'Shop', slug: 'shop', services: [{ id: '', name: 'All', tag: 'all' }] };
    expect((await at.owner.post(`/web/in/${at.project}/status-pages`, page)).status).toBeLessThan(300);
    await at.open('status-pages');
    await at.page.getByRole('button', { name: 'Delete Shop' }).click();
    await expect.poll(focused).toBe('Cancel');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await toast('Shop was deleted.').waitFor();
  });

  test('a changed role is said', async () => {
    await at.owner.post(`/web/in/${at.project}/members`, { name: 'grace', role: 'viewer' });
    await at.open('settings/members');
    await at.page.getByLabel('Role of grace in this project').selectOption('editor');
    await toast('grace is an editor of this project now.').waitFor();
  });
});
