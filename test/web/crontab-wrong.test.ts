/** A crontab of which one job cannot have the check as it is, in a real browser: nothing is created until all is right. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a crontab with a slug that is none', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => at?.stop());

  const checks = async () => (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
  const slugOf = (line: number) => at.page.getByLabel(`Slug of line ${line}`);
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('is created as a whole, once the slug is right', async () => {
    await at.open('new/crontab');
    await at.page
      .getByLabel('Paste a crontab')
      .fill('0 4 * * * /usr/bin/alpha.sh\n@daily /opt/beta.sh\n@hourly /opt/gamma.sh');
    await slugOf(1).fill('Alpha Job');
    await button('Create 3 checks').click();
    await at.page.getByText('A slug has only lower-case letters, digits, - and _.').waitFor();
    await at.page.getByText('Nothing was created: correct line 1 above.').waitFor();
    await expect.poll(() => slugOf(1).getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => at.page.getByLabel('Name of line 1').getAttribute('aria-invalid')).toBe(null);
    expect(await checks()).toEqual([]);
    expect(await at.findings()).toEqual([]);
    await slugOf(1).fill('alpha-job');
    await expect.poll(() => at.page.getByText('Nothing was created').count()).toBe(0);
    await button('Create 3 checks').click();
    await at.page.locator('.toast', { hasText: '3 checks created.' }).waitFor();
    expect(await checks()).toHaveLength(3);
  });

  test('goes back to the form by Undo', async () => {
    await at.page
      .locator('.toast', { hasText: '3 checks created.' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(checks).toEqual([]);
    await button('Create 3 checks').waitFor();
    await at.page.getByLabel('Create beta, line 2').uncheck();
    await button('Create 2 checks').click();
    const without = at.page.getByRole('region', { name: 'Without a check' }).getByRole('listitem');
    await expect.poll(() => without.allTextContents()).toEqual(['Line 2You left it out. /opt/beta.sh']);
  });
});
