/** What others wrote is text on the page, whatever it looks like. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 720 });
  });

  afterAll(() => at?.stop());

  test('shows names, tags, bodies and mails as the text they are', async () => {
    const evil = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';
    const check = await at.knell.create({ name: evil, tags: '<b>tag</b> "onload=x', desc: evil });
    await at.knell.request(`/ping/${check.uuid}`, {
      method: 'POST',
      body: evil,
      headers: { 'user-agent': evil },
    });
    await at.open('checks');
    await at.page.locator('.row a').first().click();
    await at.page.getByRole('heading', { name: evil }).waitFor();
    await at.page.getByRole('button', { name: 'Details of ping 1' }).click();
    await at.page.locator('.body pre').getByText(evil).waitFor();
    await at.page.getByRole('link', { name: 'Badges' }).click();
    await at.page.getByText('<b>tag</b>', { exact: true }).waitFor();
    expect(await at.page.evaluate('window.evil')).toBeUndefined();
  });

  test('had nothing to complain of', () => {
    expect(at.complaints).toEqual([]);
  });
});
