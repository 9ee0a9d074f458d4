/** The audit log in a real browser: what it says, its filter, older entries, the export; names are text. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const evil = '<img src=x onerror="window.evil=1">';

describe.skipIf(browserMissing !== '')('the audit log', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let number = 0; number < 60; number++) await at.knell.create({ name: `job ${number}` });
    await at.owner.post(`/web/in/${at.project}/api/checks/`, { name: evil });
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  /** Also those that are folded. */
  const lines = () => at.page.locator('.audit li:not(:has(.audit-fold))');

  test('is in the menu of owners, by keyboard too', async () => {
    await at.page.getByRole('button', { name: /account of ada/ }).focus();
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('menuitem', { name: 'Audit log' }).press('Enter');
    await at.page.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect(new URL(at.page.url()).pathname).toBe('/audit');
    // On a phone the page that is marked is behind More.
    const here = at.page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]');
    await expect.poll(() => here.allTextContents()).toContainEqual(expect.stringMatching(/Settings|More/));
    const back = at.page.getByRole('main').getByRole('link', { name: 'Server' });
    await expect.poll(() => back.getAttribute('href')).toBe('/server');
  });

  test('says who did what; a name is text, and nothing is wider than a phone', async () => {
    await lines().first().getByText(`ada created the check ${evil}`).waitFor();
    expect(await at.page.evaluate('window.evil')).toBeUndefined();
    await at.page.getByRole('heading', { name: /^Today, /, level: 2 }).waitFor();
    // A time, not how long ago: what happened is compared with other logs.
    await expect.poll(() => lines().first().locator('time').textContent()).toMatch(/\d:\d\d:\d\d/);
    // Those times are the reader's, and it is said once whose that is.
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    await at.page.getByText(`Times are in ${zone}.`).waitFor();
    // The name is what distinguishes one from the other; a check may have none.
    await at.knell.create({});
    await at.page.reload();
    await expect.poll(() => lines().first().textContent()).toContain('created the check without a name');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.emulateMedia({ colorScheme: 'dark' });
    expect(await at.findings()).toEqual([]);
    await at.page.emulateMedia({ colorScheme: 'light' });
  });

  test('has two lines for most entries on a phone: what was done, and below it when and where', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    // By a member: a key is named by how it begins, which may be as wide as the window.
    await at.owner.post(`/web/in/${at.project}/api/checks/`, { name: 'job of ada' });
    await at.page.reload();
    const entry = lines().filter({ hasText: 'created the check job of ada' });
    await entry.waitFor();
    const [what, time] = [
      await entry.locator('> span').first().boundingBox(),
      await entry.locator('time').boundingBox(),
    ];
    expect(time?.y).toBeGreaterThanOrEqual((what?.y ?? 0) + (what?.height ?? 0));
    const where = await entry.locator('> span').last().locator('span').first().boundingBox();
    expect(Math.abs((where?.y ?? 0) - (time?.y ?? 0))).toBeLessThan(4);
    expect((await entry.boundingBox())?.height).toBeLessThan(64);
  });

  test('loads older entries, and filters; the filter is in the address', async () => {
    await expect.poll(() => lines().count()).toBe(50);
    // How many more of them are on the next page is not known yet.
    const created = at.page.locator('.audit-fold > summary').filter({ hasText: / checks/ });
    await expect
      .poll(() => created.allTextContents())
      .toEqual([expect.stringMatching(/ created at least 4\d checks\s*$/)]);
    await at.page.getByRole('button', { name: 'Load older entries' }).click();
    await expect.poll(() => lines().count()).toBeGreaterThan(60);
    await expect
      .poll(() => created.allTextContents())
      .toEqual([expect.stringMatching(/ created 60 checks\s*$/)]);
    // On a phone the filter is behind one button, which says how many are chosen.
    const filter = (name: string) => at.page.getByRole('button', { name, exact: true });
    await at.page.getByLabel('Kind', { exact: true }).waitFor({ state: 'hidden' });
    await filter('Filter').click();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.getByLabel('Kind', { exact: true }).selectOption('Sign-in');
    await expect.poll(() => lines().allTextContents()).toEqual([expect.stringContaining('ada signed in')]);
    expect(at.page.url()).toContain('subject=session');
    await at.page.reload();
    await expect.poll(() => lines().count()).toBe(1);
    await filter('Filter 1').click();
    await at.page.getByLabel('Kind', { exact: true }).selectOption('All');
    await at.page.getByLabel('By member', { exact: true }).selectOption('ada');
    await expect.poll(() => lines().count()).toBeGreaterThan(1);
    await expect.poll(() => at.page.getByText('job 59').count()).toBe(0);
    const { width = 0, height = 0 } = at.page.viewportSize() ?? {};
    // All fields are in one line, however long the names are.
    await at.owner.post('/web/projects', { name: 'Accounting and warehouses of the north' });
    await at.page.reload();
    const bottoms = () =>
      at.page
        .locator('.audit-filter > label')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
    for (const width of [1440, 1280]) {
      await at.page.setViewportSize({ width, height });
      await expect.poll(async () => new Set(await bottoms()).size).toBe(1);
    }
    await at.page.setViewportSize({ width: 1280, height });
    await filter('Filter 1').waitFor({ state: 'hidden' });
    await at.page.setViewportSize({ width, height });
  });

  test('is filtered by days, whose last one is wanted whole, and cleared with one press', async () => {
    const { page } = at;
    const today = await page.evaluate<string>("new Date().toLocaleDateString('sv')");
    const empty = page.getByText('No entries match the filter.');
    const clear = page.getByRole('button', { name: 'Clear filter' });
    await page.goto(`${at.knell.app.httpUrl}/audit`);
    await expect.poll(() => lines().count()).toBe(50);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect.poll(() => clear.isVisible()).toBe(false);
    await page.getByLabel('From', { exact: true }).fill(today);
    await page.getByLabel('Until', { exact: true }).fill(today);
    expect(new URL(page.url()).search).toBe(`?since=${today}&until=${today}`);
    await expect.poll(() => lines().count()).toBe(50);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    const link = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    expect(link).toMatch(/since=\d{4}-\d\d-\d\dT.*&until=/);
    await page.getByLabel('From', { exact: true }).fill('2031-01-02');
    await page.getByText('"From" is after "Until".').waitFor();
    await page.getByLabel('Until', { exact: true }).fill('');
    await empty.waitFor();
    await clear.click();
    await expect.poll(() => lines().count()).toBe(50);
    await empty.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Filter');
    expect(at.complaints).toEqual([]);
  });

  test('is searched by names and values, each word anywhere, and says where none match', async () => {
    const { page } = at;
    const { uuid } = await at.knell.create({ name: 'Price list', timeout: 3600 });
    await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}`, { tags: 'wholesale' });
    await page.goto(`${at.knell.app.httpUrl}/audit`);
    await expect.poll(() => lines().count()).toBeGreaterThan(10);
    const search = page.getByRole('searchbox', { name: 'Search the audit log' });
    await search.pressSequentially('WHOLESALE ada');
    await expect
      .poll(() => lines().allTextContents())
      .toEqual([
        expect.stringContaining('changed the check Price list'),
        expect.stringContaining('to wholesale'),
      ]);
    expect(new URL(page.url()).search).toBe('?q=WHOLESALE+ada');
    // The export wants the same.
    const link = await page.getByRole('link', { name: 'Export JSON lines' }).getAttribute('href');
    expect((await at.owner.get(link ?? '')).text.trim().split('\n')).toHaveLength(1);
    // Of what was done at once, the search may find a part.
    await search.fill('created job 1');
    const part = page.locator('.audit-fold > summary');
    await expect
      .poll(() => part.allTextContents())
      .toEqual([expect.stringMatching(/ created (at least )?\d+ checks that match the filter\s*$/)]);
    await search.fill('wholesale grace');
    await page.getByText('No entries match the filter.').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect.poll(() => lines().count()).toBeGreaterThan(10);
    await expect.poll(() => search.inputValue()).toBe('');
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('is exported with the filter', async () => {
    const download = at.page.waitForEvent('download');
    await at.page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^knell-audit-\d{4}-\d\d-\d\d\.csv$/);
    expect(at.complaints).toEqual([]);
  });

  test('says until when as the reader counts time, not as the log keeps it', async () => {
    const [check] = (await at.owner.get(`/web/in/${at.project}/api/checks/`)).json().checks;
    await at.owner.post(`/web/in/${at.project}/api/checks/${check.uuid}/snooze`, { for: 3600 });
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    await lines()
      .first()
      .getByText(/^ada snoozed the check .* until /)
      .waitFor();
    await expect.poll(() => lines().first().textContent()).not.toMatch(/T\d\d:\d\d/);
  });

  test('folds what one action did to many checks into one entry', async () => {
    const { checks } = (await at.owner.get(`/web/in/${at.project}/api/checks/`)).json();
    for (const { uuid } of checks.slice(0, 6))
      await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}/pause`, {});
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const summary = at.page.getByText('ada paused 6 checks');
    const one = lines()
      .filter({ hasText: `ada paused the check ${checks[0].name}` })
      .first();
    await summary.waitFor();
    await one.waitFor({ state: 'hidden' });
    await summary.press('Enter');
    await one.waitFor();
    await expect.poll(() => lines().filter({ hasText: 'ada paused the check' }).count()).toBe(6);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});
