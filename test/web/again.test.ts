/** What could not be asked, in a real browser: it is asked again by itself, and the page says from when it is. And pages that are none. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { Keyboard } from '../support/page/keyboard.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

/** Takes the page's connection to the server apart, until it is mended. */
async function cuttable(page: Page) {
  let isCut = false;
  const open: { close(): Promise<void> }[] = [];
  await page.routeWebSocket(/web.live/, (socket) => {
    if (isCut) return void socket.close();
    open.push(socket);
    socket.connectToServer();
  });
  return {
    async cut() {
      isCut = true;
      for (const socket of open) await socket.close();
    },
    mend() {
      isCut = false;
    },
  };
}

describe.skipIf(browserMissing !== '')('a page', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    check = await at.knell.create({ name: 'Backup' });
  });

  afterAll(() => at?.stop());

  const stale = () => at.page.getByText(/^Data from \d+:\d\d:\d\d(\s[AP]M)?, trying again…$/);
  const abort = (pattern: string) => at.page.route(pattern, (route) => route.abort());

  test('that is not there keeps its header, and has a way to the checks', async () => {
    const keys = new Keyboard(at.page);
    for (const path of [`/project/${at.project}/nonsense`, '/nonsense', '/nonsense/', '/docs/nonsense']) {
      const answer = await at.page.goto(at.knell.app.httpUrl + path);
      expect(answer?.status()).toBe(path.startsWith('/project') ? 200 : 404);
      await at.page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await at.page.getByRole('link', { name: 'Integrations' }).waitFor();
      await expect.poll(() => at.page.title()).toBe('Page not found – Knell');
      expect(await at.findings()).toEqual([]);
      await at.page.getByRole('main').getByRole('link', { name: 'Manual' }).waitFor();
      await keys.press(at.page.getByRole('link', { name: 'All checks' }));
      await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
    }
    at.complaints.splice(0);
  });

  test('whose address names only a project has its checks', async () => {
    for (const end of ['', '/']) {
      await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}${end}`);
      await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
      await expect.poll(() => new URL(at.page.url()).pathname).toBe(`/project/${at.project}/checks`);
    }
  });

  test('that is not there says so to who is not signed in', async () => {
    const context = await at.page.context().browser()?.newContext();
    const page = await context?.newPage();
    await page?.goto(`${at.knell.app.httpUrl}/nonsense`);
    await page?.getByText('There is no page at that address').waitFor();
    await page?.goto(`${at.knell.app.httpUrl}/project/${at.project}/incidents`);
    await page?.getByText('The page that you asked for is shown once you are signed in.').waitFor();
    await context?.close();
  });

  test('that is not there is a plain answer for a program', async () => {
    const answer = await at.knell.request('/nonsense');
    expect([answer.status, answer.text]).toEqual([404, 'not found']);
    const part = await at.knell.request('/assets/nonsense.js', { headers: { accept: 'text/html' } });
    expect([part.status, part.text]).toEqual([404, 'not found']);
  });

  test('of a project that is not there has the header of all projects', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/project/00000000-0000-4000-8000-000000000000/checks`);
    await at.page.getByRole('heading', { name: 'Project not found' }).waitFor();
    expect(await at.findings()).toEqual([]);
    const pages = at.page.getByRole('navigation', { name: 'Pages' });
    // Links to checks would not say of which project.
    await expect.poll(() => pages.getByRole('link', { name: 'Checks' }).count()).toBe(0);
    await pages.getByRole('link', { name: 'Projects' }).click();
    await at.page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
  });

  test('with data says from when it is, and has the new data as soon as it can', async () => {
    await at.open(`checks/${check.uuid}`);
    await at.page.getByText('No pings yet').first().waitFor();
    await abort('**/api/checks/*');
    await at.knell.api('POST', `/api/v3/checks/${check.uuid}`, { desc: 'Restores from tape', tags: 'prod' });
    await stale().waitFor();
    await at.page.getByRole('heading', { name: "Can't reach Knell", exact: true }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings()).toEqual([]);
    }
    await at.page.setViewportSize({ width: 360, height: 800 });
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => at.page.getByText('Restores from tape').count()).toBe(0);
    await at.page.unrouteAll();
    await at.page.getByText('Restores from tape').waitFor();
    await stale().waitFor({ state: 'detached' });
  });

  test('of the list does so, too', async () => {
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
    await abort('**/list*');
    await at.knell.create({ name: 'Fresh one' });
    await stale().waitFor();
    await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
    await at.page.unrouteAll();
    await at.page.locator('.row', { hasText: 'Fresh one' }).waitFor();
    await stale().waitFor({ state: 'detached' });
  });

  test('without data says why, and is there by itself later', async () => {
    await abort('**/web/audit?*');
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    await at.page.getByText("Can't reach Knell. Is it running? Trying again…").waitFor();
    await at.page.unrouteAll();
    await at.page.locator('.audit li').first().waitFor();
    await expect.poll(() => at.page.getByText("Can't reach Knell").count()).toBe(0);
  });

  test('opened while nothing answers is there with its style later', async () => {
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'Backup' }).waitFor();
    // The script may be known from before. Where the server answers and a file is missing, the document is loaded anew at once.
    await abort('**/*.css');
    await abort('**/web/state');
    await at.page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await at.page.getByText("Can't load this page.").waitFor();
    await at.page.unrouteAll();
    await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    // Of a style sheet that could not be loaded, the rules cannot be read.
    const rules = `[...document.styleSheets].every((sheet) => {
      try { return sheet.cssRules.length > 0; } catch { return false; }
    })`;
    expect(await at.page.evaluate(rules)).toBe(true);
    at.complaints.splice(0);
  });

  test.each([
    ['of which nothing is there', '**/web/state', ''],
    ['of which only the frame is there', '**/api/checks/*', 'Checks'],
  ])('%s has a title that says what is wrong', async (_, pattern, link) => {
    await abort(pattern);
    await at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/checks/${check.uuid}`);
    await at.page.getByRole('heading', { level: 1, name: "Can't reach Knell", exact: true }).waitFor();
    await at.page.getByText('Is it running? Trying again…', { exact: true }).waitFor();
    expect(await at.findings()).toEqual([]);
    if (link !== '') await at.page.getByRole('link', { name: link, exact: true }).first().waitFor();
    await at.page.unrouteAll();
    await at.page.getByRole('heading', { level: 1, name: 'Backup' }).waitFor();
  });

  test('says at its head that the connection is lost, after a while, and from when it is', async () => {
    await at.page.clock.install();
    const connection = await cuttable(at.page);
    await at.open('checks');
    await connection.cut();
    await at.page.getByText('Reconnecting…').waitFor();
    await expect.poll(() => stale().count()).toBe(0);
    const lost = () => at.page.getByRole('heading', { name: 'The connection to Knell is lost' });
    await expect
      .poll(async () => {
        await at.page.clock.runFor(2000);
        return lost().count();
      })
      .toBe(1);
    await stale().waitFor();
    connection.mend();
    await at.page.clock.runFor(2000);
    await lost().waitFor({ state: 'detached' });
    await at.page.getByText('Live', { exact: true }).waitFor();
  });

  test('of a check does not count on while the connection is lost, and says as of when it is', async () => {
    const { uuid } = await at.knell.create({ name: 'Broken' });
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.setViewportSize({ width: 390, height: 844 });
    const card = at.page.locator('.card.now');
    const title = () => card.locator('.big').textContent();
    const connection = await cuttable(at.page);
    await at.open(`checks/${uuid}`);
    await card.getByText(/^Down for/).waitFor();
    await connection.cut();
    await card.getByText(/ · as of \d/).waitFor();
    const shown = await title();
    await at.page.clock.runFor(12_000);
    const header = at.page.locator('.top .connection');
    await expect.poll(() => header.textContent()).toMatch(/^Offline, data from/);
    // On a phone the banner says since when.
    await header.locator('.since').waitFor({ state: 'hidden' });
    expect(await title()).toBe(shown);
    expect(await at.findings('.card.now')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    connection.mend();
    await at.page.clock.runFor(2000);
    await at.page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => card.getByText(/as of/).count()).toBe(0);
    await expect.poll(title).not.toBe(shown);
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('that a proxy answers for says so, and goes on', async () => {
    await at.page.route('**/web/account', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await at.page.getByText('The server answered 502. Trying again…').waitFor();
    await at.page.getByRole('heading', { level: 1, name: "This page can't be shown" }).waitFor();
    await at.page.unrouteAll();
    await at.page.getByLabel('Time zone').waitFor();
  });

  test('that the server refuses is not asked for again', async () => {
    let asked = 0;
    await at.page.clock.install();
    await at.page.route('**/web/account', (route) => {
      asked++;
      return route.fulfill({ status: 404, json: { error: 'no such thing' } });
    });
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await at.page.getByText('No such thing').waitFor();
    await at.page.clock.runFor(60_000);
    expect(asked).toBe(1);
    await at.page.unrouteAll();
  });

  test('whose script could not be loaded is loaded again', async () => {
    await at.open('checks');
    await abort('**/badges-page*.js');
    await at.page.getByRole('link', { name: 'Badges' }).click();
    // Once with a new document, as the file may have another name by now; and then by itself.
    await at.page.getByText("Can't load this page. Is Knell running? Trying again…").waitFor();
    await at.page.unrouteAll();
    await at.page.locator('main img').first().waitFor();
    expect(at.complaints.splice(0).filter((text) => !/Failed to load resource/.test(text))).toEqual([]);
  });
});
