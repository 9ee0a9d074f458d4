/** A menu is within the window, also of a phone on its side. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a menu', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { uuid } = await at.knell.create({ name: 'Backup of the databases', tags: 'prod db' });
    await at.knell.request(`/ping/${uuid}/fail`, { method: 'POST', body: 'connection refused' });
    await at.page.setViewportSize({ width: 844, height: 390 });
    await at.open(`checks/${uuid}`);
  });
  afterAll(() => at?.stop());

  test.each([
    [844, 390],
    [390, 560],
    [1280, 280],
  ])('of a check is in the window at %i × %i', async (width, height) => {
    await at.page.setViewportSize({ width, height });
    const button = at.page.getByRole('button', { name: 'More actions' });
    await button.click();
    const box = await at.page.getByRole('menu').boundingBox();
    expect(box).not.toBeNull();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    // On a phone the pages are at the lower edge.
    const pages = width < 768 ? await at.page.locator('.top nav').boundingBox() : null;
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(pages?.y ?? height);
    await at.page.getByRole('menuitem', { name: /^Delete/ }).scrollIntoViewIfNeeded();
    await expect.poll(() => at.page.getByRole('menuitem', { name: /^Delete/ }).isVisible()).toBe(true);
    await at.page.keyboard.press('Escape');
    await at.page.getByRole('menu').waitFor({ state: 'detached' });
  });

  test('is above what a toast says on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 560 });
    await at.page.getByRole('button', { name: 'More actions' }).click();
    await at.page.getByRole('menuitem', { name: /^Copy/ }).first().click();
    const toast = at.page.locator('.toast').first();
    await toast.waitFor();
    await at.page.getByRole('button', { name: 'More actions' }).click();
    const [menu, said] = await Promise.all([at.page.getByRole('menu').boundingBox(), toast.boundingBox()]);
    const [y, end] = [said?.y ?? 0, (menu?.y ?? 0) + (menu?.height ?? 0)];
    expect(end).toBeGreaterThan(y + 4);
    const point = `${(menu?.x ?? 0) + 20}, ${(y + end) / 2}`;
    expect(await at.page.evaluate(`!!document.elementFromPoint(${point}).closest('[role=menu]')`)).toBe(true);
    expect(at.complaints).toEqual([]);
    await at.page.keyboard.press('Escape');
    await at.page.getByRole('menu').waitFor({ state: 'detached' });
  });

  test('goes to an item by its first letters', async () => {
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.page.getByRole('button', { name: 'More actions' }).click();
    const focused = (): Promise<string> => at.page.evaluate('document.activeElement.textContent.trim()');
    await at.page.keyboard.type('de');
    await expect.poll(focused).toMatch(/^Delete/);
    await at.page.keyboard.press('Escape');
    await at.page.getByRole('menu').waitFor({ state: 'detached' });
    // A key of the page that the menu has no item for does nothing.
    await at.page.getByRole('button', { name: 'More actions' }).click();
    await at.page.keyboard.type('q');
    await at.page.getByRole('menu').waitFor();
    await at.page.keyboard.press('Escape');
  });

  test.each([390, 320])('leaves the page of a phone as wide as its window at %i px', async (width) => {
    const phone = await at.page
      .context()
      .browser()
      ?.newContext({
        storageState: await at.page.context().storageState(),
        viewport: { width, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
    const page = await phone?.newPage();
    if (!page) throw new Error('no browser');
    await page.goto(at.page.url());
    // One that reaches beyond its window for a moment may stay as wide as that.
    for (const name of [/^Snooze/, 'More actions']) {
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('menu').waitFor();
      expect(await page.evaluate('innerWidth')).toBe(width);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    await phone?.close();
  });
});
