/** The manual names the address at which its reader has it, in what it says, finds and copies, in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser } from '../support/page/browser.ts';
import { openOnPhone } from '../support/page/open-on-phone.ts';
import { PrefixProxy } from '../support/wire/prefix-proxy.ts';

describe.skipIf(browserMissing !== '')('the manual of a Knell under a path', () => {
  let knell: Knell;
  let proxy: PrefixProxy;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  let base = '';

  beforeAll(async () => {
    let target = '';
    proxy = await PrefixProxy.start('/knell', true, () => target);
    base = `${proxy.origin}/knell`;
    knell = await Knell.start({ env: { KNELL_BASE_URL: base } });
    target = knell.app.httpUrl;
    ({ browser, page } = await openOnPhone(`${base}/docs/getting-started`, complaints));
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
    await proxy?.stop();
  });

  test('has its address in every command, and copies it', async () => {
    const main = page.locator('main');
    const text = () => main.textContent();
    await expect.poll(text).toContain(`curl -fsS ${base}/ping/$PING/disk-check; echo`);
    await expect.poll(text).toContain(`curl -fsS "${base}/api/v3/checks/?slug=disk-check"`);
    expect(await text()).not.toContain('localhost:8000/');
    const [, port = ''] = /:(\d+)\//.exec(base) ?? [];
    expect(await text()).toContain(`knell: ready http=http://127.0.0.1:${port} `);
    // Where it listens until somebody says otherwise is the same everywhere.
    expect(await text()).toContain('ping URLs begin with http://localhost:8000.');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const block = main.locator('.block', { hasText: 'PING_KEY/backup' }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toContain(`${base}/ping/PING_KEY/backup`);
  });

  test('has its address in the guides, but for what is said of any Knell', async () => {
    for (const guide of ['backups', 'languages', 'routers-and-nas', 'schedulers']) {
      await page.goto(`${base}/docs/guide-${guide}`);
      const text = () => page.locator('main').textContent();
      await expect.poll(text).toContain(`${base}/ping/`);
      expect(await text()).not.toContain('knell.example.org/ping/');
    }
    await page.goto(`${base}/docs/installing`);
    await expect
      .poll(() => page.locator('main').textContent())
      .toContain('baseUrl: https://knell.example.org');
    await page.goto(`${base}/docs/getting-started`);
  });

  test('has its address in what a search finds', async () => {
    await page.getByRole('searchbox').fill('first start prints a link');
    const found = page.locator('#manual-found > li', { has: page.locator('a[href="web-page"]') });
    await expect.poll(() => found.locator('.excerpt').textContent()).toContain(`After that, ${base}/ shows`);
  });

  test('has no heading twice and no stray blanks in an excerpt', async () => {
    await page.getByRole('searchbox').fill('retention-preview');
    const found = page.locator('#manual-found > li', { hasText: 'knell project retention-preview' }).first();
    await expect
      .poll(() => found.locator('.excerpt').textContent())
      .toMatch(/^knell project retention-preview \[options\]/);
    await page.getByRole('searchbox').fill('retention last 1,000 pings');
    const operating = page.locator('#manual-found > li', {
      has: page.locator('a[href="operating#retention"]'),
    });
    await expect.poll(() => operating.locator('.excerpt').textContent()).toContain('(100 on the plan free)');
    expect(complaints).toEqual([]);
  });
});
