/** Where the base URL is that of the machine itself, the page says so beside every address that others will use. */
import { afterEach, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('an address of this machine', () => {
  let at: OwnerBrowser;
  afterEach(() => at?.stop());

  const words = (what: string) => `${what} on this machine only. Other machines need KNELL_BASE_URL`;
  const shown = (what: string) => at.page.getByText(words(what)).filter({ visible: true });

  test('says that others need the base URL, wherever it is given away', async () => {
    at = await OwnerBrowser.start({ KNELL_BASE_URL: 'http://localhost:8000' });
    await at.open('new/crontab');
    await at.page.getByLabel('Paste a crontab').fill('15 2 * * * backup.sh\n');
    await at.page.getByRole('button', { name: 'Create 1 check' }).click();
    await shown('These addresses work').waitFor();
    const link = at.page.getByRole('link', { name: 'jobs on other machines' });
    const target = (await link.getAttribute('href')) ?? '';
    const manual = await at.knell.request(target.replace(/#.*/, ''));
    expect(manual.text).toContain(`id="${target.replace(/^.*#/, '')}"`);
    const [check] = (await at.knell.api('GET', '/api/v3/checks/')).json().checks;
    await at.open(`checks/${check.uuid}`);
    await shown('This address works').waitFor();
    expect(await at.findings('.ping-card')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.open('settings/members');
    await at.page.getByLabel('Name or email address of a new member').fill('kim@example.org');
    await at.page.getByRole('button', { name: 'Invite' }).click();
    await at.page
      .getByText('This link works on this machine only. Elsewhere it needs KNELL_BASE_URL')
      .waitFor();
    await expect.poll(() => link.count()).toBe(0);
    const { id } = (await at.owner.post('/web/projects', { name: 'New' })).json();
    await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/checks`);
    await at.page.locator('.first-steps').waitFor();
    await at.owner.post(`/web/in/${id}/api/checks/`, { name: 'Backup', timeout: 3600, grace: 3600 });
    await at.page.goto(`${at.knell.app.httpUrl}/project/${id}/checks`);
    await shown('This address works').waitFor();
    expect(at.complaints).toEqual([]);
  });

  test('is none where others reach Knell by it', async () => {
    at = await OwnerBrowser.start();
    const { uuid } = await at.knell.create({ name: 'Backup' });
    await at.open(`checks/${uuid}`);
    await at.page.locator('.ping-card pre').first().waitFor();
    await expect.poll(() => at.page.getByText('on this machine only').count()).toBe(0);
  });
});
