/** A notification that failed since this server lacks a setting, in a real browser: what would fail again is not offered. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { failedAlert } from '../support/page/failed-alert.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('what this server cannot send', () => {
  let at: OwnerBrowser;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const chat = { kind: 'telegram', name: 'chat', value: '{"id":1}' };
    ({ check, incident } = await failedAlert(at, chat));
  }, 60_000);
  afterAll(() => at?.stop());

  test.each([1440, 390])('has the setting in place of another try, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    for (const [path, line] of [
      [`incidents/${incident}`, '.timeline .wrong'],
      [`checks/${check}`, '.now .strip-line'],
      [`checks/${check}`, '#log .notification.failed'],
    ] as const) {
      await at.open(path);
      const link = at.page.locator(line).getByRole('link', { name: 'Set KNELL_TELEGRAM_TOKEN' });
      await link.waitFor();
      await expect.poll(() => link.getAttribute('href')).toContain('KNELL_TELEGRAM_TOKEN');
      await expect.poll(() => at.page.getByRole('button', { name: 'Retry now' }).count()).toBe(0);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      if (line === '.timeline .wrong')
        await at.page
          .locator(line)
          .getByText(
            'Telegram needs KNELL_TELEGRAM_TOKEN to be set. Given up. Once that is set, it can be retried here.',
          )
          .waitFor();
    }
    expect(await at.findings()).toEqual([]);
  });

  test('is the reason why notifications wait, in the list of the integrations', async () => {
    await at.open('integrations');
    await at.page.locator('.troubles .why', { hasText: 'KNELL_TELEGRAM_TOKEN is not set' }).waitFor();
  });

  test('is one press away from the notice, on the page of the settings, too', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
    await at.page.locator('.settings li').first().waitFor();
    await at.page.locator('.banners').getByRole('link', { name: 'Server settings' }).press('Enter');
    await expect
      .poll(() => at.page.evaluate('document.activeElement.closest("li")?.id'))
      .toBe('KNELL_TELEGRAM_TOKEN');
  });

  test('offers nothing to those who may not set it', async () => {
    await at.page.route('**/web/state', async (route) => {
      const response = await route.fetch();
      const state = await response.json();
      await route.fulfill({ response, json: { ...state, user: { ...state.user, role: 'member' } } });
    });
    await at.open(`incidents/${incident}`);
    await at.page.locator('.timeline .wrong', { hasText: 'KNELL_TELEGRAM_TOKEN to be set' }).waitFor();
    await expect.poll(() => at.page.locator('.timeline').locator('button, a').count()).toBe(0);
  });
});
