/** The parts of the settings of the server, in a real browser: how one finds them, at any width. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the settings of the server', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_EMAIL_DOMAIN: 'pings.example.org' });
  });

  afterAll(() => at?.stop());

  const line = (variable: string) => at.page.locator('.settings li', { hasText: variable });

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

  test('what only the environment sets says so in its row, or above a part in which it is all', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    const part = (title: string) =>
      at.page.locator('section', { has: at.page.getByRole('heading', { name: title, exact: true }) });
    const said = (title: string) =>
      part(title).locator('> p', { hasText: 'Only set in the environment' }).count();
    const marked = (title: string) => part(title).getByText('Environment only', { exact: true }).count();
    const both = async (title: string) => [await said(title), await marked(title)];
    await expect.poll(() => both('Pings by email')).toEqual([1, 0]);
    // The environment of this server sets one of these; a page could set the other.
    await expect.poll(() => both('Email from Knell')).toEqual([0, 0]);
    await expect.poll(() => both('Integrations')).toEqual([0, 1]);
    await line('KNELL_SHELL_CHANNELS').getByText('Environment only').waitFor();
  });

  test('that of snapshots is one click from their card', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    await at.page.getByRole('link', { name: 'Their setting' }).click();
    const top = async () => (await at.page.locator('#KNELL_SNAPSHOTS').boundingBox())?.y ?? -1;
    await expect.poll(top).toBeLessThan(900);
    expect(await top()).toBeGreaterThanOrEqual(56);
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

  test.each([320, 390, 768, 1024])('the name of no variable is broken, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 800 });
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    // On a phone the explanations, with the names of variables, are shown while one searches.
    await at.page.getByLabel('Search settings').fill('knell_');
    await line('KNELL_MAIL_URL').waitFor();
    // Values are as they are typed, also at the beginning.
    await line('KNELL_DURABILITY')
      .getByText(/fsync, or relaxed/)
      .waitFor();
    const broken = `[...document.querySelectorAll('.settings :is(p code:not(.long), code.own)')]
      .filter((name) => name.offsetHeight > 24)
      .map((name) => name.textContent)`;
    expect(await at.page.evaluate(broken)).toEqual([]);
  });
});
