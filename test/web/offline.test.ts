/** A device without a network, in a real browser: what says so, and that it ends with the network. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('without a network', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { uuid } = await at.knell.create({ name: 'Backup' });
    await at.knell.request(`/ping/${uuid}/fail`);
  });
  afterAll(() => at?.stop());

  test('what could not be sent says when there is a network again', async () => {
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).first().click();
    await at.page.getByLabel(/^Name/).fill('Tonight');
    await at.page.context().setOffline(true);
    await at.page
      .getByRole('button', { name: /^Create/ })
      .last()
      .click();
    await at.page.getByText('This device is offline. Try again once it has a network.').waitFor();
    await at.page.context().setOffline(false);
    await at.page.getByText('The network is back. Try again.').waitFor();
    await expect.poll(() => at.page.getByText('This device is offline.').count()).toBe(0);
  });

  test('the wall says so at once', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/wall/${at.project}`);
    await at.page.getByText('Live', { exact: true }).waitFor();
    await at.page.context().setOffline(true);
    await at.page.getByText(/^Offline, data from /).waitFor({ timeout: 2500 });
    await at.page.context().setOffline(false);
    await at.page.getByText('Live', { exact: true }).waitFor();
  });
});
