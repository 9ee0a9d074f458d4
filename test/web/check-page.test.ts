/** The page of one check in a real browser: its status, what can be done, and the lines of its log. */
import { describe, expect, test } from 'vitest';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();

  test('says first how it is, since when, why, and what became of the notifications', async () => {
    await scene.open();
    await scene.at.page.locator('.now .big').getByText('Down for 3 h 9 min').waitFor();
    await scene.at.page.getByText('Exit status 3 after 2 min').waitFor();
    const notified = scene.at.page.locator('.now .notified');
    await notified.getByText('Notifications: 1 failed').waitFor();
    await notified.getByText('Blocked (Webhook) 127.0.0.1 is a private address, which is blocked').waitFor();
    await scene.at.page.locator('.now').getByRole('button', { name: 'Allow 127.0.0.1 and retry' }).click();
    await answerYes(scene.at.page, 'Allow and retry');
    // The address is allowed, and nobody answers there.
    await notified.getByText('1 failing').waitFor();
    await notified.getByText(/Blocked \(Webhook\) .*refused/).waitFor();
    expect(await scene.at.findings()).toEqual([]);
  });

  test('opens and closes a run by a click anywhere on its line, and by keyboard', async () => {
    await scene.open();
    const line = scene.at.page.locator('#run-20');
    const body = line.locator('.body pre');
    const opened = (): Promise<string | null> =>
      line.getByRole('button').first().getAttribute('aria-expanded');
    await line.locator('.said').click();
    await body.getByText('step 10: no space left').waitFor();
    // What it shows can be read and selected without its being closed.
    await body.click();
    await body.dblclick();
    expect(await opened()).toBe('true');
    await line.locator('.end .n').click();
    await expect.poll(opened).toBe('false');
    await line.locator('a.at').click();
    expect(await opened()).toBe('false');
    await line.getByRole('button').focus();
    await scene.at.page.keyboard.press('Enter');
    await body.waitFor();
    await scene.at.page.keyboard.press('Space');
    await expect.poll(opened).toBe('false');
    const fold = scene.at.page.locator('.log .fold.runs').first();
    await fold.locator('.said').click();
    await expect.poll(() => fold.getByRole('button').getAttribute('aria-expanded')).toBe('true');
  });

  scene.endsWithoutComplaints();
});
