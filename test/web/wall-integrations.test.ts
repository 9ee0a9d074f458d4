/** What the wall view says of integrations, in a real browser: how many fail and cannot send, and to those who have its link no more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { failingHook } from '../support/page/failing-hook.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the wall view', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await failingHook(at);
  });
  afterAll(() => at?.stop());

  test('counts integrations that fail or cannot send beside the incidents, at every width', async () => {
    for (const width of [390, 1440]) {
      await at.page.setViewportSize({ width, height: 900 });
      await at.page.goto(`${at.knell.app.httpUrl}/wall`);
      const strip = at.page.locator('.open-incidents');
      await strip.getByText('1 integration fails, 1 cannot send', { exact: true }).waitFor();
      await strip.locator('.bad .late').getByText('1 cannot send', { exact: true }).waitFor();
      await strip.getByText('1 incident open, not acknowledged', { exact: true }).waitFor();
      // What asks for somebody is the strongest of them.
      const weights = await strip
        .locator('h2')
        .evaluateAll((all: Json) =>
          all.map((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).fontWeight),
        );
      expect(weights).toEqual(['700', '500']);
      const heights = await Promise.all((await strip.locator('h2').all()).map((line) => line.boundingBox()));
      const box = await strip.boundingBox();
      for (const line of heights)
        expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThan((box?.y ?? 0) + (box?.height ?? 0));
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('shows those who have its link the numbers, and no name', async () => {
    await at.open('settings');
    await at.page.getByRole('button', { name: 'Create wall link' }).click();
    const link = new URL((await at.page.locator('.shown-once pre').textContent()) ?? '');
    const answer = await at.knell.request('/web/overview?rows=1', {
      headers: { 'X-Knell-Wall': link.hash.slice(1) },
    });
    const { projects } = answer.json();
    expect(projects).toMatchObject([{ integrations: { failing: 1, unable: 1 } }]);
    expect(JSON.stringify(projects)).not.toMatch(/Hook|Chat|127\.0\.0\.1|telegram/);
  });

  test('says nothing of them once all work', async () => {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    for (const { id } of integrations) await at.owner.send('DELETE', `/web/in/${at.project}/channels/${id}`);
    await at.page.goto(`${at.knell.app.httpUrl}/wall`);
    await at.page.locator('.open-incidents').getByText('1 incident open, not acknowledged').waitFor();
    await expect.poll(() => at.page.locator('.open-incidents h2').count()).toBe(1);
  });
});
