/** A check that a run took down which did not end in time, in a real browser: every page gives that as the reason. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

const hour = 3_600_000;
const reason = 'The run did not end within the grace time of 1 h';

describe.skipIf(browserMissing !== '')('a run that hangs', () => {
  let at: OwnerBrowser;
  let check: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    check = await at.knell.create({ name: 'dump', channels: '', grace: 3600 });
    await at.knell.request(`/ping/${check.uuid}`);
    await at.clock.advance(hour);
    await at.knell.request(`/ping/${check.uuid}/start`);
    await at.clock.advance(hour + 60_000);
  });
  afterAll(() => at?.stop());

  const text = (words: string) => at.page.getByText(words).filter({ visible: true }).first();
  const incident = async (): Promise<string> =>
    (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;

  test('is the reason on the page of its check and in its log', async () => {
    await at.open(`checks/${check.uuid}`);
    await at.page.locator('.now .why').getByText(`${reason}. Running 1 h 1 min`).waitFor();
    await at.page.locator('#log').getByText('the run did not end within the grace time of 1 h').waitFor();
  });

  test('is the reason in the list, on the wall and of the incident', async () => {
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('checks');
      const row = at.page.locator('.row').getByText('Running 1 h 1 min, limit 1 h');
      await row.filter({ visible: true }).waitFor();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await at.page.goto(`${at.knell.app.httpUrl}/wall/${at.project}`);
    await text('limit 1 h').waitFor();
    await at.open('incidents');
    await at.page.locator('.incidents .why').getByText(reason).waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await at.open(`incidents/${await incident()}`);
    await at.page.locator('.incident-checks .why').getByText(reason).waitFor();
  });

  test('stays the reason when the next run fails, and when all is over', async () => {
    await at.knell.request(`/ping/${check.uuid}/start`);
    await at.clock.advance(1000);
    await at.knell.request(`/ping/${check.uuid}/9`);
    await at.open('checks');
    await text('The run did not end within 1 h').waitFor();
    await at.clock.advance(1000);
    await at.knell.request(`/ping/${check.uuid}`);
    await at.open(`incidents/${await incident()}`);
    await at.page.locator('.was-down .why').getByText(reason).waitFor();
    await at.open('incidents');
    await at.page.locator('.incidents .why').getByText(reason).waitFor();
    await expect.poll(() => at.page.getByText('No ping in time').count()).toBe(0);
  });
});
