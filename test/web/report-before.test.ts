/** The page of reports in a real browser: each figure beside that of the period before, and checks that wait for a ping as such. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a report', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    // A Wednesday.
    const startMs = Date.UTC(2026, 2, 11, 12);
    at = await OwnerBrowser.start({}, 'chromium', { startMs, timezoneId: 'UTC' });
    ({ uuid } = await at.knell.create({ name: 'Backup', timeout: 30 * 86_400 }));
    await at.knell.request(`/ping/${uuid}`);
    const { uuid: resumed } = await at.knell.create({ name: 'Resumed', timeout: 30 * 86_400, tags: 'media' });
    await at.knell.request(`/ping/${resumed}`);
    for (const action of ['pause', 'resume'])
      await at.knell.api('POST', `/api/v3/checks/${resumed}/${action}`);
  }, 60_000);
  afterAll(() => at?.stop());

  const fails = async (lastsMs: number): Promise<void> => {
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(lastsMs);
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(hour);
  };
  const row = (term: string) => at.page.locator('.report dt', { hasText: term }).locator('+ dd');
  const before = (term: string) => row(term).locator('.period-before').textContent();

  test('says nothing of a time in which nothing was watched, and is above what sends it', async () => {
    await at.clock.advance(hour);
    await at.page.goto(`${at.knell.app.httpUrl}/reports`);
    await at.page.getByRole('heading', { name: 'Delivery' }).waitFor();
    await row('Uptime').waitFor();
    await expect.poll(() => at.page.locator('.report .period-before').count()).toBe(0);
    const top = async (name: string): Promise<number> =>
      (await at.page.getByRole('heading', { name }).boundingBox())?.y ?? 0;
    expect(await top('This week')).toBeLessThan(await top('Delivery'));
  });

  test('counts checks that were resumed as waiting, as the list and the badges do', async () => {
    await expect.poll(() => row('Now').textContent()).toMatch(/^2 checks: 1.up, 1.waiting$/);
    await at.open('badges');
    const badge = at.page.locator('.badges li', { has: at.page.locator('strong', { hasText: 'media' }) });
    await badge.getByText('counts 1 waiting as up').waitFor();
  });

  test('has the figures of the week before', async () => {
    for (const _ of [1, 2]) await fails(hour);
    await at.clock.advance(7 * day);
    await fails(2 * hour);
    for (const width of [1440, 360]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.page.goto(`${at.knell.app.httpUrl}/reports`);
      await expect.poll(() => before('Uptime')).toMatch(/^Mon, Mar 9 to Sun, Mar 15: 98\.\d\d %, 2 outages$/);
      await expect.poll(() => before('Downtime')).toMatch(/^Mon, Mar 9 to Sun, Mar 15: 2.h$/);
      await expect.poll(() => before('Incidents')).toBe('Mon, Mar 9 to Sun, Mar 15: 2 opened');
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
    await at.page.getByRole('button', { name: 'Today' }).click();
    await expect.poll(() => before('Uptime')).toBe('Tue, Mar 17: 100.0 %, no outages');
    await at.page.getByRole('button', { name: 'Last 7 days' }).click();
    await expect.poll(() => before('Uptime')).toMatch(/^The 7 days before: /);
  });

  test('says that incidents of deleted checks are counted', async () => {
    const words = () =>
      at.page.getByText('Incidents of checks that have been deleted or moved since', { exact: false });
    await expect.poll(() => words().count()).toBe(0);
    const { uuid: gone } = await at.knell.create({ name: 'Gone', timeout: 30 * 86_400 });
    for (const end of ['', '/fail', '', '/fail', '', '/fail']) {
      await at.knell.request(`/ping/${gone}${end}`);
      await at.clock.advance(hour);
    }
    await at.knell.api('DELETE', `/api/v3/checks/${gone}`);
    await at.page.goto(`${at.knell.app.httpUrl}/reports`);
    await words().waitFor();
    expect(await at.findings()).toEqual([]);
  });
});
