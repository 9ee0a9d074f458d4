/** Two-factor sign-in in a real browser: set up on the account page by keyboard, and asked for. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOfBase32, codeAt, totpStepMs } from '../../src/domain/accounts/totp.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('two-factor sign-in', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
  });

  afterAll(() => at?.stop());

  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const focused = () =>
    at.page.evaluate<string>(
      '(({ labels, textContent }) => labels?.[0]?.textContent ?? textContent)(document.activeElement)',
    );

  const said = () =>
    at.page.evaluate<string>(
      '(({ ariaInvalid, attributes }) => ariaInvalid && document.getElementById(attributes["aria-describedby"].value).textContent)(document.activeElement)',
    );

  test('is set up by the key, shows its codes once, and is asked for then', async () => {
    await at.page.goto(`${at.knell.app.httpUrl}/account`);
    // Opened by keyboard, the form has the focus, and gives it back when it closes.
    await button('Set up…').press('Enter');
    await expect.poll(focused).toBe('Your password');
    // The keyboard of a phone hides no QR code. The code holds for half a minute: it is asked for last.
    const [password, codeField] = ['Your password', 'Code that the app shows'].map((name) =>
      at.page.getByLabel(name),
    );
    const boxes = () =>
      Promise.all([password, at.page.locator('.qr'), codeField].map((one) => one?.boundingBox()));
    const tops = (await boxes()).map((box) => box?.y ?? -1);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    // On a phone its own app comes first, else another device that scans the key.
    const order = () => at.page.locator('form', { has: at.page.locator('.qr') }).textContent();
    await expect.poll(order).toMatch(/on this device.*Scan this/);
    await at.page.setViewportSize({ width: 1024, height: 800 });
    await expect.poll(order).toMatch(/Scan this.*on this device/);
    const [first, , last] = await boxes();
    expect(first?.width).toBe(last?.width);
    await at.page.setViewportSize({ width: 360, height: 800 });
    // The key is typed into a phone: none of it is out of sight.
    const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.copyable pre'))`;
    expect(await at.page.evaluate<number>(hidden)).toBe(0);
    await at.page.getByText('Turning it on gives you recovery codes, for when you lose the app.').waitFor();
    // It is in the middle of its box, as its button does.
    const middles = await at.page
      .locator('.copyable, .copyable pre, .copyable button')
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => y + height / 2),
      );
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(1);
    await button('Cancel').press('Enter');
    await expect.poll(focused).toBe('Set up…');
    await button('Set up…').press('Enter');
    const secret = (await at.page.locator('.copyable pre').first().textContent()) ?? '';
    await at.page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    expect(await at.findings()).toEqual([]);
    const code = () =>
      codeAt(
        (key, message) => createHmac('sha1', key).update(message).digest(),
        bytesOfBase32(secret) ?? new Uint8Array(),
        Math.floor(at.clock.nowMs() / totpStepMs),
      );
    await at.page.getByLabel('Code that the app shows').fill('000000');
    await at.page.getByLabel('Your password').fill('not the password');
    await button('Turn on').click();
    // What is wrong is said at its field, which has the focus then.
    await expect.poll(focused).toBe('Your password');
    await expect.poll(said).toBe('This is not your current password.');
    await at.page.getByLabel('Your password').fill(goodPassword);
    await expect.poll(() => at.page.getByText('This is not your current password.').count()).toBe(0);
    await button('Turn on').click();
    await expect.poll(focused).toBe('Code that the app shows');
    await expect.poll(said).toMatch(/^The code is wrong/);
    expect(await at.findings()).toEqual([]);
    await at.page.getByLabel('Code that the app shows').fill(code());
    await button('Turn on').press('Enter');
    await at.page.getByText('10 recovery codes are left').waitFor();
    const shown = await at.page.locator('.shown-once pre').textContent();
    expect(await focused()).toBe('Copy');
    expect(shown?.split('\n')).toHaveLength(10);
    await at.page.reload();
    await at.page.getByText('10 recovery codes are left').waitFor();
    await expect.poll(() => at.page.locator('.shown-once').count()).toBe(0);
    await at.page.getByRole('button', { name: /account of/ }).click();
    await at.page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The page that goes has a field of the same name.
    await button('Sign in').waitFor();
    await at.page.getByLabel('Name').fill('ada');
    await at.page.getByLabel('Password').fill(goodPassword);
    await button('Sign in').click();
    at.clock.skip(totpStepMs);
    await expect.poll(focused).toMatch(/^Code of your/);
    await at.page.keyboard.type(code());
    await at.page.keyboard.press('Enter');
    await at.page.getByText('Live', { exact: true }).waitFor();
  });
});
