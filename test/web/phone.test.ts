/** The list and the bar below it on a phone: reasons instead of schedules, filters behind one button, more behind another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('on a phone', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 390, height: 844 });
    for (const [name, path] of [
      ['Nightly backup', '/fail'],
      ['Invoice run', ''],
    ]) {
      const { uuid } = await at.knell.create({ name, tags: 'prod', timeout: 3600 });
      await at.knell.request(`/ping/${uuid}${path}`);
    }
  }, 60_000);

  afterAll(() => at?.stop());

  const row = (name: string) => at.page.locator('.row', { hasText: name });

  test('a check that is down has its reason, and one that is up its schedule', async () => {
    await at.open('checks');
    await row('Nightly backup').locator('.reason', { hasText: 'The job failed' }).waitFor();
    await expect.poll(() => row('Nightly backup').getByText('Every hour').isVisible()).toBe(false);
    await row('Invoice run').getByText('Every hour').waitFor();
    await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
  });

  test('filters are behind one button, which opens them by keyboard too', async () => {
    const chip = at.page.getByRole('button', { name: /^prod/ }).first();
    await expect.poll(() => at.page.locator('.tools .chips').isVisible()).toBe(false);
    await at.page.getByRole('button', { name: 'Filter and sort' }).press('Enter');
    await chip.click();
    await at.page.getByText('Sort:').waitFor();
    await at.page.getByRole('button', { name: 'Filter and sort' }).click();
    // What is chosen shows while they are closed.
    await at.page.locator('.filters .figure', { hasText: '1' }).waitFor();
    expect(await at.findings('.tools')).toEqual([]);
  });

  test('tags for which there is no space are in a menu that can be read to its end', async () => {
    await at.knell.create({ name: 'Tagged', tags: 'one two three four five six seven eight' });
    await at.open('checks');
    await at.page.getByRole('button', { name: 'Filter and sort' }).click();
    await at.page.getByRole('button', { name: /^\d more$/ }).click();
    const last = at.page.locator('.tools .chips').getByRole('menuitem').last();
    // A click at its middle reaches it only where nothing cuts it off.
    await last.click();
    await expect.poll(() => new URL(at.page.url()).search).toContain('tag');
    await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
  });

  test('the keys are explained with the keys, in a narrow window', async () => {
    await at.open('checks');
    // A phone has none: the list says nothing of them.
    await at.page.getByText('Keyboard shortcuts').waitFor({ state: 'hidden' });
    await at.page.keyboard.press('?');
    const dialog = at.page.locator('dialog.keys');
    await dialog.locator('kbd', { hasText: 'Ctrl K' }).waitFor();
    expect(await at.findings('dialog.keys')).toEqual([]);
    await at.page.keyboard.press('Escape');
    await at.page.keyboard.press('Control+k');
    await at.page.locator('.palette-keys kbd', { hasText: 'Esc' }).waitFor();
    await at.page.keyboard.press('Escape');
    // It goes back in the history before it is gone, which would end another navigation.
    await at.page.locator('.palette-keys').waitFor({ state: 'detached' });
  });

  test('a message about a check with a long name has its button in the window', async () => {
    const { uuid } = await at.knell.create({ name: 'x'.repeat(100) });
    await at.open(`checks/${uuid}`);
    await at.page.locator('.now').getByRole('button', { name: 'Snooze' }).click();
    await at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    const undo = await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).boundingBox();
    expect((undo?.x ?? 390) + (undo?.width ?? 0)).toBeLessThan(390);
    // In this order: its page would ask for it once more, and be answered 404.
    await at.open('checks');
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
  });

  test('status pages, badges, settings and reports are behind More', async () => {
    await expect.poll(() => at.page.locator('.top nav > a').filter({ visible: true }).count()).toBe(3);
    await at.page.getByRole('button', { name: 'More', exact: true }).click();
    expect(await at.findings('.top nav')).toEqual([]);
    await at.page.locator('.top nav .menu').getByRole('menuitem', { name: 'Status pages' }).waitFor();
    await at.page.locator('.top nav .menu').getByRole('menuitem', { name: 'Wall view' }).waitFor();
    await at.page.locator('.top nav .menu').getByRole('menuitem', { name: 'Maintenance' }).waitFor();
    await at.page.locator('.top nav .menu').getByRole('menuitem', { name: 'Badges' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Badges' }).waitFor();
    await at.page.getByRole('button', { name: 'More', exact: true }).press('Enter');
    await at.page.locator('.top nav .menu').getByRole('menuitem', { name: 'Settings' }).press('Enter');
    await expect.poll(() => at.page.url()).toContain('/settings');
    await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});
