/** What is typed for several checks at once, in a real browser: it is not lost without a question. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a dialog for several checks', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['Backup', 'Mirror']) await at.knell.create({ name });
    await at.open('checks');
    for (const name of ['Backup', 'Mirror']) await at.page.getByLabel(`Select ${name}`).click();
  });
  afterAll(() => at?.stop());

  const dialog = () => at.page.locator('dialog.bulk-dialog');
  const open = async (name: string): Promise<void> => {
    await at.page.locator('.bulk').getByRole('button', { name }).click();
    await dialog().waitFor();
  };
  const question = () => at.page.getByRole('dialog', { name: 'Leave without saving?' });
  const press = (key: string) => at.page.keyboard.press(key);

  test.each([
    ['tags', 'Tags', 'Tags to add', 'nightly'],
    ['schedule', 'Schedule', 'Expect a ping every', '7'],
    ['grace time', 'Grace time', 'Alert when a ping is late', '7'],
  ])('asks before what was typed of %s is lost, each time', async (_, button, label, typed) => {
    await open(button);
    await press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await open(button);
    const field = dialog().getByLabel(label).first();
    await field.fill(typed);
    for (let times = 0; times < 2; times++) {
      await press('Escape');
      await question().waitFor();
      await press('Escape');
      await question().waitFor({ state: 'hidden' });
      await expect.poll(() => field.inputValue()).toBe(typed);
    }
    await press('Escape');
    await question().getByRole('button', { name: 'Discard changes' }).click();
    await dialog().waitFor({ state: 'hidden' });
    // The selection is not given up with it.
    await at.page.getByText('2 checks selected').waitFor();
    // Nor is a button that says so asked back.
    await open(button);
    await expect.poll(() => dialog().getByLabel(label).first().inputValue()).not.toBe(typed);
    await dialog().getByLabel(label).first().fill(typed);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => question().count()).toBe(0);
  });
});
