/** Snooze and maintenance of an incident in a real browser, and what the wall and the list say of one that is acknowledged. */
import { beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

describe.skipIf(browserMissing !== '')('incidents', () => {
  const scene = DiskOutage.forFile();
  beforeAll(() => scene.openIncident());

  test('have all of their checks snoozed, and put into maintenance', async () => {
    await scene.pressed('Snooze');
    await scene.at.page.getByRole('menuitem', { name: 'Snooze for 1 hour' }).click();
    await scene.text(/^2 checks snoozed until/).waitFor();
    expect(await scene.held()).toMatchObject([{ snoozed: { by: 'ada' } }, { snoozed: { by: 'ada' } }]);
    await scene.at.page.locator('.toast', { hasText: '2 checks snoozed' }).getByRole('button').click();
    await expect.poll(() => scene.held()).toEqual([]);
    await scene.button('Maintenance').click();
    await scene.at.page.getByRole('menuitem', { name: 'Maintenance for 2 hours' }).click();
    await scene.text(/^Maintenance started: 2 checks until/).waitFor();
    const { maintenance } = (await scene.at.knell.api('GET', '/api/v3/maintenance/')).json();
    expect(maintenance).toMatchObject([
      { name: 'Incident: db-1 and 1 more', checks: [scene.db.uuid, scene.app.uuid], active: true, by: 'ada' },
    ]);
    const { from, until } = maintenance[0];
    expect(Date.parse(until) - Date.parse(from)).toBe(2 * 3_600_000);
  });

  test('say beside the buttons what could not be done', async () => {
    await scene.at.page.route('**/acknowledge', (route) => route.abort());
    await scene.button('Acknowledge').click();
    await scene.at.page.locator('.incident-actions [role=alert]', { hasText: "Can't reach Knell" }).waitFor();
    await scene.at.page.unrouteAll();
    await scene.button('Acknowledge').click();
    await scene.text('Acknowledged by ada,').waitFor();
  });

  test('are on the wall and on the page of all, with who takes care', async () => {
    await scene.at.page.goto(`${scene.at.knell.app.httpUrl}/wall`);
    const wall = scene.at.page.locator('.open-incidents');
    await expect.poll(() => wall.textContent()).toMatch(/1 incident open, acknowledged.*Acknowledged by ada/);
    await scene.at.open('checks');
    await expect
      .poll(() => scene.at.page.locator('.banner', { hasText: 'incident open' }).textContent())
      .toContain('1 incident open, acknowledged.');
    await scene.at.page.locator('.top nav').getByRole('link', { name: 'Incidents' }).click();
    const open = scene.at.page.locator('.incidents > .acknowledged');
    await expect.poll(() => open.textContent()).toMatch(/2 checks down · .*Acknowledged by ada/);
    expect(await scene.faults()).toEqual([]);
  });
});
