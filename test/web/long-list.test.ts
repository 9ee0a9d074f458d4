/** A list of thousands of checks in a real browser. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 720 });
  });

  afterAll(() => at?.stop());

  test('scrolls thousands of checks, of which only those in sight exist', async () => {
    const { engine } = at.knell.app;
    const [project] = engine.read.projects();
    const count = isLong ? 5000 : 1000;
    const many = Array.from({ length: count }, (_, n) => ({
      ...defaultConfig,
      name: `job ${n}`,
      tags: 'many',
    }));
    await Promise.all(
      many.map((config) => project && engine.change.createCheck(project.id, config, at.clock.nowMs())),
    );
    await at.open('checks');
    const all = `${count.toLocaleString('en')} checks`;
    await at.page.getByText(all).last().waitFor();
    await expect.poll(() => at.page.locator('.row').count()).toBeLessThan(40);
    const rowsMax = await at.page.evaluate<number>(`new Promise((done) => {
      let most = 0, n = 0;
      const step = () => {
        most = Math.max(most, document.querySelectorAll('.row').length);
        scrollBy(0, 4000);
        if (++n < 60) requestAnimationFrame(step); else done(most);
      };
      requestAnimationFrame(step);
    })`);
    expect(rowsMax, 'the most rows in a frame').toBeLessThan(40);
    await at.page.getByPlaceholder('Search checks').fill(`job ${count - 21}`);
    await at.page.locator('.row', { hasText: `job ${count - 21}` }).waitFor();
    await at.page.getByText(`1 of ${all}`).waitFor();
  });
});
