/** The settings of the server in a real browser: found, set, refused, and never shown again where they are secrets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the settings of the server', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_EMAIL_DOMAIN: 'pings.example.org' });
  });

  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const line = (variable: string) => at.page.locator('.settings li', { hasText: variable });

  test('are all there, with where each comes from, in either scheme', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      await at.open('settings');
      await at.page.getByRole('link', { name: 'Server', exact: true }).click();
      await at.page.getByRole('heading', { name: 'Server settings' }).waitFor();
      await line('KNELL_EMAIL_DOMAIN').getByText('Environment', { exact: true }).waitFor();
      await line('KNELL_SMTP_PROXY').getByText('Default', { exact: true }).waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test.each([390, 1440])('their parts are one click away, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    const outline = at.page.getByRole('navigation', { name: 'Parts of this page' });
    await outline.getByRole('link', { name: 'Pings by email' }).click();
    const head = at.page.getByRole('heading', { name: 'Pings by email' });
    const top = async () => (await head.boundingBox())?.y ?? -1;
    await expect.poll(top).toBeLessThan(200);
    // Not below the header, which stays at the top.
    expect(await top()).toBeGreaterThanOrEqual(56);
    await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Pings by email');
    expect(new URL(at.page.url()).hash).toBe('#pings-by-email');
    await at.page.reload();
    await expect.poll(top).toBeLessThan(200);
    expect(await at.findings('main')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('those that are set can be seen alone', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    const lines = () => at.page.locator('ul.settings > li').count();
    const tick = at.page.getByLabel(/^Only those that are set \(\d+ of \d+\)$/);
    await tick.check();
    const [, set = '', all = ''] =
      /(\d+) of (\d+)/.exec((await tick.locator('..').textContent()) ?? '') ?? [];
    await expect.poll(lines).toBe(Number(set));
    await expect.poll(() => at.page.locator('.source.default').count()).toBe(0);
    await tick.uncheck();
    await expect.poll(lines).toBe(Number(all));
  });

  test('one is set, and a wrong value says why at its field', async () => {
    await at.page.getByLabel('Search settings').fill('networks');
    await line('KNELL_WEBHOOK_ALLOW').getByRole('button', { name: 'Change' }).click();
    await at.page.keyboard.type('everything');
    await at.page.keyboard.press('Enter');
    const problem = line('KNELL_WEBHOOK_ALLOW').getByRole('alert');
    await problem.waitFor();
    expect(
      await at.page.evaluate(`getComputedStyle(document.querySelector(".settings .problem")).color`),
    ).not.toBe(await at.page.evaluate('getComputedStyle(document.querySelector(".settings p")).color'));
    await at.page.getByLabel('Private networks for integrations').fill('10.0.0.0/8');
    await at.page.keyboard.press('Enter');
    await line('KNELL_WEBHOOK_ALLOW').getByText('Set here').waitFor();
    await line('KNELL_WEBHOOK_ALLOW').getByText('10.0.0.0/8', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Change Private networks for integrations');
    await line('KNELL_WEBHOOK_ALLOW').getByRole('button', { name: 'Use the default' }).press('Enter');
    await line('KNELL_WEBHOOK_ALLOW').getByText('Default', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Change Private networks for integrations');
  });

  test('a field is left with Escape, and the focus is where it was', async () => {
    await at.page.keyboard.press('Enter');
    await at.page.keyboard.type('10.0.0.0/8');
    await at.page.keyboard.press('Escape');
    await expect.poll(() => at.page.locator('.settings form').count()).toBe(0);
    await expect.poll(focused).toBe('Change Private networks for integrations');
    await line('KNELL_WEBHOOK_ALLOW').getByText('Not set').waitFor();
  });

  test.each([320, 390, 768, 1024])('the name of no variable is broken, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    await line('KNELL_MAIL_URL').waitFor();
    const broken = `[...document.querySelectorAll('.settings p code')]
      .filter((name) => name.offsetHeight > 24)
      .map((name) => name.textContent)`;
    expect(await at.page.evaluate(broken)).toEqual([]);
    await at.page.getByLabel('Search settings').fill('networks');
  });

  test('a secret is never shown again', async () => {
    await at.page.getByLabel('Search settings').fill('telegram');
    await line('KNELL_TELEGRAM_TOKEN').getByRole('button', { name: 'Change' }).click();
    await at.page.keyboard.type('12345:hidden-one');
    await at.page.keyboard.press('Enter');
    await line('KNELL_TELEGRAM_TOKEN').getByText('Set, not shown').waitFor();
    await at.page.reload();
    await line('KNELL_TELEGRAM_TOKEN').getByText('Set, not shown').waitFor();
    expect(await at.page.content()).not.toContain('hidden-one');
  });
});
