/** The page of a check whose alerts are held back, in a real browser: who would be notified, and why nobody was. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';

describe.skipIf(browserMissing !== '')('the page of a check', () => {
  let at: OwnerBrowser;

  beforeAll(async () => {
    at = await OwnerBrowser.start();
    const hook = {
      project: 'default',
      kind: 'ntfy',
      name: 'phone',
      value: '{"topic":"x","url":"https://ntfy.invalid","priority":3}',
    };
    await at.knell.app.admin({ command: 'channel create', args: hook }, () => {});
    const chat = { kind: 'telegram', name: 'chat', value: '{"id":1}' };
    await at.owner.post(`/web/in/${at.project}/channels`, chat);
    const db = await at.knell.create({ name: 'db', slug: 'db', channels: '' });
    const app = await at.knell.create({ name: 'app', slug: 'app', channels: '*', depends_on: 'db' });
    for (const { uuid } of [db, app]) await at.knell.request(`/ping/${uuid}/fail`);
    await at.open(`checks/${app.uuid}`);
  });

  afterAll(() => at?.stop());

  test('says who would be notified, and what holds the alert back', async () => {
    await at.page.getByText('Who would be notified now?').click();
    const card = at.page.locator('.who-is-notified');
    await card
      .getByText(/^It is down, and its alert is held back: it depends on what is down: db\./)
      .waitFor();
    await card.getByText('phone: Notified once nothing holds the alert back.').waitFor();
    await card.getByText('chat: Notified once nothing holds the alert back. But: cannot send.').waitFor();
    expect(await at.findings()).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });

  test('says what does not work by whether an integration is notified, not by its words', async () => {
    await at.page.route('**/alerting', async (route) => {
      const answer = await (await route.fetch()).json();
      for (const one of answer.recipients)
        if (one.name === 'chat') one.text = 'Not yet delivered: it is tried again.';
      await route.fulfill({ json: answer });
    });
    await at.page.reload();
    await at.page.getByText('Who would be notified now?').click();
    const line = at.page.locator('.who-is-notified li', { hasText: 'chat' });
    const words = 'chat: Not yet delivered: it is tried again. But: cannot send.';
    await expect.poll(() => line.textContent()).toBe(words);
    await at.page.unroute('**/alerting');
  });

  test('counts only those that an alert would reach', async () => {
    const { uuid } = await at.knell.create({ name: 'well', channels: '*' });
    await at.knell.request(`/ping/${uuid}`);
    const held = at.page.url();
    await at.open(`checks/${uuid}`);
    await at.page.getByText('Who would be notified now?').click();
    await at.page
      .locator('.who-is-notified')
      .getByText(/^If it went down now, 1 of 2 integrations would be reached: 1 cannot send\.$/)
      .waitFor();
    await at.knell.api('DELETE', `/api/v3/checks/${uuid}`);
    await at.page.goto(held);
  });

  test('says before it is marked as up whom that will not reach', async () => {
    const { uuid } = await at.knell.create({ name: 'lone', channels: '*' });
    await at.knell.request(`/ping/${uuid}/fail`);
    await at.page.setViewportSize({ width: 1200, height: 800 });
    const held = at.page.url();
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Mark as up' }).click();
    const dialog = at.page.getByRole('dialog');
    await dialog.getByText(/^chat \(Telegram\): cannot send/).waitFor();
    await dialog
      .getByText(/^Nobody is notified\.|phone/)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await at.page.goto(held);
  });

  test('says at its head that nobody was notified, and why', async () => {
    const card = at.page.getByRole('region', { name: 'Status' });
    await card
      .getByText('Nobody was notified. Down alert held back: it depends on what is down: db.')
      .waitFor();
  });

  test('has a line in its log that says why nobody was notified', async () => {
    const line = at.page.locator('.log').getByText('Down alert held back · it depends on what is down: db');
    await line.first().waitFor();
    await at.page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
  });

  test('is the last of those that are down in the list, which says why its alert is held back', async () => {
    await at.page.setViewportSize({ width: 1200, height: 800 });
    await at.open('checks');
    await at.page.locator('.row.held').getByText('Held back by db').first().waitFor();
    await at.page.locator('.row:not(.held) + .row.held').waitFor();
  });
});
