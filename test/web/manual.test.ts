/** The manual that Knell shows under /docs/, in a real browser and without one: every link is right, the search finds. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSchedule, type Schedule } from '../../src/schedule/schedule.ts';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser } from '../support/page/browser.ts';
import { allFindings } from '../support/page/findings.ts';
import { openOnPhone } from '../support/page/open-on-phone.ts';

let knell: Knell;

beforeAll(async () => {
  knell = await Knell.start();
});

afterAll(() => knell?.stop());

async function pageAt(path: string) {
  const { status, headers, text } = await knell.request(path);
  return { status, type: headers.get('content-type'), text };
}

test('every page is there for everybody, and every link in it goes to a page or a heading that is there', async () => {
  const start = await pageAt('/docs/');
  expect(start).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  const names = [
    ...new Set([...start.text.matchAll(/<li><a href="([\w-]+)"/g)].map(([, name = '']) => name)),
  ];
  expect(names).toContain('moving-from-healthchecks');
  expect(names).toContain('command-reference');
  const pages = new Map<string, string>([['./', start.text]]);
  for (const name of names) pages.set(name, (await pageAt(`/docs/${name}`)).text);
  for (const [from, html] of pages) {
    for (const [, href = ''] of html.matchAll(/<a\b[^>]*? href="([^"]+)"/g)) {
      if (/^(https?:|\.\.\/$|\.\.\/api\/)/.test(href)) continue;
      const [name = '', heading] = href.split('#');
      const target = pages.get(name === '' ? from : name);
      expect(target, `${from}: ${href}`).toBeDefined();
      if (heading) expect(target, `${from}: ${href}`).toContain(` id="${heading}"`);
    }
    for (const [, file = ''] of html.matchAll(/(?:src|href)="\.\.\/(assets\/[^"]+)"/g))
      expect((await pageAt(`/${file}`)).status, file).toBe(200);
  }
});

test('has every variable, every command and every endpoint, from their tables', async () => {
  expect((await pageAt('/docs/settings')).text).toContain('<code>KNELL_TIME_ZONE</code>');
  const api = (await pageAt('/docs/api-reference')).text;
  expect(api).toContain('>POST /checks/</a></h2>');
  expect(api).toContain('<code>n_pings</code>');
  const admin = (await pageAt('/docs/admin-api-reference')).text;
  expect(admin).toContain('>project/create</a></h2>');
  expect(admin).toContain('<td><code>free</code>, <code>paid</code>; <code>paid</code> if left out</td>');
  const commands = (await pageAt('/docs/command-reference')).text;
  for (const name of [
    'knell serve',
    'knell import healthchecks',
    'knell channel create',
    'knell snapshot verify',
  ])
    expect(commands).toContain(`>${name}</a></h2>`);
});

test('serves nothing else', async () => {
  expect((await pageAt('/docs/nothing')).status).toBe(404);
  expect((await pageAt('/docs/../index')).status).toBe(404);
  const moved = await knell.request('/docs');
  expect([moved.status, moved.headers.get('location')]).toEqual([301, 'docs/']);
});

describe.skipIf(browserMissing !== '')('the search', () => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    ({ browser, page } = await openOnPhone(`${knell.app.httpUrl}/docs/`, complaints));
  });

  afterAll(() => closeBrowser(browser));

  test('finds a section as one types, and Enter goes there', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('dumpdata');
    await page.locator('#manual-found a', { hasText: 'Moving from Healthchecks' }).first().waitFor();
    await page.getByRole('searchbox').fill('different afterwards');
    await page.locator('#manual-found a', { hasText: 'What is different afterwards' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/moving-from-healthchecks#what-is-different-afterwards');
    await page.getByRole('searchbox').fill('qwxyzzy');
    await page.getByText('Nothing about “qwxyzzy”.').waitFor();
  });

  test.each([
    ['daylight saving', 'When clocks change'],
    ['silence at night', 'Quiet hours'],
    ['private network', 'Private addresses'],
    ['how do I change the port', 'The server'],
    ['port is in use', 'The server'],
    ['what is the grace time', 'A check'],
    ['backup', 'Back up'],
  ])('answers %j among the first', async (question, section) => {
    await page.getByRole('searchbox').fill(question);
    const found = page.locator('#manual-found > li');
    const titles = async () => (await found.locator('a').allTextContents()).slice(0, 4).join('\n');
    await expect.poll(titles).toContain(section);
    expect((await titles()).split('\n')[0]).not.toContain('Changelog');
    await expect.poll(() => found.locator('.excerpt').first().textContent()).not.toBe('');
    expect(await findings()).toEqual([]);
  });

  test.each(['maintenance', 'Incidents', 'schedules'])('has the page called %j first', async (asked) => {
    await page.getByRole('searchbox').fill(asked);
    const first = page.locator('#manual-found > li a').first();
    await expect.poll(() => first.getAttribute('href')).toBe(asked.toLowerCase());
  });

  test.each([
    ['snooze', 'integrations#acknowledge-and-snooze', /snooz/i],
    ['grace time', 'schedules#grace-time', /grace time/i],
    ['delete undo', 'web-page#delete-and-undo', /undo/i],
    ['badge', 'api#badges', /badge/i],
    ['badges', 'api#badges', /badge/i],
    ['GET /badges/', 'api-reference#get-badges', /badge/i],
  ])('has what is called %j first, and shows the word', async (asked, path, word) => {
    await page.getByRole('searchbox').fill(asked);
    const found = page.locator('#manual-found > li');
    await expect.poll(() => found.first().locator('a').getAttribute('href')).toBe(path);
    await expect.poll(() => found.first().locator('.excerpt').textContent()).toMatch(word);
  });

  test('shows where the words are together, and those sections first', async () => {
    await page.getByRole('searchbox').fill('grace time');
    const excerpts = page.locator('#manual-found > li .excerpt');
    await expect
      .poll(async () => (await excerpts.allTextContents()).slice(0, 3))
      .toEqual(Array(3).fill(expect.stringMatching(/grace time/i)));
  });

  const findings = () => allFindings(page);

  test.each(['backup', 'back up'])('finds "Back up" of the server first for %j', async (question) => {
    await page.goto(`${knell.app.httpUrl}/docs/`);
    await page.getByRole('searchbox').fill(question);
    const first = page.locator('#manual-found > li a').first();
    await expect.poll(() => first.getAttribute('href')).toBe('operating#back-up');
  });

  test('is asked by an address, too', async () => {
    await page.goto(`${knell.app.httpUrl}/docs/?q=systemd+timer`);
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('systemd timer');
    await page.locator('#manual-found a', { hasText: 'systemd' }).first().waitFor();
  });

  test('shows when a schedule occurs that one types or chooses, as the server computes it', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${knell.app.httpUrl}/docs/schedules`);
    const shown = page.locator('output');
    await page.getByLabel('Time zone').fill('Europe/Riga');
    await page.getByLabel('Expression').fill('30 2 * * 1-5');
    await shown.getByText('Cron: Monday to Friday at 02:30, Europe/Riga.').waitFor();
    const { schedule } = Object(parseSchedule('30 2 * * 1-5', 'Europe/Riga')) as { schedule: Schedule };
    const next = new Date(schedule.next(Date.now()) ?? 0);
    await shown
      .getByText(`${next.getUTCDate()} ${next.toLocaleString('en-GB', { month: 'short', timeZone: 'UTC' })}`)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Mon..Fri 9:00', exact: true }).click();
    await shown.getByText('OnCalendar: Monday to Friday at 09:00').waitFor();
    await page.getByLabel('Expression').fill('0 3 * *');
    await shown.getByText('4 fields', { exact: false }).or(shown.locator('.problem')).first().waitFor();
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await shown.getByText('Unknown time zone "Mars/Olympus".').waitFor();
    expect(await findings()).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await findings()).toEqual([]);
  });

  test('fits a phone, and the browser has nothing to complain of', async () => {
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    await expect.poll(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });
});
