/** The log of a check in a real browser, where a snooze ends: what is sent then is one line, above the end that it was sent for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const minute = 60_000;

describe.skipIf(browserMissing !== '')('what is sent when a snooze ends', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' }, 'chromium', {
      startMs: new Date(2026, 10, 16, 1, 0).getTime(),
    });
    const add = (name: string, url: string) =>
      at.owner.post(`/web/in/${at.project}/channels`, {
        ...{ kind: 'webhook', name, value: JSON.stringify({ url_down: url }) },
      });
    // Of those that fail one is before the others by name, and one after them.
    await add('Alpha', receiver.url('/good'));
    await add('Beta', 'http://10.0.0.1:9/');
    await add('Gamma', receiver.url('/good'));
    await add('Omega', 'http://10.0.0.1:9/');
    check = (await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: '*' })).uuid;
    await at.knell.request(`/ping/${check}`);
    await at.clock.advance(minute);
    await at.knell.request(`/ping/${check}/fail`);
    await receiver.until(2);
    await settled(2);
    await at.clock.advance(61 * minute);
    await at.knell.api('POST', `/api/v3/checks/${check}/snooze`, { for: 3600 });
    await at.clock.advance(5 * minute);
    await at.knell.api('POST', `/api/v3/checks/${check}/unsnooze`);
    await receiver.until(4);
    await settled(4);
  }, 120_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  const log = async (): Promise<readonly Json[]> =>
    (await at.owner.get(`/web/in/${at.project}/checks/${check}/log`)).json().entries;
  /** Resolves once so many have failed for good. */
  const settled = (failed: number) =>
    eventually(async () => {
      await at.clock.advance(50);
      const sent = (await log()).filter(({ what }) => what === 'notification');
      const outcomes = sent.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(failed);
      expect(outcomes).not.toContain('waiting');
    });

  test('is above that end, and below it is the snooze', async () => {
    const order = (await log()).map(({ what }) => what);
    expect(order.lastIndexOf('notification', order.indexOf('alert'))).toBe(order.indexOf('alert') - 1);
    expect(order.slice(0, 6)).toEqual([...Array(4).fill('notification'), 'alert', 'alert']);
  });

  test.each([1440, 390])('is one line, which opens as many as its button says, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.open(`checks/${check}`);
    const folds = at.page.locator('#log .fold.sent');
    await expect
      .poll(() => folds.locator('.said').allTextContents())
      .toEqual(['Down alert and reminder 2 delivered, 2 failed', 'Down alert 2 delivered, 2 failed']);
    const lines = at.page.locator('#log .notification');
    await folds.first().getByRole('button', { name: 'Show 4 of down alert and reminder' }).press('Enter');
    await expect.poll(() => lines.count()).toBe(4);
    // All are of one minute.
    await expect
      .poll(() => lines.first().locator('.at').locator('visible=true').last().textContent())
      .toMatch(/:07:0\d/);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings('.log-card')).toEqual([]);
  });
});
