/** The uptime of a check that is younger than a range, in a real browser: it is not called that of 30 days. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the uptime of a young check', () => {
  let at: OwnerBrowser;
  let old: Json;
  let young: Json;
  /** Down for three days. */
  let stuck: Json;
  /** As old as the first one, and first pinged today. */
  let dormant: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 40 * day });
    old = await at.knell.create({ name: 'Old', timeout: 60 * 86_400, grace: 3600 });
    await at.knell.request(`/ping/${old.uuid}`);
    dormant = await at.knell.create({ name: 'Dormant', schedule: 'Mon..Fri 18:00', grace: 3600 });
    // Nothing is due in that time, so that the ticks of every second of it need not run.
    at.clock.skip(37 * day);
    await at.clock.advance(minute);
    stuck = await at.knell.create({ name: 'Stuck', timeout: 60 * 86_400, grace: 3600 });
    await at.knell.request(`/ping/${stuck.uuid}/fail`);
    at.clock.skip(3 * day);
    await at.clock.advance(minute);
    // The session of the start is over by now.
    await at.owner.signIn('ada');
    const [name = '', value = ''] = at.owner.cookie.split('=');
    await at.page.context().addCookies([{ name, value, url: at.knell.app.httpUrl }]);
    young = await at.knell.create({ name: 'Young', timeout: 3600, grace: 3600 });
    await at.knell.request(`/ping/${young.uuid}`);
    await at.clock.advance(3 * minute);
    await at.knell.request(`/ping/${young.uuid}/fail`);
    await at.clock.advance(minute);
    await at.page.setViewportSize({ width: 1440, height: 900 });
  }, 120_000);
  afterAll(() => at?.stop());

  const terms = () => at.page.locator('.uptimes dt').allTextContents();

  test('is called since when there is one, on its page', async () => {
    await at.open(`checks/${young.uuid}`);
    await expect.poll(terms).toEqual([expect.stringMatching(/^since (\d|[A-Z])/)]);
    await at.page.locator('.uptimes dd', { hasText: /^75\.\d/ }).waitFor();
    // All there is of it is not said again by its only month; each range of the history has the same figures.
    await at.page.locator('.figures').getByText('Outages').waitFor();
    const shown = at.page.locator('.check .figure', { hasText: '%' }).filter({ visible: true });
    await expect.poll(() => shown.count()).toBe(2);
    await at.page.setViewportSize({ width: 390, height: 900 });
    await expect.poll(() => shown.count()).toBe(2);
    await at.page.locator('.figures').getByText('Downtime').waitFor();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open(`checks/${old.uuid}`);
    await expect.poll(terms).toEqual(['7 days', '30 days', expect.stringMatching(/^since /)]);
    await expect.poll(() => at.page.locator('.months tbody tr').count()).toBeGreaterThan(1);
    expect(await at.findings('.uptimes')).toEqual([]);
  });

  test('of a check that was never pinged is none, and its crontab line goes by its schedule', async () => {
    await at.open(`checks/${dormant.uuid}`);
    await at.page.getByText('Measured from the first ping on.').waitFor();
    expect(await terms()).toEqual([]);
    await at.page.locator('.ping-card .tabs').getByRole('button', { name: 'crontab' }).click();
    await expect
      .poll(() => at.page.locator('.ping-card pre').allTextContents())
      .toContainEqual(expect.stringMatching(/^0 18 \* \* 1-5 {2}curl /));
    await at.knell.request(`/ping/${dormant.uuid}`);
    await at.clock.advance(minute);
    await at.open(`checks/${dormant.uuid}`);
    await expect.poll(terms).toEqual([expect.stringMatching(/^since \d/)]);
  });

  test('and its downtime, of a check that was down all of a range: 24 h are all of them', async () => {
    const downtime = () => at.page.locator('.figures > div', { hasText: 'Downtime' });
    for (const width of [1440, 1024]) {
      await at.page.setViewportSize({ width, height: 900 });
      await at.open(`checks/${stuck.uuid}`);
      await at.page.getByRole('button', { name: '24 h' }).click();
      await expect
        .poll(() => downtime().locator('dt').textContent())
        .toMatch(/^Downtime since (yesterday )?\d/);
      await expect.poll(() => downtime().locator('dd').textContent()).toBe('1 d');
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    // It was not watched for all of that one.
    await at.page.getByRole('button', { name: '7 d', exact: true }).click();
    await expect.poll(() => downtime().locator('dt').textContent()).toBe('Downtime');
  });

  test('and in the list, where an older one has none', async () => {
    await at.open('checks');
    const cell = (name: string) => at.page.locator('.row', { hasText: name }).locator('.uptime');
    await expect.poll(() => cell('Young').textContent()).toMatch(/^60\.\d+ %since /);
    await expect.poll(() => cell('Old').textContent()).toBe('100.0 %');
    await expect.poll(() => cell('Dormant').textContent()).toMatch(/^100\.0 %since \d/);
    for (const width of [1440, 1280, 1200, 1024, 1000]) {
      await at.page.setViewportSize({ width, height: 900 });
      const edges = await cell('Young').evaluate<readonly number[], Json>((one: Json) => [
        one.lastElementChild.getBoundingClientRect().left,
        one.parentElement.querySelector('.runs .columns').getBoundingClientRect().right,
        one.lastElementChild.getBoundingClientRect().right,
        one.firstElementChild.getBoundingClientRect().right,
      ]);
      expect(edges[0], `at ${width} px`).toBeGreaterThanOrEqual((edges[1] ?? 0) + 4);
      expect(edges[2]).toBeLessThanOrEqual((edges[3] ?? 0) + 1);
    }
    await at.page.setViewportSize({ width: 1440, height: 900 });
    expect(await at.findings('.rows')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('of a project says since when it is, where no check of it is older', async () => {
    const { id } = (await at.owner.post('/web/projects', { name: 'Website' })).json();
    const made = (await at.owner.post(`/web/in/${id}/api/checks/`, { name: 'Deploy' })).json();
    await at.knell.request(`/ping/${made.uuid}`);
    await at.clock.advance(minute);
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    const cell = (name: string) => at.page.getByRole('row', { name }).locator('td').nth(7);
    await expect.poll(() => cell('Website').textContent()).toMatch(/^100\.0 %since \d/);
    await expect.poll(() => cell('default').textContent()).toMatch(/^[\d.]+ %$/);
  });

  test('a ping that ended an outage is not called on time', async () => {
    await at.knell.request(`/ping/${young.uuid}`);
    await at.open(`checks/${young.uuid}`);
    await at.page.getByText('Recovered with the last ping').waitFor();
    await at.clock.advance(1000);
    await at.knell.request(`/ping/${young.uuid}`);
    await at.page.getByText('The last ping arrived on time').waitFor();
  });

  test('is not all of it beside a downtime that has just begun', async () => {
    await at.knell.request(`/ping/${old.uuid}/fail`);
    await at.open(`checks/${old.uuid}`);
    await at.page.locator('.figures').getByText('1 s', { exact: true }).waitFor();
    await at.page.locator('.figures', { hasText: '99.99' }).waitFor();
    await expect.poll(() => at.page.locator('.figures, .uptimes', { hasText: '100.0' }).count()).toBe(0);
  });
});
