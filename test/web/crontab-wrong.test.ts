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

  test('has the grace time that each job needs, or one for all, which is wrong once', async () => {
    await at.open('checks');
    await at.open('new/crontab');
    await at.page
      .getByLabel('Paste a crontab')
      .fill('*/5 * * * * /opt/queue.sh\n0 2 * * * /opt/backup.sh\n0 5 * * * /opt/report.sh');
    const each = at.page.locator('.crontab-jobs .grace');
    await expect.poll(() => each.allTextContents()).toEqual(['Grace 3 min', 'Grace 2 h', 'Grace 15 min']);
    const grace = at.page.getByRole('spinbutton', { name: 'Grace time for all' });
    await grace.fill('0');
    await button('Create 3 checks').click();
    const wrong = at.page.getByText('The grace time must be at least one minute.');
    await expect.poll(() => wrong.count()).toBe(1);
    await expect.poll(() => grace.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('grace');
    await expect.poll(() => at.page.getByText('Nothing was created').count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    await grace.fill('2');
    await expect.poll(() => each.allTextContents()).toEqual(['Grace 2 h', 'Grace 2 h', 'Grace 2 h']);
    await grace.fill('');
    await expect.poll(() => each.first().textContent()).toBe('Grace 3 min');
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 900 });
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const before = (await checks()).length;
    await button('Create 3 checks').click();
    await expect.poll(async () => (await checks()).length).toBe(before + 3);
    const made = (await checks()).slice(before).map(({ grace: seconds }: { grace: number }) => seconds);
    expect(made).toEqual([180, 7200, 900]);
    await expect.poll(() => at.page.getByText('left as it was').count()).toBe(0);
  });

  test('says at the head of its pings that a line which has a check was left as it was', async () => {
    await at.open('checks');
    await at.open('new/crontab');
    await at.page.getByLabel('Paste a crontab').fill('0 1 * * * /opt/backup.sh\n0 6 * * * /opt/new.sh');
    const row = at.page.locator('.crontab-jobs .command', { hasText: '/opt/backup.sh' });
    await row.getByText('A check with this name is there already. This line is left as it is').waitFor();
    await button('Create 1 check').click();
    await at.page.getByText('1 line has no new check and is left as it was: see below.').waitFor();
  });
});
