/** What the cells of the list say of snoozes, the heads of its groups, and a phone on its side, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the cells of the list', () => {
  let at: OwnerBrowser;
  const uuids = new Map<string, string>();

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { timezoneId: 'UTC' });
    for (const [name, tags] of [
      ['up for long', 'prod backup'],
      ['new for an hour', 'backup'],
    ] as const)
      uuids.set(name, (await at.knell.create({ name, tags, timeout: 86_400 })).uuid);
    await at.knell.request(`/ping/${uuids.get('up for long')}`);
    await snooze('up for long', 6 * day);
    await snooze('new for an hour', hour);
    for (const name of ['down and snoozed', 'down and known']) {
      uuids.set(name, (await at.knell.create({ name })).uuid);
      await at.knell.request(`/ping/${uuids.get(name)}/fail`);
    }
    // Short, since it says less of the same day.
    await snooze('down and snoozed', 5 * minute);
    await at.knell.api('POST', `/api/v3/checks/${uuids.get('down and known')}/acknowledge`);
  }, 60_000);

  afterAll(() => at?.stop());

  const snooze = (name: string, ms: number) =>
    at.knell.api('POST', `/api/v3/checks/${uuids.get(name)}/snooze`, { for: ms / 1000 });
  const row = (name: string) => at.page.locator('.row', { hasText: name });

  test('say until which day a snooze lasts, and the exact time to the pointer', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('checks');
    const cell = row('up for long').locator('.state');
    await expect.poll(() => cell.locator('> :nth-child(2)').textContent()).toMatch(/^Snoozed until \w+ \d+$/);
    await cell.hover();
    await expect
      .poll(() => cell.getAttribute('title'))
      .toMatch(/\nSnoozed until .+ \d+:\d\d:\d\d\sUTC|\nSnoozed until .+\d+:\d\d/);
    await row('new for an hour')
      .getByText(/^Snoozed until .*\d+:\d\d\s[AP]M$/)
      .first()
      .waitFor();
    for (const line of await at.page.locator('.row .state > :nth-child(2)').all())
      expect((await line.boundingBox())?.height).toBeLessThanOrEqual(28);
  });

  test.each([1440, 1280, 1024])(
    'say of what is down until when it is snoozed, or who knows, whole and in a line, at %i px',
    async (width) => {
      const { page } = at;
      await page.setViewportSize({ width, height: 900 });
      await at.open('checks');
      for (const [name, held] of [
        ['down and snoozed', /^Snoozed until (?:tomorrow )?\d+:\d\d\s[AP]M$/],
        ['down and known', /^Acknowledged by API key/],
      ] as const) {
        const line = row(name).locator('.state > :nth-child(2)');
        await expect.poll(() => line.locator('> :last-child').textContent()).toMatch(held);
        const [space, words] = await Promise.all([
          line.boundingBox(),
          line.locator('> :last-child').boundingBox(),
        ]);
        expect(words?.height).toBeLessThan(20);
        if (width >= 1280) expect(words?.y).toBe(space?.y);
        expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(
          (space?.x ?? 0) + (space?.width ?? 0),
        );
        const [needed, has] = await line
          .locator('> :last-child')
          .evaluate((one: Json) => [one.scrollWidth, Math.max(one.clientWidth, one.offsetWidth)]);
        expect(needed).toBeLessThanOrEqual(has);
        await row(name).locator('.state').hover();
        await expect
          .poll(() => row(name).locator('.state').getAttribute('title'))
          .toMatch(/^The job failed · (Snoozed until|Acknowledged by)/);
      }
    },
  );

  test('say on a phone, too, that a check is snoozed which is up or new', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['up for long', 'new for an hour'])
      await row(name).locator('.reason', { hasText: 'Snoozed until' }).waitFor();
  });

  test('are on the first screen of a phone on its side, below one line of counts', async () => {
    await at.owner.post('/web/projects', { name: 'Northwind Traders International' });
    await at.emulateTouch(true);
    await at.page.setViewportSize({ width: 844, height: 390 });
    await at.open('checks');
    const first = await at.page.locator('.row').first().boundingBox();
    expect((first?.y ?? 390) + (first?.height ?? 0)).toBeLessThan(390);
    const tops = await at.page
      .locator('.summary .part')
      .evaluateAll((parts: Json) => parts.map((part: Json) => part.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
    await at.emulateTouch(false);
  });

  test('are in groups by the first tag, which the groups say', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.page.getByRole('button', { name: 'Group: None' }).click();
    await at.page.locator('.menu').getByRole('menuitemradio', { name: 'First tag' }).click();
    for (const name of ['First tag: prod', 'First tag: backup'])
      await at.page.locator('.group', { hasText: name }).waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('have a key that ends a snooze as it begins one, with a way back', async () => {
    await at.open('checks?q=hour');
    await row('new for an hour').waitFor();
    const until = async (): Promise<number> => {
      const { json } = await at.knell.api('GET', `/api/v3/checks/${uuids.get('new for an hour')}/snooze`);
      return Date.parse(json().snoozed?.until ?? '');
    };
    const before = await until();
    await at.page.keyboard.press('j');
    await at.page.keyboard.press('z');
    const toast = at.page.locator('.toast', { hasText: 'new for an hour alerts again.' });
    await toast.waitFor();
    expect(await until()).toBeNaN();
    await toast.getByRole('button', { name: 'Undo' }).click();
    // To the second.
    await expect.poll(async () => Math.abs((await until()) - before)).toBeLessThanOrEqual(1000);
    expect(at.complaints).toEqual([]);
  });
});
