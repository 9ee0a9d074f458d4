/** Where a row of the list opens its check, what it says after a resume, and the way from the search to it, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { patienceMs } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('a row of the list', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['alpha', 'beta', 'gamma']) {
      const { uuid } = await at.knell.create({ name, timeout: 86_400 });
      await at.knell.request(`/ping/${uuid}`);
      uuids.push(uuid);
    }
    await at.clock.advance(19 * 60_000);
    await at.open('checks');
  }, 60_000);

  afterAll(() => at?.stop());

  const row = (name: string) => at.page.locator('.row', { hasText: name });
  const list = (): string => `/project/${at.project}/checks`;
  const path = (): string => new URL(at.page.url()).pathname;
  const press = async (name: string, cell: string): Promise<void> => {
    const box = await row(name).locator(cell).boundingBox();
    await at.page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 10);
  };

  test.each(['.state', '.columns', '.uptime', '.schedule'])(
    'opens its check by a click on %s',
    async (cell) => {
      await at.open('checks');
      await row('beta').waitFor();
      await press('beta', cell);
      await expect.poll(path).toBe(`${list()}/${uuids[1]}`);
    },
  );

  test('does not open by a click on its box, or at the end of a selection of its text', async () => {
    await at.open('checks');
    await at.page.getByLabel('Select alpha').click();
    await at.page.getByText('1 check selected').waitFor();
    const words = await row('beta').locator('.state strong').boundingBox();
    const y = (words?.y ?? 0) + 8;
    await at.page.mouse.move((words?.x ?? 0) + 2, y);
    await at.page.mouse.down();
    await at.page.mouse.move((words?.x ?? 0) + 60, y, { steps: 5 });
    await at.page.mouse.up();
    expect(await at.page.evaluate<string>('getSelection().toString()')).not.toBe('');
    expect(path()).toBe(list());
    // Afterwards it opens, also while others are selected: this is no finger.
    await press('gamma', '.schedule');
    await expect.poll(path).toBe(`${list()}/${uuids[2]}`);
  });

  test('opens in another tab with Ctrl', async () => {
    await at.open('checks');
    await row('alpha').waitFor();
    const opened = at.page.context().waitForEvent('page', { timeout: patienceMs });
    await at.page.keyboard.down('Control');
    await press('alpha', '.state');
    await at.page.keyboard.up('Control');
    const other = await opened;
    await expect.poll(() => new URL(other.url()).pathname).toBe(`${list()}/${uuids[0]}`);
    await other.close();
    expect(path()).toBe(list());
  });

  test('opens by a tap at its right, or is selected by it while others are', async () => {
    const context = await at.page
      .context()
      .browser()
      ?.newContext({
        ...{ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } },
      });
    await context?.addCookies(await at.page.context().cookies());
    const phone = await context?.newPage();
    if (!context || !phone) throw new Error('no browser');
    phone.setDefaultTimeout(patienceMs);
    const of = (name: string) => phone.locator('.row', { hasText: name });
    await phone.goto(`${at.knell.app.httpUrl}${list()}`);
    await of('beta').locator('.columns').tap();
    await expect.poll(() => new URL(phone.url()).pathname).toBe(`${list()}/${uuids[1]}`);
    await phone.goBack();
    await of('beta').waitFor();
    await expect.poll(() => phone.locator('.tip').count()).toBe(0);
    await of('alpha').locator('input').tap({ force: true });
    await phone.locator('.bulk', { hasText: '1 check selected' }).waitFor();
    await of('beta').locator('.state').tap();
    await of('gamma').locator('a').tap();
    await phone.locator('.bulk', { hasText: '3 checks selected' }).waitFor();
    await of('beta').locator('.columns').tap();
    await phone.locator('.bulk', { hasText: '2 checks selected' }).waitFor();
    expect(new URL(phone.url()).pathname).toBe(list());
    await phone.getByRole('button', { name: 'Select all' }).tap();
    await phone.locator('.bulk', { hasText: '3 checks selected' }).waitFor();
    await expect.poll(() => phone.getByRole('button', { name: 'Select all' }).count()).toBe(0);
    // Its menu is in the window whole, or scrolls, and a message is not over the header.
    await phone.locator('.bulk').getByRole('button', { name: 'Actions' }).tap();
    const last = phone.getByRole('menuitem', { name: 'Delete…' });
    await last.scrollIntoViewIfNeeded();
    const [item, menu] = [await last.boundingBox(), await phone.getByRole('menu').boundingBox()];
    expect(menu?.y).toBeGreaterThanOrEqual(0);
    expect(item?.y).toBeLessThan((menu?.y ?? 0) + (menu?.height ?? 0));
    await phone.getByRole('menuitem', { name: 'End the snooze' }).tap();
    const toast = phone.locator('.toast', { hasText: 'None of them is snoozed' });
    await toast.waitFor();
    const [said, bar] = [await toast.boundingBox(), await phone.locator('.bulk').boundingBox()];
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    expect(said?.y).toBeGreaterThan(400);
    await context.close();
  });

  test('shows at 1024 px when its last run was', async () => {
    await at.page.setViewportSize({ width: 1024, height: 800 });
    await at.open('checks');
    const cell = row('alpha').locator('.last > span').first();
    await expect.poll(() => cell.textContent()).toBe('19 min ago');
    const cut = await cell.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut, 'pixels that are cut').toBeLessThanOrEqual(0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  test.each(['Enter', 'ArrowDown'])('is the first after %s in the search', async (key) => {
    await at.open('checks');
    const focused = (): Promise<Json> => at.page.evaluate('document.activeElement.textContent');
    await at.page.getByLabel('Search checks').fill('gam');
    await at.page.keyboard.press(key);
    await expect.poll(focused).toBe('gamma');
    await at.page.locator('.row.chosen', { hasText: 'gamma' }).waitFor();
    await at.page.getByLabel('Search checks').fill('nothing like it');
    await at.page.getByText('No checks match.').waitFor();
    await at.page.keyboard.press(key);
    await expect
      .poll(() => at.page.getByLabel('Search checks').evaluate((one) => one.matches(':focus')))
      .toBe(true);
  });

  test('of none, where a word of the search is a status, offers that status', async () => {
    await at.open('checks');
    await at.page.getByLabel('Search checks').fill('gam up');
    await at.page.getByRole('button', { name: 'Search for “gam” among those that are up' }).press('Enter');
    await expect.poll(() => at.page.url()).toContain('q=gam&status=up');
    await expect.poll(() => at.page.getByLabel('Search checks').inputValue()).toBe('gam');
  });

  test('says after a resume that it waits, and when its last run was', async () => {
    await at.knell.api('POST', `/api/v3/checks/${uuids[0]}/pause`);
    await at.knell.api('POST', `/api/v3/checks/${uuids[0]}/resume`);
    await at.open('checks');
    await row('alpha').getByText('Waiting for a ping').waitFor();
    await expect.poll(() => row('alpha').locator('.last > span').first().textContent()).toBe('19 min ago');
    const part = at.page.locator('.summary .part.new');
    await expect.poll(() => part.allTextContents()).toEqual(['1WaitingFor a ping']);
    for (const width of [1024, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      const words = row('alpha').locator('.state strong');
      const cut = await words.evaluate((one) => [one.scrollWidth - one.clientWidth, one.clientHeight]);
      expect(cut[0], 'pixels that are cut').toBeLessThanOrEqual(0);
      expect(cut[1]).toBeLessThanOrEqual(32);
      expect(await at.findings()).toEqual([]);
    }
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await row('alpha').getByRole('link').click();
    await at.page.locator('.now .big').getByText('Waiting for a ping').waitFor();
    await at.page.getByText('Last run 19 min ago').waitFor();
    await at.knell.api('DELETE', `/api/v3/checks/${uuids[0]}`);
    await at.knell.create({ name: 'delta' });
    await at.open('checks');
    await expect.poll(() => part.allTextContents()).toEqual(['1NewNo ping yet']);
    expect(at.complaints.filter((one) => !one.includes('404'))).toEqual([]);
  });
});
