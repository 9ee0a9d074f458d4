/** The mail server in the settings of the server, in a real browser: in parts, or as one address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the mail server', () => {
  let at: OwnerBrowser;
  const answers: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    at.page.on('response', async (one) => {
      if (one.url().includes('/web/')) answers.push(await one.text().catch(() => ''));
    });
    await at.page.goto(`${at.knell.app.httpUrl}/server`);
  });

  afterAll(() => at?.stop());

  const row = () => at.page.locator('#KNELL_MAIL_URL');
  const field = (name: string) => row().getByLabel(name, { exact: true });
  const button = (name: string) => row().getByRole('button', { name, exact: true });
  const stored = () =>
    at.knell.app.engine.read.serverSettings().find(({ variable }) => variable === 'KNELL_MAIL_URL')?.value;
  const focused = () => at.page.evaluate<string>('document.activeElement.name');

  test('is set by its parts, which give the address', async () => {
    await button('Change Mail server').click();
    await expect.poll(focused).toBe('host');
    await expect.poll(() => button('Save').getAttribute('aria-disabled')).toBe('true');
    await field('Host').fill('smtp://mail.example.org');
    await button('Save').click();
    await row().getByText('Only the name or the IP address of the server').waitFor();
    await expect.poll(focused).toBe('host');
    await field('Host').fill('mail.example.org');
    await field('Port').fill('70000');
    await button('Save').click();
    await row().getByText('A port is a number from 1 to 65535.').waitFor();
    await field('Port').fill('');
    await row().locator('[name=encryption]').selectOption('TLS from the start');
    await expect.poll(() => field('Port').getAttribute('placeholder')).toBe('465');
    await field('User').fill('ada@example.org');
    await field('Password').fill('p@ss/w#rd?:%');
    await expect.poll(() => field('Password').getAttribute('type')).toBe('password');
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings()).toEqual([]);
    }
    for (const width of [390, 1024, 1440]) {
      await at.page.setViewportSize({ width, height: 800 });
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await field('Password').press('Enter');
    await row().getByText('mail.example.org, port 465, TLS, user ada@example.org').waitFor();
    expect(stored()).toBe('smtps://ada%40example.org:p%40ss%2Fw%23rd%3F%3A%25@mail.example.org:465');
    expect(new URL(String(stored())).hostname).toBe('mail.example.org');
  });

  test('is shown but for its password, and is what the form begins with', async () => {
    await at.page.reload();
    await row().getByText('user ada@example.org (password set, not shown)').waitFor();
    await button('Change Mail server').click();
    const begun = { Host: 'mail.example.org', Port: '465', User: 'ada@example.org', Password: '' };
    for (const [name, value] of Object.entries(begun))
      await expect.poll(() => field(name).inputValue()).toBe(value);
    await expect.poll(() => button('Save').getAttribute('aria-disabled')).toBe('true');
    expect(answers.join().length).toBeGreaterThan(1000);
    expect(answers.join()).not.toMatch(/p@ss|p%40ss/);
  });

  test('keeps its password for the same user of the same host', async () => {
    await row().locator('[name=encryption]').selectOption('STARTTLS, if the server offers it');
    await expect.poll(() => field('Port').inputValue()).toBe('587');
    await expect.poll(() => field('Password').getAttribute('placeholder')).toBe('Unchanged');
    await button('Save').click();
    await row().getByText('mail.example.org, port 587, STARTTLS if offered').waitFor();
    expect(stored()).toBe('smtp://ada%40example.org:p%40ss%2Fw%23rd%3F%3A%25@mail.example.org:587');
    await button('Change Mail server').click();
    await field('Host').fill('mail.elsewhere.example');
    await button('Save').click();
    await row().getByText('Enter the password: another user or host needs it again.').waitFor();
    await expect.poll(focused).toBe('password');
    for (const url of [
      'smtp://ada%40example.org@mail.elsewhere.example:587',
      'smtp://eve@mail.example.org',
    ]) {
      const sent = { variable: 'KNELL_MAIL_URL', value: url, keepsPassword: true };
      expect((await at.owner.post('/web/server-settings', sent)).status).toBe(400);
    }
    expect(stored()).toContain('@mail.example.org:587');
    expect(answers.join()).not.toMatch(/p@ss|p%40ss/);
    at.complaints.splice(0);
  });

  test('is set by one address, too', async () => {
    await button('Enter one address instead').click();
    await row().getByRole('textbox', { name: 'Mail server' }).fill('smtp://mail.example.org/path');
    await row().getByText('Mail server as one address').waitFor();
    const hint = row().locator('.hint');
    const padding = "getComputedStyle(document.querySelector('#KNELL_MAIL_URL .hint')).paddingLeft";
    await expect.poll(() => at.page.evaluate<string>(padding)).toBe('0px');
    const left = (await row().getByRole('textbox').boundingBox())?.x;
    await expect.poll(async () => (await hint.boundingBox())?.x).toBe(left);
    await button('Save').click();
    await row().getByText('Is not an address such as').waitFor();
    await row().getByRole('textbox', { name: 'Mail server' }).fill('smtp://[2001:db8::1]:25');
    await button('Save').click();
    await row().getByText('2001:db8::1, port 25, STARTTLS if offered, no sign-in').waitFor();
    expect(stored()).toBe('smtp://[2001:db8::1]:25');
    await button('Change Mail server').click();
    await field('Port').fill('');
    await field('Host').fill('2001:db8::2');
    await field('Host').press('Enter');
    await expect.poll(stored).toBe('smtp://[2001:db8::2]:587');
  });
});
