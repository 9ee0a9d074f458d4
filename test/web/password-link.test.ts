/** The link that sets a password: the first field has the focus, and a link that is over says so at once, with a way on. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { seriousFindings } from '../support/page/findings.ts';
import { linkIn, ownerPage } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('the link that sets a password', () => {
  let knell: Knell;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    knell = await Knell.start();
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
    page.setDefaultTimeout(patienceMs);
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
  });

  const open = async (link: string) => {
    await page.goto('about:blank');
    await page.goto(`${knell.app.httpUrl}/set-password#${link}`);
  };
  const focused = () => page.evaluate<string>('document.activeElement.name');
  const dead = () => page.getByRole('heading', { name: 'This link cannot be used' });

  test('of the owner begins in the field of the name', async () => {
    await open(linkIn(knell.app.setUpUrl));
    await page.getByRole('heading', { name: 'Welcome to Knell' }).waitFor();
    await expect.poll(focused).toBe('name');
    await expect.poll(() => dead().count()).toBe(0);
    await page.getByText('you can reset a forgotten password by mail').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('that was cut says before anything is typed that it is not valid', async () => {
    await open(linkIn(knell.app.setUpUrl).slice(0, 20));
    await dead().waitFor();
    await page.getByText('npx knell password reset').waitFor();
    await expect.poll(() => page.locator('form').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('that was used has the way to the sign-in', async () => {
    const { setUpUrl } = knell.app;
    await ownerPage(knell);
    await open(linkIn(setUpUrl));
    await dead().waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in to Knell' }).waitFor();
  });

  test('of another member says whose it is, and begins in the field of the password', async () => {
    const other = await Knell.start();
    try {
      const owner = await ownerPage(other);
      const { link } = (await owner.post('/web/users', { name: 'grace', role: 'viewer' })).json();
      await page.goto(`${other.app.httpUrl}${link}`);
      await page.getByText('For grace').waitFor();
      await expect.poll(focused).toBe('password');
      await page.getByLabel('Password').fill('short');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('At least 10 characters.').waitFor();
      await expect.poll(() => page.getByText('At least 10 characters.').count()).toBe(1);
      await expect.poll(focused).toBe('password');
      await page.getByLabel('Password').fill('correct horse battery');
      await page.getByLabel('Show what I type').check();
      await expect.poll(() => page.getByLabel('Password').getAttribute('type')).toBe('text');
      await page.getByLabel('Password').focus();
      await page.keyboard.press('Enter');
      await page.getByText('Live', { exact: true }).waitFor();
    } finally {
      await other.stop();
    }
  });

  test('of an invitation says who invites, and to which project', async () => {
    const other = await Knell.start();
    try {
      const owner = await ownerPage(other);
      const evil = `<b onclick=alert(1)>${'b'.repeat(70)}`;
      const { id } = (await owner.post('/web/projects', { name: evil })).json();
      const member = { name: 'grace', role: 'viewer' };
      const { link } = (await owner.post(`/web/in/${id}/members`, member)).json();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.goto('about:blank');
        await page.goto(`${other.app.httpUrl}${link}`);
        await page.getByText(`ada invites you to the project ${evil}.`).waitFor();
        await expect.poll(focused).toBe('password');
        expect(await seriousFindings(page)).toEqual([]);
        const width = 'document.documentElement.scrollWidth - innerWidth';
        expect(await page.evaluate(width)).toBeLessThanOrEqual(0);
      }
      await page.getByLabel('Password').fill('correct horse battery');
      await page.keyboard.press('Enter');
      await page.getByText('Live', { exact: true }).waitFor();
    } finally {
      await other.stop();
    }
  });

  test('that is over offers to send another one where there is a mail server', async () => {
    const mailing = await Knell.start({ env: { KNELL_MAIL_URL: 'smtp://127.0.0.1:9' } });
    try {
      const used = mailing.app.setUpUrl;
      await ownerPage(mailing);
      await page.goto(`${mailing.app.httpUrl}/set-password#${linkIn(used)}`);
      await dead().waitFor();
      await page.getByText('Or ask an owner for a new link').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Forgot your password?' }).click();
      await page.getByRole('button', { name: 'Send a link' }).waitFor();
      await page.getByRole('button', { name: 'Back to sign-in' }).click();
      await page.getByRole('heading', { name: 'Sign in to Knell' }).waitFor();
    } finally {
      await mailing.stop();
    }
  });
});
