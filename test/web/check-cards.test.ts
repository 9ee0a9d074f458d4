/** What is set of a check and edited on its page, in a real browser. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the cards of a check', () => {
  const scene = NightlyBackup.forFile();
  beforeAll(() => scene.open());

  test('edits schedule, notifications and description in their place', async () => {
    await scene.button('Edit schedule').click();
    await scene.at.page.getByRole('radio', { name: 'Cron' }).check();
    await scene.at.page.getByLabel('Schedule').fill('99 2 * * *');
    await scene.button('Save').click();
    await scene.at.page.locator('.check-side [role=alert]').waitFor();
    await scene.at.page.getByLabel('Schedule').fill('15 2 * * *');
    await scene.at.page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await scene.button('Save').click();
    await scene.at.page.getByText('Daily at 2:15 AM (Europe/Berlin)').waitFor();
    await expect.poll(() => scene.at.page.locator('.next-runs tr').count()).toBe(5);
    await scene.button('Edit notifications').click();
    await scene.at.page.getByLabel('Blocked').uncheck();
    await scene.button('Save').click();
    await scene.at.page.getByText('nobody. Add an integration').waitFor();
    await scene.button('Edit description').click();
    await scene.at.page.getByLabel('Description').fill('See https://wiki.example.org/restore, then call.');
    await scene.at.page.getByLabel('Tags').fill('prod db');
    await scene.button('Save').click();
    const link = scene.at.page.getByRole('link', { name: 'https://wiki.example.org/restore' });
    await expect.poll(() => link.getAttribute('href')).toBe('https://wiki.example.org/restore');
    await scene.at.page.locator('.item-head .tag', { hasText: 'db' }).waitFor();
    // What is typed is added to the text.
    await scene.button('Edit description').click();
    await scene.at.page.keyboard.type(' Or mail.');
    await expect
      .poll(() => scene.at.page.getByLabel('Description').inputValue())
      .toBe('See https://wiki.example.org/restore, then call. Or mail.');
    await scene.button('Cancel').click();
  });

  /** Without a change there is nothing to save. */
  const change = async (title: string): Promise<void> => {
    const { page } = scene.at;
    if (title === 'schedule') await page.getByLabel('Schedule').fill('30 2 * * *');
    if (title === 'notifications') await page.getByLabel('Blocked').check();
    if (title === 'description') await page.getByLabel('Tags').fill('prod');
  };

  test('keeps the focus in the card that is edited', async () => {
    const inForm = () =>
      scene.at.page.evaluate<boolean>("document.activeElement.closest('form.in-place') !== null");
    const focused = () => scene.at.page.evaluate<string>('document.activeElement.textContent');
    for (const title of isLong ? ['schedule', 'notifications', 'description'] : ['schedule']) {
      for (const name of ['Cancel', 'Save']) {
        await scene.button(`Edit ${title}`).press('Enter');
        await scene.at.page.locator('form.in-place').waitFor();
        await expect.poll(inForm).toBe(true);
        await expect.poll(() => scene.button('Save').getAttribute('aria-disabled')).toBe('true');
        if (name === 'Save') await change(title);
        await scene.button(name).press('Enter');
        await scene.at.page.locator('form.in-place').waitFor({ state: 'detached' });
        await expect.poll(focused).toBe(`Edit ${title}`);
      }
    }
  });

  test('has a description below the status on a phone, and first at the right in a wide window', async () => {
    const { page } = scene.at;
    const about = (desc: string) =>
      scene.at.knell.api('POST', `/api/v3/checks/${scene.backup.uuid}`, { desc, tags: 'prod' });
    /** Titles of the cards; the card of the status has none. */
    const titles = (column: string) =>
      page
        .locator(`${column} > .card`)
        .evaluateAll((cards: Json) =>
          cards.map((card: Json) => card.querySelector('h2')?.textContent ?? card.getAttribute('aria-label')),
        );
    await about('Call 555.');
    for (const [width, column, at] of [
      [1300, '.check-side', 0],
      [1024, '.check-side', 0],
      [800, '.check-main', 1],
      [390, '.check-main', 1],
    ] as const) {
      await scene.wide(width);
      await scene.open();
      await expect.poll(async () => (await titles(column))[at]).toBe('Description');
      await expect.poll(() => page.getByRole('heading', { name: 'Description' }).count()).toBe(1);
    }
    // What is typed stays when the window becomes wider.
    await scene.button('Edit description').click();
    await page.getByLabel('Description').fill('Call 556.');
    await scene.wide(1300);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await expect
      .poll(() => page.locator('.check-main').getByLabel('Description').inputValue())
      .toBe('Call 556.');
    await about('');
    await scene.open();
    await expect.poll(async () => (await titles('.check-side')).at(-2)).toBe('Description');
  });

  test('folds a description that is long, but not its runbook', async () => {
    const { page } = scene.at;
    const steps = Array.from({ length: 20 }, (_, n) => `Step ${n + 1}`);
    const desc = [...steps, 'See https://wiki.example.org/restore.'].join('\n');
    await scene.at.knell.api('POST', `/api/v3/checks/${scene.backup.uuid}`, { desc });
    await scene.wide(390);
    await scene.open();
    const card = page.locator('.check-main > .card', { hasText: 'Description' });
    await card.getByText('Step 8 …').waitFor();
    await card.getByRole('link', { name: 'https://wiki.example.org/restore' }).waitFor();
    expect(await scene.at.findings('.check-main')).toEqual([]);
    await scene.button('Show all of the description').press('Enter');
    await card.getByText('Step 20').waitFor();
    await expect.poll(() => card.getByRole('link').count()).toBe(1);
    await scene.button('Show less of the description').click();
    await expect.poll(() => card.getByText('Step 20').count()).toBe(0);
    await scene.wide(1300);
  });

  scene.endsWithoutComplaints();
});
