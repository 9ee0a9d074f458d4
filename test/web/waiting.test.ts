/** Checks that wait for a ping since they were resumed, in a real browser: they are not called new, and are sorted by their last run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('checks that were resumed', () => {
  let at: OwnerBrowser;

  const create = async (name: string): Promise<string> =>
    (await at.knell.create({ name, timeout: 86_400 })).uuid;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const uuids = [];
    for (const name of ['alpha', 'beta', 'gamma']) {
      const uuid = await create(name);
      await at.knell.request(`/ping/${uuid}`);
      await at.clock.advance(600_000);
      uuids.push(uuid);
    }
    for (const act of ['pause', 'resume']) await at.knell.api('POST', `/api/v3/checks/${uuids[1]}/${act}`);
  }, 60_000);

  afterAll(() => at?.stop());

  const part = () => at.page.locator('.summary .part.new');

  test('are sorted by the last run that they had', async () => {
    await at.open('checks?sort=last');
    const names = at.page.locator('.row .what a');
    await expect.poll(() => names.allTextContents()).toEqual(['gamma', 'beta', 'alpha']);
    await at.open('checks?sort=last&order=desc');
    await expect.poll(() => names.allTextContents()).toEqual(['alpha', 'beta', 'gamma']);
  });

  test('are counted as waiting, also as a group and in the search', async () => {
    await at.open('checks?group=status');
    await expect.poll(() => part().allTextContents()).toEqual(['1WaitingFor a ping']);
    await at.page.getByRole('button', { name: 'Waiting 1' }).waitFor();
    await at.page.keyboard.press('Control+k');
    const palette = at.page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('beta');
    await palette.getByRole('option', { name: /beta/ }).getByText('Waiting for a ping').waitFor();
  });

  test.each(['/wall', '/projects'])('are counted as waiting on %s', async (path) => {
    await at.page.goto(`${at.knell.app.httpUrl}${path}`);
    await at.page.getByText('Waiting', { exact: true }).first().waitFor();
    await expect.poll(() => at.page.getByText('New', { exact: true }).count()).toBe(0);
  });

  test.each([1440, 1024, 390])('are counted apart from new ones, at %i px', async (width) => {
    if (width === 1440) await create('delta');
    await at.page.setViewportSize({ width, height: 900 });
    await at.open('checks');
    await expect.poll(() => part().textContent()).toBe('2New, waiting1 waiting');
    const cut = await part().evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(cut, 'pixels that are cut').toBeLessThanOrEqual(0);
    for (const of of ['.title', '.note'])
      expect(
        await part()
          .locator(of)
          .evaluate((one) => one.scrollWidth - one.clientWidth),
        `pixels of ${of} that are cut`,
      ).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(at.complaints).toEqual([]);
  });
});
