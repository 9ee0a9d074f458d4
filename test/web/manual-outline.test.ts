/** The outline of a page of the manual in a real browser, and its tables on a phone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser } from '../support/page/browser.ts';
import { allFindings } from '../support/page/findings.ts';
import { openOnPhone } from '../support/page/open-on-phone.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell?.stop());

describe.skipIf(browserMissing !== '')('a page of the manual', () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    ({ browser, page } = await openOnPhone(`${knell.app.httpUrl}/docs/`, complaints));
  });

  afterAll(() => closeBrowser(browser));

  const findings = () => allFindings(page);

  test('has the key of the palette for its search', async () => {
    await page.goto(`${knell.app.httpUrl}/docs/maintenance`);
    await page.locator('main h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('#manual-search:focus').waitFor();
  });

  test('every block of code can be copied, and none of them scrolls sideways', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${knell.app.httpUrl}/docs/guide-schedulers`);
      const blocks = page.locator('main pre');
      await expect.poll(() => page.locator('main .block > button').count()).toBe(await blocks.count());
      const wider = await blocks.evaluateAll(
        (all) => all.filter((one) => one.scrollWidth > one.clientWidth).length,
      );
      expect(wider).toBe(0);
      expect(await findings()).toEqual([]);
    }
    const text = (await page.locator('main pre').first().textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy' }).first().press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text.trimEnd());
  });

  test('the list of pages is in groups', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${knell.app.httpUrl}/docs/operating`);
    const list = page.getByRole('navigation', { name: 'The manual' });
    await expect
      .poll(() => list.locator('.pages-head').allTextContents())
      .toEqual(['Start', 'Jobs', 'Alerts', 'Server', 'Programs', 'Moving', 'Reference']);
    const server = list.getByRole('list', { name: 'Server' });
    await expect.poll(() => server.locator('[aria-current=page]').textContent()).toBe('Operating');
    await list.getByRole('list', { name: 'Reference' }).getByRole('link', { name: 'All settings' }).waitFor();
  });

  test('a page has an outline at its side, which says where one is, and a way back', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${knell.app.httpUrl}/docs/web-page`);
    const outline = page.getByRole('navigation', { name: 'On this page' });
    const place = () => outline.locator('[aria-current=location]').textContent();
    await outline.getByRole('link', { name: 'Audit log' }).click();
    await page.waitForURL('**/docs/web-page#audit-log');
    await expect.poll(place).toBe('Audit log');
    // A section may be called as a part of the page is: the field of the search is not where its link goes.
    await page.goto(`${knell.app.httpUrl}/docs/api`);
    await expect.poll(() => outline.locator('[aria-current=location]').count()).toBe(0);
    await outline.getByRole('link', { name: 'Search', exact: true }).click();
    await expect.poll(place).toBe('Search');
    await page.goto(`${knell.app.httpUrl}/docs/web-page#audit-log`);
    await page.keyboard.press('Control+Home');
    await expect.poll(() => outline.locator('[aria-current=location]').count()).toBe(0);
    expect(await findings()).toEqual([]);
    await page.getByRole('link', { name: 'Back to Knell' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/docs'));
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${knell.app.httpUrl}/docs/web-page`);
    await expect.poll(() => outline.getByRole('link').first().isVisible()).toBe(false);
    const pages = page.getByRole('navigation', { name: 'The manual' });
    await expect.poll(() => pages.getByRole('link').first().isVisible()).toBe(false);
    await pages.getByText('All pages').press('Enter');
    await pages.getByRole('link', { name: 'Schedules' }).waitFor();
    await pages.getByText('All pages').press('Enter');
    await outline.getByText('On this page').press('Enter');
    await outline.getByRole('link', { name: 'Audit log' }).click();
    await page.waitForURL('**/docs/web-page#audit-log');
    expect(await findings()).toEqual([]);
    const first = (selector: string) =>
      page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().top`);
    expect(await first('.outline')).toBeLessThan(await first('main'));
  });

  test('breaks no word of a table on a phone that is not code', async () => {
    const broken = `(() => {
      const found = [];
      for (const cell of document.querySelectorAll('.manual main td')) {
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
          if (texts.currentNode.parentElement.closest('code')) continue;
          for (const { index, 0: word } of texts.currentNode.data.matchAll(/[a-z]+/gi)) {
            const range = document.createRange();
            range.setStart(texts.currentNode, index);
            range.setEnd(texts.currentNode, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
          }
        }
      }
      return found;
    })()`;
    for (const name of ['maintenance', 'settings', 'api', 'schedules']) {
      for (const width of [390, 360]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${knell.app.httpUrl}/docs/${name}`);
        expect(await page.evaluate(broken), `${name} at ${width}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
      }
    }
  });

  test('has nothing to complain of', () => {
    expect(complaints).toEqual([]);
  });
});
