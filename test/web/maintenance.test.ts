/**
 * Maintenance in a real browser: windows are created, previewed, edited, ended and deleted by their owner, with the keyboard and on a
 * phone; the list of checks says what is on, to viewers too. `KNELL_KEEP_SCREENSHOT=1` keeps pictures in test/output.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const output = fileURLToPath(new URL('../output/', import.meta.url));
const keepsPictures = Boolean(process.env.KNELL_KEEP_SCREENSHOT);

describe.skipIf(browserMissing !== '')('maintenance', () => {
  let at: OwnerBrowser;
  const checks: Json[] = [];

  beforeAll(async () => {
    if (keepsPictures) mkdirSync(output, { recursive: true });
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() });
    for (const name of ['backup', 'invoices']) checks.push(await at.knell.create({ name, tags: 'nightly' }));
    for (const { uuid } of checks) await at.knell.request(`/ping/${uuid}`);
  });
  afterAll(() => at?.stop());

  beforeEach(async () => {
    for (const { uuid } of await windows()) await at.knell.api('DELETE', `/api/v3/maintenance/${uuid}`);
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings/maintenance`);
  });

  const windows = async (): Promise<Json> =>
    (await at.knell.api('GET', '/api/v3/maintenance/')).json().maintenance;
  const active = async (): Promise<Json> =>
    (await at.owner.get(`/web/in/${at.project}/maintenance/active`)).json();
  const button = (name: string | RegExp) => at.page.getByRole('button', { name }).first();
  const label = (name: string | RegExp) => at.page.getByLabel(name).first();
  const preview = () => at.page.locator('form p[aria-live]');
  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');

  test('by a schedule: the form says the next times, then what is wrong, and the page lists it', async () => {
    await button('Create maintenance window').click();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('name');
    await label('Name').fill('Sundays');
    // It is about none until some are chosen.
    await expect.poll(() => label('Chosen checks').isChecked()).toBe(true);
    await label('All checks').check();
    await label('Repeatedly').check();
    // Without a schedule it would begin at once, and silence every check.
    await button(/^Create$/).click();
    await at.page.getByRole('alert').getByText('Say when it begins').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('schedule');
    expect(await windows()).toEqual([]);
    await label('Begins at').fill('0 2 * *');
    await expect
      .poll(() => preview().textContent())
      .toContain('"Begins at" is not a valid cron or OnCalendar');
    await label('Begins at').fill('0 2 * * 0');
    await expect.poll(() => preview().textContent()).toMatch(/\. Next.*: .* until .*;.*;/);
    await label('Duration').fill('soon');
    await button(/^Create$/).click();
    await expect.poll(() => label('Duration').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('duration');
    await label('Duration').fill('90m');
    // What was wrong is not said of what was corrected.
    await expect.poll(() => label('Duration').getAttribute('aria-invalid')).toBeNull();
    await expect.poll(() => at.page.locator('form .problem').count()).toBe(0);
    await label('Time zone').fill('Bielefeld');
    await expect
      .poll(() => preview().textContent())
      .toBe('"Bielefeld" is not a time zone, such as Europe/Riga');
    await button(/^Create$/).click();
    await at.page.locator('form .problem', { hasText: '"Bielefeld" is not a time zone' }).waitFor();
    await expect.poll(() => preview().textContent()).toBe('');
    await label('Time zone').fill('europe/berlin');
    await expect.poll(() => label('Time zone').inputValue()).toBe('Europe/Berlin');
    await label('Checks with a tag').check();
    await label('Tags').fill('nightly');
    await at.page.getByText('Covers 2 checks now: backup, invoices.').waitFor();
    await button(/^Create$/).click();
    await at.page.getByRole('heading', { name: 'Sundays' }).waitFor();
    await expect
      .poll(() => at.page.locator('.maintenance').textContent())
      .toMatch(
        /Sundays at 2:00\sAM \(Europe\/Berlin\) for 1 hour 30 minutes.*Next, in Europe\/Berlin: .*2:00\sAM until 3:30\sAM, then Sun,[^:]* and Sun,.*Tag: nightly \(2 checks\)\. Created by ada\./,
      );
    // The reader's own zone once for all of them; the next times, with the zone that differs, are no weaker than the rule.
    await at.page.getByText(/^Times are in \S+ unless another time zone is named\.$/).waitFor();
    await at.page.locator('.maintenance > p.when', { hasText: 'Next, in Europe/Berlin' }).waitFor();
    expect(await windows()).toMatchObject([
      { name: 'Sundays', tags: ['nightly'], checks: [], duration: 5400, by: 'ada', from: null },
    ]);
  });

  test('for a usual length: the end follows from the beginning until another one is entered', async () => {
    await button('Create maintenance window').click();
    const lengths = at.page.getByRole('group', { name: 'Usual lengths' });
    const chosen = () => lengths.locator('[aria-pressed=true]').allTextContents();
    const until = () => label('Until').inputValue();
    await expect.poll(chosen).toEqual(['2 h']);
    await label('From').fill('2050-01-05T22:30');
    await expect.poll(until).toBe('2050-01-06T00:30');
    await lengths.getByRole('button', { name: '4 h' }).press('Enter');
    await expect.poll(until).toBe('2050-01-06T02:30');
    await expect.poll(chosen).toEqual(['4 h']);
    await lengths.getByRole('button', { name: /^Until .*Jan 6, 2050, 8:00/ }).click();
    await expect.poll(until).toBe('2050-01-06T08:00');
    await label('Until').fill('2050-01-06T09:15');
    await expect.poll(chosen).toEqual([]);
    await label('From').fill('2050-01-05T23:00');
    await expect.poll(until).toBe('2050-01-06T09:15');
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('by a day and a time that are chosen, which fill the expression', async () => {
    await button('Create maintenance window').click();
    await label('Repeatedly').check();
    const pressed = () => at.page.locator('form .chips [aria-pressed=true]').allTextContents();
    await expect.poll(pressed).toEqual([]);
    await button('Weekly…').click();
    await label('Day').selectOption('Sunday');
    await at.page.getByLabel('At', { exact: true }).fill('02:15');
    await expect.poll(() => label('Begins at').inputValue()).toBe('15 2 * * 0');
    await expect.poll(pressed).toEqual(['Weekly…']);
    await expect.poll(() => preview().textContent()).toMatch(/^Sundays at 2:15\sAM for 2 hours\. Next/);
    await button('Daily at…').click();
    await expect.poll(() => at.page.getByLabel('Day', { exact: true }).count()).toBe(0);
    await expect.poll(pressed).toEqual(['Daily at…']);
    await label('Begins at').fill('Sun *-*-1..7 02:00');
    await expect.poll(() => at.page.getByLabel('At', { exact: true }).count()).toBe(0);
    await expect.poll(pressed).toEqual([]);
    expect(await at.findings('form')).toEqual([]);
  });

  test('arrow keys stay within one question', async () => {
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Move', duration: '2h' });
    await at.page.reload();
    await button('Edit Move').click();
    const chosen = () =>
      at.page.evaluate<string[]>(
        "[...document.querySelectorAll('form input[type=radio]:checked')].map(({ parentElement }) => parentElement.textContent)",
      );
    const scopeAndWho = ['All checks of the project', 'All integrations (maintenance)'];
    expect(await chosen()).toEqual(['Once', ...scopeAndWho]);
    await label('Once').focus();
    await at.page.keyboard.press('ArrowUp');
    const dates = 'On the dates of an iCalendar file';
    await expect.poll(chosen).toEqual([dates, ...scopeAndWho]);
    await at.page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toEqual(['Once', ...scopeAndWho]);
    await at.page.keyboard.press('Tab');
    expect(await at.page.evaluate('document.activeElement.name')).toBe('from');
  });

  test('cancelled, the focus is on the button that opened the form', async () => {
    await button('Create maintenance window').click();
    await button('Cancel').focus();
    await at.page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Create maintenance window');
  });

  test('without a name: the field comes into sight below the header', async () => {
    await button('Create maintenance window').click();
    await at.page.getByLabel('Name', { exact: true }).fill('');
    await button(/^Create$/).focus();
    await at.page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await button(/^Create$/).press('Enter');
    await expect.poll(() => at.page.evaluate('document.activeElement.name')).toBe('name');
    const edge = () =>
      at.page.evaluate<number>(
        'document.activeElement.getBoundingClientRect().top - document.querySelector(".top").getBoundingClientRect().bottom',
      );
    await expect.poll(edge).toBeGreaterThan(0);
  });

  test('once, about a chosen check: the list of checks says so until it is ended', async () => {
    await button('Create maintenance window').click();
    await label('Name').fill('DB move');
    await label('Chosen checks').check();
    await button(/^Create$/).click();
    const error = at.page.getByText('Choose at least one check.');
    await error.waitFor();
    // Where the focus is, above the list.
    expect((await error.boundingBox())?.y).toBeLessThan((await label('backup').boundingBox())?.y ?? 0);
    await label('backup').check();
    await button(/^Create$/).click();
    await at.page.getByText(/On until/).waitFor();
    // Its end is said once, and so are both ends of one to come.
    const row = at.page.locator('.maintenance', { hasText: 'DB move' });
    await expect
      .poll(() => row.textContent())
      .toMatch(/On until (?:(?!until).)*Check: backup\. Began [^.]*\. Created/);
    expect(await windows()).toMatchObject([{ name: 'DB move', checks: [checks[0].uuid], active: true }]);
    await at.open('checks');
    const banner = at.page.locator('.banner', { hasText: 'Maintenance' });
    await expect
      .poll(() => banner.textContent())
      .toMatch(/^Maintenance DB move until .*: failures of 1 check are not sent\./);
    const rowOf = (name: string) => at.page.locator('.row', { hasText: name });
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await rowOf('backup')
      .locator('.state', { hasText: /In maintenance until/ })
      .waitFor();
    await rowOf('backup').locator('.state .mark.maintenance').waitFor();
    await expect.poll(() => at.page.locator('.row .state .mark.maintenance').count()).toBe(1);
    await at.page.setViewportSize({ width: 390, height: 844 });
    await rowOf('backup')
      .locator('.reason', { hasText: /In maintenance until/ })
      .waitFor();
    await rowOf('backup').locator('.reason .mark.maintenance').waitFor();
    expect(await at.findings('.row')).toEqual([]);
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await banner.getByRole('link', { name: 'Maintenance' }).click();
    const [was] = await windows();
    await button('End now DB move').focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Over').waitFor();
    await expect.poll(focused).toBe('Edit DB move');
    const toast = at.page.locator('.toast', { hasText: 'Maintenance ended: DB move.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await button('End now DB move').waitFor();
    expect((await windows())[0]).toMatchObject({ active: true, from: was.from, until: was.until });
    await button('End now DB move').press('Enter');
    await at.page.getByText('Over').waitFor();
    await at.open('checks');
    await at.page.locator('.row').first().waitFor();
    await expect.poll(() => banner.count()).toBe(0);
  });

  test('on the dates of a file; what cannot be read is said at the field', async () => {
    await button('Create maintenance window').click();
    await label('Name').fill('Holidays');
    await label('All checks').check();
    await label('On the dates').check();
    const file = (text: string) => ({ name: 'h.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) });
    await label('File .ics').setInputFiles(file('nothing'));
    await button(/^Create$/).click();
    await expect.poll(() => label('File .ics').getAttribute('aria-invalid')).toBe('true');
    const event = (date: string): string => `BEGIN:VEVENT\nDTSTART;VALUE=DATE:${date}\nEND:VEVENT\n`;
    const text = `BEGIN:VCALENDAR\n${event('20500101')}${event('20501224')}END:VCALENDAR`;
    await label('File .ics').setInputFiles(file(text));
    await expect.poll(() => preview().textContent()).toContain('2050');
    await button(/^Create$/).click();
    await at.page.getByRole('heading', { name: 'Holidays' }).waitFor();
    expect((await windows())[0].dates).toHaveLength(2);
  });

  test('quiet hours of chosen integrations are no maintenance above the list', async () => {
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    const ids: string[] = [];
    for (const name of ['phone', 'tablet']) {
      const { status, json } = await at.owner.post(`/web/in/${at.project}/channels`, {
        ...{ kind: 'ntfy', name, value },
      });
      expect(status).toBeLessThan(300);
      ids.push(json().id);
    }
    const [phone = '', tablet = ''] = ids;
    const both = { kind: 'group', name: 'both of them', value: ids.join(',') };
    await at.owner.post(`/web/in/${at.project}/channels`, both);
    await at.page.reload();
    await button('Create maintenance window').click();
    await label('Name').fill('Nights');
    const counts = at.page.getByLabel('Count downtime in this window');
    await expect.poll(() => counts.count()).toBe(1);
    await label('All checks').check();
    await label('Only chosen ones').check();
    await expect.poll(() => counts.count()).toBe(0);
    await at.page.getByLabel('phone').waitFor();
    await expect.poll(() => at.page.getByLabel('both of them').count()).toBe(0);
    await button(/^Create$/).click();
    await at.page.getByText('Choose at least one integration.').waitFor();
    await label('phone').check();
    await button(/^Create$/).click();
    await at.page.getByText(/Quiet hours of phone\. All checks\./).waitFor();
    expect(await windows()).toMatchObject([{ name: 'Nights', integrations: [phone], active: true }]);
    expect(await active()).toEqual({ windows: [], checks: 0 });
    await button('Edit Nights').click();
    const isOff = () => button('Save').getAttribute('aria-disabled');
    await expect.poll(isOff).toBe('true');
    await label('tablet').check();
    await expect.poll(isOff).toBe('false');
    await button('Save').click();
    await at.page.getByText(/Quiet hours of phone, tablet\./).waitFor();
    expect(await windows()).toMatchObject([{ integrations: [phone, tablet], counts_as_downtime: false }]);
    if (keepsPictures) await at.page.screenshot({ path: `${output}quiet-hours.png`, fullPage: true });
    const [edited, made] = (await at.owner.get('/web/audit?')).json().entries;
    expect(made.detail).toMatch(/^quiet hours of phone: .* UTC$/);
    expect(edited.changes).toEqual([{ field: 'integrations', before: 'phone', after: 'phone, tablet' }]);
    await at.open('settings/maintenance');
    await button('Edit Nights').click();
    await label('All integrations (maintenance)').check();
    await button('Save').click();
    await expect.poll(async () => (await windows())[0].integrations).toEqual([]);
    // The page has closed the form, too: what it does with its address would cut off the next page.
    await button('Edit Nights').waitFor();
    expect(await active()).toMatchObject({ windows: [{ name: 'Nights' }], checks: 2 });
  });

  test('says both ends of a single time to come once', async () => {
    const times = { from: '2050-01-01T12:00:00Z', until: '2050-01-01T13:30:00Z' };
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Move', ...times });
    await at.page.reload();
    const row = at.page.locator('.maintenance');
    await expect.poll(() => row.locator('h3 + span').textContent()).toMatch(/^Next: .*2050.* until \d+:30/);
    await expect.poll(() => row.locator('p.faint').textContent()).toBe('All checks. Created by API key.');
  });

  test('says when in the zone of the reader, and a schedule with its own', async () => {
    const dates = [{ from: '2050-01-01T12:00:00Z', until: '2050-01-01T13:00:00Z' }];
    const times = { schedule: 'Sun 02:00', tz: 'Asia/Tokyo', duration: '2h', dates };
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Both', ...times });
    await at.page.reload();
    const said = at.page.locator('.maintenance > p.faint');
    await expect
      .poll(() => said.textContent())
      .toMatch(/^All checks\. Sundays at 2:00\sAM \(Asia\/Tokyo\) for 2 hours; .*2050,\s.* until \d+:00/);
    await expect.poll(() => said.textContent()).not.toContain('UTC');
  });

  test('is edited, keeps what was ended early, and is deleted', async () => {
    const made = { name: 'Nights', schedule: '*-*-* *:00', duration: '50m' };
    const { uuid } = (await at.knell.api('POST', '/api/v3/maintenance/', made)).json();
    await at.page.reload();
    await button('Edit Nights').click();
    await label('Name').fill('Hours');
    await label('Count downtime in this window').check();
    await button('Save').click();
    await at.page.getByRole('heading', { name: 'Hours' }).waitFor();
    await expect.poll(focused).toBe('Edit Hours');
    expect(await windows()).toMatchObject([
      { uuid, name: 'Hours', counts_as_downtime: true, schedule: '*-*-* *:00', duration: 3000 },
    ]);
    await button('Delete Hours').click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(windows).toEqual([]);
    // Undo creates it again, with all that was set.
    const toast = at.page.locator('.toast', { hasText: 'Hours was deleted.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await button('Delete Hours').waitFor();
    expect(await windows()).toMatchObject([
      { name: 'Hours', counts_as_downtime: true, schedule: '*-*-* *:00', duration: 3000 },
    ]);
    await button('Delete Hours').click();
    await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(windows).toEqual([]);
  });

  test('is deleted without a word of alerts while it is not on', async () => {
    const dates = { from: '2099-01-01T00:00:00Z', until: '2099-01-01T01:00:00Z' };
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Later', ...dates });
    await at.page.reload();
    await button('Delete Later').click();
    await at.page.getByRole('dialog').getByText('Later will be deleted.', { exact: true }).waitFor();
  });

  test('is seen by viewers above the list, and not in the settings', async () => {
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'All of it', duration: '2h' });
    expect(await active()).toEqual({
      windows: [
        {
          ...{ id: expect.any(String), name: 'All of it', untilMs: expect.any(Number) },
          ...{ checks: [], tags: [], count: 2 },
        },
      ],
      checks: 2,
    });
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'x', tags: 'nightly', duration: '3h' });
    await at.open('checks');
    const banner = at.page.locator('.banner', { hasText: 'Maintenance' });
    await expect
      .poll(() => banner.textContent())
      .toMatch(/^Maintenance x until .*, and 1 more: failures of 2 checks are not sent/);
    // One about no check, which ends last, is not said.
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'y', tags: 'none-has-it', duration: '4h' });
    const { windows: all } = await active();
    expect(all.map(({ name, count }: Json) => [name, count])).toEqual([
      ['y', 0],
      ['x', 2],
      ['All of it', 2],
    ]);
    await at.open('checks');
    await expect.poll(() => banner.textContent()).toMatch(/^Maintenance x until .*, and 1 more: failures of/);
    for (const width of [390, 1024, 1440]) {
      await at.page.setViewportSize({ width, height: 900 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      if (keepsPictures) await at.page.screenshot({ path: `${output}maintenance-banner-${width}.png` });
      await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings/maintenance`);
      await button('Create maintenance window').click();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      if (keepsPictures)
        await at.page.screenshot({ path: `${output}maintenance-${width}.png`, fullPage: true });
      await at.open('checks');
    }
  });
});
