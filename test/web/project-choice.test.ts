/** The choice of the project in the header by keyboard, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the project in the header', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (const name of ['second', 'third']) await at.owner.post('/web/projects', { name });
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.open('checks');
  });
  afterAll(() => at?.stop());

  const choice = () => at.page.getByLabel('Project', { exact: true });
  const named = (name: string) => choice().locator('option:checked', { hasText: name });

  test('is passed over by arrow keys, and opened by Enter', async () => {
    const url = at.page.url();
    await choice().focus();
    await at.page.keyboard.press('ArrowDown');
    await named('second').waitFor({ state: 'attached' });
    await at.page.keyboard.press('ArrowDown');
    await named('third').waitFor({ state: 'attached' });
    expect(at.page.url()).toBe(url);
    await at.page.keyboard.press('Escape');
    await named('default').waitFor({ state: 'attached' });
    expect(at.page.url()).toBe(url);
    await choice().focus();
    await at.page.keyboard.press('ArrowDown');
    await at.page.keyboard.press('ArrowDown');
    await at.page.keyboard.press('Enter');
    await expect.poll(() => at.page.url()).not.toBe(url);
    await named('third').waitFor({ state: 'attached' });
    await choice().selectOption('default');
    await expect.poll(() => at.page.url()).toContain(at.project);
    expect(await at.findings('.top')).toEqual([]);
  });
});
