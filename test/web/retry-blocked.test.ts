/** A notification to a private address that is blocked, in a real browser: the owner allows it and sends it again by one button. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a notification to a blocked address', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    [at, receiver] = await Promise.all([OwnerBrowser.start(), HttpReceiver.start()]);
    const value = JSON.stringify({ url_down: receiver.url('/down') });
    await at.owner.post(`/web/in/${at.project}/channels`, { kind: 'webhook', name: 'tickets', value });
    ({ uuid: check } = await at.knell.create({ name: 'db', channels: '*' }));
    await at.knell.request(`/ping/${check}`);
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  test('has the address in the place of another try, which would fail, too', async () => {
    const sent = async () =>
      (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json().notifications ?? [];
    await expect
      .poll(async () => {
        await at.clock.advance(200);
        return sent();
      })
      .toMatchObject([{ outcome: 'failed' }]);
    await at.page.setViewportSize({ width: 390, height: 844 });
    for (const [path, line] of [
      [`checks/${check}`, '.now .strip-line'],
      [`checks/${check}`, '#log .notification.failed'],
      [`incidents/${incident}`, '.timeline .wrong'],
    ] as const) {
      await at.open(path);
      await at.page.locator(line).getByRole('button', { name: 'Allow 127.0.0.1 and retry' }).waitFor();
      await expect.poll(() => at.page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    expect(await at.findings()).toEqual([]);
  });

  test('is delivered once the address is allowed', async () => {
    await at.page.getByRole('button', { name: 'Allow 127.0.0.1 and retry' }).press('Enter');
    await expect.poll(() => receiver.all.length).toBe(1);
  });
});
