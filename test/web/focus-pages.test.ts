/** What has the focus can be seen: not below the bar of a phone, not below what stays at the side, and its ring is not cut off. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the focus', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let n = 0; n < 15; n++) await at.knell.create({ name: `job ${n}`, tags: n % 2 === 0 ? 'prod' : '' });
    for (const [kind, name, value] of [
      ['webhook', 'Hook', JSON.stringify({ url_down: 'http://127.0.0.1:9/down' })],
      ['telegram', 'Chat', JSON.stringify({ id: 5 })],
    ]) {
      const args = { project: 'default', kind, name, value };
      await at.knell.app.admin({ command: 'channel create', args }, () => {});
    }
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    const { id: channel } = integrations.find((one: { name: string }) => one.name === 'Hook');
    // Refused, since the address is private: after two minutes every page says so.
    const { uuid } = await at.knell.create({ name: 'failing job', channels: channel });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(5);
      const { failing } = (await at.owner.get('/web/state')).json();
      expect(failing[at.project]).toHaveLength(1);
    });
    await at.clock.advance(120_000);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  afterAll(() => at?.stop());

  const faults = () => focusFaults(at.page);

  test.each([
    ['the badges', 'badges', 'img'],
    ['the settings', 'settings', '.line'],
  ])('is in sight at every stop of %s on a phone', async (_, path, settled) => {
    await at.open(path);
    await at.page.locator(settled).first().waitFor();
    expect(await faults()).toEqual([]);
    expect(await focusFaults(at.page, 'Shift+Tab')).toEqual([]);
  });

  test('has its ring in the list of the pages of the manual', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.goto(`${at.knell.app.httpUrl}/docs/installing`);
    expect(await faults()).toEqual([]);
    await at.page.setViewportSize({ width: 390, height: 844 });
  });

  test('is in sight in the overview, where a phone reads that it is an integration that fails', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await at.page.locator('.narrow-only', { hasText: /^1 integration failing$/ }).waitFor();
    expect(await faults()).toEqual([]);
  });
});
