/** The matrix at the width of a small laptop, in a real browser: names are there in full, and all tags can be found. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import type { OwnerBrowser } from '../support/page/owner-browser.ts';
import { longName, smallLaptop } from '../support/page/small-laptop.ts';

describe.skipIf(browserMissing !== '')('the matrix on a small laptop', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    ({ at } = await smallLaptop());
  }, 60_000);
  afterAll(() => at?.stop());

  test.each([1024, 1440])('has names of checks in full, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.open('integrations?view=matrix');
    const label = at.page.locator('.matrix-row .name span', { hasText: longName });
    await label.waitFor();
    const [height, cut] = await label.evaluate((one: Json) => [
      one.getBoundingClientRect().height,
      one.scrollHeight - one.clientHeight,
    ]);
    expect([height < 24, cut]).toEqual([true, 0]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test.each([1440, 1024])('has a column for whole rows, with a heading, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.open('integrations?view=matrix');
    const whole = at.page.locator('.matrix-row .whole').first();
    await whole.waitFor();
    const heading = at.page.getByRole('columnheader', { name: 'All integrations' });
    const [above, below] = [await heading.boundingBox(), await whole.boundingBox()];
    if (!above || !below) throw new Error('both are in sight');
    expect([Math.abs(above.x - below.x) < 2, Math.abs(above.width - below.width) < 2]).toEqual([true, true]);
  });

  test('has the ticks below the name and the one for all on a phone, and the name of an integration above its own', async () => {
    await at.page.setViewportSize({ width: 390, height: 800 });
    await at.open('integrations?view=matrix');
    const row = at.page.locator('.matrix-row').first();
    await row.waitFor();
    const boxes = ['.name > *', '.whole', '[role=cell]:not(.whole) input >> nth=0'].map((one) =>
      row.locator(one).boundingBox(),
    );
    const [[name, whole, tick], around] = [await Promise.all(boxes), await row.boundingBox()];
    if (!name || !whole || !tick || !around) throw new Error('all are in sight');
    expect(whole.x).toBeGreaterThan(name.x + name.width);
    expect(tick.y).toBeGreaterThanOrEqual(Math.max(name.y + name.height, whole.y + whole.height));
    expect(tick.y + tick.height).toBeLessThanOrEqual(around.y + around.height);
    const gaps = `[...document.querySelectorAll('.matrix .channel')].map((one) =>
      one.querySelector('button').getBoundingClientRect().top - one.querySelector('.title').getBoundingClientRect().bottom)`;
    for (const gap of await at.page.evaluate<number[]>(gaps)) expect(gap).toBeLessThan(4);
  });

  test('leaves no part of a wide window empty', async () => {
    await at.page.setViewportSize({ width: 1440, height: 800 });
    await at.open('integrations?view=matrix');
    await at.page.locator('.matrix-row').first().waitFor();
    const restPx = `document.querySelector('.matrix-row').getBoundingClientRect().right
      - document.querySelector('.matrix-row > :last-child').getBoundingClientRect().right`;
    await expect.poll(() => at.page.evaluate<number>(restPx)).toBeLessThan(2);
    // What it takes is for names: columns are at most twice as wide.
    const columnPx = `document.querySelector('.matrix-row > :last-child').getBoundingClientRect().width`;
    expect(await at.page.evaluate<number>(columnPx)).toBeLessThanOrEqual(208);
  });

  test('finds a tag that does not fit into the line', async () => {
    const chips = at.page.locator('.matrix-page .chips');
    await chips.getByRole('button', { name: /^\d more$/ }).click();
    await at.page.getByRole('menuitem', { name: /^theta/ }).click();
    await expect.poll(() => at.page.locator('.matrix-row').count()).toBe(1);
    await expect
      .poll(() => chips.getByRole('button', { name: 'theta' }).getAttribute('aria-pressed'))
      .toBe('true');
    expect(await at.findings()).toEqual([]);
  });
});
