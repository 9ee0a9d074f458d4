/**
 * The time zone of the account, far from that of the browser, over the night in which its clocks are set back: a real browser in Los
 * Angeles, whose member is in Auckland.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** Saturday 21:00 in Auckland, 01:00 in Los Angeles. At 03:00 of Sunday clocks in Auckland are set back to 02:00. */
const startMs = Date.UTC(2027, 3, 3, 8);

describe.skipIf(browserMissing !== '')('the time zone of the account', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs, timezoneId: 'America/Los_Angeles' });
    await at.page.setViewportSize({ width: 1300, height: 1000 });
    check = await at.knell.create({ name: 'Nightly backup', timeout: 3600, grace: 3600 });
    await at.knell.request(`/ping/${check.uuid}`);
    const chosen = await at.owner.post('/web/account', { timeZone: 'Pacific/Auckland', clock: '24' });
    expect(chosen.status).toBe(200);
    await at.page.clock.setFixedTime(startMs);
  }, 60_000);

  afterAll(() => at?.stop());

  const snoozedUntil = async (): Promise<number | null> => {
    const { rows } = (await at.owner.get(`/web/in/${at.project}/rows?ids=${check.uuid}`)).json();
    return rows[0].snoozedUntilMs;
  };
  const snoozeBy = async (choice: string): Promise<void> => {
    await at.page.getByRole('button', { name: 'Snooze', exact: true }).click();
    await at.page.getByRole('menuitem', { name: choice }).click();
  };

  test('decides when the morning is to which a check is snoozed, though clocks are set back before', async () => {
    const asked = at.page.waitForRequest((request) => request.url().includes('/statistics?'));
    await at.open(`checks/${check.uuid}`);
    expect(new URL((await asked).url()).searchParams.get('tz')).toBe('Pacific/Auckland');
    await snoozeBy('Snooze until tomorrow 09:00');
    // Thirteen hours from 21:00 to 09:00.
    await expect.poll(snoozedUntil).toBe(startMs + 13 * hour);
    await at.page.locator('.now').getByText('Snoozed until tomorrow 09:00').waitFor();
  });

  test('reads the date and time that somebody types, before the change and after it', async () => {
    for (const [text, untilMs] of [
      ['2027-04-04T01:30', startMs + 4 * hour + 30 * minute],
      ['2027-04-05T09:30', Date.UTC(2027, 3, 4, 21, 30)],
    ] as const) {
      await snoozeBy('Snooze until a date…');
      await at.page.getByLabel('Date and time').fill(text);
      await at.page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
      await expect.poll(snoozedUntil).toBe(untilMs);
    }
  });

  test('has the days of the log', async () => {
    await at.clock.advance(10 * minute);
    await at.open(`checks/${check.uuid}`);
    await at.page.getByRole('heading', { name: 'Today, Sat, Apr 3' }).waitFor();
    await at.page.getByLabel('Jump to a date').fill('2027-04-02');
    // Until midnight in Auckland, 11:00 UTC: ten hours before the ping.
    await at.page.getByText('Nothing on or before Fri, Apr 2.').waitFor();
    await at.page.getByLabel('Jump to a date').fill('2027-04-03');
    await at.page.locator('.log > li.run').waitFor();
    expect(at.complaints).toEqual([]);
  });

  test('is that of the messages of an integration which is added', async () => {
    await at.open('integrations/new/email');
    const field = at.page.locator('form.check-form').getByLabel(/^Time zone of its messages/);
    await expect.poll(() => field.inputValue()).toBe('Pacific/Auckland');
    await expect.poll(() => field.isVisible()).toBe(false);
    await at.page.locator('form.check-form').getByLabel('Address').fill('ops@example.org');
    await at.page.getByRole('button', { name: /^Add/ }).first().click();
    const zones = async (): Promise<readonly string[]> =>
      (await at.owner.get(`/web/in/${at.project}/integrations`))
        .json()
        .integrations.map(({ timeZone }: Json) => timeZone);
    await expect.poll(zones).toContain('Pacific/Auckland');
  });

  test.each([
    ['24', 'Daily at 14:15'],
    ['12', 'Daily at 2:15 PM'],
  ])('has schedules in words on the clock of %s hours, as all times beside them', async (clock, words) => {
    const spec = { name: `Afternoon ${clock}`, schedule: '15 14 * * *', tz: 'Pacific/Auckland' };
    await at.knell.create(spec);
    await at.owner.post('/web/account', { clock });
    await at.open('checks');
    const row = at.page.locator('.row', { hasText: spec.name });
    await row.locator('.schedule').getByText(words, { exact: true }).waitFor();
    await row.getByRole('link').click();
    const card = at.page.locator('.check-side .card', { hasText: 'Next runs expected' });
    await card.getByText(words, { exact: true }).waitFor();
    await expect
      .poll(() => card.locator('td:nth-child(2)').first().textContent())
      .toBe(words.replace('Daily at ', '').replace(' PM', '\u00a0PM'));
    await at.open('new');
    await at.page.getByLabel('Cron').check();
    await at.page.getByLabel('Schedule', { exact: true }).fill('15 14 * * *');
    await at.page.locator('.preview').getByText(`${words}.`).waitFor();
    await at.page.locator('.preview').getByText(words.replace('Daily at ', '')).nth(1).waitFor();
  });
});
