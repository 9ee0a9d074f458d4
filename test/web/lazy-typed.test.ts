/** A part of the page that could not be loaded at first, beside a form that somebody fills in: nothing that was typed is lost. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a part that could not be loaded at first', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1200, height: 900 });
  }, 60_000);
  afterAll(() => at?.stop());

  const isSame = () => at.page.evaluate<boolean>("'theSameDocument' in window");

  /** Opens the palette, whose file cannot be had. */
  async function openInVain(): Promise<void> {
    await at.page.evaluate('window.theSameDocument = true');
    await at.page.route('**/assets/palette-dialog*', (route) => route.abort());
    await at.page
      .getByRole('button', { name: /^Search/ })
      .first()
      .click();
  }

  test('waits for a button while something is typed, which stays', async () => {
    await at.open('new');
    const name = at.page.getByLabel(/^Name/);
    await name.fill('A name that took long to find');
    await openInVain();
    const reload = at.page.getByRole('button', { name: 'Reload', exact: true });
    await reload.waitFor();
    await at.page.getByText('what you have typed here would be lost').waitFor();
    expect(await isSame()).toBe(true);
    await expect.poll(() => name.inputValue()).toBe('A name that took long to find');
    expect(await at.findings()).toEqual([]);
    await at.page.unrouteAll();
    await reload.click();
    await expect.poll(isSame).toBe(false);
  });

  test('loads the document anew by itself while nothing is', async () => {
    await at.page.evaluate('sessionStorage.clear()');
    await at.open('badges');
    await openInVain();
    await expect.poll(isSame).toBe(false);
    await at.page.unrouteAll();
  });

  test('leaves the page that one goes back to in its document, with all that it has', async () => {
    await at.page.evaluate('sessionStorage.clear()');
    const { uuid } = await at.knell.create({ name: 'Backup' });
    await at.open(`checks/${uuid}`);
    await at.page.evaluate('window.theSameDocument = true');
    await at.page.route(/\/assets\/|\/web\/state$/, (route) => route.abort());
    await at.page.getByRole('link', { name: 'Badges', exact: true }).first().click();
    await at.page.getByText("Can't load this page. Is Knell running?").waitFor();
    await at.page.goBack();
    await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
    expect(await isSame()).toBe(true);
    await at.page.unrouteAll();
  });
});
