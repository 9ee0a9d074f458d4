/** Maintenance that is started on the page of an incident, in a real browser: it is said there, in the list, and ended or extended. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

const hour = 3_600_000;

describe.skipIf(browserMissing !== '')('maintenance of an incident', () => {
  const scene = DiskOutage.forFile();

  const windows = async (): Promise<Json> =>
    (await scene.at.knell.api('GET', '/api/v3/maintenance/')).json().maintenance;
  const chosen = async (words: string): Promise<void> => {
    await scene.button('Maintenance').click();
    await scene.at.page.getByRole('menuitem', { name: words }).click();
  };
  const strip = () => scene.at.page.locator('.now .strip-line', { hasText: 'In maintenance until' });
  const line = (words: RegExp) => scene.at.page.locator('.timeline li', { hasText: words });
  const undo = (words: string) =>
    scene.at.page.locator('.toast', { hasText: words }).getByRole('button', { name: 'Undo' });

  test('is said on the page, also after a reload, and the buttons stay where they are', async () => {
    await scene.at.page.setViewportSize({ width: 1440, height: 900 });
    await scene.at.clock.advance(1000);
    await scene.openIncident();
    const before = await scene.places();
    await chosen('Maintenance for 2 hours');
    await strip().waitFor();
    expect(await scene.places()).toEqual(before);
    await scene.openIncident();
    await expect
      .poll(() => strip().textContent())
      .toMatch(/^In maintenance until .* \(Incident: db-1 and 1 more\): failures are not sent\.End now/);
    const checks = scene.at.page.locator('.incident-checks > li');
    await expect.poll(() => checks.locator('.held', { hasText: 'In maintenance until' }).count()).toBe(2);
    await line(/Maintenance of db-1 and app began, until .*: failures are not sent/).waitFor();
    expect(await scene.faults()).toEqual([]);
    await scene.at.page.setViewportSize({ width: 1440, height: 900 });
    await strip().getByRole('link', { name: 'In maintenance' }).click();
    await scene.at.page.getByRole('heading', { name: 'Incident: db-1 and 1 more' }).waitFor();
  });

  test('is extended rather than created anew, with a way back', async () => {
    await scene.openIncident();
    await strip().waitFor();
    const [was] = await windows();
    await scene.button('Maintenance').click();
    await expect
      .poll(() => scene.at.page.getByRole('menuitem').allTextContents())
      .toEqual([
        'End maintenance now',
        'Extend maintenance by 1 hour',
        'Extend maintenance by 2 hours',
        'Extend maintenance by 8 hours',
      ]);
    await scene.at.page.getByRole('menuitem', { name: 'by 8 hours' }).click();
    const untilOf = async () => (await windows()).map(({ until }: Json) => Date.parse(until));
    await expect.poll(untilOf).toEqual([Date.parse(was.until) + 8 * hour]);
    await undo('Maintenance extended: 2 checks until').click();
    await expect.poll(untilOf).toEqual([Date.parse(was.until)]);
  });

  test('that somebody else has just started is not there twice', async () => {
    const [{ uuid }] = await windows();
    await scene.at.knell.api('DELETE', `/api/v3/maintenance/${uuid}`);
    await scene.openIncident();
    await expect.poll(() => strip().count()).toBe(0);
    const of = { name: 'Incident: db-1 and 1 more', checks: [scene.db.uuid] };
    await scene.at.knell.api('POST', '/api/v3/maintenance/', { ...of, duration: '1h' });
    await chosen('Maintenance for 2 hours');
    await strip().waitFor();
    expect(await windows()).toMatchObject([{ checks: [scene.db.uuid, scene.app.uuid], active: true }]);
  });

  test('is said in the list while all that is down in it is in maintenance', async () => {
    const listed = scene.at.page.locator('.incidents .open', { hasText: 'db-1 is down' });
    for (const width of [1440, 390]) {
      await scene.at.page.setViewportSize({ width, height: 844 });
      await scene.at.open('incidents');
      await listed.locator('.maintained', { hasText: /In maintenance until/ }).waitFor();
      expect(await scene.faults()).toEqual([]);
    }
    const [{ uuid }] = await windows();
    await scene.at.knell.api('POST', `/api/v3/maintenance/${uuid}`, { checks: [scene.db.uuid] });
    await scene.at.open('incidents');
    await listed.waitFor();
    await expect.poll(() => listed.locator('.maintained').count()).toBe(0);
  });

  test('is ended in its line and by the menu, which the timeline says', async () => {
    await scene.at.page.setViewportSize({ width: 390, height: 844 });
    await scene.openIncident();
    await expect.poll(() => strip().textContent()).toContain('Of 1 check.');
    await strip().getByRole('button', { name: 'End now' }).press('Enter');
    await expect.poll(() => strip().count()).toBe(0);
    await scene.at.clock.advance(1000);
    await undo('Maintenance ended: db-1').click();
    await strip().waitFor();
    await chosen('End maintenance now');
    await expect.poll(() => strip().count()).toBe(0);
    await scene.at.clock.advance(1000);
    await scene.openIncident();
    await line(/Maintenance of db-1 ended/).waitFor();
    await scene.button('Maintenance').click();
    await scene.at.page.getByRole('menuitem', { name: 'Maintenance for 1 hour' }).waitFor();
    expect(await windows()).toMatchObject([{ active: false }]);
  });
});
