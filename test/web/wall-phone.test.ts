/** The wall view in the hand, in a real browser: all of it is there, its rows are links to their checks, and it says what is in maintenance. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const count = 14;

describe.skipIf(browserMissing !== '')('the wall view', () => {
  let at: OwnerBrowser;
  let late = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    for (let n = 0; n < count; n++) {
      const { uuid } = await at.knell.create({ name: `job ${n}` });
      await at.knell.request(`/ping/${uuid}/fail`);
    }
    ({ uuid: late } = await at.knell.create({ name: 'late job', timeout: 60, grace: 3600 }));
    await at.knell.request(`/ping/${late}`);
    await at.clock.advance(600_000);
  }, 60_000);

  afterAll(() => at?.stop());

  const wall = () => at.page.goto(`${at.knell.app.httpUrl}/wall/${at.project}`);
  const rows = () => at.page.locator('.troubled li');

  test('scrolls on a phone, and has all that is down or late', async () => {
    await at.emulateTouch(true);
    for (const [width, height] of [
      [390, 844],
      [844, 390],
    ] as const) {
      await at.page.setViewportSize({ width, height });
      await wall();
      await expect.poll(() => rows().count()).toBe(count + 1);
      await rows().last().scrollIntoViewIfNeeded();
      const last = await rows().last().boundingBox();
      expect((last?.y ?? height) + (last?.height ?? 0)).toBeLessThanOrEqual(height);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
  });

  test('has the whole name of a project on a phone', async () => {
    await at.owner.post(`/web/in/${at.project}/rename`, { name: 'Northwind Traders' });
    const name = at.page.getByRole('heading', { name: 'Northwind Traders' });
    for (const width of [320, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await wall();
      await name.waitFor();
      const isCut = () => name.evaluate((one) => one.scrollWidth > one.clientWidth);
      expect(await isCut()).toBe(false);
      await at.page.context().setOffline(true);
      await at.page.getByText(/^Offline, data from/).waitFor();
      expect(await isCut()).toBe(false);
      await at.page.context().setOffline(false);
    }
  });

  test('shows the way back where there is no Escape', async () => {
    const back = at.page.getByRole('link', { name: 'Back to the checks' });
    await back.getByText('Checks').waitFor();
    await at.emulateTouch(false);
    await back.getByText('Checks').waitFor({ state: 'hidden' });
  });

  test('has rows that lead members to their checks', async () => {
    await at.page.setViewportSize({ width: 1280, height: 720 });
    await wall();
    await rows()
      .first()
      .click({ position: { x: 1000, y: 30 } });
    await at.page.waitForURL(/\/project\/[^/]+\/checks\/[0-9a-f-]{36}$/);
    await at.page.getByRole('heading', { level: 1, name: /^job \d+$/ }).waitFor();
  });

  test('has no such links for those who have its link only', async () => {
    await at.open('settings');
    await at.page.getByRole('button', { name: 'Create wall link' }).click();
    const link = (await at.page.locator('.shown-once pre').textContent()) ?? '';
    await at.page.goto(link);
    await rows().first().waitFor();
    await expect.poll(() => at.page.locator('.wall').getByRole('link').count()).toBe(0);
  });

  test('says what is in maintenance, as the list does, and takes it for handled', async () => {
    await wall();
    // It was without a network before, and the browser may say so late.
    at.complaints.splice(0);
    const line = rows().filter({ hasText: 'late job' });
    await at.page.setViewportSize({ width: 390, height: 844 });
    await line.getByText(/^Goes down/).waitFor();
    const window = { name: 'Move', checks: [late], duration: '2h' };
    await at.owner.post(`/web/in/${at.project}/maintenance`, window);
    await line.getByText(/^In maintenance until/).waitFor();
    await expect.poll(() => line.getAttribute('class')).toBe('late held');
    expect(at.complaints).toEqual([]);
  });
});
