/** The page of a check in maintenance, in a real browser: its status card says so whatever the status is, and ends it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { goodPassword, linkIn, PageClient } from '../support/page/page-client.ts';

describe.skipIf(browserMissing !== '')('a check in maintenance', () => {
  let at: OwnerBrowser;
  const checks: Record<string, Json> = {};
  let window: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    const args = { project: 'default', kind: 'ntfy', name: 'On call', value };
    await at.knell.app.admin({ command: 'channel create', args }, () => {});
    for (const name of ['new', 'up', 'down', 'paused'])
      checks[name] = await at.knell.create({ name, tags: 'db', channels: '*' });
    await at.knell.request(`/ping/${checks.up.uuid}`);
    await at.knell.request(`/ping/${checks.down.uuid}/fail`);
    await at.knell.api('POST', `/api/v3/checks/${checks.paused.uuid}/pause`);
    const move = { name: 'Move of the warehouse', tags: ['db'], duration: '26h' };
    window = (await at.knell.api('POST', '/api/v3/maintenance/', move)).json();
  });
  afterAll(() => at?.stop());

  const open = async (name: string): Promise<void> => {
    await at.open(`checks/${checks[name].uuid}`);
    await at.page.locator('.check:not(.coming)').waitFor();
  };
  const taken = () => at.page.locator('.now .taken', { hasText: 'In maintenance until' });

  test.each(['new', 'up', 'down', 'paused'])('says so where it is %s', async (name) => {
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await open(name);
      await taken().waitFor();
      await expect
        .poll(() => taken().textContent())
        .toMatch(/until .*\(Move of the warehouse\): failures are not sent\.\s?End now for all 4 checks/);
      await expect.poll(() => taken().locator('.of-window:visible').count()).toBe(width === 1440 ? 1 : 0);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
  });

  test('says its whole name also where little fits', async () => {
    await at.page.setViewportSize({ width: 1024, height: 844 });
    await open('down');
    const name = taken().locator('.of-window > span').first();
    await expect.poll(() => name.evaluate((one: Json) => one.scrollWidth - one.clientWidth)).toBe(0);
    await expect.poll(() => taken().getByText('failures are not sent').isVisible()).toBe(false);
  });

  test('promises no alert where it is late', async () => {
    checks.late = await at.knell.create({ name: 'late', tags: 'db', timeout: 60, channels: '*' });
    await at.knell.request(`/ping/${checks.late.uuid}`);
    await at.clock.advance(61_000);
    await open('late');
    const why = () => at.page.locator('.now .why strong').textContent();
    await expect.poll(why).toBe('The ping is late. The check goes down when the grace time is over');
    await at.page.getByText('The badge counts a late check as up.').waitFor();
  });

  test('who would be notified is asked anew when it begins or ends', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const card = at.page.locator('.who-is-notified');
    await open('down');
    await at.page.getByText('Who would be notified now?').click();
    await card
      .getByText(/It is in maintenance: Move of the warehouse, until .* No reminders until then\./)
      .waitFor();
    await card.getByText('On call: Not yet delivered: it is tried again.').waitFor();
    await taken().getByRole('button', { name: 'End' }).press('Enter');
    await expect
      .poll(() => at.page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Status');
    await expect.poll(() => card.getByText('It is in maintenance').count()).toBe(0);
    await at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await card.getByText('It is in maintenance').waitFor();
    await open('up');
    await at.page.getByText('Who would be notified now?').click();
    await card.getByText('On call: Notified once nothing holds the alert back.').waitFor();
  });

  test('is ended there, with a way back, and links to the windows', async () => {
    await open('up');
    const places = () => at.page.locator('.actions-bar').boundingBox();
    await taken().waitFor();
    const before = await places();
    await taken().getByRole('button', { name: 'End' }).click();
    await expect.poll(() => taken().count()).toBe(0);
    expect(await places()).toEqual(before);
    const active = async () =>
      (await at.knell.api('GET', `/api/v3/maintenance/${window.uuid}`)).json().until_active;
    expect(await active()).toBe(null);
    await at.page
      .locator('.toast', { hasText: 'Maintenance ended' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await taken().waitFor();
    expect(await active()).toBe(window.until_active);
    await taken().getByRole('link', { name: 'In maintenance' }).click();
    await at.page.getByRole('heading', { name: 'Move of the warehouse' }).waitFor();
  });

  test('that has a long name keeps the words and the button in one line', async () => {
    await at.knell.api('POST', `/api/v3/maintenance/${window.uuid}`, { name: 'Move '.repeat(19).trim() });
    for (const width of [1440, 1024, 768, 390, 360]) {
      await at.page.setViewportSize({ width, height: 844 });
      await open('up');
      await taken().waitFor();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      const [line, button] = [await taken().boundingBox(), await taken().getByRole('button').boundingBox()];
      if (!line || !button) throw new Error('both are there');
      expect(button.x + button.width).toBeLessThanOrEqual(line.x + line.width + 1);
      expect(line.height).toBeLessThan(width < 390 ? 48 : 32);
    }
  });

  test('says so to viewers, who cannot end it', async () => {
    const { link } = (await at.owner.post('/web/users', { name: 'vera', role: 'viewer' })).json();
    const viewer = new PageClient(at.knell);
    await viewer.post('/web/set-password', { link: linkIn(link), password: goodPassword });
    const [name = '', value = ''] = viewer.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'up' }).first().getByRole('link').first().click();
    await taken().waitFor();
    await expect.poll(() => taken().getByRole('link').count()).toBe(0);
    await expect.poll(() => taken().getByRole('button').count()).toBe(0);
  });
});
