/** A notification that failed and no longer says what its check is, in a real browser: nobody is offered to send it again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { FailedNotification } from '../support/page/failed-notification.ts';

describe.skipIf(browserMissing !== '')('a notification that is outdated', () => {
  let scene: FailedNotification;

  beforeAll(async () => {
    scene = await FailedNotification.start(200);
  }, 60_000);
  afterAll(() => scene?.stop());

  test('is not offered once the check is what it does not say', async () => {
    const { at, check, incident } = scene;
    await expect.poll(() => scene.outcomes(), { interval: 20 }).toContain('down delivered');
    scene.status = 500;
    await at.knell.request(`/ping/${check}`);
    await expect.poll(() => scene.received, { interval: 20 }).toBe(2);
    await scene.untilGivenUp();
    await expect.poll(() => scene.outcomes(), { interval: 20 }).toContain('up failed');
    await scene.open(`incidents/${incident}`);
    await scene.retry(/Up notice to pager \(Webhook\): failed/).waitFor();
    await scene.open(`checks/${check}`);
    const log = at.page.locator('#log .notification.failed');
    await log.filter({ hasText: 'Up notice' }).getByRole('button', { name: 'Retry now' }).waitFor();
    await at.knell.api('POST', `/api/v3/checks/${check}/pause`);
    await scene.open(`checks/${check}`);
    await log.filter({ hasText: 'Up notice' }).waitFor();
    await expect.poll(() => log.getByRole('button').count()).toBe(0);
    await scene.open(`incidents/${incident}`);
    await scene
      .line(/Up notice to pager \(Webhook\): failedStatus 500\. Given up after \d+ attempts\.$/)
      .waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
    // Where all of them are listed, it is still there.
    const { deliveries } = (await at.owner.get(`/web/in/${at.project}/outbox`)).json();
    expect(deliveries).toEqual([expect.objectContaining({ event: 'up', state: 'dead' })]);
  });
});
