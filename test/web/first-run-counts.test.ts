/** A check whose first ping began a run is running and neither new nor waiting, wherever checks are counted, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a first run that is in flight', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['One', 'Two']) await at.knell.create({ name });
    const resumed = await at.knell.create({ name: 'Resumed' });
    await at.knell.request(`/ping/${resumed.uuid}`);
    for (const action of ['pause', 'resume'])
      await at.knell.api('POST', `/api/v3/checks/${resumed.uuid}/${action}`);
    const { uuid } = await at.knell.create({ name: 'Weekly' });
    await at.knell.request(`/ping/${uuid}/start`);
  });
  afterAll(() => at?.stop());

  const go = (path: string) => at.page.goto(`${at.knell.app.httpUrl}/${path}`);

  test('is among those that run in the list, on the wall and on the page of projects', async () => {
    await at.open('checks');
    const part = (status: string) => at.page.locator(`.summary .part.${status}`);
    await expect.poll(() => part('new').textContent()).toBe('3New, waiting1 waiting');
    await expect.poll(() => part('running').locator('.count').textContent()).toBe('1');
    await go('wall');
    await expect.poll(() => at.page.locator('.counts li.new').textContent()).toMatch(/^3\s*New, waiting$/);
    await expect.poll(() => at.page.locator('.counts .running strong').textContent()).toBe('1');
    await go('projects');
    await at.page.getByRole('link', { name: /^3 New, waiting in / }).waitFor();
    await at.page.getByRole('link', { name: /^1 Running in / }).waitFor();
  });

  test('is counted by the report and the badges as by the list', async () => {
    await go('reports');
    await at.page.getByText('4 checks: 1 running, 2 new, 1 waiting', { exact: true }).waitFor();
    await at.open('badges');
    const row = at.page.locator('.badges li', { hasText: 'All checks' });
    await row.getByText('counts 2 new, 1 waiting as up').waitFor();
  });

  test('is new on its own page since it was created, and its badge is green until the run is over', async () => {
    await at.open('checks');
    await at.page.getByRole('link', { name: 'Weekly' }).first().click();
    await at.page.locator('.card.now', { hasText: / · new since / }).waitFor();
    await at.page.getByText('Until its first run is over, the badge counts it as up.').waitFor();
  });

  test('is running in the palette', async () => {
    await at.page.keyboard.press('Control+k');
    const palette = at.page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('weekly');
    await palette
      .getByRole('option', { name: /Weekly/ })
      .getByText('Running')
      .waitFor();
  });
});
