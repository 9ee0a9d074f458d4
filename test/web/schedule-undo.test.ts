/** A schedule of several checks that takes them down, and what its way back says of them, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a schedule that takes checks down', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['alpha', 'beta', 'gamma']) {
      const { uuid } = await at.knell.create({ name, timeout: 7 * 86_400, grace: 60 });
      uuids.push(uuid);
      if (name !== 'gamma') await at.knell.request(`/ping/${uuid}`);
    }
    await at.clock.advance(5 * hour);
  }, 60_000);

  afterAll(() => at?.stop());

  const statuses = (): Promise<readonly Json[]> =>
    Promise.all(
      uuids.map(async (uuid) => {
        const { status, timeout } = (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json();
        return [status, timeout];
      }),
    );
  const toast = (words: string) => at.page.locator('.toast', { hasText: words });
  const schedule = async (hours: string): Promise<void> => {
    await at.page.getByRole('button', { name: 'Schedule…' }).click();
    const form = at.page.locator('dialog[open] form');
    await form.getByRole('spinbutton').fill(hours);
    await form.getByLabel('Unit of').selectOption('3600');
    await form.getByRole('button', { name: 'Save' }).click();
  };

  test('brings none of them up when it is undone, and says so', async () => {
    await at.open('checks');
    for (const name of ['alpha', 'beta', 'gamma']) await at.page.getByLabel(`Select ${name}`).check();
    await schedule('1');
    await at.page.getByRole('alert').getByText('would be down at once', { exact: false }).waitFor();
    await at.page.locator('dialog[open] form').getByRole('button', { name: 'Save' }).click();
    await toast('3 checks rescheduled.').getByRole('button', { name: 'Undo' }).click();
    await toast('The schedules are back. 2 checks stay down until their next ping.').waitFor();
    const week = 7 * 86_400;
    expect(await statuses()).toEqual([
      ['down', week],
      ['down', week],
      ['new', week],
    ]);
    await at.page.getByText('When its schedule changed').first().waitFor();
    await at.open(`checks/${uuids[0]}`);
    await at.page.getByText('It was overdue when its schedule was changed').first().waitFor();
    expect(at.complaints).toEqual([]);
  });

  test('has another way back where it takes none down', async () => {
    for (const uuid of uuids) await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(day);
    await at.open('checks');
    for (const name of ['alpha', 'beta']) await at.page.getByLabel(`Select ${name}`).check();
    await schedule('48');
    await toast('2 checks rescheduled.').getByRole('button', { name: 'Undo' }).click();
    await toast('Undone: ').waitFor();
  });

  test('is saved by Ctrl+Enter from a text of several lines, which the keys of every page say', async () => {
    await at.open('checks');
    await at.page.getByLabel('Select gamma').check();
    await at.page.getByRole('button', { name: 'Schedule…' }).click();
    const form = at.page.locator('dialog[open] form');
    await form.getByText('Cron', { exact: true }).click();
    const text = form.locator('textarea');
    await text.fill('0 2 * * 1');
    await text.press('Control+Enter');
    const kept = async () => (await at.knell.api('GET', `/api/v3/checks/${uuids[2]}`)).json().schedule;
    await expect.poll(kept).toBe('0 2 * * 1');
    await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await toast('Undone: ').waitFor();
    await expect.poll(kept).toBeUndefined();
    await at.page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await at.page.getByRole('dialog').getByText('Ctrl Enter', { exact: true }).waitFor();
    await at.page.keyboard.press('Escape');
  });

  test('is saved by Ctrl+Enter from a field of one line, too, as every form is', async () => {
    await at.open('checks');
    await at.page.getByLabel('Select gamma').check();
    await at.page.getByRole('button', { name: 'Tags…' }).click();
    const field = at.page.locator('dialog[open] form').getByLabel('Tags to add');
    await field.fill('weekly');
    await field.press('Control+Enter');
    const tags = async () => (await at.knell.api('GET', `/api/v3/checks/${uuids[2]}`)).json().tags;
    await expect.poll(tags).toBe('weekly');
    // A field that is in no form belongs to the button of its part.
    await at.open('settings');
    const rules = at.page.getByLabel(/^What is kept/);
    await rules.fill('pings last 400');
    await rules.press('Control+Enter');
    await at.page
      .getByText(/^(Saved|These rules drop)/)
      .first()
      .waitFor();
  });

  test('is asked for where its field is empty', async () => {
    await at.open('checks');
    for (const name of ['alpha', 'beta']) await at.page.getByLabel(`Select ${name}`).check();
    await at.page.getByRole('button', { name: 'Schedule…' }).click();
    const form = at.page.locator('dialog[open] form');
    await form.getByLabel('Cron').check();
    await form.getByLabel('Schedule', { exact: true }).fill('');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => form.getByRole('alert').filter({ hasText: /\S/ }).allInnerTexts())
      .toEqual(['Fill this in.']);
    await at.page.keyboard.press('Escape');
  });
});
