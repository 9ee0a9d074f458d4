/** The filter of the incidents in a real browser: it is in the address, selects what is exported, too, and keeps the focus. */
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const day = 86_400_000;

describe.skipIf(browserMissing !== '')('the filter of the incidents', () => {
  let at: OwnerBrowser;

  const fails = async (name: string): Promise<string> => {
    const { uuid } = await at.knell.create({ name, channels: '', timeout: 30 * 86_400 });
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(60_000);
    return uuid;
  };
  const lines = () => at.page.locator('.incidents > li > a');
  const shown = (...titles: readonly string[]) =>
    expect.poll(() => lines().allTextContents()).toEqual(titles);
  const search = (): string => new URL(at.page.url()).search;

  beforeAll(async () => {
    const startMs = Date.UTC(2026, 2, 10, 12);
    at = await OwnerBrowser.start({}, 'chromium', { startMs, timezoneId: 'UTC' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.knell.request(`/ping/${await fails('old')}`);
    await at.clock.advance(2 * day);
    await at.knell.request(`/ping/${await fails('=cmd, "x"')}`);
    const paused = await fails('attic');
    await at.knell.api('POST', `/api/v3/checks/${paused}/pause`);
    await fails('db');
  }, 60_000);

  afterAll(() => at?.stop());

  test('selects by state, day and text, and is there again by its address', async () => {
    await at.open('incidents');
    await shown('db is down', 'attic was down', '=cmd, "x" was down', 'old was down');
    await at.page.getByLabel('State').selectOption('Past');
    await shown('attic was down', '=cmd, "x" was down', 'old was down');
    await at.page.getByLabel('Opened from').fill('2026-03-12');
    await shown('attic was down', '=cmd, "x" was down');
    await at.page.getByLabel('Search incidents').fill('att');
    await shown('attic was down');
    await expect.poll(search).toBe('?q=att&state=closed&since=2026-03-12');
    await at.page.reload();
    await shown('attic was down');
    await at.page.getByLabel('Search incidents').fill('');
    await at.page.getByLabel('State').selectOption('All');
    await at.page.getByLabel('Opened from').fill('');
    await at.page.getByLabel('Until').fill('2026-03-10');
    await at.page.getByText('No open incident matches.').waitFor();
    await shown('old was down');
    await at.open('incidents?state=open&since=yesterday');
    await shown('db is down');
    expect(await at.findings()).toEqual([]);
  });

  test('has two columns of fields below the search when it is open on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('incidents');
    const box = async (of: Locator) => (await of.boundingBox()) ?? expect.unreachable();
    const field = at.page.getByLabel('Search incidents');
    const button = at.page.locator('.incident-filter .filters');
    const before = [await box(field), await box(button)];
    await button.click();
    const [state, from, until, csv] = [
      await box(at.page.getByLabel('State')),
      await box(at.page.getByLabel('Opened from')),
      await box(at.page.getByLabel('Until')),
      await box(at.page.getByRole('link', { name: 'Export CSV' })),
    ];
    expect([await box(field), await box(button)]).toEqual(before);
    expect(state.y).toBeGreaterThan(before[0]?.y ?? Number.NaN);
    expect([from.y, until.x, csv.y]).toEqual([state.y, state.x, until.y]);
    expect([csv.x, csv.width]).toEqual([from.x, from.width]);
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('keeps the focus while nothing is found', async () => {
    await at.open('incidents');
    const field = at.page.getByLabel('Search incidents');
    await field.fill('nowhere');
    await at.page.getByText('No past incident has this').waitFor();
    await field.press('End');
    await at.page.keyboard.type(' at all', { delay: 120 });
    await expect.poll(search).toBe('?q=nowhere+at+all');
    await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
    await expect.poll(() => field.inputValue()).toBe('nowhere at all');
  });

  test('says that its days are reversed, is cleared at once, and has the focus by a key', async () => {
    const { page } = at;
    await at.open('incidents?q=db&since=2026-03-20&until=2026-03-10');
    await page.getByText('"Opened from" is after "Until".').waitFor();
    await expect.poll(() => page.getByText(/^No (past|open) incident/).count()).toBe(0);
    const exportX = async () => (await page.getByRole('link', { name: 'Export CSV' }).boundingBox())?.x;
    const before = await exportX();
    expect(await at.findings('main')).toEqual([]);
    const field = page.getByLabel('Search incidents');
    await page.getByRole('button', { name: 'Clear filter' }).press('Enter');
    await shown('db is down', 'attic was down', '=cmd, "x" was down', 'old was down');
    await expect.poll(search).toBe('');
    await expect.poll(() => field.inputValue()).toBe('');
    await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Clear filter' }).isVisible()).toBe(false);
    expect(await exportX()).toBe(before);
    // On a phone it has a line of its own, below what is there without it.
    await page.setViewportSize({ width: 390, height: 800 });
    const filters = page.getByRole('button', { name: /^Filter/ });
    const place = async () => (await filters.boundingBox())?.x;
    const narrow = await place();
    await field.fill('db');
    await page.getByRole('button', { name: 'Clear filter' }).waitFor();
    expect(await place()).toBe(narrow);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await field.evaluate((one) => one.blur());
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Search', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.type('db');
    await expect.poll(search).toBe('?q=db');
  });

  test('exports what is shown, and no formula', async () => {
    await at.open('incidents?state=closed&since=2026-03-12');
    const link = at.page.getByRole('link', { name: 'Export CSV' });
    const href = (await link.getAttribute('href')) ?? '';
    const { status, text, headers } = await at.owner.get(href);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain(
      'attachment; filename="knell-incidents-2026-03-12.csv"',
    );
    const [head, ...rows] = text.split('\r\n');
    expect(head).toMatch(/^id,state,title,opened,resolved,seconds,/);
    expect(rows[0]).toMatch(/,resolved,attic was down,2026-03-12T.*,fail,1,0,pause$/);
    expect(rows[1]).toContain(`,"'=cmd, ""x"" was down",`);
    expect(rows.slice(2)).toEqual(['']);
    expect((await at.knell.request(href)).status).toBe(401);
    expect((await at.owner.get(`${href}&until=soon`)).status).toBe(400);
  });

  test.each([1440, 1024, 390])('fits at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    await at.open('incidents?state=closed');
    await shown('attic was down', '=cmd, "x" was down', 'old was down');
    if (width < 768) {
      await at.page.getByLabel('State').waitFor({ state: 'hidden' });
      await at.page.getByRole('button', { name: 'Filter 1' }).click();
      await at.page.getByLabel('State').waitFor();
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
    expect(at.complaints).toEqual([]);
  });
});
