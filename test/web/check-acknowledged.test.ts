/** A check that is acknowledged on its page, in a real browser. */
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
    await scene.inLog('Snoozes').click();
    const said = () => scene.lines().locator('strong').allTextContents();
    await expect.poll(said).toEqual(['Acknowledgement withdrawn by ada', 'Acknowledged by ada']);
  });

  scene.endsWithoutComplaints();
});
