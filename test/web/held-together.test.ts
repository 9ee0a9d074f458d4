/** A check of which several things hold alerts back, in a real browser: its row says each, in the list and to the pointer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a check that is down, and snoozed', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start({}, 'chromium', { timezoneId: 'UTC' });
    for (const name of ['maintained', 'acked']) {
      const { uuid } = await at.knell.create({ name, tags: name, channels: '' });
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.knell.api('POST', `/api/v3/checks/${uuid}/snooze`, { for: 3600 });
      if (name === 'acked') await at.owner.post(`/web/in/${at.project}/api/checks/${uuid}/acknowledge`);
    }
    await at.knell.api('POST', '/api/v3/maintenance/', {
      name: 'Move',
      tags: ['maintained'],
      duration: '2h',
    });
  });
  afterAll(() => at?.stop());

  test.each([1440, 1024, 390])('says what else holds its alerts back, at %i px', async (width) => {
    await at.page.setViewportSize({ width, height: 844 });
    await at.open('checks');
    const held = (name: string) =>
      at.page
        .locator('.row', { hasText: name })
        .locator(`${width < 768 ? '.schedule' : '.state'} .reason-and-held > :last-child`);
    const of = (name: string) => held(name).textContent();
    await expect
      .poll(() => of('maintained'))
      .toMatch(/^Snoozed until .*\d:\d\d.* · In maintenance until .*\d:\d\d/);
    await expect.poll(() => of('acked')).toMatch(/^Snoozed until .*\d:\d\d.* · Acknowledged by ada$/);
    for (const name of ['maintained', 'acked']) {
      await expect.poll(() => held(name).locator('.mark').count()).toBe(2);
      // No sign is by itself in a line.
      const row = at.page.locator('.row', { hasText: name });
      await expect.poll(() => row.locator('.reason > .mark').count()).toBe(0);
    }
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    expect(await at.findings()).toEqual([]);
  });
});
