/** What the command palette finds beside pages, and how it is left on a phone, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the command palette', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const hook = { kind: 'webhook', name: 'Tickets', fields: { url_down: 'https://example.org' } };
    await at.owner.post(`/web/in/${at.project}/channels`, hook);
    await at.open('checks');
  }, 60_000);

  afterAll(() => at?.stop());

  const palette = () => at.page.getByRole('dialog', { name: 'Command palette' });
  const option = (name: RegExp) => palette().getByRole('option', { name });
  const opened = async (text: string): Promise<void> => {
    await at.page.keyboard.press('Control+k');
    await palette().getByRole('combobox').fill(text);
  };

  test.each(['tickets', 'webhook tick'])('finds an integration by %s', async (text) => {
    await opened(text);
    await option(/^Tickets\s*Webhook/).click();
    await at.page.waitForURL(/\/integrations\/[0-9a-f-]{36}$/);
  });

  test('finds a kind of which there is none, to add it', async () => {
    await opened('pagerduty');
    // A setting of the server has the name, too.
    await palette().getByRole('option', { name: 'PagerDuty', exact: true }).click();
    await at.page.waitForURL(/\/integrations\/new\/pd$/);
  });

  test('chooses a kind to add with the focus in the search of all kinds', async () => {
    await opened('add integration');
    await option(/^Add integration/).click();
    await at.page.waitForURL(/\/integrations\/new$/);
    const focused = () => at.page.evaluate<string>('document.activeElement.placeholder');
    await expect.poll(focused).toMatch(/^Search \d+ kinds$/);
  });

  test('finds a check without a name by the words that it is shown with, and so does the list', async () => {
    const { uuid } = await at.knell.create({ channels: '' });
    await opened('unnamed');
    await option(/^Unnamed check/).waitFor();
    await at.page.keyboard.press('Escape');
    await at.open('checks?q=unnamed');
    await at.page.getByRole('link', { name: 'Unnamed check', exact: true }).waitFor();
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
  });

  test('calls the times of a maintenance window as their page does', async () => {
    // On no day near this one: it would be on.
    const day = (new Date().getUTCDay() + 3) % 7;
    const weekly = { name: 'Weekly work', schedule: `0 2 * * ${day}`, tz: 'Europe/Berlin', duration: '2h' };
    await at.knell.api('POST', '/api/v3/maintenance/', weekly);
    await opened('weekly work');
    await option(/^Weekly work\s*\w+days at 2:00\sAM.* for 2 hours/).waitFor();
    await at.page.keyboard.press('Escape');
  });

  test('finds a setting of the server by its words, and goes to its row', async () => {
    await opened('telegram token');
    await option(/KNELL_TELEGRAM_TOKEN/).click();
    await at.page.waitForURL(/\/server#KNELL_TELEGRAM_TOKEN$/);
    await at.page.locator('li.wanted#KNELL_TELEGRAM_TOKEN').waitFor();
  });

  test('finds a part of the settings of a project, and shows it', async () => {
    await at.page.setViewportSize({ width: 1440, height: 500 });
    await at.open('checks');
    for (const [text, id] of [
      ['retention', 'retention'],
      ['hand over', 'hand-over-this-project'],
    ] as const) {
      await opened(text);
      await option(/Project settings$/)
        .first()
        .click();
      await at.page.waitForURL(new RegExp(`/settings#${id}$`));
      const isInSight = () =>
        at.page.evaluate<boolean>(`(() => {
          const { top } = document.getElementById('${id}').getBoundingClientRect();
          return top >= 48 && top < innerHeight - 100;
        })()`);
      await expect.poll(isInSight).toBe(true);
    }
    expect(await at.findings()).toEqual([]);
  });

  test('names no part of the settings that is not on its page', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('checks');
    const part = (id = '') => palette().locator(`[id^="palette-settings-${id}"]`);
    const found = new Map<string, string>();
    // Each of the parts has one of them in its title or in what else finds it.
    for (const text of ['pro', 'key', 'wo', 'days', 'de', 'na']) {
      await opened(text);
      await part().first().waitFor();
      const ids = await part().evaluateAll((all: { id: string }[]) => all.map(({ id }) => id));
      for (const id of ids) found.set(id.replace('palette-settings-', ''), text);
      await at.page.keyboard.press('Escape');
    }
    expect(found.size).toBeGreaterThanOrEqual(11);
    for (const [id, text] of found) {
      await at.open('checks');
      await opened(text);
      await part(id).click();
      const isThere = () =>
        at.page.evaluate<boolean>('document.getElementById(location.hash.slice(1)) !== null');
      await expect.poll(isThere, { message: id }).toBe(true);
    }
  });

  test('breaks no word of a state or a setting beside a long name on a phone', async () => {
    const name = 'Certificate renewal on the public load balancers';
    const { uuid } = await at.knell.create({ name, channels: '' });
    await at.page.setViewportSize({ width: 320, height: 700 });
    await at.open('checks');
    await at.page.getByRole('button', { name: 'Search pages, checks and outputs' }).click();
    await palette().getByRole('combobox').fill('certificate');
    await option(/^Certificate renewal.*New/).waitFor();
    await option(/KNELL_SMTP_TLS_CERT/).waitFor();
    const heights = await palette()
      .getByRole('option')
      .locator('.faint')
      .evaluateAll((all: Json) => all.map((one: Json) => one.getClientRects()[0].height));
    expect(heights.length).toBeGreaterThan(2);
    expect(Math.max(...heights)).toBeLessThan(24);
    await palette().getByRole('button', { name: 'Close' }).click();
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
  });

  test('closes by its button and by the way back on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('incidents');
    await at.open('checks');
    const here = at.page.url();
    const length = () => at.page.evaluate<number>('history.length');
    const before = await length();
    const open = () => at.page.getByRole('button', { name: 'Search pages, checks and outputs' }).click();
    await open();
    expect(await at.findings('dialog[open]')).toEqual([]);
    await palette().getByRole('button', { name: 'Close' }).click();
    await palette().waitFor({ state: 'detached' });
    await open();
    await palette().waitFor();
    await at.page.goBack();
    await palette().waitFor({ state: 'detached' });
    expect(at.page.url()).toBe(here);
    // What is opened from it comes right after the page: one step back.
    await open();
    await palette().getByRole('combobox').fill('badges');
    await option(/^Badges/).click();
    await at.page.waitForURL(/\/badges$/);
    await at.page.goBack();
    await at.page.waitForURL(here);
    await at.page.locator('.first-steps, .checks').first().waitFor();
    expect((await length()) - before).toBeLessThanOrEqual(1);
    expect(at.complaints).toEqual([]);
  });
});
