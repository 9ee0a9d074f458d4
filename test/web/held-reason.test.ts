/** A check that is down and needs nobody now, in a real browser: its row says why it is down, too. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    await at.knell.api('POST', `/api/v3/checks/${await failed('quiet')}/snooze`, { for: 3600 });
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
});
