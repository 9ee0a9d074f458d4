/** An incident that is over, in a real browser: why it was, with the output of the run that failed, and nothing that can no longer be done. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('an incident that is over', () => {
  let at: OwnerBrowser;
  let failed: Json;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    failed = await at.knell.create({ name: 'backup', channels: '' });
    await at.knell.request(`/ping/${failed.uuid}`, { method: 'POST', body: 'copied 9 of 9' });
    await ended(failed.uuid, '/3', 'fatal: no space left on device\ncopied 3 of 9');
  });
  afterAll(() => at?.stop());

  const ended = async (uuid: string, rest: string, body = ''): Promise<void> => {
    await at.knell.request(`/ping/${uuid}${rest}`, { method: 'POST', body });
    await at.clock.advance(61_000);
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(1000);
  };
  const incidentOf = async (title: string): Promise<string> => {
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/?state=resolved')).json();
    return incidents.find((one: Json) => one.title.startsWith(title)).id;
  };
  const open = async (title: string): Promise<void> => {
    await at.open(`incidents/${await incidentOf(title)}`);
    await at.page.locator('.timeline').waitFor();
  };
  const was = () => at.page.locator('.over-checks .was-down');
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });

  test('says the reason and the output, with the way to the run in the log', async () => {
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await open('backup');
      await was().getByText('fatal: no space left on device').waitFor();
      await expect.poll(() => was().locator('.why').textContent()).toBe('Exit status 3 · Show in the log');
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
    await was().getByRole('link', { name: 'Show in the log' }).click();
    await at.page.getByRole('heading', { level: 1, name: 'backup' }).waitFor();
    await at.page.locator('.log .details', { hasText: 'copied 3 of 9' }).waitFor();
    await open('backup');
    // All of its output is there.
    await expect.poll(() => was().getByRole('link', { name: 'Show all' }).count()).toBe(0);
    await was().getByRole('link', { name: 'Compare' }).click();
    await at.page.locator('.compare').waitFor();
  });

  test('has the note, and no buttons for what cannot be done any more', async () => {
    await open('backup');
    await button('Add note').waitFor();
    for (const name of ['Acknowledge', 'Snooze', 'Maintenance'])
      await expect.poll(() => button(name).count()).toBe(0);
    await at.page.getByLabel('Note for the others').fill('a larger disk is ordered');
    await button('Add note').click();
    await at.page.locator('.said', { hasText: 'a larger disk' }).waitFor();
  });

  test('that opens again while one looks has them, and keeps them when it is over', async () => {
    await open('backup');
    await at.knell.request(`/ping/${failed.uuid}/fail`);
    await button('Acknowledge').waitFor();
    await at.clock.advance(1000);
    await at.knell.request(`/ping/${failed.uuid}`);
    await expect.poll(() => button('Acknowledge').getAttribute('title')).toBe('The incident is resolved');
    await at.page.reload();
    await button('Add note').waitFor();
    await expect.poll(() => button('Acknowledge').count()).toBe(0);
  });

  test('says that its check is down again, with the way to the incident that is open', async () => {
    const { uuid } = await at.knell.create({ name: 'mirror', channels: '', timeout: 30 * 86_400 });
    await ended(uuid, '/fail');
    const past = await incidentOf('mirror');
    await at.clock.advance(3 * 3_600_000);
    await at.knell.request(`/ping/${uuid}/fail`);
    const again = at.page.locator('.over-checks .bad');
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open(`incidents/${past}`);
      await again.getByText(/^It is down again since .*\d/).waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    await again.getByRole('link', { name: 'open incident' }).click();
    await button('Acknowledge').waitFor();
    await at.knell.request(`/ping/${uuid}`);
    await at.open(`incidents/${past}`);
    await at.page.locator('.over-checks .was-down').waitFor();
    await expect.poll(() => again.count()).toBe(0);
  });

  test('says of a ping that did not come that none came', async () => {
    const { uuid } = await at.knell.create({ name: 'heartbeat', channels: '', timeout: 60, grace: 60 });
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(200_000);
    await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(1000);
    await open('heartbeat');
    await expect
      .poll(() => was().locator('.why').textContent())
      .toBe('No ping arrived in time · Show in the log');
    await expect.poll(() => was().locator('.last-output').count()).toBe(0);
  });

  test('that a pause ended is not marked as resolved in the list, and says so', async () => {
    const fails = async (name: string): Promise<string> => {
      const { uuid } = await at.knell.create({ name, channels: '' });
      await at.knell.request(`/ping/${uuid}/fail`);
      await at.clock.advance(61_000);
      return uuid;
    };
    const paused = await fails('attic');
    await at.knell.api('POST', `/api/v3/checks/${paused}/pause`);
    await at.knell.request(`/ping/${await fails('cellar')}`);
    const line = (name: string) => at.page.locator('.incidents > li', { hasText: name });
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('incidents');
      await line('attic').locator('.mark.paused').waitFor();
      await expect.poll(() => line('attic').locator('time').textContent()).toMatch(/, ended by a pause$/);
      await line('cellar').locator('.mark.up').waitFor();
      await expect.poll(() => line('cellar').textContent()).not.toContain('pause');
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
    const listed = (await at.knell.api('GET', '/api/v3/incidents/?q=attic')).json().incidents;
    expect(listed[0]).not.toHaveProperty('endedBy');
  });

  test('says of a check that was deleted that it is, and since when it is not down', async () => {
    const { uuid } = await at.knell.create({ name: 'gone', channels: '' });
    await ended(uuid, '/fail');
    await at.clock.advance(61_000);
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    await open('gone');
    await expect
      .poll(() => at.page.locator('.over-checks li').textContent())
      .toMatch(/^gone ?deleted; no longer down since \S/);
  });

  test('says that an output is no longer stored', async () => {
    const { uuid } = await at.knell.create({ name: 'busy', channels: '' });
    await ended(uuid, '/5', 'gone soon');
    for (let n = 0; n < 1010; n++) await at.knell.request(`/ping/${uuid}`);
    await open('busy');
    await was().getByText('The job reported a failure').waitFor();
    await was().getByText('Its output is no longer stored.').waitFor();
  });
});
