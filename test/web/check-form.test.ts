/** The form of a check in a real browser: what it proposes, what it says while one types, and what is wrong where. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.open('new');
  });

  afterAll(() => at?.stop());

  const form = () => at.page.locator('form.check-form');
  const slug = () => form().getByLabel(/^Slug/);
  const more = () => form().locator('details', { hasText: 'More details' });
  const schedule = () => form().getByLabel('Schedule', { exact: true });

  test('proposes a slug from the name, until somebody types another', async () => {
    await form().getByLabel(/^Name/).fill('Nächtliche Sicherung (db-1)');
    await more().getByText('slug nachtliche-sicherung-db-1', { exact: true }).waitFor();
    await more().locator('summary').click();
    await expect.poll(() => slug().inputValue()).toBe('nachtliche-sicherung-db-1');
    await slug().fill('backup');
    await form().getByLabel(/^Name/).fill('Backup of the night');
    await expect.poll(() => slug().inputValue()).toBe('backup');
    // What lists call it without a name.
    await expect.poll(() => form().getByLabel(/^Name/).getAttribute('placeholder')).toBe('backup');
  });

  test('asks for the schedule after the name, in a field as long as a number', async () => {
    const legends = form().locator('fieldset > legend').filter({ visible: true });
    await expect
      .poll(async () => (await legends.allTextContents()).slice(0, 3))
      .toEqual(['Details', 'Schedule', 'Notifications']);
    for (const width of [1440, 360]) {
      await at.page.setViewportSize({ width, height: 800 });
      for (const name of ['timeout', 'grace']) {
        const fields = [name, `${name}_unit`].map((of) => form().locator(`[name="${of}"]`));
        const [count, unit] = await Promise.all(fields.map((field) => field.boundingBox()));
        if (!count || !unit) throw new Error('both are in sight');
        expect(count.width > 160).toBe(width === 360);
        expect(unit.x - count.x - count.width).toBeLessThan(12);
      }
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('says which fields may be empty, and what a check without a slug is', async () => {
    for (const name of [/^Name optional/, /^Slug optional/, /^Tags optional/, /^Description optional/])
      await form().getByLabel(name).waitFor();
    const hint = form().locator('#slug-hint');
    await expect.poll(() => slug().getAttribute('aria-describedby')).toContain('slug-hint');
    await hint.getByText('A check without a slug can be pinged only by its UUID.').waitFor();
  });

  test('has the usual schedules ready, and says in words what is set', async () => {
    const every = form().getByRole('spinbutton', { name: 'Expect a ping every' });
    await form().getByRole('button', { name: 'Every 5 min' }).click();
    await expect.poll(() => every.inputValue()).toBe('5');
    await form().getByText('Every 5 minutes. Down 10 minutes after the last ping.').waitFor();
    await every.fill('0');
    await every.press('Tab');
    await form().getByText('Enter an interval above 0.').waitFor();
    await form().getByRole('button', { name: 'Create check', exact: true }).click();
    await form().locator('#timeout-error').getByText('at least one minute').waitFor();
    await expect.poll(() => form().getByText('Enter an interval above 0.').count()).toBe(0);
    await form().getByRole('button', { name: 'Every 5 min' }).click();
    await form().getByText('Every 5 minutes. Down 10 minutes').waitFor();
    const units = form().locator('[name=timeout_unit] option');
    await every.fill('1');
    await expect.poll(() => units.allTextContents()).toEqual(['minute', 'hour', 'day']);
    await every.fill('2');
    await expect.poll(() => units.allTextContents()).toEqual(['minutes', 'hours', 'days']);
    await form().getByRole('button', { name: 'Daily at…' }).click();
    await form().getByLabel('At', { exact: true }).fill('02:15');
    await expect.poll(() => schedule().inputValue()).toBe('15 2 * * *');
    await form().locator('.preview').getByText('Daily at 2:15 AM.').waitFor();
    await expect.poll(() => form().locator('.preview tbody tr').count()).toBe(5);
    await form().getByRole('button', { name: 'Weekly…' }).click();
    await form().getByLabel('Day').selectOption('Friday');
    await expect.poll(() => schedule().inputValue()).toBe('0 3 * * 5');
    // The day of the week is what one compares with; a cron expression has no seconds.
    const first = form().locator('.preview tbody td').first();
    await expect.poll(() => first.textContent()).toMatch(/^Fri, \w+ \d+, (?:\d+, )?3:00\sAM$/);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('keeps what was typed for one kind of schedule while another one is looked at', async () => {
    await schedule().fill('7 4 * * *');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Hourly' }).click();
    await form().getByLabel('systemd OnCalendar').check();
    await schedule().fill('Mon..Fri 18:30');
    await form().getByLabel('Cron').check();
    await expect.poll(() => schedule().inputValue()).toBe('7 4 * * *');
    await form().getByLabel('systemd OnCalendar').check();
    await expect.poll(() => schedule().inputValue()).toBe('Mon..Fri 18:30');
  });

  test('shows an error at its field, with the focus on it, and loses nothing', async () => {
    const zone = form().getByLabel('Time zone');
    await zone.fill('Europe/Nowhere');
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByText('Unknown time zone. Choose one from the list').waitFor();
    await expect.poll(() => zone.getAttribute('aria-invalid')).toBe('true');
    const described = await zone.getAttribute('aria-describedby');
    await at.page.locator(`[id="${described}"]`, { hasText: 'Unknown time zone' }).waitFor();
    expect(await at.page.evaluate('document.activeElement.name')).toBe('tz');
    expect(await at.findings()).toEqual([]);
    await expect.poll(() => schedule().inputValue()).toBe('Mon..Fri 18:30');
    await expect.poll(() => slug().inputValue()).toBe('backup');
    // A city is enough where only one zone has it.
    await zone.fill('new york');
    await expect.poll(() => zone.inputValue()).toBe('America/New_York');
    await zone.fill('Europe/Riga');
    // No box of the browser over what is below.
    for (const [field, typed, right, words] of [
      // What the preview says of it may come first.
      ['schedule', '', 'Mon..Fri 18:30', /^(?:Fill this in\.|Expected .*)$/],
      ['slug', 'Bad Slug', 'backup', /^Only lower-case letters, digits, - and _\.$/],
      ['grace', '0', '1', /^The grace time must be at least one minute\.$/],
    ] as const) {
      await form().locator(`[name=${field}]`).fill(typed);
      await form().getByRole('button', { name: 'Create check' }).click();
      await form().locator(`[id="${field}-error"]`).getByText(words).waitFor();
      await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe(field);
      await form().locator(`[name=${field}]`).fill(right);
    }
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByText('Backup of the night').first().waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/')).json();
    expect(checks).toMatchObject([
      { name: 'Backup of the night', slug: 'backup', schedule: 'Mon..Fri 18:30', tz: 'Europe/Riga' },
    ]);
  });
});
