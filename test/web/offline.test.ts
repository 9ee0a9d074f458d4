/** A device without a network, in a real browser: what says so, and that it ends with the network. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('without a network', () => {
  let at: OwnerBrowser;
  let check = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const { uuid } = await at.knell.create({ name: 'Backup' });
    await at.knell.request(`/ping/${uuid}/fail`);
    check = uuid;
    for (let n = 0; n < 20; n++) await at.knell.create({ name: `job ${n}` });
  });
  afterAll(() => at?.stop());

  test('what could not be sent says when there is a network again', async () => {
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).first().click();
    await at.page.getByLabel(/^Name/).fill('Tonight');
    await at.page.getByLabel('All checks').check();
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

  test('a page on which nothing is pressed says so within ten seconds, also where one has scrolled', async () => {
    await at.page.setViewportSize({ width: 390, height: 500 });
    for (const page of ['checks', `checks/${check}`, 'incidents', 'integrations']) {
      await at.open(page);
      await at.page.locator('h1').first().waitFor();
      await at.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await at.page.context().setOffline(true);
      const banner = at.page.getByRole('heading', { name: 'This device is offline' });
      await banner.waitFor({ timeout: 10_000 });
      expect((await banner.boundingBox())?.y).toBeGreaterThan(40);
      expect((await banner.boundingBox())?.y).toBeLessThan(500);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await at.page.context().setOffline(false);
      await banner.waitFor({ state: 'detached' });
    }
  });

  test('the list is there as it was seen last, and a page that was never seen has no time', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
    await at.page.getByRole('link', { name: 'Incidents' }).first().click();
    await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await at.page.context().setOffline(true);
    await at.page.getByRole('heading', { name: 'This device is offline' }).waitFor();
    await at.page.getByRole('link', { name: 'Checks' }).first().click();
    await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
    await at.page.getByText(/^Data from /).waitFor();
    await at.page.getByRole('link', { name: 'Integrations' }).first().click();
    await at.page.locator('main h1').waitFor();
    await expect.poll(() => at.page.getByText(/^Data from /).count()).toBe(0);
    await expect
      .poll(() => at.page.getByText('This device is offline').filter({ visible: true }).count())
      .toBe(1);
    await at.page.context().setOffline(false);
    await at.page.getByText('Live', { exact: true }).waitFor();
    at.complaints.splice(0);
  });

  test('a check that was not opened before says what the list showed of it', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('checks');
    const row = at.page.locator('.row', { hasText: 'job 3' });
    await row.waitFor();
    await at.page.context().setOffline(true);
    await row.locator('a').first().click();
    await at.page.getByRole('heading', { level: 1, name: 'job 3' }).waitFor();
    await at.page.locator('.listed').getByText('No pings yet').waitFor();
    await at.page.getByText(/^Data from /).waitFor();
    await expect.poll(() => at.page.getByText('This device is offline').count()).toBe(1);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.context().setOffline(false);
    await at.page.getByRole('heading', { name: 'History' }).waitFor();
    await expect.poll(() => at.page.getByText('This device is offline').count()).toBe(0);
    at.complaints.splice(0);
  });

  test('one comes back from a check to the list as it was, with its maintenance, and to the check and the incidents', async () => {
    const { page } = at;
    await page.setViewportSize({ width: 390, height: 844 });
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Now', checks: [check], duration: '1h' });
    await at.open('incidents');
    await page.getByRole('heading', { name: 'Past incidents' }).waitFor();
    await page.getByRole('link', { name: 'Backup is down' }).first().click();
    await page.locator('article.incident:not(.outputs-coming)').waitFor();
    await page.getByRole('link', { name: 'Checks' }).first().click();
    const row = page.locator('.row', { hasText: 'Backup' });
    const width = async () => (await row.locator('a').first().boundingBox())?.width;
    await expect.poll(() => row.textContent()).toMatch(/In maintenance until/);
    await page.locator('.banners', { hasText: 'maintenance' }).first().waitFor();
    const before = await width();
    await row.locator('a').first().click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.locator('article.check:not(.coming)').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Checks' }).first().click();
    await expect.poll(() => row.textContent()).toMatch(/In maintenance until/);
    await page.getByText(/^Data from /).waitFor();
    expect(await width()).toBe(before);
    await row.locator('a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
    await page.getByText(/^Data from /).waitFor();
    await expect.poll(() => page.getByText('This device is offline').count()).toBe(1);
    await page.getByRole('link', { name: 'Incidents' }).first().click();
    await page.getByRole('heading', { name: 'Past incidents' }).waitFor();
    await expect.poll(() => page.getByText('This device is offline').count()).toBe(1);
    await page.getByRole('link', { name: 'Backup is down' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Backup is down' }).waitFor();
    await page.getByText(/^Data from /).waitFor();
    await expect.poll(() => page.getByText('This device is offline').count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('This device is offline').count()).toBe(0);
    at.complaints.splice(0);
  });

  test('the wall says so at once, and the name of the project keeps its place', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.page.goto(`${at.knell.app.httpUrl}/wall/${at.project}`);
    await at.page.getByText('Live', { exact: true }).waitFor();
    await at.page.context().setOffline(true);
    await at.page.getByText(/^Offline, data from /).waitFor({ timeout: 2500 });
    const name = await at.page.locator('h1').boundingBox();
    expect(name?.width).toBeGreaterThan(200);
    expect((await at.page.getByText(/^Offline, data from /).boundingBox())?.y).toBeGreaterThan(
      (name?.y ?? 0) + (name?.height ?? 0) - 1,
    );
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.context().setOffline(false);
    await at.page.getByText('Live', { exact: true }).waitFor();
  });
});
