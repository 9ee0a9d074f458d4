/** The settings of the server in a real browser: found, set, refused, and never shown again where they are secrets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the settings of the server', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({ KNELL_EMAIL_DOMAIN: 'pings.example.org' });
  });

  afterAll(() => at?.stop());

  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const line = (variable: string) => at.page.locator(`.settings li#${variable}`);

  test('are all there, with where each comes from, in either scheme', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.page.emulateMedia({ colorScheme });
      await at.open('settings');
      await at.page.getByRole('link', { name: 'Server', exact: true }).click();
      await at.page.getByRole('heading', { name: 'Server settings' }).waitFor();
      await line('KNELL_EMAIL_DOMAIN').getByText('Environment', { exact: true }).waitFor();
      await line('KNELL_SMTP_PROXY').getByText('Default', { exact: true }).waitFor();
      const log = at.page.getByRole('main').getByRole('link', { name: 'audit log' });
      await expect.poll(() => log.getAttribute('href')).toBe('/audit');
      // The harness turns automatic snapshots off.
      await at.page.locator('.caution', { hasText: 'No snapshot yet' }).waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('on a phone each is a line, which says on request what it is; a wide window says it of all', async () => {
    const { page } = at;
    const said = line('KNELL_SMTP_PROXY').locator('p');
    await expect.poll(() => page.locator('.settings li p').count()).toBe(0);
    const name = page.getByRole('button', { name: 'PROXY protocol' });
    await name.press('Enter');
    // Values as they are typed are code, and so are the variables of others.
    await expect.poll(() => said.locator('code').allTextContents()).toEqual(['on', 'KNELL_TRUST_PROXY']);
    await expect.poll(() => name.getAttribute('aria-expanded')).toBe('true');
    await name.press('Enter');
    await expect.poll(() => said.count()).toBe(0);
    // Its own variable, which messages elsewhere name, is there without being asked for.
    const own = line('KNELL_SMTP_PROXY').locator('code.own');
    await expect.poll(() => own.textContent()).toBe('KNELL_SMTP_PROXY');
    expect((await own.boundingBox())?.x).toBe((await name.boundingBox())?.x);
    await page.setViewportSize({ width: 1024, height: 800 });
    await said.waitFor();
    await expect.poll(() => name.count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 800 });
    await said.waitFor({ state: 'detached' });
  });

  test('on a phone the value is below the name in every row, and all buttons end at one edge', async () => {
    await at.page.setViewportSize({ width: 390, height: 800 });
    const places: Json =
      await at.page.evaluate(`[...document.querySelectorAll('.settings li')].flatMap((row) => {
      const words = row.querySelector('.words');
      if (words === null) return [];
      const name = row.querySelector('div').getBoundingClientRect();
      const value = words.getBoundingClientRect();
      const button = row.querySelector('.acts > button')?.getBoundingClientRect();
      const isBeside = !button || Math.abs(button.top - name.top) < 3;
      return [[value.top >= name.bottom - 1 && value.left === name.left && isBeside, button ? Math.round(button.right) : null]];
    })`);
    expect(places.length).toBeGreaterThan(50);
    expect(places.every(([isBelow]: Json) => isBelow)).toBe(true);
    expect(new Set(places.map(([, right]: Json) => right).filter(Boolean)).size).toBe(1);
    await at.page.setViewportSize({ width: 360, height: 800 });
  });

  test('one is set, and a wrong value says why at its field', async () => {
    await at.page.getByLabel('Search settings').fill('networks');
    await line('KNELL_WEBHOOK_ALLOW').getByRole('button', { name: 'Change' }).click();
    await at.page.keyboard.type('everything');
    await at.page.keyboard.press('Enter');
    const problem = line('KNELL_WEBHOOK_ALLOW').getByRole('alert');
    await problem.waitFor();
    // What holds until then is still said.
    await line('KNELL_WEBHOOK_ALLOW').getByText('Not set', { exact: true }).waitFor();
    expect(
      await at.page.evaluate(`getComputedStyle(document.querySelector(".settings .problem")).color`),
    ).not.toBe(await at.page.evaluate('getComputedStyle(document.querySelector(".settings p")).color'));
    await at.page.getByLabel('Private networks for integrations').fill('10.0.0.0/8');
    await at.page.keyboard.press('Enter');
    await line('KNELL_WEBHOOK_ALLOW').getByText('Set here').waitFor();
    await line('KNELL_WEBHOOK_ALLOW').getByText('10.0.0.0/8', { exact: true }).waitFor();
    await expect.poll(focused).toBe('Change Private networks for integrations');
    const toast = at.page.locator('.toast');
    await toast.getByText('Private networks for integrations is set.').waitFor();
    const remove = line('KNELL_WEBHOOK_ALLOW').getByRole('button', { name: /^Remove/ });
    await remove.press('Enter');
    // It asks, and begins at Cancel.
    const asked = at.page.getByRole('dialog');
    await asked.getByRole('heading', { name: 'Remove the private networks for integrations?' }).waitFor();
    await asked.getByText('private network cannot send until').waitFor();
    await at.page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Remove Private networks for integrations');
    await line('KNELL_WEBHOOK_ALLOW').getByText('10.0.0.0/8', { exact: true }).waitFor();
    await remove.press('Enter');
    await asked.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await line('KNELL_WEBHOOK_ALLOW').getByText('Not set', { exact: true }).waitFor();
    await expect
      .poll(() => toast.allInnerTexts())
      .toEqual(['Private networks for integrations was removed.']);
    // The one says both.
    await line('KNELL_WEBHOOK_ALLOW').getByText('Default', { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Change Private networks for integrations');
  });

  test('a secret that is to be removed says that it is gone for good, and what stops', async () => {
    await at.page.getByLabel('Search settings').fill('telegram');
    const row = line('KNELL_TELEGRAM_TOKEN');
    await row.getByRole('button', { name: 'Change' }).click();
    await at.page.keyboard.type('110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1');
    await at.page.keyboard.press('Enter');
    await row.getByRole('button', { name: /^Remove/ }).click();
    const asked = at.page.getByRole('dialog', { name: 'Remove Telegram: bot token' });
    await asked.getByRole('heading', { name: 'Remove the Telegram bot token?' }).waitFor();
    await asked
      .getByText(
        'It cannot be shown again: to set it again you need it from elsewhere. Integrations of Telegram cannot send until it is set again.',
      )
      .waitFor();
    expect(await at.findings('dialog[open]')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await asked.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await row.getByText('Not set', { exact: true }).waitFor();
    await expect
      .poll(() => at.page.locator('.toast').allInnerTexts())
      .toContain('Telegram: bot token was removed.');
    await expect.poll(focused).toBe('Change Telegram: bot token');
    await at.page.getByLabel('Search settings').fill('networks');
  });

  test('an empty field shows the example of its setting, and nothing is saved before something changes', async () => {
    const row = line('KNELL_WEBHOOK_ALLOW');
    await row.getByRole('button', { name: 'Change' }).click();
    const field = row.getByRole('textbox');
    await expect.poll(() => field.getAttribute('placeholder')).toBe('Such as 10.0.0.0/8,127.0.0.0/8');
    await row.getByText('What you save applies at once. Save it empty to unset it.').waitFor();
    const save = row.getByRole('button', { name: 'Save' });
    const off = async () => [await save.getAttribute('aria-disabled'), await save.getAttribute('title')];
    await expect.poll(off).toEqual(['true', 'Nothing has changed yet.']);
    await field.press('Enter');
    await field.fill('10.0.0.0/8');
    await expect.poll(off).toEqual(['false', '']);
    await field.fill(' ');
    await expect.poll(off).toEqual(['true', 'Nothing has changed yet.']);
    await field.press('Escape');
    await row.getByText('Not set').waitFor();
  });

  test('a default that follows from the machine is shown, too, and in the empty field', async () => {
    await at.page.getByLabel('Search settings').fill('');
    const zone = line('KNELL_TIME_ZONE');
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    await expect.poll(() => zone.locator('.words').textContent()).toBe(`Default${timeZone}`);
    await expect.poll(() => line('KNELL_METRICS').locator('.words').textContent()).toBe('Defaultoff');
    await zone.getByRole('button', { name: 'Change' }).click();
    const field = zone.getByRole('textbox');
    await expect.poll(() => field.getAttribute('placeholder')).toBe(timeZone);
    await zone
      .getByText(`What you save applies at once. Save it empty to use the default, ${timeZone}.`)
      .waitFor();
    await zone.getByText('of integrations that have none of their own').waitFor();
    // On a phone the field has a line of its own, and the name of the row says that it is open.
    const [field390, row] = [await field.boundingBox(), await zone.boundingBox()];
    expect(field390?.width).toBeGreaterThan((row?.width ?? 0) - 32);
    const name = zone.getByRole('button', { name: 'Time zone of alerts', exact: true });
    await expect.poll(() => name.getAttribute('aria-expanded')).toBe('true');
    await at.page.keyboard.press('Escape');
    await at.page.getByLabel('Search settings').fill('networks');
    await line('KNELL_WEBHOOK_ALLOW').getByRole('button', { name: 'Change' }).focus();
  });

  test('that of the zone of alerts says how many integrations have another one', async () => {
    for (const timeZone of ['', 'Asia/Tokyo']) {
      const fields = { url_down: 'https://example.org/' };
      await at.owner.post(`/web/in/${at.project}/channels`, { kind: 'webhook', name: '', fields, timeZone });
    }
    await at.page.reload();
    await at.page.getByLabel('Search settings').fill('zone of alerts');
    const said = '1 of 2 integrations has a time zone of its own: its alerts do not go by this one.';
    await line('KNELL_TIME_ZONE').getByText(said).waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.getByLabel('Search settings').fill('networks');
    await line('KNELL_WEBHOOK_ALLOW').getByRole('button', { name: 'Change' }).focus();
  });

  test('a field is left with Escape, and the focus is where it was', async () => {
    await at.page.keyboard.press('Enter');
    await at.page.keyboard.type('10.0.0.0/8');
    await at.page.keyboard.press('Escape');
    await expect.poll(() => at.page.locator('.settings form').count()).toBe(0);
    await expect.poll(focused).toBe('Change Private networks for integrations');
    await line('KNELL_WEBHOOK_ALLOW').getByText('Not set').waitFor();
  });

  test('one that an integration lacks says so, until it is set', async () => {
    const chat = { kind: 'telegram', name: 'chat', value: '{"id":1}' };
    await at.knell.app.admin({ command: 'channel create', args: { project: 'default', ...chat } }, () => {});
    await at.page.reload();
    const said = line('KNELL_TELEGRAM_TOKEN').locator('.lacking');
    await expect.poll(() => said.textContent()).toBe('Needed by Telegram: 1 integration cannot send');
    expect(await at.findings('.settings')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await expect.poll(() => at.page.locator('.lacking').count()).toBe(1);
    // It is among what is set, and said above all of that, with a link that opens it, whatever is searched for.
    await at.page.getByLabel(/^Only those that are set or missing/).check();
    await said.waitFor();
    await at.page.getByLabel('Search settings').fill('snapshots');
    const missing = at.page.locator('.missing');
    await expect.poll(() => missing.textContent()).toBe('1 setting is missing: Telegram: bot token');
    await missing.getByRole('link').click();
    const field = line('KNELL_TELEGRAM_TOKEN').getByRole('textbox');
    await expect.poll(() => field.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
    const bottom = async () => (await field.boundingBox())?.y ?? -1;
    await expect.poll(bottom).toBeLessThan(800);
    expect(await bottom()).toBeGreaterThan(56);
    await at.page.keyboard.press('Escape');
    await said.getByRole('link').click();
    await at.page.getByRole('heading', { name: 'Integrations', exact: true }).waitFor();
    await at.page.goBack();
    // Who comes by the address of what is missing came to enter it.
    await expect.poll(() => field.evaluate((one: Json) => one.matches(':focus'))).toBe(true);
  });

  test('a token that was copied only in part is refused at its field, and is there to be completed', async () => {
    const half = '12345:hidden-one';
    await at.page.keyboard.type(half);
    await at.page.keyboard.press('Enter');
    const problem = line('KNELL_TELEGRAM_TOKEN').getByRole('alert');
    await expect
      .poll(() => problem.textContent())
      .toMatch(/^Its value is not a number, a colon and 35 characters, as @BotFather gives it/);
    await expect.poll(() => problem.textContent()).not.toContain(half);
    await expect
      .poll(() => line('KNELL_TELEGRAM_TOKEN').locator('input:not([type=checkbox])').inputValue())
      .toBe(half);
  });

  test('a secret is never shown again', async () => {
    await line('KNELL_TELEGRAM_TOKEN').locator('input:not([type=checkbox])').press('End');
    await at.page.keyboard.type('x'.repeat(25));
    await at.page.keyboard.press('Enter');
    await line('KNELL_TELEGRAM_TOKEN').getByText('Set, not shown').waitFor();
    await expect.poll(() => at.page.locator('.lacking, .missing').count()).toBe(0);
    await at.page.reload();
    await line('KNELL_TELEGRAM_TOKEN').getByText('Set, not shown').waitFor();
    expect(await at.page.content()).not.toContain('hidden-one');
  });
});
