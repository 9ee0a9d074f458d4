/** The schedule in the form of a check, in a real browser: what is wrong with it, in the words of its kind, right below it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the schedule of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.open('new');
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const schedule = () => form().getByLabel('Schedule', { exact: true });

  test('speaks of cron alone where cron is chosen, and counts its fields', async () => {
    const said = () => form().locator('#schedule-error').textContent();
    await form().getByLabel('Cron').check();
    await schedule().fill('*/5 * * *');
    const words = '4 fields; cron has 5: minute, hour, day of month, month, weekday.';
    await expect.poll(said).toBe(words);
    await expect.poll(() => schedule().getAttribute('aria-invalid')).toBe('true');
    expect(await at.findings()).toEqual([]);
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByRole('alert').getByText(words).waitFor();
    expect(await at.page.evaluate('document.activeElement.name')).toBe('schedule');
    // It is said once, and typing into another field stays there.
    await expect.poll(() => form().getByText(words).count()).toBe(1);
    await form().getByLabel('Time zone').pressSequentially('x');
    expect(await at.page.evaluate('document.activeElement.name')).toBe('tz');
    await form().getByLabel('Time zone').fill('america/new york');
    await expect.poll(() => form().getByLabel('Time zone').inputValue()).toBe('America/New_York');
    await form().getByLabel('Time zone').fill('utc');
    await expect.poll(() => form().getByLabel('Time zone').inputValue()).toBe('UTC');
    for (const expr of ['daily', 'Mon..Fri 09:00', '*-*-01 06:30', 'Sat 4:00 Europe/Riga']) {
      await schedule().fill(expr);
      await expect.poll(said).toBe('This is an OnCalendar expression: choose systemd OnCalendar.');
    }
    await schedule().fill('0 3 * * * /usr/bin/backup --at 12:00');
    await expect
      .poll(said)
      .toBe('Leave out the command: a cron expression has only the five fields before it.');
    await schedule().fill('0 0 3 * * *');
    await expect.poll(said).toContain('6 fields; cron has 5');
    await schedule().fill('@daily');
    await expect.poll(said).toBe('Knell takes the five fields: @daily is 0 0 * * *.');
    await schedule().fill('@reboot');
    await expect.poll(said).toBe('@reboot is at boot, not at a time: choose Interval.');
    await schedule().fill('OnCalendar=daily');
    await expect.poll(said).toBe('This is a line of a systemd timer: choose systemd OnCalendar.');
    await form().getByLabel('systemd OnCalendar').check();
    await schedule().fill('OnCalendar=Mon *-*-* 10:00:00 Europe/Riga 1');
    await expect.poll(said).toBe('Leave out "OnCalendar=": the expression is what follows it.');
    await form().getByLabel('Cron').check();
    await schedule().fill('61 * * * *');
    await expect.poll(said).toBe('Invalid minute "61": use 0–59.');
    await form().getByLabel('systemd OnCalendar').check();
    await schedule().fill('foo');
    await expect.poll(said).toBe('Unknown word "foo": write a time, as in Mon 15:00.');
    await schedule().fill('Mon..Fri 09:00 Europe/Nowhere');
    await expect.poll(said).toBe('It ends in an unknown time zone: "Europe/Nowhere".');
    await schedule().fill('2020-01-01');
    await expect.poll(said).toContain('It does not occur again: no ping would ever be expected');
    await form().getByLabel('Cron').check();
    // What was wrong with one expression is not said of another one that is chosen.
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByRole('alert').first().waitFor();
    await form().getByRole('button', { name: 'Daily at…' }).click();
    await expect.poll(() => schedule().getAttribute('aria-invalid')).toBeNull();
    await expect.poll(() => form().getByRole('alert').count()).toBe(0);
    await form().getByLabel('systemd OnCalendar').check();
    await schedule().fill('7 4 * * *');
    await expect.poll(said).toBe('Five fields are a cron expression: choose Cron.');
    await schedule().fill('Mon..Fri 18:30');
    await form().locator('.preview').getByText('Monday to Friday at 6:30 PM.').waitFor();
    // Who writes OnCalendar goes on in it, also by the usual times and their fields.
    await form().getByRole('button', { name: 'Weekly…' }).click();
    await expect.poll(() => form().getByLabel('systemd OnCalendar').isChecked()).toBe(true);
    await expect.poll(() => schedule().inputValue()).toBe('Mon 03:00');
    await expect
      .poll(() => form().getByRole('button', { name: 'Weekly…' }).getAttribute('aria-pressed'))
      .toBe('true');
    await form().locator('.span select').first().selectOption('Sunday');
    await form().locator('input[type=time]').fill('18:05');
    await expect.poll(() => schedule().inputValue()).toBe('Sun 18:05');
    await form().locator('.preview').getByText('Sunday').waitFor();
    await form().getByRole('button', { name: 'Daily at…' }).click();
    await expect.poll(() => schedule().inputValue()).toBe('03:00');
    await schedule().fill('Mon..Fri 18:30');
    await form().locator('.preview').getByText('Monday to Friday at 6:30 PM.').waitFor();
  });

  test('says what is wrong with the schedule where the time zone is wrong, too, before and after an attempt', async () => {
    const said = () => form().locator('#schedule-error').allTextContents();
    const words = ['Invalid hour "25": use 0–23.'];
    await form().getByLabel('Cron').check();
    await schedule().fill('0 25 * * *');
    await expect.poll(said).toEqual(words);
    await form().getByLabel('Time zone').fill('Bielefeld');
    await expect.poll(() => form().locator('#tz-error').count()).toBe(1);
    await expect.poll(said).toEqual(words);
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().locator('#schedule-error[role=alert]').waitFor();
    await expect.poll(said).toEqual(words);
    await expect.poll(() => form().locator('#tz-error').textContent()).toContain('Unknown time zone.');
    await schedule().fill('0 5 * * *');
    await expect.poll(said).toEqual([]);
    await form().getByLabel('Time zone').fill('UTC');
    await expect.poll(() => form().locator('.problem').count()).toBe(0);
    at.complaints.splice(0);
  });

  test('says what is wrong with a schedule right below its field, whole, on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await form().getByLabel('Cron').check();
    await at.page.evaluate(
      "scrollTo(0, document.querySelector('[name=schedule]').getBoundingClientRect().bottom + scrollY - 780)",
    );
    await schedule().fill('0 3 * * MONDAYS-AND-TUESDAYS-AND-WEDNESDAYS-AND-THURSDAYS-AND-ALL');
    const error = form().locator('#schedule-error');
    await expect.poll(() => error.textContent()).toContain('THURSDAYS-AND-ALL');
    // Above the bar at the bottom, too.
    const isCovered = async (): Promise<boolean> => {
      const bar = await at.page.getByRole('navigation', { name: 'Pages' }).boundingBox();
      const box = await error.boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0) > (bar?.y ?? 0);
    };
    await expect.poll(isCovered).toBe(false);
    const [field, said] = [await schedule().boundingBox(), await error.boundingBox()];
    const below = (field?.y ?? 0) + (field?.height ?? 0);
    expect((said?.y ?? 0) - below).toBeGreaterThanOrEqual(0);
    expect((said?.y ?? 0) - below).toBeLessThan(16);
    expect((said?.x ?? 0) + (said?.width ?? 0)).toBeLessThanOrEqual(390 - 16);
    expect(await error.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings()).toEqual([]);
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await form().getByLabel('systemd OnCalendar').check();
    await form().locator('.preview').getByText('Monday to Friday at 6:30 PM.').waitFor();
    await expect.poll(() => schedule().getAttribute('aria-invalid')).toBeNull();
    await at.page.setViewportSize({ width: 360, height: 800 });
  });
});
