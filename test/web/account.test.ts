/** The account page in a real browser: what is chosen holds for the whole page, and what is refused is said at its field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the account page', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.owner.signIn('ada');
    await at.open('checks');
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const focused = () =>
    at.page.evaluate<string>(
      '(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent)(document.activeElement)',
    );
  const theme = () => at.page.evaluate<string | null>('document.documentElement.getAttribute("data-theme")');

  test('is in the menu, has no faults for readers of any kind, and fits a phone', async () => {
    await at.page.getByRole('button', { name: /account of ada/ }).click();
    await at.page.getByRole('menuitem', { name: 'Account' }).click();
    await at.page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    await at.page.getByText('this browser').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings()).toEqual([]);
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.setViewportSize({ width: 320, height: 700 });
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('says where mails go, that codes and passkeys are off, and that there is nothing to save yet', async () => {
    await at.page.getByText('This account gets no email: this server sends none.').waitFor();
    await at.page.getByText('Off: a password is enough to sign in.').waitFor();
    await at.page.getByText('No passkey yet.').waitFor();
    await at.page
      .getByText('Passkeys need a host name such as knell.example.org; this page was opened at 127.0.0.1.')
      .waitFor();
    await expect.poll(() => button('Add a passkey…').count()).toBe(0);
    const off = (name: string) =>
      Promise.all(
        ['aria-disabled', 'title'].map(async (one) => (await button(name).getAttribute(one)) ?? ''),
      );
    expect(await off('Save')).toEqual(['true', 'Nothing has changed yet.']);
    expect(await off('Set new password')).toEqual(['true', 'Enter both passwords first.']);
    const name = at.page.getByRole('textbox', { name: 'Name' });
    await name.fill('');
    await expect.poll(() => off('Save')).toEqual(['true', 'Enter a name first.']);
    await name.fill('Ada');
    await expect.poll(() => off('Save')).toEqual(['false', '']);
    await name.fill('ada');
    await expect.poll(() => off('Save')).toEqual(['true', 'Nothing has changed yet.']);
    // It only looks off: a browser may have filled in what it does not say.
    await button('Set new password').press('Enter');
    await at.page.getByText('Enter your current password.').waitFor();
    await at.page.getByLabel('Current password').fill('a');
    await expect.poll(() => at.page.locator('main .problem').count()).toBe(0);
    await at.page.getByLabel('New password').fill('b');
    await expect.poll(() => off('Set new password')).toEqual(['false', '']);
    await at.page.getByLabel('New password').fill('');
    await at.page.getByLabel('Current password').fill('');
  });

  test('name, colours, time zone and clock are kept, and hold on every page', async () => {
    await at.page.getByRole('textbox', { name: 'Name' }).fill('Ada L.');
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const firstOf = (label: string) => at.page.getByLabel(label).locator('option').first();
    await expect.poll(() => firstOf('Time zone').textContent()).toBe(`As in my browser (${own})`);
    await expect.poll(() => firstOf('Clock').textContent()).toBe('As in my browser (12 hours)');
    await at.page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await at.page.getByLabel('Clock').selectOption('12');
    await at.page.getByLabel('Colours').selectOption('dark');
    await at.page.getByRole('textbox', { name: 'Name' }).press('Enter');
    await at.page.getByText('Saved.').waitFor();
    await expect.poll(theme).toBe('dark');
    await at.page.getByRole('button', { name: /account of Ada L\./ }).waitFor();
    await at.page.goto(`${at.knell.app.httpUrl}/audit`);
    const time = at.page.locator('.audit time').first();
    await time.hover();
    const atMs = Date.parse((await time.getAttribute('datetime')) ?? '');
    const options = { hour: 'numeric', minute: '2-digit', timeZone: 'Asia/Tokyo', hour12: true } as const;
    const [hours = ''] = new Date(atMs).toLocaleTimeString('en-US', options).split(':');
    await expect.poll(() => time.getAttribute('title')).toMatch(new RegExp(`\\b0?${hours}:.*[AP]M`, 'i'));
    await at.page.getByRole('button', { name: /account of/ }).click();
    // The menu says where one is.
    await expect.poll(() => at.page.locator('.menu [aria-current]').allTextContents()).toEqual(['Audit log']);
    await at.page.getByRole('menuitemradio', { name: 'Light' }).click();
    await expect.poll(theme).toBe('light');
    await expect
      .poll(async () => (await at.owner.get('/web/state')).json().user.preferences.theme)
      .toBe('light');
  });

  test('what is refused is said at its field, which has the focus', async () => {
    await at.owner.post(`/web/in/${at.project}/members`, { name: 'grace', role: 'viewer' });
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    const said = () =>
      at.page.evaluate<string>(
        "document.getElementById(document.activeElement.getAttribute('aria-describedby')?.split(' ').at(-1))?.textContent",
      );
    const invalid = () => at.page.locator('[aria-invalid=true]').count();
    const name = at.page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('grace');
    await name.press('Enter');
    await expect.poll(said).toBe('A user named grace exists already.');
    expect(await invalid()).toBe(1);
    await name.fill('gracious');
    await expect.poll(invalid).toBe(0);
    await at.page.getByLabel('Current password').fill('wrong horse battery');
    await at.page.getByLabel('New password').fill('short');
    await at.page.getByLabel('New password').press('Enter');
    await expect.poll(said).toBe('This password is too short.');
    expect(await focused()).toBe('New password');
    expect(await at.findings()).toEqual([]);
    await at.page.getByLabel('New password').fill('long enough for this');
    await at.page.getByLabel('New password').press('Enter');
    await expect.poll(said).toBe('This is not your current password.');
    expect(await focused()).toBe('Current password');
    expect(await invalid()).toBe(1);
  });

  test('other browsers are signed out from here', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    await at.page.getByText('this browser').waitFor();
    at.clock.skip(1);
    await button('Sign out all others').click();
    await at.page.locator('dialog[open]').getByRole('button', { name: 'Sign out all others' }).click();
    await expect.poll(async () => (await at.owner.get('/web/state')).json().user).toBeNull();
    await expect.poll(() => at.page.locator('main li.line').count()).toBe(1);
    // The browser itself reports the refusals that these tests cause.
    expect(at.complaints.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });
});
