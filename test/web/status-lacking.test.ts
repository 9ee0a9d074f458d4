/** What a new status page lacks, in a real browser: by the names of its services, and where no check has a tag. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a new status page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'Website', channels: '' });
    await at.open('status-pages/new');
  });

  afterAll(() => at?.stop());

  test('says what it lacks by the names of its services', async () => {
    await at.page.getByLabel('Title').fill('Status');
    await at.page.getByLabel('Name for readers').fill('Cron');
    // Before it is chosen.
    await at.page.getByText('no check has one yet').waitFor();
    await at.page.getByLabel('All checks with a tag').check();
    await at.page.getByText('Still missing: its tag.').waitFor();
    await at.page.getByRole('button', { name: 'Add service' }).click();
    await at.page.getByLabel('Website').check();
    await at.page.getByText('Still missing: the tag of Cron.').waitFor();
    await at.page.getByRole('button', { name: 'Edit Cron' }).click();
    const tag = at.page.getByLabel('Tag', { exact: true });
    await tag.fill('later');
    await at.page.getByText('No check has this tag yet.').waitFor();
    const said = await tag.getAttribute('aria-describedby');
    await expect.poll(() => at.page.locator(`#${said}`).textContent()).toBe('No check has this tag yet.');
    await expect.poll(() => at.page.getByText('Still missing').count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});
