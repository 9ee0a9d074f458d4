/** A check that is edited in a real browser, from the list by keyboard. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a check that is there', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 720 });
    const { uuid } = await at.knell.create({ name: 'Nightly backup', timeout: 120 });
    await at.knell.request(`/ping/${uuid}`);
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  test('edits a check, with the next times of its schedule shown while one types', async () => {
    await at.page.locator('.row.up').waitFor();
    await at.page.keyboard.press('j');
    await at.page.locator('.row.chosen a:focus').waitFor();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const isOff = () => at.page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled');
    await expect.poll(isOff).toBe('true');
    // A button of the form changes it, too.
    await at.page.getByRole('button', { name: 'Hourly' }).click();
    await expect.poll(isOff).toBe('false');
    await at.page.getByLabel('Cron').check();
    await at.page.getByLabel('Schedule').fill('61 3 * * *');
    await at.page.locator('#schedule-error').waitFor();
    await at.page.getByLabel('Schedule').fill('30 3 * * *');
    await at.page.getByLabel('Time zone').fill('Europe/Riga');
    await expect.poll(() => at.page.locator('.preview tbody tr').count()).toBe(5);
    await expect.poll(() => at.page.locator('.preview tbody').textContent()).toContain('3:30');
    await at.page.locator('.preview').getByText('Daily at 3:30 AM.').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByLabel('Name').fill('Backup');
    await at.page.getByRole('button', { name: 'Save' }).click();
    await at.page
      .locator('.card', { hasText: 'Schedule' })
      .getByText('Daily at 3:30 AM (Europe/Riga)')
      .waitFor();
    await at.page.getByText('Grace time 1 h', { exact: true }).waitFor();
  });

  test('keeps the focus in a number that was typed, and saves by Enter', async () => {
    const { uuid } = await at.knell.create({ name: 'By keyboard', timeout: 3600, grace: 3600 });
    await at.open(`checks/${uuid}?edit`);
    const field = (name: string) => at.page.locator(`form.check-form [name=${name}]`);
    const focused = () => at.page.evaluate<string>('document.activeElement.getAttribute("name")');
    await field('timeout').fill('90');
    await field('timeout_unit').selectOption('minutes');
    await field('timeout').focus();
    await at.page.keyboard.press('Tab');
    await expect.poll(focused).toBe('timeout_unit');
    await at.page.keyboard.press('Tab');
    await expect.poll(focused).toBe('grace');
    await at.page.keyboard.type('2');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Grace time 2 h', { exact: true }).waitFor();
    const saved = (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json();
    expect(saved).toMatchObject({ timeout: 5400, grace: 7200 });
  });

  test('says at the top of the check that it is saved, and goes back to where one was without that', async () => {
    const scrolledTo = () => at.page.evaluate('scrollY');
    await at.page.setViewportSize({ width: 1280, height: 400 });
    const edit = at.page.getByRole('button', { name: 'Edit', exact: true });
    await at.page.getByText('Status badge').waitFor();
    await at.page.evaluate('scrollTo(0, 120)');
    await edit.click();
    await at.page.getByLabel('Name').waitFor();
    await expect.poll(scrolledTo).toBe(0);
    await at.page.getByRole('button', { name: 'Cancel' }).click();
    await edit.waitFor();
    await expect.poll(scrolledTo).toBe(120);
    await edit.click();
    await at.page.getByLabel('Name').fill('Backup of the night');
    await at.page.getByRole('button', { name: 'Save' }).click();
    await at.page.locator('.toast').getByText('Saved.', { exact: true }).first().waitFor();
    await at.page.getByRole('heading', { level: 1, name: 'Backup of the night' }).waitFor();
    await at.page.getByText('Status badge').waitFor();
    await expect.poll(scrolledTo).toBe(0);
    // From the form's own address, too.
    await at.page.goto(`${at.page.url()}?edit`);
    await at.page.getByLabel('Name').fill('Backup');
    await at.page.getByRole('button', { name: 'Save' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Backup', exact: true }).waitFor();
    await expect.poll(scrolledTo).toBe(0);
  });

  test('names the check in the way back from its form', async () => {
    await at.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Edit Backup' }).waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.locator('.item-head').getByRole('link', { name: 'Backup', exact: true }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Backup', exact: true }).waitFor();
  });

  test('had nothing to complain of', () => {
    expect(at.complaints).toEqual([]);
  });

  test('separates tags by commas, too, and leaves one with a comma until its field is edited', async () => {
    const { uuid } = await at.knell.create({ name: 'Sync', tags: 'eu,west prod' });
    const saved = async () => (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json().tags;
    const save = async (): Promise<void> => {
      await at.page.getByRole('button', { name: 'Save' }).click();
      await at.page.getByText('Status badge').waitFor();
    };
    await at.open(`checks/${uuid}?edit`);
    await at.page.getByLabel('Name').fill('Sync of the west');
    await save();
    expect(await saved()).toBe('eu,west prod');
    await at.open(`checks/${uuid}?edit`);
    await at.page.locator('summary', { hasText: 'More details' }).click();
    await at.page.getByLabel(/^Tags/).fill('eu,west prod, ops,billing,prod');
    await save();
    expect(await saved()).toBe('eu west prod ops billing');
    await at.page.getByRole('button', { name: 'Edit description' }).click();
    await at.page.getByLabel(/^Tags/).fill('ops,billing');
    await at.page.keyboard.press('Enter');
    await expect.poll(saved).toBe('ops billing');
    await at.page.locator('.tag-line').getByText('billing', { exact: true }).waitFor();
  });

  test('offers to undo what was saved, and takes nothing back that was changed since', async () => {
    const { uuid } = await at.knell.create({ name: 'Undone', timeout: 7200, tags: 'a' });
    const api = (body?: object) =>
      at.knell.api(body ? 'POST' : 'GET', `/api/v3/checks/${uuid}`, ...(body ? [body] : []));
    const edit = async (): Promise<void> => {
      await at.open(`checks/${uuid}?edit`);
      await at.page.getByLabel('Cron').check();
      await at.page.getByLabel('Name').fill('Changed');
      await at.page.getByRole('button', { name: 'Save' }).click();
      await at.page.locator('.toast', { hasText: 'Saved.' }).waitFor();
    };
    await edit();
    expect((await api()).json()).toMatchObject({ name: 'Changed', schedule: '0 3 * * *' });
    await at.page.keyboard.press('u');
    await at.page.locator('.toast', { hasText: 'The check is set as before.' }).waitFor();
    expect((await api()).json()).toMatchObject({ name: 'Undone', timeout: 7200, tags: 'a' });
    await edit();
    await api({ name: 'Of somebody else' });
    await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await at.page.locator('.toast', { hasText: 'somebody has changed the same fields since' }).waitFor();
    expect((await api()).json()).toMatchObject({ name: 'Of somebody else', schedule: '0 3 * * *' });
  });
});
