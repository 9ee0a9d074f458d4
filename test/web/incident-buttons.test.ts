/** The buttons of an incident on a phone, in a real browser: they keep their places whatever the font is. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

describe.skipIf(browserMissing !== '')('incidents', () => {
  const scene = DiskOutage.forFile();
  beforeAll(() => scene.openIncident());

  test.each([360, 320])('keep their buttons in their places in a wide font, at %i px', async (width) => {
    await scene.at.page.setViewportSize({ width, height: 800 });
    await scene.at.page.evaluate(
      `document.documentElement.style.cssText = '--font: "DejaVu Sans"; letter-spacing: 1px'`,
    );
    const before = await scene.places();
    const at = await scene.button('Acknowledge').boundingBox();
    for (const name of ['Acknowledge', 'Snooze', 'Maintenance', 'Add note'])
      expect((await scene.button(name).boundingBox())?.height).toBeGreaterThanOrEqual(40);
    /** What a press at the upper edge of that button would press now. */
    const pressed = () =>
      scene.at.page.evaluate(
        `document.elementFromPoint(${(at?.x ?? 0) + 4}, ${(at?.y ?? 0) + 4}).closest('button').textContent`,
      );
    await scene.button('Acknowledge').click();
    await scene.text('Acknowledged by ada,').waitFor();
    expect(await scene.places()).toEqual(before);
    // It is in the line that says so, and not where the thumb has just been.
    await scene.at.page.locator('.who').getByRole('button', { name: 'Withdraw' }).waitFor();
    expect(await pressed()).toContain('Acknowledge');
    await scene.button('Withdraw acknowledgement').click();
    await scene.text('Nobody has acknowledged it').waitFor();
    expect(await scene.places()).toEqual(before);
    expect(await scene.faults()).toEqual([]);
    await scene.at.page.evaluate(`document.documentElement.style.cssText = ''`);
    await scene.at.page.setViewportSize({ width: 360, height: 800 });
  });
});
