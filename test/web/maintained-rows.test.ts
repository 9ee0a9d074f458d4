/** What is in maintenance, or acknowledged, in the rows of the list and of the wall, in a real browser: in two lines, and below what needs somebody. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('rows of what needs nobody now', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { timezoneId: 'UTC' });
    const made = async (name: string, tags = ''): Promise<string> =>
      (await at.knell.create({ name, tags, channels: '' })).uuid;
    const fail = (uuid: string, how: string) => at.knell.request(`/ping/${uuid}${how}`, { method: 'POST' });
    await fail(await made('Needs somebody'), '/fail');
    const known = await made('Acknowledged');
    await fail(known, '/3');
    await at.owner.post(`/web/in/${at.project}/api/checks/${known}/acknowledge`);
    await at.clock.advance(60_000);
    await fail(await made('Down before', 'db'), '/fail');
    await at.clock.advance(60_000);
    await at.knell.api('POST', '/api/v3/maintenance/', { name: 'Move', tags: ['db'], duration: '2h' });
    await fail(await made('Down within', 'db'), '/fail');
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('checks');
  });
  afterAll(() => at?.stop());

  const row = (name: string) => at.page.locator('.row', { hasText: name });

  test('come after what needs somebody, without its bar, in the list and on the wall alike', async () => {
    await row('Down within').waitFor();
    const names = (css: string) =>
      at.page.locator(css).evaluateAll((all: Json) =>
        all
          .map((one: Json) => [one.getBoundingClientRect().top, one.textContent])
          .sort(([a]: Json, [b]: Json) => a - b)
          .map(([, text]: Json) => text),
      );
    const order = ['Needs somebody', 'Down within', 'Down before', 'Acknowledged'];
    await expect.poll(() => names('.row .what a')).toEqual(order);
    for (const name of order.slice(1))
      await expect.poll(() => row(name).getAttribute('class')).toMatch(/\bheld\b/);
    await expect.poll(() => row('Needs somebody').getAttribute('class')).not.toMatch(/\bheld\b/);
    await at.page.goto(`${at.knell.app.httpUrl}/wall/${at.project}`);
    await expect.poll(() => names('.troubled .name')).toEqual(order);
    await expect.poll(() => at.page.locator('.troubled li.held').count()).toBe(3);
  });

  test('have few lines of words, with the reason whole before who acknowledged', async () => {
    for (const width of [1440, 1280, 1024, 768]) {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open('checks');
      for (const name of ['Down within', 'Acknowledged']) {
        const cell = row(name).locator('.state');
        await cell.waitFor();
        const [lines, box] = [
          await cell.locator('> :nth-child(2)').boundingBox(),
          await row(name).boundingBox(),
        ];
        expect(lines?.height).toBeLessThan(width < 1280 ? 30 : 20);
        expect((lines?.y ?? 0) + (lines?.height ?? 0)).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0) - 3);
      }
      const reason = row('Acknowledged').locator('.state .reason-and-held > :first-child > :first-child');
      await expect.poll(() => reason.textContent()).toBe('Exit status 3');
      expect(await reason.evaluate((one: Json) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
      const who = row('Acknowledged').locator('.state .reason-and-held > :last-child');
      await expect.poll(() => who.textContent()).toMatch(/^Acknowledged by ./);
      expect((await who.boundingBox())?.width).toBeGreaterThan(30);
      await expect
        .poll(() => row('Down within').locator('.state .reason-and-held > :last-child').textContent())
        .toMatch(/^In maintenance until /);
      expect(await at.findings('.checks')).toEqual([]);
    }
  });
});
