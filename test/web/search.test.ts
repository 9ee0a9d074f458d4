/** Outputs that the palette finds, in a real browser: as they are found, how far that is, and the way to the line. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('outputs in the palette', () => {
  let at: OwnerBrowser;
  let backup: Json;

  const ping = async (uuid: string, body: string, rest = ''): Promise<void> => {
    const sent = await at.knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body });
    expect(sent.status).toBe(200);
  };

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 3 * day });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    backup = await at.knell.create({ name: 'Nightly backup', timeout: 2 * 86_400 });
    const mirror = await at.knell.create({ name: 'Mirror', timeout: 2 * 86_400 });
    const lines = Array.from({ length: 60 }, (_, line) => `line ${line + 1}`);
    lines[19] = 'ERROR: No space left on <device>';
    await ping(backup.uuid, lines.join('\n'), '/fail');
    for (let n = 0; n < 12; n++) {
      await at.clock.advance(hour);
      await ping(mirror.uuid, `mirror run ${n}: every volume is copied`);
    }
    await at.open('checks');
  });

  afterEach(() => at.page.evaluate("document.querySelector('dialog[open]')?.close()"));
  afterAll(() => at?.stop());

  const box = () => at.page.getByRole('button', { name: 'Search pages, checks and outputs' });
  const palette = () => at.page.getByRole('dialog', { name: 'Command palette' });
  const options = () => palette().getByRole('group', { name: 'Outputs' }).getByRole('option');
  const type = async (text: string): Promise<void> => {
    await box().click();
    await palette().getByRole('combobox').fill(text);
  };

  test('Enter on one opens its check at the line, which is marked', async () => {
    await type('space left');
    await expect.poll(() => options().count()).toBe(1);
    await expect.poll(() => options().first().textContent()).toContain('ERROR: No space left on <device>');
    await expect.poll(() => options().first().textContent()).toContain('Nightly backup · failed');
    await expect.poll(() => options().locator('mark').allTextContents()).toEqual(['space', 'left']);
    await at.page.keyboard.press('Enter');
    await at.page.getByRole('heading', { name: 'Nightly backup' }).first().waitFor();
    const line = at.page.locator('mark.found-line');
    await expect
      .poll(async () => (await line.textContent())?.trim())
      .toBe('ERROR: No space left on <device>');
    await expect
      .poll(() =>
        line.evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= 0 && bottom <= 900;
        }),
      )
      .toBe(true);
  });

  test('of what one is, and when, stays within its row on a phone', async () => {
    await at.page.setViewportSize({ width: 390, height: 800 });
    await type('volume');
    await expect.poll(() => options().count()).toBeGreaterThan(0);
    await at.knell.api('POST', `/api/v3/checks/${backup.uuid}`, { name: 'Nightly backup of every region' });
    await palette().getByRole('combobox').fill('space left');
    await expect.poll(() => options().first().textContent()).toContain('region');
    const row = await options().first().boundingBox();
    const note = await options().first().locator('.faint').boundingBox();
    expect((note?.x ?? 0) + (note?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
    await at.page.keyboard.press('Escape');
    await palette().waitFor({ state: 'detached' });
    await at.knell.api('POST', `/api/v3/checks/${backup.uuid}`, { name: 'Nightly backup' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('from the page of the same check, too', async () => {
    await at.open(`checks/${backup.uuid}`);
    await at.page.getByRole('heading', { name: 'Nightly backup' }).first().waitFor();
    await type('line 33');
    await expect.poll(() => options().count()).toBe(1);
    await at.page.keyboard.press('Enter');
    const line = at.page.locator('mark.found-line');
    await expect.poll(async () => (await line.textContent())?.trim()).toBe('line 33');
  });

  test('eight at first, with how far they reach, and older ones for who goes on', async () => {
    await at.open('checks');
    await type('volume copied');
    const more = () => palette().getByRole('option', { name: /Search older outputs/ });
    await more().waitFor();
    await expect.poll(() => more().textContent()).toMatch(/searched back to \S+/);
    await expect.poll(() => options().count()).toBe(9);
    // What goes on with the search is no result.
    await palette().getByText('8 results', { exact: true }).waitFor();
    await at.page.keyboard.press('ArrowUp');
    await at.page.keyboard.press('Enter');
    await expect.poll(() => options().count()).toBe(12);
    await expect.poll(() => more().count()).toBe(0);
    await expect.poll(() => options().first().textContent()).toContain('mirror run 11');
    await expect.poll(() => options().last().textContent()).toContain('mirror run 0');
  });

  test('shows what came in while it was typed, and nothing of the text before', async () => {
    await type('volume copied');
    await expect.poll(() => options().count()).toBe(9);
    await palette().getByRole('combobox').fill('space left');
    await expect.poll(() => options().count()).toBe(1);
    await palette().getByRole('combobox').fill('zebra');
    await palette().getByText('Nothing matches.').waitFor();
    await expect.poll(() => options().count()).toBe(0);
  });

  test('says what the server says where it refuses', async () => {
    await at.page.route('**/api/search?*', (route) =>
      route.fulfill({ status: 429, json: { error: 'too many searches: try again' } }),
    );
    await type('volume');
    await palette().getByText('Too many searches: try again').waitFor();
    await at.page.unroute('**/api/search?*');
  });

  test('without findings, and within the width, on a phone and in the dark', async () => {
    for (const [width, theme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [390, 'dark'],
      [390, 'light'],
    ] as const) {
      await at.page.setViewportSize({ width, height: 800 });
      await at.page.evaluate(`document.documentElement.setAttribute('data-theme', '${theme}')`);
      await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
      await type('volume copied');
      await expect.poll(() => options().count()).toBe(9);
      expect(await at.findings()).toEqual([]);
      await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
      if (process.env.PICTURES)
        await at.page.screenshot({ path: `${process.env.PICTURES}/search-${width}-${theme}.png` });
      await at.page.keyboard.press('Escape');
    }
  });
});
