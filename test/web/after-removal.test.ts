/** What is removed on a page is said to be gone, and the focus goes on to what does no harm when a key is held, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('after something was removed by keyboard', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => at?.stop());

  const focused = () =>
    at.page.evaluate<string>(
      '(({ ariaLabel, labels, textContent }) => ariaLabel ?? labels?.[0]?.textContent ?? textContent)(document.activeElement)',
    );
  const toast = (words: string) => at.page.locator('.toast', { hasText: words });
  const press = async (button: string, answer: string): Promise<void> => {
    await at.page.getByRole('button', { name: button }).press('Enter');
    const dialog = at.page.locator('dialog[open]');
    const yes = dialog.getByRole('button', { name: answer, exact: true });
    await yes.press('Enter');
    await dialog.waitFor({ state: 'detached' });
  };

  test('an account is said to be deleted, and no role of it can be undone', async () => {
    for (const name of ['yan', 'zoe'])
      await at.owner.post(`/web/in/${at.project}/members`, { name, role: 'editor' });
    await at.open('settings/members');
    await at.page.getByLabel('Role of yan in this project').selectOption('viewer');
    await toast('yan is a viewer of this project now.').waitFor();
    await press('Delete account yan', 'Delete');
    await toast('yan was deleted.').waitFor();
    await expect.poll(() => toast('yan is a viewer').count()).toBe(0);
    await expect.poll(focused).toBe('Role of zoe in this project');
  });

  test('a key to undo is offered only while that key is for the page', async () => {
    const role = at.page.getByLabel('Role of zoe in this project');
    await role.focus();
    await role.selectOption('viewer');
    await toast('zoe is a viewer').getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(() => toast('zoe is a viewer').locator('kbd').count()).toBe(0);
    await at.page.getByRole('button', { name: 'Delete account zoe' }).focus();
    await toast('zoe is a viewer').locator('kbd').waitFor();
  });

  test('a key is said to be revoked, and the next one is not revoked with it', async () => {
    for (const name of ['one', 'two', 'three'])
      await at.owner.post(`/web/in/${at.project}/keys`, { name, scope: 'read-only' });
    await at.open('settings');
    await press('Revoke two', 'Revoke');
    await toast('two was revoked.').waitFor();
    await expect.poll(focused).toMatch(/^Rename three/);
    await press('Revoke three', 'Revoke');
    await toast('three was revoked.').waitFor();
    await expect.poll(focused).toMatch(/^(?:Rename|Copy)/);
  });

  test('a maintenance window leaves the focus on no button that ends another one', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) {
      await at.owner.post(`/web/in/${at.project}/maintenance`, { name, duration: 7200 });
      await at.clock.advance(1000);
    }
    await at.open('settings/maintenance');
    const names = () => at.page.locator('.maintenance h3').allTextContents();
    await expect.poll(names).toHaveLength(3);
    const after = (await names()).at((await names()).indexOf('beta') + 1);
    await press('Delete beta', 'Delete');
    await toast('beta was deleted.').waitFor();
    await expect.poll(focused).toBe(`Edit ${after ?? 'alpha'}`);
  });
});
