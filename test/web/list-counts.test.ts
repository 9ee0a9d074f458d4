/** What the list counts while it is filtered, and the checks that notify nobody, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('filters of the list', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const email = { kind: 'email', name: 'On call', value: 'ops@example.org' };
    await at.owner.post(`/web/in/${at.project}/channels`, email);
    for (const name of ['Backup', 'Mirror', 'Restore']) {
      const { uuid } = await at.knell.create({ name, tags: 'prod', channels: '*' });
      await at.knell.request(`/ping/${uuid}${name === 'Mirror' ? '/fail' : ''}`);
    }
    const { uuid } = await at.knell.create({ name: 'Report', tags: 'billing', channels: '' });
    await at.knell.request(`/ping/${uuid}/7`);
    await at.open('checks');
  });
  afterAll(() => at?.stop());

  const part = (status: string) => at.page.locator(`.summary .${status} .count`);
  const rows = () => at.page.locator('.row .what').allTextContents();

  test('count by status what the tag and the search find, whichever status is chosen', async () => {
    await expect.poll(() => part('down').textContent()).toBe('2');
    await at.page.getByRole('button', { name: 'prod 3' }).click();
    await expect.poll(() => part('down').textContent()).toBe('1 of 2');
    await expect.poll(() => part('up').textContent()).toBe('2 of 2');
    await at.page.locator('.summary button.down').click();
    await expect.poll(async () => (await rows()).length).toBe(1);
    await expect.poll(() => part('up').textContent()).toBe('2 of 2');
    await at.page.getByRole('searchbox', { name: 'Search checks' }).fill('restore');
    await expect.poll(() => part('down').textContent()).toBe('0 of 2');
    await expect.poll(() => part('up').textContent()).toBe('1 of 2');
    await at.page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect.poll(() => part('down').textContent()).toBe('2');
  });

  test('count and find a run of a check that is down among those that are running', async () => {
    const { uuid } = await at.knell.create({ name: 'Model training', tags: 'ml', channels: '*' });
    for (const action of ['/fail', '/start']) await at.knell.request(`/ping/${uuid}${action}`);
    const running = at.page.locator('.summary button.running');
    await expect.poll(() => running.locator('.note').textContent()).toBe('1 down or late');
    await expect.poll(() => part('running').textContent()).toBe('1');
    await running.click();
    await expect.poll(async () => (await rows()).length).toBe(1);
    await at.page.locator('.row.down', { hasText: 'Model training' }).waitFor();
    await at.page.goto(`${at.knell.app.httpUrl}/projects`);
    await at.page.getByRole('link', { name: /^1 running in /i }).click();
    await at.page.locator('.row.down', { hasText: 'Model training' }).waitFor();
    await expect.poll(async () => (await rows()).length).toBe(1);
    await at.page.goto(`${at.knell.app.httpUrl}/wall`);
    await expect.poll(() => at.page.locator('.counts .running strong').textContent()).toBe('1');
    await at.open('checks?status=running');
    await expect.poll(async () => (await rows()).length).toBe(1);
    await at.knell.request(`/ping/${uuid}`);
    await expect.poll(async () => (await rows()).length).toBe(0);
    await expect.poll(() => running.locator('.note').textContent()).toBe('None');
    await running.click();
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    await expect.poll(async () => (await rows()).length).toBe(4);
  });

  test('show what notifies nobody, in the matrix and in the list', async () => {
    await at.page.getByRole('link', { name: 'Choose' }).click();
    await at.page.locator('.matrix-row').waitFor();
    await expect.poll(() => at.page.locator('.matrix-row .name').allTextContents()).toEqual(['Report']);
    await at.page.getByRole('button', { name: '1 notifies nobody' }).click();
    await expect.poll(() => at.page.locator('.matrix-row').count()).toBe(4);
    await at.open('checks?notifies=nobody');
    await expect.poll(async () => (await rows()).length).toBe(1);
    await at.page.locator('.row', { hasText: 'Report' }).getByText('Exit status 7').first().waitFor();
    await expect.poll(() => part('down').textContent()).toBe('1 of 2');
    await at.page.getByRole('button', { name: 'Notify nobody' }).click();
    await expect.poll(async () => (await rows()).length).toBe(4);
  });

  test('are grouped and sorted as they were, unless the address says how', async () => {
    const group = () => at.page.getByRole('button', { name: /^Group:/ });
    const said = async () => [await group().textContent(), new URL(at.page.url()).search];
    const sort = () => at.page.getByRole('button', { name: /^Sort:/ }).textContent();
    await at.open('checks');
    await expect.poll(said).toEqual(['Group: None', '']);
    await at.page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await at.page.getByRole('link', { name: 'Checks', exact: true }).click();
    await group().click();
    await at.page.getByRole('menuitemradio', { name: 'First tag' }).click();
    await at.page.getByRole('button', { name: /^Sort:/ }).click();
    await at.page.getByRole('menuitemradio', { name: 'Name' }).click();
    await expect.poll(said).toEqual(['Group: First tag', '?sort=name&group=tag']);
    await at.page.getByRole('link', { name: 'Incidents', exact: true }).click();
    await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await at.page.getByRole('link', { name: 'Checks', exact: true }).click();
    await expect.poll(said).toEqual(['Group: First tag', '?sort=name&group=tag']);
    await expect.poll(sort).toBe('Sort: Name');
    await at.open('checks?group=status');
    await expect.poll(said).toEqual(['Group: Status', '?group=status']);
    await expect.poll(sort).toBe('Sort: Status');
    // The way back is to what it was.
    await at.page.goBack();
    for (const _ of [1, 2]) {
      await at.page.getByRole('button', { name: /^Sort: Name/ }).waitFor();
      await at.page.goBack();
      await at.page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
      await at.page.goBack();
    }
    await expect.poll(said).toEqual(['Group: None', '']);
    await at.open('incidents');
    await at.open('checks');
    await expect.poll(said).toEqual(['Group: First tag', '?sort=name&group=tag']);
    await group().click();
    await at.page.getByRole('menuitemradio', { name: 'None' }).click();
    await expect.poll(said).toEqual(['Group: None', '?sort=name']);
    await at.open('checks');
    await expect.poll(said).toEqual(['Group: None', '?sort=name']);
  });

  test('follow what is done to a row while the focus is in it, also in the heads of groups', async () => {
    const { checks } = (await at.knell.api('GET', '/api/v3/checks/?tag=prod')).json();
    const { uuid } = checks.find(({ name }: { readonly name: string }) => name === 'Backup');
    await at.open('checks?tag=prod&group=tag');
    const head = at.page.locator('.group [title="Paused"]');
    await expect.poll(() => part('paused').textContent()).toBe('0 of 0');
    await at.page.locator('.row', { hasText: 'Backup' }).getByRole('link').first().focus();
    await at.knell.api('POST', `/api/v3/checks/${uuid}/pause`);
    await expect.poll(() => part('paused').textContent()).toBe('1 of 1');
    await expect.poll(() => head.textContent()).toBe('1');
    await at.knell.api('POST', `/api/v3/checks/${uuid}/resume`);
    await expect.poll(() => part('paused').textContent()).toBe('0 of 0');
    await expect.poll(() => head.count()).toBe(0);
    expect(at.complaints).toEqual([]);
  });

  test('put the ring of a row around all of it, and say that nothing is selected', async () => {
    await at.open('checks');
    await at.page.locator('.row').first().waitFor();
    const toast = at.page.locator('.toast', { hasText: 'Select checks first' });
    // The keys are taken a moment after the rows are drawn.
    const said = async (): Promise<number> => {
      await at.page.keyboard.press('b');
      return toast.count();
    };
    await expect.poll(said).toBeGreaterThan(0);
    const chosen = async (): Promise<number> => {
      await at.page.keyboard.press('j');
      return at.page.locator('.row.chosen').count();
    };
    await expect.poll(chosen).toBe(1);
    const style = (what: string) =>
      at.page
        .locator(what)
        .evaluate((one: Json) => one.ownerDocument.defaultView.getComputedStyle(one).outlineStyle);
    await expect.poll(() => style('.row.chosen')).toBe('solid');
    await expect.poll(() => style('.row.chosen .what > a')).toBe('none');
  });
});
