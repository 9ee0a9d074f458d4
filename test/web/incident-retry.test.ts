/** A notification that failed is sent again from the timeline of its incident, in a real browser and to a real receiver. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a notification that failed', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let status = 500;
  let received = 0;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = (_, response) => {
      received++;
      response.statusCode = status;
      response.end();
    };
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const urls = { url_down: receiver.url('/down'), url_up: receiver.url('/up') };
    const args = { project: 'default', kind: 'webhook', name: 'pager', value: JSON.stringify(urls) };
    await at.knell.app.admin({ command: 'channel create', args }, () => {});
    ({ uuid: check } = await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: '*' }));
    await at.knell.request(`/ping/${check}`);
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  const line = (words: RegExp) => at.page.locator('.timeline li', { hasText: words });
  const retry = (of: RegExp) => line(of).getByRole('button', { name: 'Retry now' });
  const outcomes = async (): Promise<readonly string[]> => {
    // In steps that are short beside the day after which one is given up: each attempt takes its time.
    await at.clock.advance(15 * minute);
    const { notifications } = (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json();
    return notifications.map(({ event, outcome }: Json) => `${event} ${outcome}`);
  };
  /** Opens the incident with the clock of the server, to which the session belongs. */
  const open = async (path: string): Promise<void> => {
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    await at.open(path);
  };

  test('is tried again at once while it still fails', async () => {
    await expect.poll(() => received).toBe(1);
    await expect
      .poll(async () => {
        await at.clock.advance(200);
        await open(`incidents/${incident}`);
        return retry(/to pager \(Webhook\): failed/).count();
      })
      .toBe(1);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    expect(await at.findings()).toEqual([]);
    await retry(/to pager \(Webhook\): failed/).click();
    await expect.poll(() => received).toBe(2);
  });

  test('is sent once it was given up, where the reader may edit', async () => {
    await expect.poll(outcomes, { interval: 20 }).toContain('down failed');
    const before = received;
    await open(`incidents/${incident}`);
    const given = /Given up after \d+ attempts\. It is sent only if somebody retries it\./;
    await retry(given).waitFor();
    for (const width of [390, 1024]) {
      await at.page.setViewportSize({ width, height: 844 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
    status = 200;
    await retry(given).press('Enter');
    await expect.poll(() => received).toBe(before + 1);
    await expect.poll(outcomes, { interval: 20 }).toContain('down delivered');
    await open(`incidents/${incident}`);
    await line(/Down alert of db to pager \(Webhook\): delivered/).waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
  });

  test('is not offered once the check is what it does not say', async () => {
    status = 500;
    await at.knell.request(`/ping/${check}`);
    await expect.poll(outcomes, { interval: 20 }).toContain('up failed');
    await open(`incidents/${incident}`);
    await retry(/Up notice of db to pager \(Webhook\): failed/).waitFor();
    await open(`checks/${check}`);
    const log = at.page.locator('#log .notification.failed');
    await log.filter({ hasText: 'Up notice' }).getByRole('button', { name: 'Retry now' }).waitFor();
    await at.knell.api('POST', `/api/v3/checks/${check}/pause`);
    await open(`checks/${check}`);
    await log.filter({ hasText: 'Up notice' }).waitFor();
    await expect.poll(() => log.getByRole('button').count()).toBe(0);
    await open(`incidents/${incident}`);
    await line(
      /Up notice of db to pager \(Webhook\): failedStatus 500\. Given up after \d+ attempts\.$/,
    ).waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
    // Where all of them are listed, it is still there.
    const { deliveries } = (await at.owner.get(`/web/in/${at.project}/outbox`)).json();
    expect(deliveries).toEqual([expect.objectContaining({ event: 'up', state: 'dead' })]);
  });
});
