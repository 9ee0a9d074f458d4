/** What has the focus on the pages of integrations can be seen on a phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { focusFaults } from '../support/page/focus-faults.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the focus, among integrations,', () => {
  let at: OwnerBrowser;
  let channel = '';

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
    channel = integrations.find((one: { name: string }) => one.name === 'Hook').id;
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
    ['the integrations', 'integrations', '.gallery'],
    ['a new webhook', 'integrations/new/webhook', 'textarea'],
  ])('is in sight at every stop of %s on a phone', async (_, path, settled) => {
    await at.open(path);
    await at.page.locator(settled).first().waitFor();
    expect(await faults()).toEqual([]);
    expect(await focusFaults(at.page, 'Shift+Tab')).toEqual([]);
  });

  test('is in sight at every stop of an integration, with the notices above it', async () => {
    await at.open(`integrations/${channel}`);
    await at.page.locator('.notice').nth(1).waitFor();
    await at.page.getByRole('radio', { name: 'Choose…' }).check();
    await at.page.locator('.choices input').first().waitFor();
    expect(await faults()).toEqual([]);
  });
});
