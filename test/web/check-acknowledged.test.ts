/** A check that is acknowledged on its page, in a real browser. */
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();
  beforeAll(() => scene.open());

  test('acknowledges, says who did, and takes it back; its log keeps both', async () => {
    await scene.button('Acknowledge').click();
    await scene.at.page.getByText('Acknowledged by ada').first().waitFor();
    await expect.poll(() => scene.button('Acknowledge').getAttribute('aria-disabled')).toBe('true');
    await scene.lines().getByText('Acknowledged by ada').waitFor();
    await scene.at.page.locator('.now').getByRole('button', { name: 'Withdraw acknowledgement' }).click();
    await expect.poll(() => scene.button('Acknowledge').getAttribute('aria-disabled')).toBe('false');
    await scene.inLog('Acknowledged, snoozed').click();
    const said = () => scene.lines().locator('strong').allTextContents();
    await expect.poll(said).toEqual(['Acknowledgement withdrawn by ada', 'Acknowledged by ada']);
  });

  test('says so once, below the headline, in a line that moves no button', async () => {
    const { at, backup } = scene;
    await at.page.setViewportSize({ width: 320, height: 844 });
    await at.open(`checks/${backup.uuid}`);
    const top = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN;
    const before = await top(at.page.locator('.actions-bar'));
    await at.knell.api('POST', `/api/v3/checks/${backup.uuid}/acknowledge`);
    const said = at.page.locator('.now').getByText(/^Acknowledged by API key/);
    await said.waitFor();
    expect(await top(said)).toBeGreaterThan(await top(at.page.locator('.now .big')));
    expect(await top(at.page.locator('.actions-bar'))).toBe(before);
    await expect.poll(() => at.page.locator('.now').getByText('Acknowledged by').count()).toBe(1);
    await at.page
      .locator('.now .strip-line')
      .getByText(/^Last run/)
      .waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings('.now')).toEqual([]);
  });

  scene.endsWithoutComplaints();
});
