/** Whom a check notifies, in the list in a real browser: what sends nothing now is marked there, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    // These are older than what fails, so they would come first.
    const working = ['Billing', 'Office', 'Rota'].map((name) => {
      const fields = { url_down: 'https://example.org' };
      return at.owner.post(`/web/in/${at.project}/channels`, { kind: 'webhook', name, fields });
    });
    const [billing, office, rota] = (await Promise.all(working)).map((answer) => answer.json().id);
    const hook = await failingHook(at);
    await at.knell.create({ name: 'Backup', channels: '*' });
    await at.knell.create({ name: 'Sync', channels: `${billing},${office},${hook}` });
    await at.knell.create({ name: 'Pair', channels: `${billing},${hook}` });
    await at.knell.create({ name: 'Four', channels: `${billing},${office},${rota},${hook}` });
    const schedule = { schedule: '0 18 * * 1-5', tz: 'Europe/Berlin', grace: 3600 };
    await at.knell.create({ name: 'Report', channels: '', ...schedule });
  }, 60_000);
  afterAll(() => at?.stop());

  const cellOf = (name: string) => at.page.locator('.row', { hasText: name }).locator('.notifies');
  /** What is seen there: the titles of the icons, and the number with its color. */
  const seen = (name: string): Promise<readonly string[]> =>
    cellOf(name)
      .locator('> :not(.hidden):visible')
      .evaluateAll((all: Json) =>
        all.map((one: Json) =>
          one.querySelector('svg') ? one.title : `${one.className.split(' ')[0]} ${one.textContent}`,
        ),
      );

  test('shows first what fails, then what this server cannot send to, each with its own mark', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('checks');
    await cellOf('Backup').locator('[title*="Failing since"].broken.down').waitFor();
    await cellOf('Backup').locator('[title*="Cannot send"].broken.late').waitFor();
    expect(await seen('Backup')).toEqual([
      expect.stringMatching(/^Hook: Failing since /),
      'Chat: Cannot send, needs KNELL_TELEGRAM_TOKEN',
      expect.stringMatching(/^(?:Billing|Office|Rota)$/),
      'faint +2',
    ]);
  });

  test('says how many work where there is no space for the icons', async () => {
    await at.page.setViewportSize({ width: 1024, height: 900 });
    await at.open('checks');
    await cellOf('Sync').getByText('2 of 3').waitFor();
    expect([await seen('Sync'), await seen('Backup')]).toEqual([['some 2 of 3 work'], ['some 3 of 5 work']]);
    const [cell, words] = await Promise.all([
      cellOf('Sync').boundingBox(),
      cellOf('Sync').getByText('2 of 3 work').boundingBox(),
    ]);
    expect(words?.x).toBeGreaterThanOrEqual(cell?.x ?? Infinity);
    expect((words?.x ?? Infinity) + (words?.width ?? 0)).toBeLessThanOrEqual(
      (cell?.x ?? 0) + (cell?.width ?? 0),
    );
    expect(await at.findings('.row')).toEqual([]);
  });

  test.each([
    [1440, 'Four', 4],
    [1024, 'Pair', 2],
  ])('shows the last icon instead of a number in its place, at %i px', async (width, name, count) => {
    await at.page.setViewportSize({ width, height: 900 });
    await at.open('checks');
    await cellOf(name).locator('.broken.down').waitFor();
    const titles = await seen(name);
    expect([titles.length, titles.filter((one) => one.startsWith('faint'))]).toEqual([count, []]);
    const [cell, first] = await Promise.all([
      cellOf(name).boundingBox(),
      cellOf(name).locator('> :not(.hidden):visible').first().boundingBox(),
    ]);
    expect(first?.x).toBeGreaterThanOrEqual(cell?.x ?? Infinity);
  });

  test.each([1440, 1024, 390])(
    'has space above and below each schedule, with its zone, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 1200 });
      await at.open('checks');
      const row = at.page.locator('.row', { hasText: 'Report' });
      const schedule = row.locator('.schedule');
      await schedule.locator(':text("Berlin"):visible').first().waitFor();
      const [above, below] = await schedule.evaluate((one: Json) => {
        const [inner, outer] = [one, one.closest('.row')].map((each: Json) => each.getBoundingClientRect());
        return [inner.top - outer.top, outer.bottom - inner.bottom];
      });
      expect([above >= 5, below >= 5]).toEqual([true, true]);
    },
  );
});
