/** In a real browser: what pings say about the settings of a check, and what would have happened with other settings. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const minute = 60_000;

describe.skipIf(browserMissing !== '')('settings that do not fit', () => {
  let at: OwnerBrowser;
  let late: Json;
  const button = (name: string) => at.page.getByRole('button', { name });

  /** A Friday before the clocks of Berlin are set forward; then seven runs that are never in time. */
  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.UTC(2026, 2, 27, 12), timezoneId: 'UTC' });
    late = await at.knell.create({ name: 'Late', timeout: 3600, grace: 600 });
    for (let run = 0; run < 7; run++) {
      await at.knell.request(`/ping/${late.uuid}`);
      await at.clock.advance((80 + run) * minute);
    }
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
  });

  afterAll(() => at?.stop());

  test('the form says what daylight saving does to the next times', async () => {
    await at.open('new');
    await button('Daily at…').click();
    await at.page.getByLabel('Time zone').fill('Europe/Berlin');
    await at.page.getByLabel('Schedule', { exact: true }).fill('30 2 * * *');
    const words =
      'The clock skips 02:30 on 2026-03-29, as it is set forward: this is expected at 03:00 instead.';
    await at.page.locator('.preview tbody tr').nth(1).getByText(words).waitFor();
    await expect.poll(() => at.page.locator('.preview .hint').count()).toBe(1);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('the form lists the alerts that would have come with what it says', async () => {
    await at.open(`checks/${late.uuid}`);
    await button('More actions').click();
    await at.page.getByRole('menuitem', { name: 'Edit' }).click();
    const grace = at.page.getByRole('spinbutton', { name: /Grace time/ });
    await grace.fill('20');
    await button('What would have happened?').click();
    const rows = at.page.locator('.what-if tbody tr');
    await at.page.locator('.what-if').getByText('7 pings').waitFor();
    await expect.poll(() => rows.count()).toBeGreaterThan(12);
    await grace.fill('30');
    // What the form said before is no answer any more.
    await expect.poll(() => rows.count()).toBe(0);
    await button('What would have happened?').click();
    await at.page.getByText('0 alerts with what this form says').waitFor();
    const ways = async () => [...new Set(await rows.locator('td:last-child').allTextContents())];
    await expect.poll(ways).toEqual(['present ones only']);
    await rows.first().getByText('No ping came within the grace time of 10 minutes.').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await grace.fill('0.1');
    await button('What would have happened?').click();
    await at.page.locator('.what-if').getByRole('alert').getByText('Grace is too small').waitFor();
    expect((await at.knell.check(late.uuid)).grace).toBe(600);
    await button('Cancel').click();
  });

  test('so does the form of the schedule in its card, at every width', async () => {
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open(`checks/${late.uuid}`);
      await button('Edit schedule').click();
      const card = at.page.locator('form.in-place');
      await card.getByRole('spinbutton', { name: /Grace time/ }).fill('20');
      await card.getByRole('button', { name: 'What would have happened?' }).click();
      await expect.poll(() => card.locator('tbody tr').count()).toBeGreaterThan(12);
      const overhang = () => card.evaluate<number, Json>((form: Json) => form.scrollWidth - form.clientWidth);
      await expect.poll(overhang).toBe(0);
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await button('Every 5 min').click();
      await expect.poll(() => card.locator('.what-if tbody tr').count()).toBe(0);
      await card.getByRole('button', { name: 'Cancel' }).click();
    }
    expect((await at.knell.check(late.uuid)).grace).toBe(600);
  });

  test('a hint goes once a ping proves it wrong, on a page that is open', async () => {
    const { uuid } = await at.knell.create({ name: 'Counted', results: 'files: below 1000' });
    for (let run = 0; run < 5; run++) {
      await at.knell.request(`/ping/${uuid}`);
      await at.clock.advance(minute);
    }
    await at.open(`checks/${uuid}`);
    const card = at.page.locator('.hints');
    await card.getByText('The last 5 good runs reported no files').waitFor();
    await at.knell.request(`/ping/${uuid}`, { method: 'POST', body: 'files=1200' });
    await expect.poll(() => card.count()).toBe(0);
  });

  test('a hint on the page of the check makes its change once that is confirmed', async () => {
    await at.open(`checks/${late.uuid}`);
    const card = at.page.locator('.hints');
    await card.getByText('Not one of the last 6 runs came within the grace time of 10 minutes').waitFor();
    await button('Set the grace time to 30 min').click();
    expect(await at.findings()).toEqual([]);
    expect((await at.knell.check(late.uuid)).grace).toBe(600);
    await at.page.getByRole('dialog').getByRole('button', { name: 'Change it' }).click();
    await expect.poll(() => card.count()).toBe(0);
    expect((await at.knell.check(late.uuid)).grace).toBe(1800);
    await at.page.getByText('Grace time 30 min').first().waitFor();
    expect(at.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });
});
