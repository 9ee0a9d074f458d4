/** What moves on the page of a check while it loads, as the browser itself measures it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

/** Sum of the shifts of a load: a fifth of what Lighthouse calls good. */
const shiftMax = 0.02;
/** What comes after each other over a network comes in different frames. */
const roundTripMs = 60;

const watchShifts = `(() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => ({
    value: entry.value,
    of: entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 90) : String(node))),
  })))).observe({ type: 'layout-shift', buffered: true });
})()`;

interface Shift {
  readonly value: number;
  readonly of: readonly string[];
}

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();

  beforeAll(async () => {
    const { at } = scene;
    await at.page.addInitScript(watchShifts);
    const network = await at.page.context().newCDPSession(at.page);
    await network.send('Network.enable');
    const unlimited = { downloadThroughput: -1, uploadThroughput: -1, offline: false };
    await network.send('Network.emulateNetworkConditions', { latency: roundTripMs, ...unlimited });
  });

  test.each([390, 1440])(
    'has its status first, and moves nothing while the rest comes, at %i px',
    async (width) => {
      const { at, backup } = scene;
      await at.page.setViewportSize({ width, height: width < 768 ? 844 : 900 });
      await at.page.goto('about:blank');
      await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/checks/${backup.uuid}`);
      await at.page.locator('.actions-bar button').first().waitFor();
      // The rest is there, and not seen yet.
      await expect.poll(() => at.page.locator('.check.coming').count()).toBe(0);
      for (const part of ['.last-output pre', '.chart canvas', '.log li', '.channel-state'])
        await at.page.locator(part).first().waitFor();
      const shifts = await at.page.evaluate<readonly Shift[]>('window.shifts');
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      expect(sum, JSON.stringify(shifts)).toBeLessThan(shiftMax);
    },
  );

  test('says below the buttons that the rest is loading where that takes a while, and moves nothing', async () => {
    const { at, backup } = scene;
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.page.goto('about:blank');
    let release = (): void => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    await at.page.route(/\/checks\/[^/]+\/log$/, async (route) => {
      await released;
      await route.continue();
    });
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/checks/${backup.uuid}`);
    const words = at.page.locator('.now .rest-coming', { hasText: 'Loading…' });
    await words.waitFor();
    const [said, buttons] = [
      await words.boundingBox(),
      await at.page.locator('.actions-bar').first().boundingBox(),
    ];
    expect(said?.y).toBeGreaterThanOrEqual((buttons?.y ?? 0) + (buttons?.height ?? 0));
    expect(said?.y).toBeLessThan(844);
    release();
    await words.waitFor({ state: 'detached' });
    await at.page.locator('.log li').first().waitFor();
    const shifts = await at.page.evaluate<readonly Shift[]>('window.shifts');
    expect(
      shifts.reduce((all, { value }) => all + value, 0),
      JSON.stringify(shifts),
    ).toBeLessThan(shiftMax);
    await at.page.unroute(/\/checks\/[^/]+\/log$/);
  });
});
