/** Who was notified of a status change, below its line in the log of a check, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('a status change in the log', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const value = '{"topic":"x","url":"https://ntfy.invalid","priority":3}';
    const hook = { project: 'default', kind: 'ntfy', value };
    for (const [name, settings] of Object.entries({
      phone: {},
      dba: { tags: 'db' },
      night: { disabled: true },
    }))
      await at.knell.app.admin({ command: 'channel create', args: { ...hook, name, ...settings } }, () => {});
    const net = await at.knell.create({ name: 'net', slug: 'net', channels: '' });
    const app = await at.knell.create({ name: 'app', slug: 'app', channels: '*', depends_on: 'net' });
    await at.knell.request(`/ping/${app.uuid}`);
    await at.clock.advance(60_000);
    for (const { uuid } of [net, app]) await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(60_000);
    await at.knell.request(`/ping/${app.uuid}`);
    await at.open(`checks/${app.uuid}`);
  });

  afterAll(() => at?.stop());

  test('says what became of it, of each integration, and why', async () => {
    const line = at.page.locator('.log .change.to-down');
    await line.getByRole('button', { name: 'Who was notified?' }).click();
    const said = line.locator('.was-notified');
    await said.getByText(/it was down\. Nobody was notified of that\.$/).waitFor();
    await said.getByText(/^Held back at .*: it depends on what is down: net\.$/).waitFor();
    await said.getByText(/^phone: Not sent: it was held back, and the check was up at /).waitFor();
    await said.getByText('dba: Not notified: it was only for checks tagged db.').waitFor();
    await said.getByText('night: Not notified: it was turned off.').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('is shown and hidden by a click on its line, on a phone too', async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    const line = at.page.locator('.log .change.to-up').first();
    await line.locator('.said').click();
    await line
      .locator('.was-notified')
      .getByText(/it was up\. /)
      .waitFor();
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await line.getByRole('button', { name: 'Who was notified?' }).click();
    await line.locator('.was-notified').waitFor({ state: 'detached' });
  });

  test('has a button as high as a finger, in lines that are no higher for it', async () => {
    const line = at.page.locator('.log .change.to-up').first();
    const button = line.getByRole('button', { name: 'Who was notified?' });
    await button.scrollIntoViewIfNeeded();
    const height = await button.evaluate((own: Json) => {
      const { left, top } = own.getBoundingClientRect();
      const isOwn = (y: number) => own.ownerDocument.elementFromPoint(left + 20, y) === own;
      const ys = Array.from({ length: 120 }, (_, y) => top - 60 + y);
      return ys.filter(isOwn).length;
    });
    expect(height).toBeGreaterThanOrEqual(40);
    expect((await button.boundingBox())?.height).toBeLessThanOrEqual(22);
  });

  test('has no such button where nobody is notified of it', async () => {
    const first = at.page.locator('.log .change').last();
    await first.getByText('New').waitFor();
    await first.getByRole('button').waitFor({ state: 'detached' });
  });

  test('is said once, by the line of all alerts of a change, of those that were not notified too', async () => {
    const value = '{"topic":"y","url":"https://ntfy.invalid","priority":3}';
    const second = { project: 'default', kind: 'ntfy', name: 'tablet', value };
    await at.knell.app.admin({ command: 'channel create', args: second }, () => {});
    const twice = await at.knell.create({ name: 'twice', channels: '*' });
    await at.knell.request(`/ping/${twice.uuid}/fail`);
    await at.clock.advance(60_000);
    await at.open(`checks/${twice.uuid}`);
    await at.page.locator('.log .sent').getByRole('button', { name: 'Show' }).click();
    const others = at.page.locator('.log .others');
    await others.getByText('dba: Not notified: it was only for checks tagged db.').waitFor();
    await expect
      .poll(() => others.locator('li strong').allTextContents())
      .toEqual(expect.not.arrayContaining(['phone', 'tablet']));
    await expect.poll(() => at.page.getByRole('button', { name: 'Who was notified?' }).count()).toBe(0);
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    // Where the alerts are not listed, the change says it.
    await at.page.getByLabel('Filter the log').filter({ visible: true }).selectOption('Status');
    await at.page.getByRole('button', { name: 'Who was notified?' }).waitFor();
  });
});
