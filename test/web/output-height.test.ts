/** An output in the log on a phone, in a real browser: as much of the screen as can be, and all of it where it fits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const screenPx = 844;

interface Shown {
  readonly height: number;
  readonly scrolls: boolean;
  /** How far its first line is above its upper edge, in pixels. */
  readonly hidden: number;
  /** Where it begins in the window. */
  readonly top: number;
}

describe.skipIf(browserMissing !== '')('an output in the log of a phone', () => {
  let at: OwnerBrowser;
  const checks = new Map<string, string>();

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 390, height: screenPx });
    for (const [name, lines] of [
      ['short', 28],
      ['long', 400],
    ] as const) {
      const { uuid } = await at.knell.create({ name, channels: '' });
      const body = Array.from({ length: lines }, (_, n) => `step ${n + 1} of ${lines}`);
      await at.knell.request(`/ping/${uuid}/3`, {
        method: 'POST',
        body: [...body, 'error: disk full'].join('\n'),
      });
      await at.clock.advance(1000);
      checks.set(name, uuid);
    }
  }, 60_000);
  afterAll(() => at?.stop());

  const output = () => at.page.locator('.log .body pre');

  async function shown(name: string): Promise<Shown> {
    await at.open(`checks/${checks.get(name)}`);
    await at.page.getByRole('button', { name: 'Show all', exact: true }).click();
    await output().locator('.found-line').waitFor();
    return at.page.evaluate<Shown>(
      `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const box = document.querySelector('.log .body pre');
        const { height, top } = box.getBoundingClientRect();
        done({ height, top, hidden: box.scrollTop, scrolls: box.scrollHeight > box.clientHeight });
      })))`,
    );
  }

  test('has no part of it hidden where all of it fits', async () => {
    const { height, scrolls, hidden, top } = await shown('short');
    expect(scrolls).toBe(false);
    expect(hidden).toBe(0);
    expect(height).toBeLessThanOrEqual(0.8 * screenPx);
    // Its first line is in sight, below the bar of the page.
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top + height).toBeLessThanOrEqual(screenPx);
  });

  test('is four fifths of the screen where it does not, and begins at the line that matters', async () => {
    const { height, scrolls, hidden } = await shown('long');
    expect(scrolls).toBe(true);
    expect(hidden).toBeGreaterThan(0);
    expect(Math.abs(height - 0.8 * screenPx)).toBeLessThan(2);
    await expect.poll(() => output().locator('.found-line').isVisible()).toBe(true);
  });
});
