/** What the page says of notifications that were retried, in a real browser: what they came to last, and no try that never happened. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a notification that was retried', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  const ids: string[] = [];
  /** What the receiver answers. */
  let status = 200;

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = (_, response) => void response.writeHead(status).end();
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.UTC(2026, 10, 16, 12), timezoneId: 'UTC' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const path of ['/a', '/b']) {
      const made = {
        kind: 'webhook',
        name: 'hook',
        fields: { url_down: receiver.url(path) },
        checks: 'none',
      };
      ids.push((await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id);
    }
    check = (await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: ids.join(',') })).uuid;
    const other = await at.knell.create({ name: 'web', timeout: 30 * 86_400, channels: ids[0] });
    for (const uuid of [check, other.uuid]) await at.knell.request(`/ping/${uuid}/fail`);
    await until(({ failed }) => failed === 2, 0);
    await until(({ failed }) => failed === 1, 1);
    await at.owner.post('/web/server-settings/allow', { addresses: ['127.0.0.1'] });
    await at.clock.advance(hour);
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  async function until(isSo: (one: Json) => boolean, nth: number): Promise<void> {
    await eventually(async () => {
      await at.clock.advance(200);
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect(isSo(integrations.find(({ id }: Json) => id === ids[nth]))).toBe(true);
    });
    // Outcomes are written together.
    await at.clock.advance(second);
  }

  const isTriedTwice = ({ attempts }: Json): boolean => attempts === 2;
  const retryAll = (nth: number) => at.owner.post(`/web/in/${at.project}/channels/${ids[nth]}/retry`);

  async function open(path: string): Promise<void> {
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    await at.open(path);
  }

  test('and waits for its next try says when it was tried last, and in its head when it is tried next', async () => {
    status = 500;
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    const { deliveries } = integrations.find(({ id }: Json) => id === ids[0]);
    const one = deliveries.find((of: Json) => of.check === 'db');
    await at.owner.post(`/web/in/${at.project}/outbox/${one.id}/retry`);
    await until(({ retrying, deliveries: own }) => retrying === 1 && own.some(isTriedTwice), 0);
    await open(`integrations/${ids[0]}`);
    const facts = at.page.locator('.facts');
    await facts.getByText('2 failed notifications').waitFor();
    await facts.locator('.why', { hasText: /next try of 1 (at|tomorrow) ?\d/ }).waitFor();
    const row = facts.locator('li', { hasText: 'Down: db' });
    await expect.poll(() => row.locator('.when').textContent()).toMatch(/^12:00\sPM$/);
    await row.getByRole('button', { name: /^Details/ }).click();
    await row.getByText(/^Tried last at 1:\d\d\sPM: status 500$/).waitFor();
    await row.getByText(/^Next try at 1:\d\d\sPM\. Given up after 24 hours\.$/).waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('is counted by what it came to last, of each of two integrations with one name', async () => {
    await open(`checks/${check}`);
    const card = at.page.locator('.now .notified');
    await card.getByText('Notifications: 1 failing, 1 failed').waitFor();
    status = 200;
    await retryAll(0);
    await until(({ failed, waiting }) => failed + waiting === 0, 0);
    await open(`checks/${check}`);
    await card.getByText('Notifications: 1 delivered, 1 failed').waitFor();
    await expect.poll(() => card.locator('strong.bad').count()).toBe(1);
    await at.page
      .locator('#log .fold.sent', { hasText: 'Down alert 1 delivered, 1 failed' })
      .first()
      .waitFor();
    await retryAll(1);
    await until(({ failed, waiting }) => failed + waiting === 0, 1);
    await open(`checks/${check}`);
    await card.getByText('Notifications: 2 delivered', { exact: true }).waitFor();
    await expect.poll(() => card.locator('strong.bad').count()).toBe(0);
    // What failed before is no warning any more, and counts no second time.
    const folds = at.page.locator('#log .fold.sent');
    await expect.poll(() => folds.filter({ hasText: '2 delivered' }).count()).toBeGreaterThan(0);
    await expect.poll(() => folds.filter({ hasText: 'failed' }).count()).toBe(0);
    await expect.poll(() => at.page.locator('#log .fold.sent.unwell').count()).toBe(0);
  });

  test('or not sent for a snooze has the time of the reader in the table of its integration', async () => {
    const { uuid } = await at.knell.create({ name: 'late', timeout: 30 * 86_400, channels: ids[1] });
    status = 500;
    await at.knell.request(`/ping/${uuid}/fail`);
    await until(({ retrying }) => retrying === 1, 1);
    const body = { until: new Date(at.clock.nowMs() + 90 * minute + 20 * second).toISOString() };
    expect((await at.knell.api('POST', `/api/v3/checks/${uuid}/snooze`, body)).status).toBe(200);
    await until(({ waiting }) => waiting === 0, 1);
    await open('integrations');
    await expect
      .poll(() => at.page.locator('table').allTextContents())
      .toContainEqual(expect.stringMatching(/Down: late\s*not sent: snoozed until \d+:\d\d\sPM/));
    expect(at.complaints).toEqual([]);
  });
});
