/** Keys in a list with a folded group, in a real browser: none goes to what cannot be seen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a folded group', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const [name, tags] of [
      ['api 1', 'api'],
      ['api 2', 'api'],
      ['shop 1', 'shop'],
      ['shop 2', 'shop'],
      ['web 1', 'web'],
    ])
      await at.knell.create({ name, tags });
  }, 60_000);

  afterAll(() => at?.stop());

  const head = (tag: string) => at.page.getByRole('button', { name: `First tag: ${tag}` });
  const keys = async (text: string): Promise<void> => {
    for (const key of text) await at.page.keyboard.press(key);
  };
  const bar = (words: string) => at.page.locator('.bulk').getByText(words, { exact: true });
  const chosen = () => at.page.locator('.row.chosen a').first();
  const isAt = (name: string) => expect.poll(() => chosen().textContent()).toContain(name);

  test('is passed over by the keys of the list', async () => {
    await at.open('checks?group=tag&sort=name');
    await head('shop').click();
    // It stays so over a reload, and on the way back from a check; another grouping has its own.
    const isFolded = (is: boolean) =>
      expect.poll(() => head('shop').getAttribute('aria-expanded')).toBe(String(!is));
    await at.page.reload();
    await isFolded(true);
    await at.page.getByRole('link', { name: 'web 1', exact: true }).click();
    await at.page.getByRole('heading', { level: 1, name: 'web 1' }).waitFor();
    await at.page.goBack();
    await isFolded(true);
    const group = async (by: string): Promise<void> => {
      await at.page.getByRole('button', { name: /^Group:/ }).click();
      await at.page.getByRole('menuitemradio', { name: by, exact: true }).click();
    };
    await group('Status');
    await expect.poll(() => at.page.locator('.group [aria-expanded=false]').count()).toBe(0);
    await group('First tag');
    await isFolded(true);
    await at.page.evaluate('document.activeElement.blur()');
    await keys('jj');
    await isAt('api 2');
    await keys('j');
    await isAt('web 1');
    await keys('j');
    await isAt('web 1');
    await keys('k');
    await isAt('api 2');
    await head('shop').click();
    await keys('j');
    await isAt('shop 1');
    await head('shop').click();
    // Its row is not in sight any more.
    await keys('x');
    await expect.poll(() => at.page.locator('.bulk').count()).toBe(0);
    await keys('jx');
    await bar('1 check selected').waitFor();
    await expect.poll(() => at.page.getByLabel('Select web 1').isChecked()).toBe(true);
    await at.page.keyboard.press('Escape');
  });

  test('is not selected with all others, and what was is counted as not shown', async () => {
    await at.page.evaluate('sessionStorage.clear()');
    await at.open('checks?group=tag&sort=name');
    await head('shop').waitFor();
    await keys('a');
    await bar('5 checks selected').waitFor();
    await head('shop').click();
    await bar('5 checks selected, 2 not shown').waitFor();
    await keys('a');
    await at.page.locator('.bulk').waitFor({ state: 'detached' });
    await keys('a');
    await bar('3 checks selected').waitFor();
    await expect
      .poll(() => at.page.getByRole('checkbox', { name: 'Select all checks' }).isChecked())
      .toBe(true);
    await keys('a');
    for (const tag of ['api', 'web']) await head(tag).click();
    await keys('a');
    await at.page.getByText('All groups are folded: open one to select its checks.').waitFor();
    await expect.poll(() => at.page.locator('.bulk').count()).toBe(0);
    expect(at.complaints).toEqual([]);
  });
});
