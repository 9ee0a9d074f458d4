/**
 * Every page, light and dark, wide and as narrow as 360 px, checked with axe-core. `KNELL_KEEP_SCREENSHOT=1` also keeps a
 * picture of each in test/output, for people to look at.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';
import { browserMissing, closeBrowser, openBrowser } from '../support/page/browser.ts';
import { linkIn, ownerPage, type PageClient } from '../support/page/page-client.ts';
import { patienceMs } from '../support/patience.ts';
import { MailReceiver } from '../support/wire/receivers.ts';

const output = fileURLToPath(new URL('../output/', import.meta.url));
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const keepsPictures = Boolean(process.env.KNELL_KEEP_SCREENSHOT);
const minute = 60_000;

describe.skipIf(browserMissing !== '')('every page', () => {
  const clock = new SimulatedClock(Date.now());
  let browser: Browser;
  let mails: MailReceiver;
  let knell: Knell;
  /** Nobody has set a password there. */
  let unset: Knell;
  let owner: PageClient;
  let cookie = '';
  let project = '';
  let shown = '';

  beforeAll(async () => {
    if (keepsPictures) mkdirSync(output, { recursive: true });
    mails = await MailReceiver.start();
    knell = await Knell.start({ clock, env: { KNELL_MAIL_URL: mails.url } });
    owner = await ownerPage(knell);
    cookie = owner.cookie;
    project = (await owner.get('/web/state')).json().projects[0].id;
    for (const [name, value] of [
      ['On call', 'ops@example.org'],
      ['Team', 'team@example.org'],
    ])
      await owner.post(`/web/in/${project}/channels`, { kind: 'email', name, value });
    await owner.post('/web/users', { name: 'grace', role: 'viewer' });
    shown = await fill(knell, clock);
    unset = await Knell.start();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await closeBrowser(browser);
    await knell?.stop();
    await unset?.stop();
    await mails?.stop();
  });

  async function open(scheme: 'light' | 'dark', width: number, signedIn = true): Promise<Page> {
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 } });
    const [name = '', value = ''] = cookie.split('=');
    if (signedIn) await context.addCookies([{ name, value, url: knell.app.httpUrl }]);
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    return page;
  }

  const pages = (): readonly (readonly [string, string, string])[] => [
    ['checks', `/project/${project}/checks`, '.row'],
    ['check', `/project/${project}/checks/${shown}`, '.log li'],
    ['new', `/project/${project}/new`, 'form'],
    ['integrations', `/project/${project}/integrations`, 'tbody'],
    ['status-pages', `/project/${project}/status-pages`, 'main button'],
    ['badges', `/project/${project}/badges`, 'img'],
    ['settings', `/project/${project}/settings`, '.line'],
    ['members', `/project/${project}/settings/members`, '.members td'],
  ];

  test('looks as in the README, and takes little to load', async () => {
    const page = await open('light', 1000);
    const answered: Request[] = [];
    page.on('response', (response) => {
      if (/\/assets\/|\/checks$/.test(response.url())) answered.push(response.request());
    });
    await page.goto(`${knell.app.httpUrl}/project/${project}/checks`);
    await page.locator('.row').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const sizes = await Promise.all(answered.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(100_000);
    await page.context().close();
  });

  test('is readable in light and dark, at full width and at 360 px', async () => {
    const page = await open('light', 1200);
    for (const [name, path, settled] of pages()) {
      await page.goto(knell.app.httpUrl + path);
      await page.locator(settled).first().waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await inEveryForm(page, name);
    }
    // Knell has no token for it, and says so. The README's picture was taken before.
    await owner.post(`/web/in/${project}/channels`, { kind: 'telegram', name: 'Chat', value: '{"id":1}' });
    await page.goto(`${knell.app.httpUrl}/project/${project}/checks`);
    await page.locator('.notice.unable', { hasText: 'Chat cannot send' }).waitFor();
    await inEveryForm(page, 'cannot-send');
    await page.context().close();
  });

  test('is readable before one is signed in, too', async () => {
    const page = await open('light', 1200, false);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(unset.app.httpUrl);
    await page.getByText('To finish setup, open the link').waitFor();
    await inEveryForm(page, 'no-password');
    await page.goto(`${unset.app.httpUrl}/set-password#${linkIn(unset.app.setUpUrl)}`);
    await button('Set password').waitFor();
    await inEveryForm(page, 'set-up');
    await page.goto(knell.app.httpUrl);
    await button('Sign in').waitFor();
    await inEveryForm(page, 'sign-in');
    await page.goto(`${knell.app.httpUrl}/set-password#over`);
    await page.getByRole('alert').waitFor();
    await inEveryForm(page, 'link-used-up');
    await page.context().close();
  });
});

const schemes = ['light', 'dark'] as const;
const widths = [1200, 360] as const;

/** One page, loaded once: its style is all that follows scheme and width. */
async function inEveryForm(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const how = `${colorScheme}-${width}`;
      if (keepsPictures) await page.screenshot({ path: `${output}${name}-${how}.png`, fullPage: true });
      // Of the rules only that on contrast depends on the scheme.
      expect(
        await findings(page, colorScheme === 'dark' ? ['color-contrast'] : []),
        `${name} ${how}`,
      ).toEqual([]);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${name} ${how} is wider than the window`).toBeLessThanOrEqual(0);
    }
  }
}

/** By all rules where none are named. */
async function findings(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const options = rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {};
  const found: Json = await page.evaluate(`axe.run(${JSON.stringify(options)})`);
  return found.violations
    .filter(({ impact }: Json) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }: Json) => `${id}: ${nodes[0].html}`);
}

/** Checks of every status, one of them with a history; returns that one's id. */
async function fill(knell: Knell, clock: SimulatedClock): Promise<string> {
  const of = (name: string, tags: string, spec: object) =>
    knell.create({ name, tags, channels: '*', ...spec });
  const ping = (check: Json, rest = '', body = ''): Promise<unknown> =>
    knell.request(`/ping/${check.uuid}${rest}`, body === '' ? {} : { method: 'POST', body });
  const backup = await of('Nightly backup', 'prod db', { timeout: 3600, grace: 600 });
  const late = await of('Invoice export', 'prod billing', { timeout: 6300, grace: 7200 });
  const paused = await of('Newsletter', 'marketing', { schedule: '0 9 * * 1', tz: 'Europe/Riga' });
  const failing = await of('Certificate renewal', 'prod tls', { schedule: '15 4 * * *', tz: 'UTC' });
  const running = await of('Search index', 'staging', { timeout: 86_400, grace: 3600 });
  await of('Quarterly report', 'billing', { schedule: 'Mon..Fri 18:00', tz: 'Europe/Berlin' });
  for (let n = 0; n < 40; n++) {
    await ping(backup, '/start');
    await clock.advance((2 + (n % 7)) * minute);
    await ping(backup, n % 11 === 10 ? '/fail' : '', `copied ${n * 37} files\n`);
    await clock.advance((n % 13 === 12 ? 90 : 45) * minute);
  }
  await ping(late);
  await ping(paused);
  await knell.api('POST', `/api/v3/checks/${paused.uuid}/pause`);
  await ping(failing, '/1', 'connection refused');
  await clock.advance(110 * minute);
  await ping(running);
  await ping(running, '/start');
  await ping(backup);
  await clock.advance(20_000);
  return backup.uuid;
}
