/** An alert of an incident that waits behind failed ones to the same integration, in a real browser: its timeline says so from the start. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

const behind = 'Not tried yet: others to this integration come first.';

describe.skipIf(browserMissing !== '')('an alert that is behind others', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const made = {
      kind: 'webhook',
      name: 'tickets',
      fields: { url_down: 'http://127.0.0.1:9/' },
      checks: 'none',
    };
    await at.owner.post(`/web/in/${at.project}/channels`, made);
    const waiting: string[] = [];
    for (let n = 0; n < 12; n++) {
      const { uuid } = await at.knell.create({ name: `job ${n}`, channels: '*' });
      await at.knell.request(`/ping/${uuid}/fail`);
      waiting.push(uuid);
    }
    // It is paused once so many have failed.
    await eventually(async () => {
      await at.clock.advance(1000);
      const { deliveries } = (await at.owner.get(`/web/in/${at.project}/outbox`)).json();
      expect(deliveries.filter(({ attempts }: Json) => attempts > 0).length).toBeGreaterThan(4);
    });
  }, 60_000);
  afterAll(() => at?.stop());

  test('says that, as soon as it waits', async () => {
    const { uuid } = await at.knell.create({ name: 'export', channels: '*' });
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.clock.setFixedTime(at.clock.nowMs());
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/?q=export')).json();
    await at.open(`incidents/${incidents[0].id}`);
    const line = at.page.locator('.timeline li', { hasText: 'Down alert to tickets (Webhook): waiting' });
    await expect.poll(() => line.locator('.said').textContent()).toBe(behind);
    // The management API says what it said before.
    const { waiting } = (await at.knell.api('GET', `/api/v3/incidents/${incidents[0].id}`)).json();
    expect(waiting[0]).not.toHaveProperty('isBehind');
  });
});
