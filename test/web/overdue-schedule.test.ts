/** A new schedule by which a check is overdue already, in a real browser: it says so before it is saved, wherever it is entered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** Noon, so that what is due daily at any hour is over, or far ahead. */
const noonMs = Math.floor(Date.now() / day) * day + 12 * hour;

describe.skipIf(browserMissing !== '')('a schedule by which a ping is overdue', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: noonMs - 5 * hour });
    await at.page.setViewportSize({ width: 1280, height: 900 });
    for (const name of ['alpha', 'beta', 'gamma']) {
      const { uuid } = await at.knell.create({ name, timeout: 7 * 86_400, grace: 3600, tags: 'shop' });
      uuids.push(uuid);
      if (name !== 'gamma') await at.knell.request(`/ping/${uuid}`);
    }
    await at.clock.advance(5 * hour);
    await at.knell.request(`/ping/${uuids[1]}`);
  });

  afterAll(() => at?.stop());

  const check = async (n: number): Promise<Json> =>
    (await at.knell.api('GET', `/api/v3/checks/${uuids[n]}`)).json();
  const alert = (text: string) => at.page.getByRole('alert').getByText(text, { exact: false });
  const said = 'would be down at once, and alert: by this schedule a ping is overdue already.';

  test('is refused once in the form of a check, and saved by the second attempt', async () => {
    await at.open(`checks/${uuids[0]}?edit`);
    const every = at.page.locator('form.check-form [name=timeout]');
    await every.fill('1');
    await at.page.locator('form.check-form [name=timeout_unit]').selectOption('3600');
    await every.press('Enter');
    await alert(`The check ${said}`).waitFor();
    // Enter was pressed far above the buttons.
    await expect
      .poll(() =>
        alert(said).evaluate((one: Json) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top > 0 && bottom < one.ownerDocument.defaultView.innerHeight;
        }),
      )
      .toBe(true);
    expect(await check(0)).toMatchObject({ status: 'up', timeout: 7 * 86_400 });
    await every.fill('1');
    await at.page.getByLabel('Cron').check();
    await at.page.getByLabel('Time zone').fill('UTC');
    await at.page.getByLabel('Schedule', { exact: true }).fill('0 18 * * *');
    await at.page.locator('form.check-form').getByRole('button', { name: 'Save' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'alpha', exact: true }).waitFor();
    expect(await check(0)).toMatchObject({ status: 'up', schedule: '0 18 * * *' });
  });

  test('is no question of an interval that is not valid: that is said first, at its field', async () => {
    await at.open(`checks/${uuids[0]}?edit`);
    await at.page.getByLabel('Interval').check();
    const every = at.page.locator('form.check-form [name=timeout]');
    await every.fill('0');
    await every.press('Control+Enter');
    await at.page
      .locator('#timeout-error', { hasText: 'The interval must be at least one minute.' })
      .waitFor();
    await expect.poll(() => every.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => alert(said).count()).toBe(0);
    await at.page.getByRole('button', { name: 'Cancel' }).click();
    await at.page.getByRole('button', { name: 'Edit schedule' }).click();
    const card = at.page.locator('form.in-place');
    await card.getByLabel('Interval').check();
    await card.locator('[name=timeout]').fill('0');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.locator('#timeout-error', { hasText: 'The interval must be at least one minute.' }).waitFor();
    await expect.poll(() => alert(said).count()).toBe(0);
  });

  test('is refused once in the card of a schedule', async () => {
    await at.open(`checks/${uuids[0]}`);
    await at.page.getByRole('button', { name: 'Edit schedule' }).click();
    await at.page.getByLabel('Time zone').fill('UTC');
    await at.page.getByLabel('Schedule', { exact: true }).fill('0 9 * * *');
    const save = at.page.locator('form.in-place').getByRole('button', { name: 'Save' });
    await save.click();
    await alert(`The check ${said}`).waitFor();
    expect((await check(0)).schedule).toBe('0 18 * * *');
    await save.click();
    await save.waitFor({ state: 'detached' });
    expect(await check(0)).toMatchObject({ status: 'down', schedule: '0 9 * * *' });
    await at.knell.request(`/ping/${uuids[0]}`);
    await at.knell.api('POST', `/api/v3/checks/${uuids[0]}`, { timeout: 7 * 86_400 });
  });

  test('counts the checks that are selected in the list', async () => {
    await at.clock.advance(3 * hour);
    await at.knell.request(`/ping/${uuids[1]}`);
    await at.open('checks');
    for (const name of ['alpha', 'beta', 'gamma']) await at.page.getByLabel(`Select ${name}`).check();
    await at.page.getByRole('button', { name: 'Schedule…' }).click();
    const form = at.page.locator('dialog[open] form');
    await form.getByLabel('Cron').check();
    await form.getByLabel('Time zone').fill('UTC');
    await form.getByLabel('Schedule', { exact: true }).fill('0 13 * * *');
    await form.getByRole('button', { name: 'Save' }).click();
    await alert(`1 of 3 checks ${said}`).waitFor();
    expect(await at.findings('dialog[open]')).toEqual([]);
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect((await check(0)).schedule).toBeUndefined();
  });
});
