/**
 * Status pages in a real browser: made and edited by their owner, with the keyboard and on a phone; read by people without an
 * account, without a script too. `KNELL_KEEP_SCREENSHOT=1` keeps pictures in test/output.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { allFindings } from '../support/page/findings.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { patienceMs } from '../support/patience.ts';

const output = fileURLToPath(new URL('../output/', import.meta.url));
const keepsPictures = Boolean(process.env.KNELL_KEEP_SCREENSHOT);
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** In the morning of the page's zone: no outage of this story reaches over midnight, whenever the test runs. */
const startMs = Date.now() - (Date.now() % day) + 6 * hour;

describe.skipIf(browserMissing !== '')('status pages', () => {
  let at: OwnerBrowser;
  let readers: Browser;
  let backup: Json;
  const names = ['backup', 'invoices', 'warehouse', 'certificates'];

  beforeAll(async () => {
    if (keepsPictures) mkdirSync(output, { recursive: true });
    at = await OwnerBrowser.start({}, 'chromium', { startMs });
    readers = await openBrowser();
    const spec = { timeout: 24 * 3600, grace: 3600, tags: 'nightly' };
    const checks: Json[] = [];
    for (const name of names) checks.push(await at.knell.create({ ...spec, name: `host-${name}` }));
    [backup] = checks;
    for (let days = 0; days < 4; days++) {
      for (const { uuid } of checks) await at.knell.request(`/ping/${uuid}`);
      if (days === 2) await at.knell.request(`/ping/${backup.uuid}/fail`);
      await at.clock.advance(4 * hour);
      if (days === 2) await at.knell.request(`/ping/${backup.uuid}`);
      await at.clock.advance(day - 4 * hour - minute);
    }
    for (const { uuid } of checks) await at.knell.request(`/ping/${uuid}`);
    await at.open('status-pages');
  });

  afterAll(async () => {
    await closeBrowser(readers);
    await at?.stop();
  });

  const { url } = { url: () => `${at.knell.app.httpUrl}/status/northwind` };
  const button = (name: string | RegExp) => at.page.getByRole('button', { name }).first();

  /** The words of what has the focus. */
  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');

  async function reader(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await readers.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    return page;
  }

  const overflow = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

  test('are made on a phone: title, address, logo, services by check and by tag', async () => {
    await at.page.getByRole('heading', { name: 'Status pages', level: 1 }).waitFor();
    await at.page.getByText('A page shows services, and a service shows').waitFor();
    await button('Create status page').click();
    const form = at.page.locator('form').first();
    await form.getByText(/^Follows from the title: http:.*\/status\/…$/).waitFor();
    const publish = form.getByRole('button', { name: 'Publish', exact: true });
    const isOff = () => publish.getAttribute('aria-disabled');
    await expect.poll(isOff).toBe('true');
    await publish.press('Enter');
    await form.getByText('Give the page a title.').waitFor();
    const address = form.getByLabel('Address');
    await form.getByLabel('Title').fill('  Café & Co.: Status_page ');
    await expect.poll(() => form.getByText('Give the page a title.').count()).toBe(0);
    await expect.poll(() => address.inputValue()).toBe('cafe-co-status-page');
    await address.fill('Not so');
    await publish.press('Enter');
    await form.getByText('Enter an address of at most 64 characters').waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await address.fill('northwind');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe(null);
    await form.getByLabel('Title').fill('Northwind status');
    await expect.poll(() => address.inputValue()).toBe('northwind');
    // A new page begins with a service, which is open.
    await form.getByRole('group', { name: 'Service 1' }).getByRole('checkbox').first().waitFor();
    await form.getByRole('button', { name: 'Remove Service 1' }).click();
    await form.getByText('More settings').click();
    await form.getByLabel('Outages that are listed').selectOption('Outages of 1 minute or longer');
    await form.getByLabel('Time zone').fill('Europe/Berlin');
    await publish.press('Enter');
    const missing = form.getByRole('alert').getByText('Add a service first');
    await missing.waitFor();
    expect(await focused()).toBe('Add service');
    const described = await button('Add service').getAttribute('aria-describedby');
    await form.locator(`[id="${described}"]`, { hasText: 'Add a service first' }).waitFor();
    expect(await at.findings()).toEqual([]);
    expect((await at.owner.get(`/web/in/${at.project}/status-pages`)).json().pages).toEqual([]);
    await form.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
    await form.getByRole('button', { name: 'Add service' }).click();
    await missing.waitFor({ state: 'detached' });
    const first = form.getByRole('group', { name: 'Service 1' });
    await expect.poll(() => first.getByLabel('Name for readers').inputValue()).toBe('Service 1');
    await first.getByRole('checkbox', { name: 'host-backup' }).check();
    await first.getByLabel('Name for readers').fill('Backups');
    await form.getByRole('button', { name: 'Add service' }).click();
    await form.getByLabel('Name for readers').fill('All that runs at night');
    const second = form.getByRole('group', { name: 'All that runs at night' });
    await second.getByLabel('All checks with a tag').check();
    await second.getByLabel('Tag', { exact: true }).fill('nightly');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await expect.poll(isOff).toBe('false');
    await publish.click();
    await at.page.getByText('2 services, public').waitFor();
    await at.page.getByText('Readers see: All services are up').waitFor();
  });

  test('are edited in place, services moved and removed by keyboard', async () => {
    await button('Edit Northwind status').click();
    const form = at.page.locator('form', { hasText: 'Edit Northwind status' });
    await form.getByRole('button', { name: 'Add service' }).press('Enter');
    await form.getByRole('button', { name: 'Move up Service 3' }).focus();
    const names = () => form.locator('.service-rows > li > strong').allInnerTexts();
    for (const moved of [
      ['Backups', 'Service 3', 'All that runs at night'],
      ['Service 3', 'Backups', 'All that runs at night'],
      // It is the first, and nothing moves.
      ['Service 3', 'Backups', 'All that runs at night'],
    ]) {
      await at.page.keyboard.press('Enter');
      await expect.poll(names).toEqual(moved);
      expect(await focused()).toBe('Move up Service 3');
    }
    await form.getByRole('button', { name: 'Remove Service 3' }).press('Enter');
    // A key that is held removes no more.
    expect(await focused()).toBe('Edit Backups');
    const isOff = () => form.getByRole('button', { name: 'Publish changes' }).getAttribute('aria-disabled');
    await expect.poll(isOff).toBe('true');
    await form.getByRole('button', { name: 'Move up All that runs at night' }).press('Enter');
    await expect.poll(names).toEqual(['All that runs at night', 'Backups']);
    await expect.poll(isOff).toBe('false');
    await form.getByRole('button', { name: 'Publish changes' }).press('Enter');
    await form.waitFor({ state: 'detached' });
    expect(await focused()).toBe('Edit Northwind status');
    const [project] = at.knell.app.engine.read.projects();
    const [page] = project ? at.knell.app.engine.read.statusPages(project.id) : [];
    expect(page?.services.map(({ name }) => name)).toEqual(['All that runs at night', 'Backups']);
    expect(page?.logo).toBe(png.toString('base64'));
    expect(page?.incidentsAfter).toBe('1m');
  });

  test('get notices and updates, which their readers see', async () => {
    await at.knell.request(`/ping/${backup.uuid}/fail`);
    // Nothing is loaded anew by hand.
    await at.page.getByText('Readers see: All services are down · ').waitFor();
    await at.clock.advance(24 * minute);
    const post = button('Post a notice on Northwind status');
    await post.press('Enter');
    const notice = at.page.locator('form', { hasText: 'Post a notice' });
    const hasFocus = () =>
      notice.getByLabel('Title for readers').evaluate((one: Json) => one === one.ownerDocument.activeElement);
    expect(await hasFocus()).toBe(true);
    await notice.getByRole('button', { name: 'Publish' }).click();
    await notice.getByText('A notice needs a title.').waitFor();
    await expect.poll(hasFocus).toBe(true);
    expect(await at.findings()).toEqual([]);
    await notice.getByLabel('Title for readers').fill('Backups delayed');
    await notice
      .getByLabel('Text')
      .fill('Last night’s backup did not finish.\nCustomer data is not affected.');
    // Both are down, and ticked for that.
    await notice.getByRole('checkbox', { name: 'All that runs at night' }).uncheck();
    await expect.poll(() => notice.getByRole('checkbox', { name: 'Backups' }).isChecked()).toBe(true);
    await notice.getByRole('button', { name: 'Publish' }).click();
    await at.page.locator('summary', { hasText: 'Notices' }).getByText('1 open').waitFor();
    await notice.waitFor({ state: 'detached' });
    await at.page.locator('.toast', { hasText: 'Published.' }).waitFor();
    // It is red, and at the end of its line.
    const remove = button('Delete Backups delayed');
    await expect.poll(() => remove.getAttribute('class')).toContain('danger');
    const toEnd = (one: Json): number =>
      one.closest('li').getBoundingClientRect().right - one.getBoundingClientRect().right;
    await expect.poll(() => remove.evaluate(toEnd)).toBeLessThan(16);
    await post.press('Enter');
    expect(await hasFocus()).toBe(true);
    await notice.getByLabel('Text').fill('What is not published yet');
    await at.clock.advance(2 * hour + 21 * minute);
    await button('Update Backups delayed').click();
    // One form at a time, and what is typed in the other is there again when one comes back to it.
    const update = at.page.locator('form', { hasText: 'Post an update' });
    await update.waitFor();
    await expect.poll(() => notice.count()).toBe(0);
    await post.press('Enter');
    await expect.poll(() => notice.getByLabel('Text').inputValue()).toBe('What is not published yet');
    await notice.getByRole('button', { name: 'Cancel' }).press('Enter');
    await button('Update Backups delayed').click();
    await update.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect
      .poll(() => at.page.evaluate('document.activeElement.textContent'))
      .toBe('Update Backups delayed');
    await button('Update Backups delayed').press('Enter');
    await expect.poll(() => update.getByLabel('Stage').inputValue()).toBe('identified');
    await update.getByLabel('Text').fill('A database server restarted, see https://example.org/a?b=1&c=2.');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await update.getByRole('button', { name: 'Publish' }).click();
    await update.waitFor({ state: 'detached' });
    if (keepsPictures)
      await at.page.screenshot({ path: `${output}status-pages-owner-phone.png`, fullPage: true });
    expect(at.complaints.filter((line) => !line.includes('400'))).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'are readable in %s, wide, at 320 px and enlarged',
    async (colorScheme) => {
      const page = await reader({ colorScheme });
      const complaints: string[] = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(url());
      await page.getByText('All services are down').waitFor();
      await page.getByText('Backups delayed').waitFor();
      for (const [width, zoom] of [
        [1280, 1],
        [360, 1],
        [320, 1],
        [640, 2],
      ] as const) {
        await page.setViewportSize({ width: width / zoom, height: 800 });
        expect([width, await allFindings(page)]).toEqual([width, []]);
        expect([width, await overflow(page)]).toEqual([width, 0]);
        if (keepsPictures && zoom === 1)
          await page.screenshot({ path: `${output}status-page-${colorScheme}-${width}.png`, fullPage: true });
      }
      // The name of a service is not broken to make space for how long it has been down.
      await page.setViewportSize({ width: 320, height: 800 });
      const names = `[...document.querySelectorAll('.services h3')].map((name) => name.offsetHeight)`;
      for (const px of await page.evaluate<readonly number[]>(names)) expect(px).toBe(20);
      await expect.poll(() => page.evaluate('document.querySelector("header img").naturalWidth')).toBe(1);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  test('say the same without a script, and open what is folded by keyboard', async () => {
    const page = await reader({ javaScriptEnabled: false });
    await page.goto(url());
    await page.getByRole('heading', { name: 'Backups delayed' }).waitFor();
    await page.getByText('Affected: Backups', { exact: true }).waitFor();
    const link = page.getByRole('link', { name: 'https://example.org/a?b=1&c=2', exact: true });
    await expect.poll(() => link.getAttribute('href')).toBe('https://example.org/a?b=1&c=2');
    await page
      .getByRole('img', { name: /Last 90 days: .* % up, 2 days with downtime/ })
      .first()
      .waitFor();
    const folded = page.locator('summary', { hasText: '2 days with trouble' }).first();
    await folded.focus();
    await page.keyboard.press('Enter');
    await page.locator('table').first().getByText('down for 4 h').waitFor();
    await page.context().close();
  });

  test('have a feed that an XML parser reads as RSS 2.0', async () => {
    const page = await reader();
    await page.goto(url());
    const href = await page.getByRole('link', { name: 'Subscribe by RSS' }).getAttribute('href');
    const parsed: Json = await page.evaluate(`fetch(${JSON.stringify(href)}).then(async (answer) => {
      const xml = new DOMParser().parseFromString(await answer.text(), 'application/xml');
      const texts = (item) => Object.fromEntries([...item.children].map((one) => [one.nodeName, one.textContent]));
      return {
        type: answer.headers.get('content-type'),
        errors: xml.querySelectorAll('parsererror').length,
        version: xml.documentElement.getAttribute('version'),
        channels: [...xml.documentElement.children].map((one) => one.localName),
        channel: texts(xml.querySelector('channel')),
        items: [...xml.querySelectorAll('item')].map(texts),
      };
    })`);
    expect(parsed).toMatchObject({ errors: 0, version: '2.0', channels: ['channel'] });
    expect(parsed.type).toContain('application/rss+xml');
    expect(parsed.channel).toMatchObject({
      title: 'Northwind status',
      link: 'http://knell.test/status/northwind',
    });
    expect(parsed.items[0]).toMatchObject({
      title: 'Identified: Backups delayed',
      description: 'A database server restarted, see https://example.org/a?b=1&c=2.',
    });
    for (const { guid, pubDate, title, link } of parsed.items) {
      expect(guid).toMatch(/^[\w-]{22}$/);
      expect(title && link).not.toBe('');
      expect(new Date(pubDate).toUTCString()).toBe(pubDate);
    }
    await page.context().close();
  });

  test('go from day to day by the arrow keys, with each in words, as one stop of the Tab key', async () => {
    const page = await reader({ viewport: { width: 320, height: 800 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(url());
    const tip = page.locator('.tip');
    const press = (key: string): Promise<void> => page.keyboard.press(key);
    const first = page.locator('.bars').first();
    await first.locator('rect').last().focus();
    await expect.poll(() => tip.textContent()).toContain(': ');
    const days = await first.locator('title').allTextContents();
    expect(days).toHaveLength(90);
    await expect.poll(() => tip.textContent()).toBe(days[89]);
    await press('ArrowLeft');
    await press('ArrowLeft');
    await expect.poll(() => tip.textContent()).toBe(days[87]);
    await press('ArrowRight');
    await expect.poll(() => tip.textContent()).toBe(days[88]);
    await press('Home');
    await expect.poll(() => tip.textContent()).toBe(days[0]);
    await press('ArrowLeft');
    await expect.poll(() => tip.textContent()).toBe(days[0]);
    const inside = await tip.evaluate((node: Json) => {
      const { left, right } = node.getBoundingClientRect();
      return left >= 0 && right <= node.ownerDocument.defaultView.innerWidth;
    });
    expect(inside).toBe(true);
    // It is the tooltip of the day that has the focus, which a screen reader reads by its name.
    const focused = page.locator('rect:focus[role="img"]');
    await expect.poll(() => focused.textContent()).toBe(days[0]);
    await expect.poll(() => first.locator('[tabindex="0"]').count()).toBe(1);
    expect(await allFindings(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    if (keepsPictures) await page.screenshot({ path: `${output}status-page-day.png` });
    await press('Escape');
    await expect.poll(() => tip.count()).toBe(0);
    await press('End');
    await press('Tab');
    await expect.poll(() => first.locator('rect:focus').count()).toBe(0);
    await press('Shift+Tab');
    await expect.poll(() => tip.textContent()).toBe(days[89]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('show what is new without being loaded anew', async () => {
    const page = await reader();
    await page.clock.install();
    await page.goto(url());
    await page.getByText('All services are down').waitFor();
    await at.knell.request(`/ping/${backup.uuid}`);
    await at.clock.advance(minute);
    await page.clock.runFor(61_000);
    await page.getByRole('heading', { name: 'An incident is open' }).waitFor();
    await page.context().close();
  });

  test('ask for their password, and show themselves once it is right', async () => {
    await at.open('status-pages');
    await button('Edit Northwind status').click();
    const form = at.page.locator('form', { hasText: 'Edit Northwind status' });
    await form.getByText('More settings').click();
    await form.getByLabel('Password for readers').fill('correct horse battery');
    await form.getByRole('button', { name: 'Publish changes' }).click();
    await at.page.getByText('2 services, with a password').waitFor();
    const page = await reader({ javaScriptEnabled: true });
    await page.goto(url());
    const field = page.getByLabel('Password of this status page');
    expect(await allFindings(page)).toEqual([]);
    await field.fill('wrong password');
    await field.press('Enter');
    await page.getByRole('alert').getByText('The password is wrong.').waitFor();
    expect(await page.content()).not.toContain('Northwind');
    if (keepsPictures) await page.screenshot({ path: `${output}status-page-password.png` });
    await field.fill('correct horse battery');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Northwind status' }).waitFor();
    await page.context().close();
  });

  test('are deleted only after a question', async () => {
    await button('Delete Northwind status').click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Delete' }).click();
    await at.page.getByRole('heading', { name: 'No status page yet' }).waitFor();
    expect((await at.knell.request('/status/northwind')).status).toBe(404);
  });
});
