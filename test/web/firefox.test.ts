/** What one does every day, in Firefox: what only one browser takes would go unseen otherwise. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { firefoxMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(firefoxMissing !== '')('in Firefox, the page', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'firefox');
    for (let n = 0; n < 30; n++)
      uuids.push((await at.knell.create({ name: `job ${n}`, tags: ['red', 'green', 'blue'][n % 3] })).uuid);
    await at.knell.request(`/ping/${uuids[7]}/fail`);
  });

  afterAll(() => at?.stop());

  const row = (text: string) => at.page.locator('.row', { hasText: text }).first();

  test('lists what is wrong first, on a phone too, and shows what changes', async () => {
    await at.open('checks');
    await row('job 7').waitFor();
    await expect.poll(() => at.page.locator('.row').first().textContent()).toContain('job 7');
    await at.knell.request(`/ping/${uuids[8]}/fail`);
    await at.page.locator('.row.down', { hasText: 'job 8' }).waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('filters as one types, goes by keys, and comes back as it was', async () => {
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.page.keyboard.press('/');
    await at.page.keyboard.type('job 1');
    await at.page.getByText('12 of 30 checks').waitFor();
    // Escape would clear the field, as in every browser.
    await at.page.getByLabel('Search checks').blur();
    await at.page.keyboard.press('j');
    await at.page.locator('.row.chosen a').first().waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.closest(".row") !== null')).toBe(true);
    const name = (await at.page.locator('.row.chosen a').first().textContent()) ?? '';
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name, exact: true }).waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.goBack();
    await at.page.getByText('12 of 30 checks').waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('acknowledges from a menu, and takes it back', async () => {
    await at.page.getByLabel('Search checks').fill('job 7');
    await row('job 7').hover();
    await at.page.getByLabel('More for job 7').click();
    await at.page.getByRole('menuitem', { name: 'Acknowledge' }).click();
    await row('job 7').locator('.state').getByText('Acknowledged by ada').waitFor();
    await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    const state = async (): Promise<unknown> =>
      (await at.knell.api('GET', `/api/v3/checks/${uuids[7]}/snooze`)).json().acknowledged;
    await expect.poll(state).toBeNull();
  });

  test('creates a check, and says what is wrong with a form', async () => {
    await at.open('new');
    await at.page.getByLabel(/^Name/).fill('Backup');
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'Backup' }).waitFor();
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/')).json();
    expect(checks.map(({ name }: Json) => name)).toContain('Backup');
  });

  test('shows the wall, the integrations and the settings', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/wall`);
    await at.page.locator('.wall .name', { hasText: 'job 7' }).waitFor();
    expect(await at.findings()).toEqual([]);
    for (const page of ['integrations', 'settings']) {
      await at.open(page);
      await at.page.getByRole('heading').first().waitFor();
      expect([page, await at.findings(), (await at.overflow()) <= 0]).toEqual([page, [], true]);
    }
    expect(at.complaints).toEqual([]);
  });
});
