/** A check that is acknowledged on its page, in a real browser. */
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { NightlyBackup } from '../support/page/nightly-backup.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  const scene = NightlyBackup.forFile();
  beforeAll(() => scene.open());

  test('acknowledges, says who did, and takes it back; its log keeps both', async () => {
    await scene.button('Acknowledge').click();
    await scene.at.page.getByText('Acknowledged by ada').first().waitFor();
    await expect.poll(() => scene.button('Acknowledge').getAttribute('aria-disabled')).toBe('true');
    await scene.lines().getByText('Acknowledged by ada').waitFor();
    await scene.at.page.locator('.now').getByRole('button', { name: 'Withdraw acknowledgement' }).click();
    await expect.poll(() => scene.button('Acknowledge').getAttribute('aria-disabled')).toBe('false');
    await scene.inLog('Acknowledged, snoozed, maintenance').click();
    const said = () => scene.lines().locator('strong').allTextContents();
    await expect.poll(said).toEqual(['Acknowledgement withdrawn by ada', 'Acknowledged by ada']);
    const toast = scene.at.page.locator('.toast', { hasText: 'is not acknowledged any more.' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await scene.at.page.locator('.now').getByText('Acknowledged by ada').waitFor();
    await scene.at.page.locator('.now').getByRole('button', { name: 'Withdraw acknowledgement' }).click();
    await expect.poll(() => scene.button('Acknowledge').getAttribute('aria-disabled')).toBe('false');
  });

  test('offers no way back to who withdraws what another one has acknowledged', async () => {
    const { at, backup } = scene;
    await at.knell.api('POST', `/api/v3/checks/${backup.uuid}/acknowledge`);
    await at.open(`checks/${backup.uuid}`);
    await at.page.locator('.now').getByRole('button', { name: 'Withdraw acknowledgement' }).click();
    const toast = at.page.locator('.toast', { hasText: 'is not acknowledged any more.' });
    await toast.waitFor();
    await expect.poll(() => toast.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('says so once, below the headline, in a line that moves no button', async () => {
    const { at, backup } = scene;
    await at.page.setViewportSize({ width: 320, height: 844 });
    await at.open(`checks/${backup.uuid}`);
    const top = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN;
    const before = await top(at.page.locator('.actions-bar'));
    await at.knell.api('POST', `/api/v3/checks/${backup.uuid}/acknowledge`);
    const said = at.page.locator('.now').getByText(/^Acknowledged by API key/);
    await said.waitFor();
    expect(await top(said)).toBeGreaterThan(await top(at.page.locator('.now .big')));
    expect(await top(at.page.locator('.actions-bar'))).toBe(before);
    await expect.poll(() => at.page.locator('.now').getByText('Acknowledged by').count()).toBe(1);
    await at.page
      .locator('.now .strip-line')
      .getByText(/^Last run/)
      .waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings('.now')).toEqual([]);
  });

  test('names who did on a phone, however long the name is, in lines whose space is there before', async () => {
    const { at, backup } = scene;
    const name = 'night-shift-operators@northwind.example.com';
    const path = (action: string) => `/api/v3/checks/${backup.uuid}/${action}`;
    await at.knell.api('POST', path('unacknowledge'));
    // As if that were the name of who looks, and acknowledges.
    await at.page.route('**/web/state', async (route) => {
      const answer = await route.fetch();
      const state = await answer.json();
      await route.fulfill({ response: answer, json: { ...state, user: { ...state.user, name } } });
    });
    await at.page.routeWebSocket('**/web/live*', (page) => {
      page.connectToServer().onMessage((message) => page.send(String(message).replaceAll('API key', name)));
    });
    for (const width of [390, 320]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open(`checks/${backup.uuid}`);
      await at.page.locator('.now .last-output').waitFor();
      const bar = at.page.locator('.actions-bar');
      const before = await bar.boundingBox();
      await at.knell.api('POST', path('acknowledge'));
      const line = at.page.locator('.now .taken');
      await line.getByText(name).waitFor();
      expect((await line.textContent())?.trim()).toMatch(/^Acknowledged by \S+, \S+\s[AP]M\./);
      const cut = await line.evaluate((node: Json) =>
        [node, ...node.querySelectorAll('span')].some(
          (one: Json) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0,
        ),
      );
      expect(cut).toBe(false);
      expect(await bar.boundingBox()).toEqual(before);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await at.knell.api('POST', path('unacknowledge'));
      await at.page.locator('.now .taken').waitFor({ state: 'detached' });
    }
    await at.page.unroute('**/web/state');
  });

  scene.endsWithoutComplaints();
});
