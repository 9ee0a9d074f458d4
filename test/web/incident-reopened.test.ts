/** The list of incidents on a phone, in a real browser: what it says of one that opened again, and that its words are apart. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('an incident that opened again', () => {
  let at: OwnerBrowser;
  let uuid = '';

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    ({ uuid } = await at.knell.create({ name: 'Backup' }));
    await at.knell.request(`/ping/${uuid}/3`);
    await at.clock.advance(180_000);
    await at.knell.request(`/ping/${uuid}`);
    const between = await at.knell.create({ name: 'Sync' });
    await at.knell.request(`/ping/${between.uuid}/fail`);
    await at.clock.advance(60_000);
    await at.knell.request(`/ping/${uuid}/2`);
    await at.clock.advance(103_000);
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.open('incidents');
  });
  afterAll(() => at?.stop());

  const line = () => at.page.locator('.incidents li', { hasText: 'Backup' });
  const when = () => line().locator('.when');

  test('says since when its check is down now, and with which exit status', async () => {
    await expect
      .poll(() => when().textContent())
      .toMatch(/^Exit status 2 · since .+, for.[12].min · Reopened, first down .+ · Nobody was notified$/);
  });

  test('comes before what went down in between, until it is snoozed', async () => {
    const titles = () => at.page.locator('.incidents a').allTextContents();
    await expect.poll(titles).toEqual(['Backup is down', 'Sync is down']);
    const snooze = `/web/in/${at.project}/api/checks/${uuid}/`;
    await at.owner.post(`${snooze}snooze`, { for: 3600 });
    await at.open('incidents');
    await expect.poll(titles).toEqual(['Sync is down', 'Backup is down']);
    await at.owner.post(`${snooze}unsnooze`, {});
  });

  test('has a dot between what shares a line, and none at its end', async () => {
    await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}/snooze`, { for: 3600 });
    await at.open('incidents');
    await line().getByText('Snoozed until').waitFor();
    const shown = (await when().allInnerTexts()).join().replaceAll(/\s*\n\s*/g, '\n');
    expect(shown).toMatch(
      /^Exit status 2\nSince [^·]+\nReopened, first down [^·]+ ·\s+Snoozed until [^·]+ · Nobody was notified$/,
    );
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });

  test('says of how many outages it was once it is over', async () => {
    await at.knell.request(`/ping/${uuid}`);
    await expect.poll(() => when().textContent()).toMatch(/^Exit status 2 · from .+ in 2 outages/);
    expect(at.complaints).toEqual([]);
  });
});
