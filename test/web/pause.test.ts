/** A pause of checks that are down, in a real browser: it asks before it ends their outages, and offers to resume. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(browserMissing !== '')('a pause', () => {
  let at: OwnerBrowser;
  const uuids: string[] = [];

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1280, height: 800 });
    for (const name of ['Backup', 'Mirror', 'Report']) uuids.push((await at.knell.create({ name })).uuid);
    await fail();
    await at.knell.request(`/ping/${uuids[2]}`);
  });
  afterAll(() => at?.stop());

  async function fail(): Promise<void> {
    for (const uuid of uuids.slice(0, 2)) await at.knell.request(`/ping/${uuid}/fail`);
  }
  const statuses = (): Promise<string[]> =>
    Promise.all(
      uuids.map(async (uuid) => (await at.knell.api('GET', `/api/v3/checks/${uuid}`)).json().status),
    );
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const dialog = (name: string) => at.page.getByRole('dialog', { name });
  const toast = (text: string) => at.page.locator('.toast', { hasText: text });

  const lastChange = () =>
    at.page
      .locator('li.change .said')
      .first()
      .textContent()
      .then((text) => text?.trim());

  test('of several says how many are down, and what that ends', async () => {
    await at.open('checks');
    for (const name of ['Backup', 'Mirror', 'Report']) await at.page.getByLabel(`Select ${name}`).click();
    const bulk = (name: string) => at.page.locator('.bulk').getByRole('button', { name });
    await bulk('Pause').click();
    await dialog('Pause 3 checks?').getByText('2 of them are down: their outages end').waitFor();
    expect(await at.findings()).toEqual([]);
    await dialog('Pause 3 checks?').getByRole('button', { name: 'Cancel' }).click();
    await dialog('Pause 3 checks?').waitFor({ state: 'hidden' });
    expect(await statuses()).toEqual(['down', 'down', 'up']);
    await bulk('Pause').click();
    await dialog('Pause 3 checks?').getByText('After Resume they wait').waitFor();
    // Not the first moment: a second press would be taken for an answer.
    await eventually(async () => {
      await at.page.keyboard.press('Enter');
      expect(await statuses()).toEqual(['paused', 'paused', 'paused']);
    });
    const paused = '3 checks paused. They alert no more until they are resumed and pinged.';
    await toast(paused).getByRole('button', { name: 'Resume' }).click();
    await toast('3 checks resumed. Alerts of each start after its next ping.').waitFor();
    expect(await statuses()).toEqual(['new', 'new', 'new']);
    await expect.poll(() => toast('Undone').count()).toBe(0);
  });

  test('of one asks only while that is down, and its page says that it waits', async () => {
    await fail();
    await at.open(`checks/${uuids[0]}`);
    await button('Pause').click();
    await dialog('Pause Backup?').getByText('It is down: its outage ends').waitFor();
    expect(await at.findings()).toEqual([]);
    await at.page.keyboard.press('Escape');
    await dialog('Pause Backup?').waitFor({ state: 'hidden' });
    expect((await statuses())[0]).toBe('down');
    await at.knell.request(`/ping/${uuids[0]}`);
    await at.page.getByText(/ · up since /).waitFor();
    await at.clock.advance(1_000);
    const before = (await at.knell.api('GET', `/api/v3/checks/${uuids[0]}`)).json();
    await button('Pause').click();
    await toast('Backup paused. It alerts no more until').getByRole('button', { name: 'Undo' }).click();
    await toast('Undone').waitFor();
    const after = (await at.knell.api('GET', `/api/v3/checks/${uuids[0]}`)).json();
    expect([after.status, after.next_ping]).toEqual(['up', before.next_ping]);
    await expect.poll(lastChange).toMatch(/^Paused→?to ?Up · resumed by hand/);
    await at.clock.advance(1_000);
    await button('Pause').click();
    await toast('Backup paused.').getByRole('button', { name: 'Undo' }).waitFor();
    await button('Resume').click();
    await at.page.getByText(/ · waiting for a ping since /).waitFor();
    await at.clock.advance(1_000);
    await expect.poll(lastChange).toMatch(/^Paused→?to ?Waiting for a ping · resumed by hand/);
    await at.knell.request(`/ping/${uuids[0]}`);
    await expect.poll(lastChange).toMatch(/^Waiting for a ping→?to ?Up/);
    const spans = at.page.locator('.band title');
    await expect
      .poll(() => spans.allTextContents())
      .toContainEqual(expect.stringMatching(/^Waiting for a ping: /));
    expect(at.complaints).toEqual([]);
  });

  test('of one that was never pinged leaves it new', async () => {
    const { uuid } = await at.knell.create({ name: 'Fresh' });
    await at.knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    await at.clock.advance(1_000);
    await at.knell.api('POST', `/api/v3/checks/${uuid}/resume`);
    await at.open(`checks/${uuid}?log=status`);
    await expect.poll(lastChange).toMatch(/^Paused→?to ?New · resumed by hand/);
    await at.clock.advance(1_000);
    await at.knell.request(`/ping/${uuid}`);
    await expect.poll(lastChange).toMatch(/^New→?to ?Up/);
    await at.page
      .locator('.band title', { hasText: /^New: / })
      .first()
      .waitFor({ state: 'attached' });
  });
});
