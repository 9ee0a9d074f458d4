/** The way from the page of a check to others, in a real browser, and to another project. */
import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();

  test('has its neighbours of the list, by k and j', async () => {
    await scene.at.open('checks');
    await scene.at.page.locator('.row a', { hasText: 'Nightly backup' }).click();
    await scene.at.page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
    await scene.at.page.getByRole('link', { name: 'Next' }).waitFor();
    await scene.at.page.keyboard.press('j');
    await scene.at.page.getByRole('heading', { name: 'Queue' }).waitFor();
    await scene.at.page.getByRole('link', { name: 'Previous' }).waitFor();
    await scene.at.page.keyboard.press('k');
    await scene.at.page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
  });

  test('is edited by e, and snoozed and not snoozed by z', async () => {
    const { page } = scene.at;
    await page.keyboard.press('z');
    await page.locator('.toast', { hasText: /^Nightly backup snoozed until/ }).waitFor();
    await page.locator('.now').getByText('Snoozed until').waitFor();
    await page.keyboard.press('z');
    await page.locator('.toast', { hasText: /^Nightly backup (?:alerts again|is not snoozed)/ }).waitFor();
    await page.keyboard.press('e');
    const name = page.locator('form.check-form input[name=name]');
    await expect.poll(() => name.inputValue()).toBe('Nightly backup');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
  });

  test('explains its keys with `?`, as every page does with its own', async () => {
    const { page } = scene.at;
    const words = (): Promise<readonly string[]> => page.locator('dialog[open] dd').allTextContents();
    const everywhere = [
      'Undo what was done last, while the message about it is there',
      'Create a check, on every page but the manual',
      'Save a form, also from a text of several lines',
      'Search pages, checks, outputs and actions; in the manual, only that',
      'Show these keys, on every page but the manual',
    ];
    await page.keyboard.press('?');
    await expect
      .poll(words)
      .toEqual([
        'Next, previous check',
        'Edit the check',
        'Snooze the check for an hour, or end its snooze',
        ...everywhere,
      ]);
    // The keys are for the page below it.
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
    await scene.at.open('incidents');
    await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor();
    await page.keyboard.press('?');
    await expect.poll(words).toEqual(['Search', ...everywhere]);
    expect(await scene.at.findings()).toEqual([]);
    await page.keyboard.press('Escape');
    // Where one types it is a letter.
    await scene.at.open('new');
    await page.getByLabel(/^Name/).press('?');
    await expect.poll(() => page.getByLabel(/^Name/).inputValue()).toBe('?');
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    await scene.at.open(`checks/${scene.backup.uuid}`);
    await page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
  });

  test.runIf(isLong)('names keys only where there may be some', async () => {
    await scene.at.page.locator('.neighbours kbd').first().waitFor();
    const context = await scene.at.page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    if (!context) throw new Error('there is a browser');
    await context.addCookies(await scene.at.page.context().cookies());
    const phone = await context.newPage();
    await phone.goto(scene.at.page.url());
    await phone.locator('.neighbours a').first().waitFor();
    await phone.locator('.neighbours kbd').first().waitFor({ state: 'hidden' });
    await context.close();
  });

  test.runIf(isLong)('has them also when it was opened by its link', async () => {
    await scene.at.page.goto(
      `${scene.at.knell.app.httpUrl}/project/${scene.at.project}/checks/${scene.busy.uuid}`,
    );
    await scene.at.page.getByRole('heading', { name: 'Queue' }).waitFor();
    await scene.at.page.getByRole('link', { name: 'Previous' }).click();
    await scene.at.page.getByRole('heading', { name: 'Nightly backup' }).waitFor();
    await scene.at.page.getByRole('link', { name: 'Next' }).waitFor();
    await scene.at.page.keyboard.press('j');
    await scene.at.page.getByRole('heading', { name: 'Queue' }).waitFor();
  });

  test('moves to another project, whose list is shown then', async () => {
    await scene.wide(1300);
    const { id } = (await scene.at.owner.post('/web/projects', { name: 'Archive' })).json();
    const { uuid } = await scene.at.knell.create({ name: 'Old job' });
    await scene.at.open(`checks/${uuid}`);
    await scene.button('More actions').click();
    await scene.at.page.getByRole('menuitem', { name: 'Move…' }).click();
    await scene.at.page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await scene.at.page.waitForURL(`**/project/${id}/checks`);
    await scene.at.page.locator('.row', { hasText: 'Old job' }).waitFor();
  });

  scene.endsWithoutComplaints();
});
