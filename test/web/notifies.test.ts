/** Whom a check notifies, in the list in a real browser: what sends nothing now is marked there, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asChannelId } from '../../src/lib/ids.ts';
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
    await at.knell.create({ name: 'Plain', channels: `${office},${rota}` });
    await at.knell.create({ name: 'Hooked', channels: hook });
    const schedule = { schedule: '0 18 * * 1-5', tz: 'Europe/Berlin', grace: 3600 };
    await at.knell.create({ name: 'Report', channels: '', ...schedule });
  }, 60_000);
  afterAll(() => at?.stop());

  const cellOf = (name: string) => at.page.locator('.row', { hasText: name }).locator('.notifies');
  test.each([1440, 1024])('says how many work, and whom nobody reaches, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 900 });
    await at.open('checks');
    const said = { Sync: '2 of 3 work', Backup: '3 of 5 work', Pair: '1 of 2 works' };
    for (const [name, words] of Object.entries({
      ...said,
      Plain: '2',
      Hooked: 'None works',
      Report: 'Nobody',
    }))
      await expect.poll(() => cellOf(name).textContent()).toMatch(new RegExp(`^${words}(?::|$)`));
    for (const name of Object.keys(said)) {
      const [cell, words] = await Promise.all([
        cellOf(name).boundingBox(),
        cellOf(name).locator('> span').boundingBox(),
      ]);
      expect(words?.x).toBeGreaterThanOrEqual(cell?.x ?? Infinity);
      expect((words?.x ?? Infinity) + (words?.width ?? 0)).toBeLessThanOrEqual(
        (cell?.x ?? 0) + (cell?.width ?? 0),
      );
    }
    for (const colorScheme of ['dark', 'light'] as const) {
      await at.page.emulateMedia({ colorScheme });
      expect(await at.findings('.row')).toEqual([]);
    }
  });

  test('names them where the pointer is, and to those who do not see it, what fails first', async () => {
    const names = await cellOf('Backup').locator('> span').getAttribute('title');
    expect(names?.split('\n')).toEqual([
      expect.stringMatching(/^Hook: Failing since /),
      'Chat: Cannot send, needs KNELL_TELEGRAM_TOKEN',
      ...['Billing', 'Office', 'Rota'].map(() => expect.stringMatching(/^(?:Billing|Office|Rota)$/)),
    ]);
    await expect
      .poll(() => cellOf('Backup').locator('.hidden').textContent())
      .toBe(`: ${names?.replaceAll('\n', ', ')}`);
  });

  test.each([1440, 1280])(
    'leaves them to the pointer beside the actions of the row, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open('checks');
      const words = cellOf('Backup').locator('> span');
      await words.hover();
      const actions = at.page.locator('.row', { hasText: 'Backup' }).locator('.row-actions');
      await expect.poll(() => actions.isVisible()).toBe(true);
      const { x = 0, y = 0, width: wide = 0, height = 0 } = (await words.boundingBox()) ?? {};
      for (const left of [x + 1, x + wide / 2, x + wide - 1]) {
        const found = `document.elementFromPoint(${left}, ${y + height / 2}).closest('.notifies') !== null`;
        expect(await at.page.evaluate(found)).toBe(true);
      }
      // They cover one column, and not the uptime.
      const figure = await at.page.locator('.row', { hasText: 'Backup' }).locator('.uptime').boundingBox();
      expect((await actions.boundingBox())?.x).toBeGreaterThanOrEqual(
        (figure?.x ?? 0) + (figure?.width ?? 0) - 1,
      );
    },
  );

  test('has only what reaches nobody in a colour of its own', async () => {
    const look = (name: string) =>
      cellOf(name)
        .locator('> span')
        .evaluate((one: Json) => {
          const { color, fontWeight } = one.ownerDocument.defaultView.getComputedStyle(one);
          return [color, fontWeight];
        });
    const [usual, some, none, nobody] = await Promise.all(['Plain', 'Sync', 'Hooked', 'Report'].map(look));
    expect([usual?.[1], some?.[1], none?.[1], nobody?.[1]]).toEqual(['400', '400', '600', '600']);
    const stateOf = (name: string) => at.page.locator('.row', { hasText: name }).locator('.state');
    const quiet = await stateOf('Plain')
      .locator('strong')
      .evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).color);
    expect(some?.[0]).toBe(quiet);
    expect(new Set([quiet, none?.[0], nobody?.[0]]).size).toBe(3);
  });

  test.each([1440, 1024, 390])(
    'has space above and below each schedule, with its zone, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 2000 });
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

  test('counts an integration that is new while the list is open', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('checks');
    await expect.poll(() => cellOf('Report').textContent()).toMatch(/^Nobody/);
    const fields = { url_down: 'https://example.org' };
    await at.owner.post(`/web/in/${at.project}/channels`, { kind: 'webhook', name: 'New', fields });
    await expect.poll(() => cellOf('Report').textContent()).toMatch(/^1(?::|$)/);
  });

  test('counts no integration that is turned off, or whose address nobody has confirmed', async () => {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    const id = asChannelId(integrations.find(({ name }: Json) => name === 'Rota').id);
    const { change } = at.knell.app.engine;
    for (const [settings, words] of [
      [{ unverified: true }, 'Not verified'],
      [{ unverified: false, disabled: true }, 'Turned off'],
    ] as const) {
      await change.editChannel(id, { settings });
      await at.open('checks');
      await expect.poll(() => cellOf('Plain').textContent()).toMatch(/^(1 of 2|2 of 3) works?/);
      const names = await cellOf('Plain').locator('> span').getAttribute('title');
      expect(names).toContain(`Rota: ${words}`);
    }
    await change.editChannel(id, { settings: { disabled: false } });
  });
});
