/** The matrix in a window that is a little too low for it, in a real browser: the page scrolls for a row or two, the box only for more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const total = 12;
const rowPxAt = (width: number): number => (width < 768 ? 78 : 40);

describe.skipIf(browserMissing !== '')('a matrix of some checks', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let n = 0; n < total; n++) await at.knell.create({ name: `job ${n}`, channels: '*' });
    const chat = { kind: 'telegram', name: 'Chat', value: '{"id":5}' };
    await at.owner.post(`/web/in/${at.project}/channels`, chat);
  }, 60_000);
  afterAll(() => at?.stop());

  const tick = (row: number) => at.page.locator(`[data-at="${row} 0"]`);
  /** Rows of the box that are below its lower edge. */
  const hidden = () =>
    at.page.evaluate<number>(`(() => {
      const box = document.querySelector('.matrix');
      return (box.scrollHeight - box.clientHeight) / document.querySelector('.matrix-row').offsetHeight;
    })()`);
  /** Opens it at a width. */
  async function open(width: number): Promise<void> {
    await at.page.setViewportSize({ width, height: 800 });
    await at.open('integrations?view=matrix');
    await tick(0).waitFor();
  }
  /** Makes the window so high that it has the space for `rows` and a half. */
  async function spaceFor(rows: number): Promise<void> {
    const [width = 0, framePx = 0] = await at.page.evaluate<number[]>(`(() => {
      const box = document.querySelector('.matrix');
      return [innerWidth, document.querySelector('.matrix-head').offsetHeight + box.offsetHeight - box.clientHeight];
    })()`);
    const aroundPx = width < 768 ? 136 : 80;
    await at.page.setViewportSize({ width, height: aroundPx + framePx + (rows + 1) * rowPxAt(width) });
  }

  test('is as high as its rows where two or fewer would be hidden', async () => {
    await open(1024);
    await spaceFor(total - 3);
    await expect.poll(hidden, { interval: 20 }).toBe(2.5);
    await at.page.getByText('3 more checks below').waitFor();
    await spaceFor(total - 2);
    await expect.poll(hidden, { interval: 20 }).toBe(0);
    await expect.poll(() => at.page.getByText('below').count(), { interval: 20 }).toBe(0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('has its head in sight where it scrolls by itself', async () => {
    await open(1024);
    await spaceFor(total - 3);
    await expect.poll(hidden, { interval: 20 }).toBe(2.5);
    await at.page.evaluate("document.querySelector('.matrix').scrollTo(0, 9999)");
    await expect
      .poll(() => at.page.evaluate("document.querySelector('.matrix').scrollTop"))
      .toBeGreaterThan(50);
    const top = async (css: string) => (await at.page.locator(css).boundingBox())?.y ?? 0;
    expect(Math.abs((await top('.matrix-head')) - (await top('.matrix')))).toBeLessThan(2);
  });

  test('is as high as its rows on a phone, where the page scrolls below its head', async () => {
    await open(390);
    await expect.poll(hidden, { interval: 20 }).toBe(0);
    await expect.poll(() => at.page.getByText('below').count(), { interval: 20 }).toBe(0);
    await at.page.evaluate('scrollTo(0, 99_999)');
    const [header, head] = [at.page.locator('header.top'), at.page.locator('.matrix-head')];
    const bottom = async (one: typeof head) => {
      const box = await one.boundingBox();
      return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
    };
    const gap = async () => Math.abs((await bottom(head)).top - (await bottom(header)).bottom);
    await expect.poll(gap).toBeLessThan(1);
    // The last ticks are above the bar at the bottom.
    const bar = await bottom(at.page.getByRole('navigation', { name: 'Pages' }));
    expect((await bottom(tick(total - 1))).bottom).toBeLessThan(bar.top);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.each([
    [1024, total - 1],
    [390, total - 4],
  ])('shows the tick that the arrow keys reach, at %i px with space for %i rows', async (width, rows) => {
    await open(width);
    await spaceFor(rows);
    /** Whether it has the focus, and nothing lies above it. */
    const isSeen = (row: number) =>
      tick(row).evaluate((one: Json) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const { activeElement } = one.ownerDocument;
        const seen = one.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
        return one === seen && one === activeElement;
      });
    await tick(0).focus();
    for (let row = 1; row < total; row++) await at.page.keyboard.press('ArrowDown');
    await expect.poll(() => isSeen(total - 1), { interval: 20 }).toBe(true);
    for (let row = 1; row < total; row++) await at.page.keyboard.press('ArrowUp');
    await expect.poll(() => isSeen(0), { interval: 20 }).toBe(true);
  });
});
