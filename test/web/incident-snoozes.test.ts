/** Snoozes of the checks of an incident in a real browser: lines of its timeline, and the list says that it is snoozed. */
import { describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { DiskOutage } from '../support/page/disk-outage.ts';

describe.skipIf(browserMissing !== '')('an incident whose checks are snoozed', () => {
  const scene = DiskOutage.forFile();

  const snooze = async (uuid: string, action: 'snooze' | 'unsnooze', body = {}) =>
    scene.at.owner.post(`/web/in/${scene.at.project}/api/checks/${uuid}/${action}`, body);
  const line = (words: RegExp) => scene.at.page.locator('.timeline li', { hasText: words });

  test('has a line for each snooze, and for its end', async () => {
    await snooze(scene.db.uuid, 'snooze', { for: 3600 });
    await scene.at.clock.advance(1000);
    await scene.openIncident();
    await line(/ada snoozed db-1 until (?:tomorrow\s)?\d/).waitFor();
    await snooze(scene.db.uuid, 'unsnooze');
    await scene.at.clock.advance(1000);
    await snooze(scene.app.uuid, 'snooze', { for: 60 });
    await scene.at.clock.advance(61_000);
    await scene.openIncident();
    await line(/ada ended the snooze of db-1/).waitFor();
    await line(/The snooze of app ended: its time was over/).waitFor();
    expect(await scene.faults()).toEqual([]);
  });

  test('says until when, and ends it in its line and by the menu, with buttons that stay where they are', async () => {
    await scene.at.page.setViewportSize({ width: 1440, height: 900 });
    await scene.openIncident();
    const before = await scene.places();
    const strip = scene.at.page.locator('.incident .now .strip-line');
    await snooze(scene.db.uuid, 'snooze', { for: 7200 });
    await strip.getByText(/^Snoozed until (?:tomorrow\s)?\d.*\. Of 1 check\.$/).waitFor();
    expect(await scene.places()).toEqual(before);
    await snooze(scene.app.uuid, 'snooze', { for: 3600 });
    await strip.getByText(/^Snoozed until (?:tomorrow\s)?\d[^.]*\.$/).waitFor();
    expect(await scene.faults()).toEqual([]);
    await strip.getByRole('button', { name: 'End the snooze' }).press('Enter');
    await expect.poll(() => strip.count()).toBe(0);
    expect(await scene.held()).toEqual([]);
    await scene.at.page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await strip.waitFor();
    await scene.button('Snooze').click();
    await scene.at.page.getByRole('menuitem', { name: 'End the snooze' }).click();
    await expect.poll(() => strip.count()).toBe(0);
    await scene.button('Snooze').click();
    await scene.at.page.getByRole('menuitem', { name: /1 hour/ }).waitFor();
    await expect.poll(() => scene.at.page.getByRole('menuitem', { name: 'End the snooze' }).count()).toBe(0);
    await scene.at.page.keyboard.press('Escape');
  });

  test('is said to be snoozed in the list while all that is down in it is', async () => {
    const listed = scene.at.page.locator('.incidents .open', { hasText: 'db-1 is down' });
    await snooze(scene.db.uuid, 'snooze', { for: 7200 });
    await scene.at.open('incidents');
    await listed.waitFor();
    await expect.poll(() => listed.locator('.snoozed').count()).toBe(0);
    await snooze(scene.app.uuid, 'snooze', { for: 3600 });
    for (const width of [1440, 390]) {
      await scene.at.page.setViewportSize({ width, height: 844 });
      await scene.at.open('incidents');
      await listed.locator('> .mark.snoozed').waitFor();
      await listed.locator('.snoozed', { hasText: /^ Snoozed until (?:tomorrow\s)?\d/ }).waitFor();
      expect(await scene.faults()).toEqual([]);
    }
  });
});
