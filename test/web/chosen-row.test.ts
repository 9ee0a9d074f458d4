/** The row that the keys have chosen, in a real browser: a key is for the same check, wherever the list shows it by then. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const isFocused = (one: Json): boolean => one === one.ownerDocument.activeElement;

describe.skipIf(browserMissing !== '')('the chosen check', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 800 });
    for (const name of ['a', 'b', 'c', 'd']) {
      const { uuid } = await at.knell.create({ name: `job ${name}` });
      uuids.push(uuid);
      await at.knell.request(`/ping/${uuid}`);
    }
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const first = () => at.page.locator('.row').first().locator('.what > a').textContent();

  test('is found again on the way back, though it has moved meanwhile', async () => {
    for (const name of ['job a', 'job b']) {
      await at.page.keyboard.press('j');
      await expect.poll(focused).toBe(name);
    }
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'job b' }).waitFor();
    // Those that are down come first.
    await at.knell.request(`/ping/${uuids[3]}/fail`);
    await at.page.goBack();
    await expect.poll(first).toBe('job d');
    await at.page.locator('.row.chosen', { hasText: 'job b' }).waitFor();
    await expect.poll(focused).toBe('job b');
    await at.page.keyboard.press('j');
    await expect.poll(focused).toBe('job c');
  });

  test('takes the focus from no field', async () => {
    await at.page.keyboard.press('/');
    await at.knell.request(`/ping/${uuids[2]}`);
    await at.page.locator('.row.up', { hasText: 'job c' }).waitFor();
    await at.page.keyboard.type('job');
    await expect.poll(() => at.page.getByLabel('Search checks').inputValue()).toBe('job');
  });

  test('is read whole by keys: its actions cover its columns only while the focus is among them', async () => {
    await at.open('checks');
    await at.page.mouse.move(5, 5);
    await at.page.getByRole('link', { name: 'job d', exact: true }).waitFor();
    await at.page.keyboard.press('j');
    await expect.poll(() => at.page.locator('.row.chosen a').evaluate(isFocused)).toBe(true);
    const actions = at.page.locator('.row.chosen .row-actions');
    const shown = () =>
      actions.evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).opacity === '1');
    await expect.poll(shown).toBe(false);
    // The last runs are reached first.
    for (let n = 0; n < 2; n++) await at.page.keyboard.press('Tab');
    await expect.poll(() => actions.locator('button').first().evaluate(isFocused)).toBe(true);
    await expect.poll(shown).toBe(true);
    await at.page.keyboard.press('Shift+Tab');
    await expect.poll(shown).toBe(false);
  });

  test('is the one with the focus within it, so that the keys are for the row that is seen to have it', async () => {
    const names = () => at.page.locator('.row .what > a').allTextContents();
    const chosen = () => at.page.locator('.row.chosen .what > a').allTextContents();
    const hasFocus = () => at.page.locator('.row:focus-within .what > a').allTextContents();
    const press = (key: string) => at.page.keyboard.press(key);
    const tabTo = async (name: string): Promise<void> => {
      const link = at.page.getByRole('link', { name, exact: true });
      for (let n = 0; n < 60 && !(await link.evaluate(isFocused)); n++) await press('Tab');
      expect(await hasFocus()).toEqual([name]);
    };
    await at.open('checks');
    await at.page.mouse.move(5, 5);
    await at.page.getByRole('link', { name: 'job d', exact: true }).waitFor();
    const [one = '', two = '', three = '', four = ''] = await names();
    // By Tab, with no other key before.
    await tabTo(three);
    await expect.poll(chosen).toEqual([three]);
    await press('x');
    await expect.poll(() => at.page.getByLabel(`Select ${three}`).isChecked()).toBe(true);
    await press('x');
    await press('k');
    await expect.poll(focused).toBe(two);
    expect(await chosen()).toEqual([two]);
    // On from the row of the keys.
    await tabTo(four);
    await expect.poll(chosen).toEqual([four]);
    await press('z');
    await at.page.locator('.toast', { hasText: `${four} snoozed until` }).waitFor();
    expect(await hasFocus()).toEqual([four]);
    // A box takes no letters, but it has the focus.
    await at.page.getByLabel(`Select ${one}`).click();
    await expect.poll(chosen).toEqual([one]);
    await press('j');
    await expect.poll(focused).toBe(two);
    await press('x');
    await expect.poll(() => at.page.locator('.row.selected').count()).toBe(2);
    expect(at.complaints).toEqual([]);
  });

  test('takes the focus from nothing outside the rows when the list is sorted anew', async () => {
    await at.open('checks');
    await at.page.mouse.move(5, 5);
    const last = at.page.locator('.row').last().locator('.what > a');
    await last.waitFor();
    for (let n = 0; n < 4; n++) await at.page.keyboard.press('j');
    await expect.poll(() => last.evaluate(isFocused)).toBe(true);
    const chosen = await focused();
    const sort = at.page.getByRole('button', { name: 'Next run', exact: true });
    await sort.focus();
    const index = Number(/job (.)/.exec(chosen)?.[1]?.charCodeAt(0)) - 97;
    await at.knell.request(`/ping/${uuids[index]}/fail`);
    await expect.poll(() => last.textContent()).not.toBe(chosen);
    await expect.poll(() => at.page.locator('.row.chosen .what > a').allTextContents()).toEqual([chosen]);
    await expect.poll(() => sort.evaluate(isFocused)).toBe(true);
  });
});
