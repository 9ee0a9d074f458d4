/** The page of a check at many widths, in a real browser. */
import { describe, expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();

  const sizes = [
    [1300, 400, 'light'],
    [360, null, 'dark'],
    [1010, 320, 'dark'],
    [800, null, 'light'],
    [320, null, 'light'],
  ] as const;

  test.each(isLong ? sizes : sizes.slice(0, 2))(
    'fits into %i px, with a right column of %s, %s',
    async (width, side, colorScheme) => {
      await scene.wide(width);
      await scene.at.page.emulateMedia({ colorScheme });
      await scene.open();
      await scene.at.page.locator('.chart canvas').waitFor();
      await scene.lines().first().waitFor();
      const main = (await scene.at.page.locator('.check-main').boundingBox()) ?? { x: 0, width: 0 };
      const right = (await scene.at.page.locator('.check-side').boundingBox()) ?? { x: 0, width: 0 };
      if (side === null) expect(right.x).toBe(main.x);
      else expect([right.width, right.x > main.x]).toEqual([side, true]);
      expect(await scene.at.overflow()).toBeLessThanOrEqual(0);
      expect(await scene.at.findings()).toEqual([]);
      await scene.at.page.emulateMedia({ colorScheme: null });
    },
  );

  scene.endsWithoutComplaints();
});
