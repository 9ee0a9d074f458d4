/** Settings of the server and of a project in a real browser: the age of the snapshots, and an answer that comes late. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the settings page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_SNAPSHOTS: '1d:7' });
    await at.knell.create({ name: 'job' });
    await at.open('settings');
  });

  afterAll(() => at?.stop());

  test('says how old the latest snapshot is, and that there is one a day', async () => {
    await at.page.getByRole('link', { name: 'Server', exact: true }).click();
    await at.page.waitForURL('**/server');
    await at.page.getByText('One is written every day; the newest 7 are kept').waitFor();
    await at.page.getByText('No snapshot yet').waitFor();
    await at.knell.app.admin({ command: 'snapshot', args: {} }, () => {});
    await at.page.reload();
    await at.page.getByText(/^Latest: (just now|\d+ \w+ ago), .* snapshots\/manual-\w+\.snapshot$/).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByRole('link', { name: 'Project', exact: true }).click();
    await at.page.getByLabel('Name of this project').waitFor();
  });

  test('is there by itself once the server can be reached again', async () => {
    await at.page.route('**/web/in/*/settings', (route) => route.abort(), { times: 1 });
    await at.page.clock.install();
    await at.page.reload();
    await at.page.getByText("Can't reach Knell").waitFor();
    await at.page.clock.runFor(3000);
    await at.page.getByLabel('Name of this project').waitFor();
    expect(at.complaints.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
  });
});
