/** The page of a check at the width of a small laptop, in a real browser: its parts have one line each, and nothing is cut. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import type { OwnerBrowser } from '../support/page/owner-browser.ts';
import { shownTops, smallLaptop } from '../support/page/small-laptop.ts';

/** Returns the indices at which the lines of an element's text begin, but the first. */
const lineStarts = (element: Json): readonly number[] => {
  const { ownerDocument: document } = element;
  const starts: number[] = [];
  let at = 0;
  let last = Number.NaN;
  const texts = document.createTreeWalker(element, 4);
  for (let node = texts.nextNode(); node; node = texts.nextNode())
    for (let n = 0; n < node.data.length; n++, at++) {
      const range = document.createRange();
      range.setStart(node, n);
      range.setEnd(node, n + 1);
      const { top } = range.getBoundingClientRect();
      if (top > last) starts.push(at);
      last = top;
    }
  return starts;
};

describe.skipIf(browserMissing !== '')('the page of a check on a small laptop', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    ({ at, check } = await smallLaptop());
  }, 60_000);
  afterAll(() => at?.stop());

  // The narrowest window of each layout, and the widest of the two in between.
  test.each([768, 1000, 1279, 1440])('has its parts in one line each, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.open(`checks/${check.uuid}`);
    await at.page.locator('.channel-state').nth(1).waitFor();
    expect((await shownTops(at, '.actions-bar button')).size).toBe(1);
    for (const words of ['Mark as up', 'Pause', 'Resume', 'Edit'])
      await at.page.locator('.actions-bar').getByText(words, { exact: true }).waitFor();
    const bare = at.page.locator('.actions-bar button:visible:not(:has(svg:visible))');
    await expect.poll(() => bare.count()).toBe(0);
    await at.page.locator('.tabs button', { hasText: 'More' }).waitFor();
    expect((await shownTops(at, '.tabs button')).size).toBe(1);
    await at.page.locator('.tabs').getByRole('button', { name: 'More' }).click();
    await at.page.getByRole('menuitemradio', { name: 'GitHub Actions' }).click();
    const chosen = at.page.locator('.tabs button.chosen span');
    await expect.poll(() => chosen.textContent()).toBe('GitHub Actions');
    await expect.poll(() => chosen.evaluate((one: Json) => one.scrollWidth - one.clientWidth)).toBe(0);
    expect((await shownTops(at, '.tabs > button, .tabs > .with-menu > button')).size).toBe(1);
    const chat = at.page.locator('.integrations-list li', { hasText: 'Chat' });
    const [who, state] = await Promise.all([
      chat.locator('.who').boundingBox(),
      chat.locator('.channel-state').boundingBox(),
    ]);
    expect(state?.y).toBeLessThan((who?.y ?? 0) + (who?.height ?? 0));
    const url = at.page.locator('.ping-card pre').first();
    const text = (await url.textContent()) ?? '';
    for (const start of await url.evaluate(lineStarts)) expect(text.slice(0, start)).toMatch(/[/-]$/);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.each([390, 1024, 1440])(
    'has the icon of the status in line with its title, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 800 });
      await at.open(`checks/${check.uuid}`);
      await at.page.locator('.log li').first().waitFor();
      const [icon, title] = await Promise.all([
        at.page.locator('.now-head .mark').boundingBox(),
        at.page.locator('.now .big').boundingBox(),
      ]);
      if (!icon || !title) throw new Error('both are there');
      const apartPx = icon.y + icon.height / 2 - title.y - title.height / 2;
      expect(Math.abs(apartPx)).toBeLessThan(4);
    },
  );
});
