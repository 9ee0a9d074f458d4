/** What is wrong in a form of settings is said at its field, and a button that is off says why, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a form of settings', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_MAIL_URL: 'smtp://127.0.0.1:9' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => at?.stop());

  const panel = (id: string) => at.page.locator(`#${id}`);
  const go = async (address: string): Promise<void> => {
    await at.page.goto(at.knell.app.httpUrl + address);
    await at.page.getByText('Live', { exact: true }).waitFor();
  };

  test.each([
    ['/account', 'profile'],
    ['PROJECT/settings', 'name'],
  ])('at %s says that a name is missing', async (address, id) => {
    await go(address.replace('PROJECT', `/project/${at.project}`));
    const name = panel(id).getByLabel(/name/i).first();
    await name.fill('');
    await name.press('Enter');
    await panel(id).getByText('Enter a name.').waitFor();
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('x');
    await expect.poll(() => panel(id).getByText('Enter a name.').count()).toBe(0);
  });

  test('says beside its button that nothing has changed', async () => {
    await go('/account');
    await panel('profile').getByLabel('Name').press('Enter');
    await expect.poll(() => panel('profile').getByText('Nothing has changed yet.').isVisible()).toBe(true);
    const { uuid } = await at.knell.create({ name: 'backup', channels: '' });
    await at.open(`checks/${uuid}?edit`);
    await at.page.getByLabel(/^Name/).press('Enter');
    await expect.poll(() => at.page.getByText('Nothing has changed yet.').isVisible()).toBe(true);
    await at.page.getByLabel(/^Name/).fill('restore');
    await expect.poll(() => at.page.getByText('Nothing has changed yet.').count()).toBe(0);
  });

  test('of reports says at once that the address is wrong, and asks for the password in view', async () => {
    await go('/reports');
    await at.page.getByLabel('How often').selectOption('weekly');
    const address = at.page.getByLabel('Email address');
    await address.fill('notmail');
    await address.press('Enter');
    await panel('delivery').getByText('Enter an email address, such as you@example.org.').waitFor();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => at.page.evaluate('document.activeElement.type')).toBe('email');
    await address.fill('me@example.org');
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe(null);
    await address.press('Enter');
    const reason = panel('delivery').getByText('Enter your current password.');
    await reason.waitFor();
    const { bottom } = await reason.evaluate((one) => one.getBoundingClientRect());
    expect(bottom).toBeLessThanOrEqual(900);
    await expect.poll(() => at.page.evaluate('document.activeElement.type')).toBe('password');
  });

  test('of a test email marks an address that is none', async () => {
    await go('/server');
    const to = at.page.getByLabel('Address for a test email');
    await to.fill('bad');
    await to.press('Enter');
    await at.page.getByText('Enter an email address, such as you@example.org.').waitFor();
    await expect.poll(() => to.getAttribute('aria-invalid')).toBe('true');
    await to.fill('bad@');
    await expect.poll(() => to.getAttribute('aria-invalid')).toBe(null);
  });

  test('of keys gives the focus to what copies the new one', async () => {
    await at.open('settings');
    await at.page.getByLabel(/^Name of a new key/).fill('grafana');
    // It does not say of which kind, so nothing is created yet.
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Choose by the buttons what it is for.').waitFor();
    await expect
      .poll(() => at.page.evaluate('document.activeElement.textContent'))
      .toBe('Create read-only key');
    await expect.poll(() => at.page.locator('.shown-once').count()).toBe(0);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Read-write key grafana was created.').waitFor();
    await expect.poll(() => at.page.getByText('Choose by the buttons').count()).toBe(0);
    await at.page.getByText('was created. Save it').waitFor();
    await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Copy');
    expect(at.complaints.filter((one) => !/status of 4/.test(one))).toEqual([]);
  });
});
