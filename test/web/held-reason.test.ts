/** A check that is down and needs nobody now, in a real browser: its row says why it is down, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a check that is acknowledged or snoozed', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const failed = async (name: string): Promise<string> => {
      const { uuid } = await at.knell.create({ name, channels: '' });
      await at.knell.request(`/ping/${uuid}/fail`);
      return uuid;
    };
    await at.owner.post(`/web/in/${at.project}/api/checks/${await failed('acked')}/acknowledge`);
    await at.knell.api('POST', `/api/v3/checks/${await failed('quiet')}/snooze`, { for: 10_800 });
    const name = 'a run that goes on and on, of a name with two lines';
    const { uuid } = await at.knell.create({ name, timeout: 86_400, grace: 3600, channels: '' });
    await at.knell.request(`/ping/${uuid}/start`);
    await at.clock.advance(90 * 60_000);
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}/acknowledge`);
  });
  afterAll(() => at?.stop());

  test.each([1440, 390])('keeps its reason in the list and on the wall, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    const says = async (words: RegExp) =>
      at.page.getByText(words).filter({ visible: true }).first().waitFor();
    await at.open('checks');
    for (const words of [/The job failed · Acknowledged by ada$/, /The job failed · Snoozed until /])
      await says(words);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
    await at.page.goto(`${at.knell.app.httpUrl}/wall/${at.project}`);
    await says(/The job failed · (?:Acknowledged by ada|Snoozed until)/);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('shows all of it to the pointer', async () => {
    await at.page.setViewportSize({ width: 1440, height: 844 });
    await at.open('checks');
    const cell = at.page.locator('.row', { hasText: 'acked' }).locator('.state');
    await cell.hover();
    await expect.poll(() => cell.getAttribute('title')).toMatch(/^The job failed · Acknowledged by ada\n/);
  });

  /** Of each line, whether anything of it is cut off. */
  const cut = (name: string, cell: string): Promise<readonly boolean[]> =>
    at.page
      .locator('.row', { hasText: name })
      .locator(`${cell} .reason-and-held > *`)
      .evaluateAll((all: Json) =>
        all.map((one: Json) =>
          [one, ...one.querySelectorAll('*')].some(
            ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
          ),
        ),
      );

  test.each([1280, 1440, 1920])(
    'cuts off neither its reason nor who acknowledged it, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('checks');
      const row = at.page.locator('.row', { hasText: 'a run that' });
      await row.waitFor();
      await expect.poll(() => cut('a run that', '.state')).toEqual([false, false]);
      const [box, said] = [
        await row.boundingBox(),
        await row.locator('.state .reason-and-held').boundingBox(),
      ];
      expect(
        (box?.y ?? 0) + (box?.height ?? 0) - (said?.y ?? 0) - (said?.height ?? 0),
      ).toBeGreaterThanOrEqual(2);
      expect((await cut('acked', '.state')).includes(true)).toBe(false);
    },
  );

  test.each([
    [1100, '.state'],
    [1024, '.state'],
    [800, '.state'],
    [390, '.schedule'],
    [320, '.schedule'],
  ])('has a line for each of both, neither cut off, at %i px', async (width, cell) => {
    await at.page.setViewportSize({ width, height: 844 });
    await at.open('checks');
    await at.page.locator('.row', { hasText: 'a run that' }).waitFor();
    for (const name of ['acked', 'quiet', 'a run that']) {
      const row = at.page.locator('.row', { hasText: name });
      const parts = row.locator(`${cell} .reason-and-held > *`);
      await expect.poll(() => parts.filter({ visible: true }).count(), { message: name }).toBe(2);
      const [reason, held] = await Promise.all([parts.nth(0).boundingBox(), parts.nth(1).boundingBox()]);
      expect(held?.y).toBeGreaterThanOrEqual((reason?.y ?? 0) + (reason?.height ?? 0) - 1);
      const [isReasonCut, isHeldCut] = await cut(name, cell);
      expect(isHeldCut).toBe(false);
      // The longest reason does not fit there.
      if (width > 320) expect(isReasonCut).toBe(false);
      // What is seen between them would be at the end of a line.
      const dot = await parts
        .nth(0)
        .locator('> :nth-child(2)')
        .evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).clipPath);
      expect(dot).toBe('inset(50%)');
      const box = await row.boundingBox();
      const title = await row.locator('.what > a').boundingBox();
      expect((title?.y ?? 0) - (box?.y ?? 0)).toBeGreaterThanOrEqual(width < 768 ? 4 : 1);
      expect(
        (box?.y ?? 0) + (box?.height ?? 0) - (held?.y ?? 0) - (held?.height ?? 0),
      ).toBeGreaterThanOrEqual(4);
    }
    const words = at.page.locator('.row', { hasText: 'a run that' }).locator(`${cell} .reason-and-held`);
    await expect.poll(() => words.textContent()).toBe('Running 1 h 30 min, limit 1 h · Acknowledged by ada');
    await expect.poll(() => words.locator('.mark.acknowledged').isVisible()).toBe(true);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });
});
