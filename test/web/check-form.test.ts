/** The form of a check in a real browser: what it proposes, what it says while one types, and what is wrong where. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
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
  const schedule = () => form().getByLabel('Schedule', { exact: true });

  test('proposes a slug from the name, until somebody types another', async () => {
    await form().getByLabel(/^Name/).fill('Nächtliche Sicherung (db-1)');
    await expect.poll(() => slug().inputValue()).toBe('nachtliche-sicherung-db-1');
    await slug().fill('backup');
    await form().getByLabel(/^Name/).fill('Backup of the night');
    await expect.poll(() => slug().inputValue()).toBe('backup');
    // What lists call it without a name.
    await expect.poll(() => form().getByLabel(/^Name/).getAttribute('placeholder')).toBe('backup');
  });

  test('has the usual schedules ready, and says in words what is set', async () => {
    const every = form().getByRole('spinbutton', { name: 'Expect a ping every' });
    await form().getByRole('button', { name: 'Every 5 min' }).click();
    await expect.poll(() => every.inputValue()).toBe('5');
    await form().getByText('Every 5 minutes. Down 10 minutes after the last ping.').waitFor();
    await form().getByRole('button', { name: 'Daily at…' }).click();
    await form().getByLabel('At', { exact: true }).fill('02:15');
    await expect.poll(() => schedule().inputValue()).toBe('15 2 * * *');
    await form().locator('.preview').getByText('Daily at 2:15.').waitFor();
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
    // It would be taken for OnCalendar.
    await schedule().fill('daily');
    await expect.poll(said).toContain('1 field; cron has 5');
    await schedule().fill('@daily');
    await expect.poll(said).toBe('Knell takes the five fields: @daily is 0 0 * * *.');
    await schedule().fill('61 * * * *');
    await expect.poll(said).toBe('Invalid minute "61": use 0–59.');
    await form().getByLabel('systemd OnCalendar').check();
    await schedule().fill('7 4 * * *');
    await expect.poll(said).toBe('Five fields are a cron expression: choose Cron.');
    await schedule().fill('Mon..Fri 18:30');
    await form().locator('.preview').getByText('Monday to Friday at 18:30.').waitFor();
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
    await form().locator('.preview').getByText('Monday to Friday at 18:30.').waitFor();
    await expect.poll(() => schedule().getAttribute('aria-invalid')).toBeNull();
    await at.page.setViewportSize({ width: 360, height: 800 });
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
    await zone.fill('Europe/Riga');
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByText('Backup of the night').first().waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/')).json();
    expect(checks).toMatchObject([
      { name: 'Backup of the night', slug: 'backup', schedule: 'Mon..Fri 18:30', tz: 'Europe/Riga' },
    ]);
  });

  test('has what is about runs, and says what is wrong with it', async () => {
    await at.open('new');
    const before = (await at.knell.api('GET', '/api/v3/checks/')).json().checks.length;
    await form().getByLabel(/^Name/).fill('runs');
    const runs = form().locator('details').filter({ hasText: 'A run may take at most' });
    await runs.locator('summary').click();
    await form().getByLabel('A run may take at most', { exact: true }).fill('45');
    await form().getByLabel('Exit statuses').fill('24=warn');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByRole('alert').getByText('Write codes and what they mean').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('exit_codes');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await form().getByLabel('Exit statuses').fill('24=warning');
    await form().getByLabel('Machines that each have to report').fill('db-1 db-2');
    await form().getByLabel('A run that starts while another is in flight').selectOption('is a warning');
    await form().getByRole('button', { name: 'Create check' }).click();
    await expect
      .poll(async () => (await at.knell.api('GET', '/api/v3/checks/')).json().checks.length)
      .toBe(before + 1);
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=runs')).json();
    const [check] = checks;
    expect(check).toMatchObject({
      ...{ max_runtime: 2700, min_runtime: 0, start_grace: 0, unusual_runtime: 'off', unusual_factor: 6 },
      ...{ overlap: 'warn', exit_codes: '24=warning', hosts: 'db-1 db-2', expected_runs: 0 },
    });
  });

  test('holds alerts back as it says, where somebody opens that part, and says which field is wrong', async () => {
    await at.open('new');
    await form().getByLabel(/^Name/).fill('rare');
    const alerts = form().locator('details').filter({ hasText: 'at the first failure' });
    await alerts.locator('summary').click();
    await form().getByLabel('Alert after so many failures').fill('21');
    await form()
      .getByLabel(/^No alert while one of these/)
      .fill('db tag:core');
    await form().getByLabel('Wait for one of those to go down, too', { exact: true }).fill('2');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Create check' }).click();
    await form().getByRole('alert').getByText('From 1 to 20, or empty.').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('alert_after');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await form().getByLabel('Alert after so many failures').fill('3');
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByRole('heading', { name: 'rare', exact: true }).waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=rare')).json();
    expect(checks[0]).toMatchObject({
      ...{ alert_after: 3, alert_of_last: 0, recover_after: 1, depends_on: 'db tag:core', hold: 120 },
      ...{ unstable_changes: 0, unstable_window: 1800 },
    });
  });

  test('says before it is saved that another check has the slug, and saves it all the same', async () => {
    const said = () => form().locator('#slug-twins').textContent();
    await at.knell.create({ name: 'Dump of db-1', slug: 'dump' });
    await at.open('new');
    await form().getByLabel(/^Name/).fill('Dump');
    await expect
      .poll(said)
      .toBe(
        'Another check, “Dump of db-1”, has the slug “dump”. Pings by this slug would be refused as ambiguous: choose another slug, or ping each check by its UUID.',
      );
    await expect.poll(() => slug().getAttribute('aria-describedby')).toBe('slug-twins');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await slug().fill('dump-2');
    await expect.poll(said).toBe('');
    await slug().fill('dump');
    await expect.poll(said).not.toBe('');
    await form().getByLabel('Interval').check();
    await form().getByRole('button', { name: 'Create check' }).click();
    await at.page.getByRole('heading', { name: 'Dump', exact: true }).waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?slug=dump')).json();
    expect(checks.map(({ name }: Json) => name)).toEqual(['Dump of db-1', 'Dump']);
  });

  test('says it of a check that is edited, though not of its own slug', async () => {
    await at.knell.create({ name: 'Third dump', slug: 'dump' });
    const own = await at.knell.create({ name: 'Sync', slug: 'sync' });
    await at.page.setViewportSize({ width: 1024, height: 768 });
    await at.open(`checks/${own.uuid}`);
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await slug().fill('dump');
    await form().getByText('3 other checks have the slug “dump”. Pings by this slug').waitFor();
    await slug().fill('sync');
    const asked = at.page.waitForResponse(/slug=sync/);
    await (await asked).finished();
    await expect.poll(() => form().locator('#slug-twins').textContent()).toBe('');
  });
});
