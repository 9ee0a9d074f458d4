/** The tags of a row of the list, in a real browser: those that do not fit are counted and named. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const tags = ['finance', 'invoices', 'nightly', 'prod', 'warehouse'];

describe.skipIf(browserMissing !== '')('the tags of a row', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.knell.create({ name: 'Invoice export', tags: tags.join(' ') });
    await at.knell.create({ name: 'Few', tags: 'prod' });
    await at.knell.create({ name: 'Long', tags: `${'long-name-of-a-tag'.repeat(3)} prod` });
  });
  afterAll(() => at?.stop());

  const row = (name: string) => at.page.locator('.row', { hasText: name });
  /** Those in sight, and those that are not. */
  const split = (name: string): Promise<readonly [string[], string[]]> =>
    row(name)
      .locator('.tags')
      .evaluate((box: Json) => {
        const { bottom, right } = box.getBoundingClientRect();
        const all = [...box.querySelectorAll('.tag')];
        const isSeen = (one: Json) => {
          const seen = one.getBoundingClientRect();
          return seen.bottom <= bottom + 1 && seen.right <= right + 1;
        };
        const words = (of: Json[]) => of.map((one: Json) => one.textContent);
        return [words(all.filter(isSeen)), words(all.filter((one) => !isSeen(one)))];
      });

  test.each([800, 1024, 1200, 1440])(
    'are counted and named where they do not fit, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 800 });
      await at.open('checks');
      await row('Invoice export').waitFor();
      for (const name of ['Invoice export', 'Few', 'Long']) {
        const said = async () => {
          const [, hidden] = await split(name);
          const more = row(name).locator('.number-more');
          if ((await more.count()) === 0) return hidden.length === 0;
          const box = await more.boundingBox();
          const { x = 0, y = 0, width: wide = 0 } = (await row(name).locator('.tags').boundingBox()) ?? {};
          const isSeen = box !== null && box.x + box.width <= x + wide + 1 && Math.abs(box.y - y) <= 1;
          return (
            isSeen &&
            (await more.textContent()) === `+${hidden.length}` &&
            (await more.getAttribute('title')) === hidden.join('\n')
          );
        };
        await expect.poll(said, { message: name }).toBe(true);
        expect((await split(name))[0].length).toBeGreaterThan(0);
      }
      await expect.poll(() => row('Few').locator('.number-more').count()).toBe(0);
      expect(await at.findings()).toEqual([]);
    },
  );

  test('are all there again where the window becomes wider', async () => {
    await at.page.setViewportSize({ width: 1024, height: 800 });
    const more = row('Invoice export').locator('.number-more');
    await more.waitFor();
    await at.page.setViewportSize({ width: 1900, height: 800 });
    await expect.poll(async () => (await split('Invoice export'))[0]).toEqual(tags);
    await expect.poll(() => more.count()).toBe(0);
  });

  test('are there once, and count once, where a check has one twice', async () => {
    await at.knell.create({ name: 'Twice', tags: 'twin twin' });
    await at.page.setViewportSize({ width: 1440, height: 800 });
    await at.open('checks?tag=twin');
    await expect.poll(() => row('Twice').locator('.tag').allTextContents()).toEqual(['twin']);
    await expect.poll(() => at.page.locator('.chip[data-tag=twin]').textContent()).toBe('twin1');
  });
});
