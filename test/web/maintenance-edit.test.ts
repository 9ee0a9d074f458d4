/** The form of a maintenance window that is there, in a real browser: where it is, and what it says of its times. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the form of a maintenance window that is there', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const window = { name: 'Sundays', schedule: '0 2 * * 0', duration: '2h' };
    await at.knell.api('POST', '/api/v3/maintenance/', window);
  }, 60_000);

  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const said = () => at.page.locator('form p[aria-live]');
  /** Between the fields of its times and the part below. */
  const gapPx = () =>
    at.page.evaluate<number>(`(() => {
      const said = document.querySelector('form p[aria-live]');
      const above = [...said.previousElementSibling.querySelectorAll('input')].at(-1);
      return said.nextElementSibling.getBoundingClientRect().top - above.getBoundingClientRect().bottom;
    })()`);

  test.each([390, 1024])('says its times, and those of what is typed, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 2000 });
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Edit Sundays' }).click();
    await expect
      .poll(() => said().textContent())
      .toMatch(/^Sundays at 2:00\sAM for 2 hours\. Next: .*2:00.* until .*4:00.*;.*;/);
    const firstPx = await gapPx();
    await at.page.getByLabel('Name', { exact: true }).fill('All Sundays');
    await at.page.getByLabel('Duration').fill('3h');
    await expect
      .poll(() => said().textContent(), { interval: 20 })
      .toMatch(/for 3 hours\. Next: .* until .*5:00.*;/);
    await at.page.getByLabel('Duration').fill('2h');
    await expect
      .poll(() => said().textContent(), { interval: 20 })
      .toMatch(/for 2 hours\. Next: .* until .*4:00.*;/);
    expect(await gapPx()).toBe(firstPx);
    await at.page.getByLabel('Time zone').fill('Europe/Riga');
    await expect
      .poll(() => said().textContent())
      .toMatch(/^Sundays at 2:00\sAM for 2 hours\. Next, in Europe\/Riga: .*2:00/);
  });

  test('takes the place of its row, and the row comes back', async () => {
    const row = at.page.locator('.maintenance');
    const edit = row.getByRole('button', { name: 'Edit Sundays' });
    await at.page.setViewportSize({ width: 1024, height: 2000 });
    await at.open('settings/maintenance');
    const { y = 0 } = (await row.boundingBox()) ?? {};
    await edit.click();
    await row.waitFor({ state: 'detached' });
    expect((await at.page.locator('.card form').boundingBox())?.y).toBeLessThan(y + 32);
    await at.page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await edit.waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Edit Sundays');
  });

  test('is alone with its title and the way back', async () => {
    const { uuid } = (
      await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Move', duration: '2h' })
    ).json();
    await at.open('settings/maintenance');
    const main = at.page.locator('main');
    const other = main.getByRole('heading', { name: 'Move' });
    const create = main.getByRole('button', { name: 'Create maintenance window' });
    const back = main.locator('.page-head').getByRole('link', { name: 'Maintenance' });
    await other.waitFor();
    await main.getByRole('button', { name: 'Edit Sundays' }).click();
    await main.getByRole('heading', { level: 2, name: 'Edit “Sundays”' }).waitFor();
    await expect.poll(() => create.count()).toBe(0);
    await expect.poll(() => other.isVisible()).toBe(false);
    for (const width of [390, 1440]) {
      await at.page.setViewportSize({ width, height: 1100 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings('main')).toEqual([]);
    }
    await back.press('Enter');
    await other.waitFor();
    await expect.poll(focused).toBe('Edit Sundays');
    await create.click();
    await main.getByRole('heading', { level: 2, name: 'Create maintenance window' }).waitFor();
    await expect.poll(() => other.isVisible()).toBe(false);
    await back.press('Enter');
    await other.waitFor();
    await expect.poll(focused).toBe('Create maintenance window');
    await at.knell.api('DELETE', `/api/v3/maintenance/${uuid}`);
    await at.open('settings/maintenance');
  });

  test('offers quiet hours once there is an integration, and says what is not counted', async () => {
    const quiet = at.page.getByLabel('Only chosen ones (quiet hours)');
    const note = at.page.getByText('this project has no integration yet');
    const words = at.page.getByText(
      'A window of quiet hours silences only the integrations that you choose.',
    );
    await at.page.getByRole('button', { name: 'Edit Sundays' }).click();
    await note.waitFor();
    await expect.poll(() => words.count()).toBe(0);
    await expect.poll(() => quiet.isDisabled()).toBe(true);
    const counts = at.page.getByRole('checkbox', { name: 'Count downtime in this window' });
    const described = await counts.getAttribute('aria-describedby');
    await at.page
      .locator(`[id="${described}"]`, { hasText: 'Otherwise status pages leave it out of their bars' })
      .waitFor();
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    await at.owner.post(`/web/in/${at.project}/channels`, { kind: 'ntfy', name: 'phone', value });
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Edit Sundays' }).click();
    await expect.poll(() => quiet.isEnabled()).toBe(true);
    await words.waitFor();
    await expect.poll(() => note.count()).toBe(0);
    await at.open('settings/maintenance');
  });

  test('moves nothing when it says what is wrong', async () => {
    await at.page.setViewportSize({ width: 390, height: 2000 });
    await at.page.getByRole('button', { name: 'Edit Sundays' }).click();
    await at.page.getByLabel('Begins at').fill('0 3 * * 0');
    await expect.poll(() => said().textContent(), { interval: 20 }).toMatch(/Next: .*3:00/);
    await at.page.getByLabel('Begins at').fill('0 2 * *');
    const beforePx = await gapPx();
    await expect.poll(() => said().textContent(), { interval: 20 }).toMatch(/is not a valid cron/);
    expect(await gapPx()).toBe(beforePx);
  });

  test('names the zone of a single time', async () => {
    const zone = await at.page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    await at.open('settings/maintenance');
    await at.page.getByRole('button', { name: 'Create maintenance window' }).click();
    await expect
      .poll(() => said().textContent())
      .toMatch(/^Starts at once, and is on until [^()]+ \([^()]+\)\.$/);
    await expect.poll(() => said().textContent()).toContain(` (${zone}).`);
    await at.page.getByLabel(/^From /).fill('2050-01-01T22:00');
    await at.page.getByLabel(/^Until /).fill('2050-01-02T04:00');
    await expect
      .poll(() => said().textContent())
      .toMatch(/^Next: [^()]*2050[^()]* until [^()]* \([^()]+\)\.$/);
  });

  test('says which checks it covers now, of which one tag is enough', async () => {
    const covered = at.page.locator('form .covered');
    const tags = at.page.getByLabel('Tags separated by spaces or commas; a check needs one of them');
    await expect
      .poll(() => covered.textContent())
      .toBe('Covers no check now, and all that are created later.');
    const names = ['Nightly database backup', 'Invoices'];
    for (const name of names)
      await at.knell.create({ name, tags: name === 'Invoices' ? 'billing' : 'db disk' });
    await expect.poll(() => covered.count()).toBe(0);
    await at.page.getByLabel('Checks with a tag').check();
    for (const [typed, words] of [
      ['', ''],
      ['disk', 'Covers 1 check now: Nightly database backup.'],
      ['disk billing', 'Covers 2 checks now: Nightly database backup, Invoices.'],
      // It may become one that there is.
      ['bill', ''],
    ] as const) {
      await tags.fill(typed);
      await expect.poll(() => covered.textContent()).toBe(words);
    }
    await tags.blur();
    await expect
      .poll(() => covered.textContent())
      .toBe('Covers no check now. No check has the tag bill yet.');
    await tags.fill('disk bil');
    await expect
      .poll(() =>
        at.page
          .locator('datalist option')
          .evaluateAll((all: { value: string }[]) => all.map(({ value }) => value)),
      )
      .toEqual(['disk billing', 'disk db']);
    for (const name of ['Export', 'Report']) await at.knell.create({ name, tags: 'billing disk' });
    await tags.fill('disk billing');
    await expect.poll(() => covered.textContent()).toBe('Covers 4 checks now.');
    for (const width of [390, 1440]) {
      await at.page.setViewportSize({ width, height: 1100 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings('form')).toEqual([]);
    }
    // Its line says it, too: a window without a check has no effect.
    await tags.fill('bill');
    await at.page.getByRole('button', { name: 'Create', exact: true }).click();
    await at.page.getByText('Tag: bill (no check now).').waitFor();
  });
});
