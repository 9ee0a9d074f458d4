/** The page of a check in a real browser: why it is as it is, its log, and that somebody else deletes it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { isLong } from '../support/long.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  let at: OwnerBrowser;
  const checks: Json[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    const args = { project: 'default', kind: 'ntfy', name: 'On call', value };
    await at.knell.app.admin({ command: 'channel create', args }, () => {});
    for (let n = 0; n < 6; n++)
      checks.push(await at.knell.create({ name: `job ${n}`, tags: `t${'abc'[n % 3]}`, channels: '*' }));
  });

  afterAll(() => at?.stop());

  const rowOf = (name: string) => at.page.getByRole('link', { name, exact: true });
  const ping = (n: number, suffix = '') =>
    at.knell.request(`/ping/${checks[n].uuid}${suffix}`, { method: 'POST' });

  test('says why it is as it is', async () => {
    const open = async (n: number, why: string): Promise<void> => {
      await at.open(`checks/${checks[n].uuid}`);
      await at.page.getByText(why).first().waitFor();
    };
    const act = (n: number, what: string) =>
      at.owner.post(`/web/in/${at.project}/api/checks/${checks[n].uuid}/${what}`);
    await ping(2, '/fail');
    await open(2, 'The job reported a failure');
    await at.page.locator('.now').getByText('· expected every day').waitFor();
    await at.knell.api('POST', `/api/v3/checks/${checks[1].uuid}`, { schedule: '15 2 * * *', tz: 'UTC' });
    await ping(1, '/fail');
    await open(1, 'The job reported a failure');
    await at.page
      .locator('.now')
      .getByText(/· next expected .*2:15/)
      .waitFor();
    await ping(3);
    await act(3, 'pause');
    await act(3, 'resume');
    await open(3, 'Resumed. Alerts');
    await ping(4, '/start');
    await open(4, "Running. You'll be alerted");
    await at.page
      .locator('.now .strip-line')
      .getByText(/^Due by (?:today|tomorrow) /)
      .waitFor();
    const asUp = at.page.getByText('Until its first run is over, the badge counts it as up.');
    await asUp.waitFor();
    await at.knell.api('POST', `/api/v3/checks/${checks[4].uuid}`, { channels: '' });
    const why = () => at.page.locator('.now .why strong').textContent();
    // No integration is notified, so none is promised.
    await expect.poll(why).toBe('Running');
    await ping(5);
    await at.page.goto(at.page.url().replace(checks[4].uuid, checks[5].uuid));
    await at.page.getByText('The last ping arrived on time').waitFor();
    await expect.poll(() => asUp.count()).toBe(0);
    await at.clock.advance(90_000_001);
    await open(5, 'No ping arrived in time');
    // However short it was, it is seen.
    const bar = (await at.page.locator('.strip .down').boundingBox()) ?? { x: 0, width: 0 };
    const strip = (await at.page.locator('.strip').boundingBox()) ?? { x: 0, width: 0 };
    expect(bar.width).toBeGreaterThan(0);
    expect(bar.x + bar.width).toBeLessThanOrEqual(strip.x + strip.width + 0.1);
  });

  test('says nothing untrue between the ping that brings it up and its line in the log', async () => {
    await at.open(`checks/${checks[5].uuid}`);
    const why = at.page.locator('.now .why strong');
    const incident = at.page.locator('.now').getByText('Incident: ');
    await expect.poll(() => why.textContent()).toBe('No ping arrived in time');
    await incident.waitFor();
    let isHeld = true;
    await at.page.route('**/{log,story}', async (route) => {
      await expect.poll(() => isHeld, { timeout: 20_000 }).toBe(false);
      await route.continue();
    });
    await at.owner.post(`/web/in/${at.project}/checks/${checks[5].uuid}/ping`, { mark_up: true });
    await expect.poll(() => why.textContent()).toBe('Recovered with the last ping');
    expect(await incident.all()).toEqual([]);
    isHeld = false;
    await expect.poll(() => why.textContent()).toBe('Marked as up by ada');
    await at.page.unroute('**/{log,story}');
  });

  test('goes with an explanation when somebody deletes it', async () => {
    await at.owner.send('DELETE', `/web/in/${at.project}/api/checks/${checks[5].uuid}`);
    await at.page.getByText('This check was deleted').waitFor();
    await at.page.getByRole('link', { name: 'All checks' }).click();
    await rowOf('job 0').waitFor();
  });

  test.runIf(isLong)('fits into a window of 320 px, as every page does', async () => {
    await at.page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['checks', 'new', 'integrations', 'badges', 'settings', `checks/${checks[0].uuid}`]) {
      await at.open(name);
      expect(await at.overflow(), name).toBeLessThanOrEqual(0);
    }
  });

  test('had nothing to complain of', () => {
    expect(at.complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });
});
