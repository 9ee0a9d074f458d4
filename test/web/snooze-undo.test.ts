/** What is sent when a snooze is undone in a real browser, and when it is ended on purpose, to a real receiver. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a snooze of a check that is down', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  const uuids: string[] = [];

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const url = receiver.url('/hook');
    const value = JSON.stringify({
      ...{ url_down: url, url_up: url, method_down: 'POST', method_up: 'POST' },
      ...{ body_down: '$NAME DOWN', body_up: '$NAME UP', headers_down: {}, headers_up: {} },
    });
    const args = { project: 'default', kind: 'webhook', name: 'ops', value, repeatS: 3600 };
    await at.knell.app.admin({ command: 'channel create', args }, () => {});
    for (const name of ['Invoices', 'Orders', 'Stock']) {
      const spec = { name, channels: '*', timeout: 86_400, grace: 3600 };
      uuids.push((await at.knell.create(spec)).uuid);
    }
    await at.page.setViewportSize({ width: 1440, height: 900 });
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  /** All are up, then the first two down, and nothing is on its way. */
  beforeEach(async () => {
    for (const uuid of uuids) await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(60_000);
    const before = sent().length;
    for (const uuid of uuids.slice(0, 2)) await at.knell.request(`/ping/${uuid}/fail`);
    await receiver.until(before + 2);
    await at.clock.advance(60_000);
  });

  const sent = () => receiver.all.map(({ body }) => body);
  const toast = (words: string | RegExp) => at.page.locator('.toast', { hasText: words });
  const undo = async (words: string): Promise<void> => {
    await toast(words).getByRole('button', { name: 'Undo' }).click();
    await toast('Undone: ').waitFor();
  };
  const snoozed = async (): Promise<number> => {
    const { rows } = (await at.owner.get(`/web/in/${at.project}/list`)).json();
    return rows.filter((row: { snoozedUntilMs: number | null }) => row.snoozedUntilMs !== null).length;
  };
  const pick = async (...names: readonly string[]): Promise<void> => {
    await at.open('checks');
    for (const name of names) await at.page.getByLabel(`Select ${name}`).click();
  };
  const bulk = async (item: string): Promise<void> => {
    await at.page.locator('.bulk').getByRole('button', { name: 'Snooze' }).click();
    await at.page.getByRole('menuitem', { name: item }).click();
  };
  const onPage = async (item: string): Promise<void> => {
    await at.page.getByRole('button', { name: 'Snooze', exact: true }).click();
    await at.page.getByRole('menuitem', { name: item }).click();
  };

  test('that is undone sends nothing again, and reminders go on', async () => {
    await at.open(`checks/${uuids[0]}`);
    const before = sent().length;
    await onPage('Snooze for 1 hour');
    await undo('Invoices snoozed until');
    await expect.poll(snoozed).toBe(0);
    await at.clock.advance(1_800_000);
    expect(sent().slice(before)).toEqual([]);
    await at.clock.advance(1_900_000);
    await receiver.until(before + 2);
    expect(sent().slice(before).toSorted()).toEqual(['Invoices DOWN', 'Orders DOWN']);
  });

  test('of several that is undone sends nothing again either', async () => {
    await pick('Invoices', 'Orders', 'Stock');
    const before = sent().length;
    await bulk('Snooze for 1 hour');
    await undo('3 checks snoozed until');
    await expect.poll(snoozed).toBe(0);
    await at.clock.advance(1_800_000);
    expect(sent().slice(before)).toEqual([]);
  });

  test('that kept something back sends that, also where it is undone', async () => {
    await at.open(`checks/${uuids[2]}`);
    const before = sent().length;
    await onPage('Snooze for 1 hour');
    await toast('Stock snoozed until').waitFor();
    await at.knell.request(`/ping/${uuids[2]}/fail`);
    await undo('Stock snoozed until');
    await receiver.until(before + 1);
    expect(sent().slice(before)).toEqual(['Stock DOWN']);
  });

  test('that somebody ends notifies again', async () => {
    await at.open(`checks/${uuids[0]}`);
    const before = sent().length;
    await onPage('Snooze for 1 hour');
    await at.page.locator('.now').getByRole('button', { name: 'End the snooze' }).click();
    await toast('Invoices alerts again. It is down, and notifies again now.').waitFor();
    await receiver.until(before + 1);
    expect(sent().slice(before)).toEqual(['Invoices DOWN']);
  });

  test('of several that somebody ends says how many of them notify again', async () => {
    await pick('Invoices', 'Orders', 'Stock');
    const before = sent().length;
    await bulk('Snooze for 1 hour');
    await toast('3 checks snoozed until').waitFor();
    await bulk('End the snooze');
    await toast('3 checks no longer snoozed. 2 of them are down, and notify again now.').waitFor();
    await receiver.until(before + 2);
    expect(sent().slice(before).toSorted()).toEqual(['Invoices DOWN', 'Orders DOWN']);
  });

  test('is undone by a key; what says so stays while the focus or the pointer is there, and on the way', async () => {
    const { page } = at;
    await page.clock.install();
    const words = /^Invoices snoozed/;
    const snooze = async (): Promise<void> => {
      await at.open('checks?q=invoices');
      await page.getByRole('link', { name: 'Invoices', exact: true }).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('z');
      await page.locator('.toast', { hasText: words }).waitFor();
    };
    const button = page
      .locator('.toast', { hasText: words })
      .getByRole('button', { name: 'Undo', exact: true });
    await snooze();
    await button.locator('kbd').getByText('u').waitFor();
    expect(await at.findings()).toEqual([]);
    await page.keyboard.press('u');
    await toast('Undone: ').waitFor();
    await expect.poll(snoozed).toBe(0);
    await snooze();
    await page.clock.fastForward(8000);
    await page.keyboard.press('Tab');
    await page.clock.fastForward(8000);
    await expect.poll(() => button.count()).toBe(1);
    await button.focus();
    await page.clock.fastForward(30_000);
    await expect.poll(() => button.count()).toBe(1);
    await button.hover();
    await page.locator('.row').first().focus();
    await page.clock.fastForward(30_000);
    await expect.poll(() => button.count()).toBe(1);
    await button.click();
    await toast('Undone: ').waitFor();
    await page.mouse.move(5, 5);
    await page.clock.runFor(11_000);
    await expect.poll(() => page.locator('.toast').count()).toBe(0);
  });

  test('that is ended in maintenance does not say so', async () => {
    await pick('Stock');
    await bulk('Snooze for 1 hour');
    await toast('Stock snoozed until').waitFor();
    await at.knell.request(`/ping/${uuids[2]}/fail`);
    const window = { name: 'Move', duration: '1h' };
    expect((await at.knell.api('POST', '/api/v3/maintenance/', window)).status).toBe(201);
    await bulk('End the snooze');
    await toast(/Stock no longer snoozed\.\s*In maintenance until .+, so nothing is sent yet\./).waitFor();
    await expect.poll(() => toast('notifies again').count()).toBe(0);
    await at.open(`checks/${uuids[2]}`);
    await onPage('Snooze for 1 hour');
    await at.page.locator('.now').getByRole('button', { name: 'End the snooze' }).click();
    await toast(
      /Stock is not snoozed any more\.\s*In maintenance until .+, so nothing is sent yet\./,
    ).waitFor();
    await expect.poll(() => toast('alerts again').count()).toBe(0);
  });
});
