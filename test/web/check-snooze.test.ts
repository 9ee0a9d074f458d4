/** A check that is snoozed on its page, in a real browser. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

const day = 86_400_000;

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();
  beforeAll(() => scene.open());

  test('snoozes, shows until when, and takes it back', async () => {
    await scene.button('Snooze').click();
    await scene.at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    await scene.button('Snooze').click();
    await scene.at.page.getByRole('menuitem', { name: 'Snooze until a date…' }).click();
    const inThreeDays = new Date(scene.at.clock.nowMs() + 3 * day);
    const two = (value: number): string => String(value).padStart(2, '0');
    const date = `${inThreeDays.getFullYear()}-${two(inThreeDays.getMonth() + 1)}-${two(inThreeDays.getDate())}`;
    await scene.at.page.getByLabel('Date and time').fill(`${date}T09:30`);
    await scene.at.page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
    await expect
      .poll(async () => {
        const path = `/web/in/${scene.at.project}/rows?ids=${scene.backup.uuid}`;
        return (await scene.at.owner.get(path)).json().rows[0].snoozedUntilMs;
      })
      .toBe(new Date(`${date}T09:30`).getTime());
    await scene.at.page.locator('.now').getByText('Snoozed until').waitFor();
    await scene.at.page.locator('.now').getByRole('button', { name: 'End the snooze' }).click();
    await expect.poll(() => scene.at.page.locator('.now').getByText('Snoozed until').count()).toBe(0);
  });

  test('keeps in its log what was snoozed, with its end, by a filter of its own', async () => {
    await scene.inLog('Acknowledged, snoozed, maintenance').click();
    await scene.lines().getByText('Snooze ended by ada').waitFor();
    const said = () => scene.lines().locator('strong').allTextContents();
    await expect.poll(said).toEqual(['Snooze ended by ada', 'Snooze changed by ada', 'Snoozed by ada']);
    expect(await scene.at.findings('.log-card')).toEqual([]);
    await scene.inLog('All').click();
  });

  scene.endsWithoutComplaints();
});
