/** What does not fit into a field is not cut off in silence. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what is pasted into a field with a limit', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => at?.stop());

  const copy = (text: string) => at.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);

  test('is cut off with a word, and none where it fits', async () => {
    await at.open('settings/maintenance/new');
    const name = at.page.getByLabel(/^Name/);
    const words = at.page.getByText('At most 100 characters fit there');
    await copy('a'.repeat(60));
    await name.focus();
    await at.page.keyboard.press('Control+v');
    await expect.poll(() => name.inputValue()).toBe('a'.repeat(60));
    await expect.poll(() => words.count()).toBe(0);
    await at.page.keyboard.press('Control+v');
    await words.waitFor();
    await expect.poll(() => name.inputValue()).toBe('a'.repeat(100));
  });
});
