/** A notification that failed is sent again from the timeline of its incident, in a real browser and to a real receiver. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { FailedNotification } from '../support/page/failed-notification.ts';

/** Pixels between the words of a button of the timeline and the edge that they are to be at. */
function offEdge(button: Json): number {
  const line = button.closest('li');
  const range = button.ownerDocument.createRange();
  range.selectNodeContents(button);
  const words = range.getBoundingClientRect();
  return button.ownerDocument.defaultView.innerWidth < 768
    ? words.left - line.querySelector('div').getBoundingClientRect().left
    : line.getBoundingClientRect().right - words.right;
}

describe.skipIf(browserMissing !== '')('a notification that failed', () => {
  let scene: FailedNotification;

  beforeAll(async () => {
    scene = await FailedNotification.start(500);
  }, 60_000);
  afterAll(() => scene?.stop());

  test('is tried again at once while it still fails', async () => {
    const { at, incident } = scene;
    await expect.poll(() => scene.received).toBe(1);
    const failing = scene.retry(/to pager \(Webhook\): failed/);
    await expect
      .poll(async () => {
        await at.clock.advance(200);
        await scene.open(`incidents/${incident}`);
        await at.page.locator('.timeline').waitFor();
        return failing.count();
      })
      .toBe(1);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    expect(await at.findings()).toEqual([]);
    await failing.click();
    await expect.poll(() => scene.received).toBe(2);
  });

  test('is sent once it was given up, where the reader may edit', async () => {
    const { at, incident } = scene;
    await scene.untilGivenUp();
    await expect.poll(() => scene.outcomes(), { interval: 20 }).toContain('down failed');
    const before = scene.received;
    await scene.open(`incidents/${incident}`);
    const given = /Given up after \d+ attempts\. It is sent only if somebody retries it\./;
    await scene.retry(given).waitFor();
    for (const width of [390, 1024]) {
      await at.page.setViewportSize({ width, height: 844 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
      // Its words end where those of the card do; on a phone they begin where those of its line do.
      expect(await scene.retry(given).evaluate(offEdge)).toBe(0);
    }
    scene.status = 200;
    await scene.retry(given).press('Enter');
    await expect.poll(() => scene.received).toBe(before + 1);
    await expect.poll(() => scene.outcomes(), { interval: 20 }).toContain('down delivered');
    await scene.open(`incidents/${incident}`);
    await scene.line(/Down alert to pager \(Webhook\): delivered/).waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
  });
});
