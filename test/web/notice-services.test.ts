/** A notice of a status page in a real browser: its services have their states, and those that are down are ticked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a new notice', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const services = [];
    for (const name of ['Shop', 'Mail', 'Search']) {
      const { uuid } = await at.knell.create({ name: `job of ${name}`, timeout: 86_400 });
      services.push({ id: '', name, checks: [uuid] });
      if (name !== 'Search') await at.knell.request(`/ping/${uuid}${name === 'Shop' ? '/fail' : ''}`);
    }
    const page = { slug: 'public', title: 'Public', services };
    expect((await at.owner.post(`/web/in/${at.project}/status-pages`, page)).status).toBe(201);
  }, 60_000);
  afterAll(() => at?.stop());

  test('has the state of each service beside its name, and those that are down ticked', async () => {
    for (const width of [1440, 360]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('status-pages');
      await at.page.getByRole('button', { name: 'Post a notice on Public' }).click();
      const box = (name: RegExp) => at.page.getByRole('checkbox', { name });
      await box(/^Shop down$/).waitFor();
      await expect.poll(() => box(/^Shop/).isChecked()).toBe(true);
      await expect.poll(() => box(/^Mail up$/).isChecked()).toBe(false);
      await expect.poll(() => box(/^Search no data yet$/).isChecked()).toBe(false);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
  });
});
