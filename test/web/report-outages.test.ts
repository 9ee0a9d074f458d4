/** More outages than incidents, on the page of reports in a real browser: it says why. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a report with more outages than incidents', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    ({ uuid } = await at.knell.create({ name: 'Backup', timeout: 86_400 }));
  });
  afterAll(() => at?.stop());

  const fails = async (): Promise<void> => {
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(minute);
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(minute);
  };
  const show = () => at.page.goto(`${at.knell.app.httpUrl}/reports`);
  const why = () => at.page.getByText('Not each outage is an incident', { exact: false });

  test('says that one in maintenance opens none, and says nothing where all are incidents', async () => {
    await fails();
    await show();
    await at.page.getByText('1 outage in 1 check', { exact: false }).waitFor();
    await expect.poll(() => why().count()).toBe(0);
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Move', duration: '1h' });
    await fails();
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await show();
      await at.page.getByText('2 outages in 1 check', { exact: false }).waitFor();
      await why().waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });
});
