/** The page in a real browser: the whole story of a first visit, and what must never happen on the way. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultConfig } from '../../src/domain/check/check.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { Knell } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
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

  async function checksPage(): Promise<void> {
    await page.getByRole('navigation').getByRole('link', { name: 'Checks' }).click();
    await page.getByPlaceholder('Search checks').waitFor();
  }

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

  test('edits a check, with the next times of its schedule shown while one types', async () => {
    await page.keyboard.press('j');
    await page.locator('.row.chosen a:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Cron').check();
    await page.getByLabel('Schedule').fill('61 3 * * *');
    await page.locator('#schedule-error').waitFor();
    await page.getByLabel('Schedule').fill('30 3 * * *');
    await page.getByLabel('Time zone').fill('Europe/Riga');
    await expect.poll(() => page.locator('.preview tbody tr').count()).toBe(5);
    await expect.poll(() => page.locator('.preview tbody').textContent()).toContain('3:30');
    await page.locator('.preview').getByText('Daily at 3:30.').waitFor();
    expect(await findings()).toEqual([]);
    await page.getByLabel('Name').fill('Backup');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.card', { hasText: 'Schedule' }).getByText('Daily at 3:30 (Europe/Riga)').waitFor();
    await page.getByText('Grace time 1 h', { exact: true }).waitFor();
  });

  test('pauses, resumes and deletes it, the last by its name', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.big').getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.big').getByText('New').waitFor();
    expect(await findings()).toEqual([]);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    const sure = page.getByRole('button', { name: 'Delete permanently' });
    await expect.poll(() => sure.isDisabled()).toBe(true);
    await page.getByLabel('to confirm').fill('Backup');
    await sure.click();
    await page.getByText('Set up your first check').waitFor();
  });

  test('shows names, tags, bodies and mails as the text they are', async () => {
    const evil = '<img src=x onerror="window.evil=1"><script>window.evil=1</script>';
    const check = await knell.create({ name: evil, tags: '<b>tag</b> "onload=x', desc: evil });
    await knell.request(`/ping/${check.uuid}`, {
      method: 'POST',
      body: evil,
      headers: { 'user-agent': evil },
    });
    // Without what was just said at its lower edge, which is over the button for ten seconds.
    await page.reload();
    await page.getByRole('button', { name: 'Skip to the list' }).click();
    await page.locator('.row a').first().click();
    await page.getByRole('heading', { name: evil }).waitFor();
    await page.getByRole('button', { name: 'Details of ping 1' }).click();
    await page.locator('.body pre').getByText(evil).waitFor();
    await page.getByRole('link', { name: 'Badges' }).click();
    await page.getByText('<b>tag</b>', { exact: true }).waitFor();
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await checksPage();
  });

  test('scrolls thousands of checks, of which only those in sight exist', async () => {
    const { engine } = knell.app;
    const [project] = engine.read.projects();
    const count = isLong ? 5000 : 1000;
    const many = Array.from({ length: count }, (_, n) => ({
      ...defaultConfig,
      name: `job ${n}`,
      tags: 'many',
    }));
    await Promise.all(
      many.map((config) => project && engine.change.createCheck(project.id, config, clock.nowMs())),
    );
    await page.reload();
    const all = `${(count + 1).toLocaleString('en')} checks`;
    await page.getByText(all).last().waitFor();
    await expect.poll(() => page.locator('.row').count()).toBeLessThan(40);
    const rowsMax = await page.evaluate<number>(`new Promise((done) => {
      let most = 0, n = 0;
      const step = () => {
        most = Math.max(most, document.querySelectorAll('.row').length);
        scrollBy(0, 4000);
        if (++n < 60) requestAnimationFrame(step); else done(most);
      };
      requestAnimationFrame(step);
    })`);
    expect(rowsMax, 'the most rows in a frame').toBeLessThan(40);
    await page.getByPlaceholder('Search checks').fill(`job ${count - 21}`);
    await rowOf(`job ${count - 21}`).waitFor();
    await page.getByText(`1 of ${all}`).waitFor();
  });

  test('signs out, and lets nobody guess for long', async () => {
    await page.getByRole('button', { name: 'account of ada' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Name').fill('ada');
    for (let n = 0; n < 30; n++) {
      if (await page.getByText('Too many attempts').isVisible()) break;
      await page.getByLabel('Password').fill(`guess ${n}`);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
      const busy = () => page.locator('main button[disabled]').count();
      await expect.poll(busy).toBe(0);
    }
    await page.getByText('Too many attempts').waitFor();
    expect(await findings()).toEqual([]);
  });

  test('had nothing to complain of but what was refused on purpose', () => {
    expect(complaints.filter((text) => !/status of (401|429)|WebSocket/.test(text))).toEqual([]);
  });
});
