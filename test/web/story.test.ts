/** The page in a real browser: the story of a first visit, until the first check goes down. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { seriousFindings } from '../support/page/findings.ts';
import { goodPassword, linkIn } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';

if (browserMissing !== '') console.warn(browserMissing);

const run = promisify(execFile);
const second = 1000;

describe.skipIf(browserMissing !== '')('the web page', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let knell: Knell;
  /** What the browser complains of: a blocked script, a failed request, an error that nobody caught. */
  const complaints: string[] = [];
  const clock = new SimulatedClock(Date.now());

  beforeAll(async () => {
    knell = await Knell.start({ clock });
    browser = await openBrowser();
    context = await browser.newContext({ bypassCSP: false });
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
  });

  const url = (path: string): string => knell.app.httpUrl + path;
  const rowOf = (name: string) => page.locator('.row', { hasText: name });

  const findings = () => seriousFindings(page);

  test('sets the first password by the link that was printed', async () => {
    await page.goto(url('/'));
    await page.getByText('To finish setup, open the link').waitFor();
    await page.goto(`${knell.app.httpUrl}/set-password#${linkIn(knell.app.setUpUrl)}`);
    await page.getByLabel('Your name').fill('ada');
    await page.getByLabel('Password').fill(goodPassword);
    expect(await findings()).toEqual([]);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Set up your first check').waitFor();
  });

  test('makes a check, and shows its ping without being loaded anew', async () => {
    await page.getByRole('link', { name: 'Create your first check' }).click();
    await page.getByLabel('Name').fill('Nightly backup');
    await page.locator('summary', { hasText: 'More details' }).click();
    await page.getByLabel('Tags').fill('prod db');
    await page.getByRole('spinbutton', { name: 'Expect a ping every' }).fill('2');
    await page.getByLabel('Unit of: Expect a ping every').selectOption('minutes');
    await page.getByRole('button', { name: 'Create check' }).click();
    await page.getByText('1 of 3 done').waitFor();
    await page.getByText('Waiting for the first ping').waitFor();
    expect(await findings()).toEqual([]);
    const command = (await page.locator('.copyable pre').first().textContent()) ?? '';
    const address = command.replace('curl ', '');
    await page.evaluate('window.notLoadedAnew = true');
    await run('curl', ['-fsS', address.replace('http://knell.test', knell.app.httpUrl)]);
    // The step listens, and ticks itself.
    await page.getByText('The first ping has come.').waitFor();
    await page.getByText('2 of 3 done').waitFor();
    await page.getByRole('button', { name: 'Skip to the list' }).click();
    await page.locator('.row.up', { hasText: 'Nightly backup' }).waitFor();
    // Nobody is notified, and that cannot be overlooked.
    await page.getByText('1 check notifies nobody.').waitFor();
    await rowOf('Nightly backup').getByText('Every 2 minutes').waitFor();
    expect(await page.title()).toBe('Checks – Knell');
    expect(await page.evaluate('window.notLoadedAnew')).toBe(true);
  });

  test('shows that it is late, and then down, in the row and in the title', async () => {
    await clock.advance(121 * second);
    await rowOf('Nightly backup').getByText('overdue').waitFor();
    await clock.advance(3600 * second);
    await rowOf('Nightly backup').getByText('Down for').waitFor();
    await expect.poll(() => page.title()).toBe('1 down – Checks – Knell');
    expect(await findings()).toEqual([]);
  });

  test('had nothing to complain of but that nobody had signed in', () => {
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
  });
});
