/** A run that began after its time, and checks whose clock is not the reader's: what the list and the page of a check say of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('in Berlin', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { timezoneId: 'Europe/Berlin' });
    await at.page.setViewportSize({ width: 1300, height: 900 });
  });

  afterAll(() => at?.stop());

  const ping = ({ uuid }: Json, rest = '') => at.knell.request(`/ping/${uuid}${rest}`, { method: 'POST' });
  const row = (name: string) => at.page.locator('.row', { hasText: name });
  const state = (name: string) => row(name).locator('.state > *').allTextContents();
  const why = () => at.page.locator('.now .why strong').textContent();

  test('a run that takes many times as long as usual says so in amber on the page of its check', async () => {
    const check = await at.knell.create({ name: 'Slow', timeout: 86_400, grace: 7200 });
    for (let nth = 0; nth < 5; nth++) {
      await ping(check, '/start');
      await at.clock.advance(4 * minute);
      await ping(check);
    }
    await ping(check, '/start');
    await at.clock.advance(41 * minute);
    for (const width of [1300, 390]) {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open(`checks/${check.uuid}`);
      const said = at.page.locator('.now').getByText('10× the usual 4 min').filter({ visible: true });
      await expect.poll(() => said.count()).toBe(1);
      const colour = (of: Json) => of.ownerDocument.defaultView.getComputedStyle(of).color;
      expect(await said.evaluate(colour)).not.toBe(await at.page.locator('.now .big').evaluate(colour));
      expect(await at.findings('.now')).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await at.page.setViewportSize({ width: 1300, height: 900 });
  });

  test('a run that started late is said to run, before and after the check goes down for it', async () => {
    const late = await at.knell.create({ name: 'Started late', timeout: 3600, grace: 1800 });
    const again = await at.knell.create({ name: 'Tried again', timeout: 86_400, grace: 1800 });
    await ping(late);
    await ping(again);
    await at.clock.advance(68 * minute);
    await ping(late, '/start');
    await ping(again, '/3');
    await ping(again, '/start');
    await at.clock.advance(12 * minute + 2000);
    await at.open('checks');
    await expect.poll(() => state('Started late')).toEqual(['Running 12 min', 'Started 8 min late']);
    await expect.poll(() => state('Tried again')).toEqual(['Down for 12 min', 'Exit status 3']);
    await at.open(`checks/${late.uuid}`);
    await at.page.locator('.now .big', { hasText: /^Running 12 min/ }).waitFor();
    await expect.poll(why).toBe('Started 8 min late. The check goes down unless it finishes in time');
    await at.open(`checks/${again.uuid}`);
    await expect.poll(why).toMatch(/^Exit status 3. Running again for 12 min( \d+ s)?$/);
    await at.clock.advance(20 * minute);
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    await at.open('checks');
    await expect.poll(() => state('Started late')).toEqual(['Down for 10 min', 'Running 32 min, 8 min late']);
    await at.open(`checks/${late.uuid}`);
    await expect.poll(why).toMatch(/^Running 32 min( \d+ s)?, started 8 min late$/);
    // Its end makes it one run, whose deadline was missed: not one that failed and one that did not.
    await ping(late);
    const runs = at.page.locator('.figures > div', { hasText: 'Runs, 1 deadline missed' });
    await expect.poll(() => runs.locator('dd').textContent()).toBe('2');
    // One that never began is as before.
    const silent = await at.knell.create({ name: 'Silent', timeout: 60, grace: 60 });
    await ping(silent);
    await at.clock.advance(3 * minute);
    await at.open(`checks/${silent.uuid}`);
    await expect.poll(why).toBe('No ping arrived in time');
  });

  test('a schedule names its zone where that is not the reader’s, and times that are the same are shown once', async () => {
    const cron = { schedule: '15 2 * * *', grace: 3600 };
    const utc = await at.knell.create({ name: 'By UTC', ...cron, tz: 'UTC' });
    const own = await at.knell.create({ name: 'By our clock', ...cron, tz: 'Europe/Berlin' });
    const often = await at.knell.create({ name: 'Often', schedule: '*/5 * * * *', tz: 'UTC' });
    for (const check of [utc, own, often]) await ping(check);
    await at.open('checks');
    const schedule = (name: string) => row(name).locator('.schedule > *').first().textContent();
    // A time does not break before `AM`.
    await expect.poll(() => schedule('By UTC')).toBe('Daily at 2:15\u00a0AM (UTC)');
    await expect.poll(() => schedule('By our clock')).toBe('Daily at 2:15\u00a0AM');
    await expect.poll(() => schedule('Often')).toBe('Every 5 minutes');
    await at.open(`checks/${utc.uuid}`);
    await at.page.getByText('Daily at 2:15 AM (UTC)').waitFor();
    await at.page.getByText('Next runs expected, in your time (Europe/Berlin)').waitFor();
    await at.open(`checks/${own.uuid}`);
    await at.page.getByText('Next runs expected', { exact: true }).waitFor();
    await at.page.getByText('Europe/Berlin · Grace time 1 h').waitFor();
    await at.open('new');
    await at.page.getByLabel('Cron').check();
    const heads = () => at.page.locator('.preview th').allTextContents();
    await expect.poll(heads).toEqual(['Europe/Berlin']);
    await at.page.getByLabel('Time zone').fill('UTC');
    await expect.poll(heads).toEqual(['UTC', 'Your time (Europe/Berlin)']);
    expect(await at.findings()).toEqual([]);
  });
});
