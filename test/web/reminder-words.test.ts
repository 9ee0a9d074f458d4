/** A reminder has one name in a real browser: in the log of its check, in the timeline of its incident, and at its integration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a reminder', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.owner.post(`/web/in/${at.project}/channels`, {
      ...{ kind: 'webhook', name: 'pager', repeatS: 3600 },
      fields: { url_down: receiver.url('/pager') },
    });
    ({ uuid: check } = await at.knell.create({ name: 'db', channels: '*', timeout: 86_400 }));
    await at.knell.request(`/ping/${check}`);
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
    await sent(1);
    await at.clock.advance(61 * minute);
    await sent(2);
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  /** Once that many are in the log. */
  const sent = (count: number) =>
    eventually(async () => {
      await at.clock.advance(200);
      const { notifications } = (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json();
      expect(notifications).toHaveLength(count);
      expect(notifications[0]).not.toHaveProperty('reminder');
    });

  async function hasBoth(): Promise<void> {
    await at.open('integrations');
    const table = at.page.getByRole('table', { name: 'Last notifications of pager' });
    const cells = table.locator('td:nth-child(2)');
    await expect.poll(() => cells.allTextContents()).toEqual(['Reminder: db', 'Down: db']);
  }

  test('is called so in the timeline of its incident, as in the log of its check', async () => {
    await at.open(`incidents/${incident}`);
    const line = (words: string) => at.page.locator('.timeline li', { hasText: words });
    await line('Reminder to pager (Webhook): delivered').waitFor();
    await line('Down alert to pager (Webhook): delivered').waitFor();
    await at.open(`checks/${check}`);
    await at.page.locator('.log li', { hasText: 'Reminder' }).waitFor();
  });

  test('is called so at its integration, also after a restart of the server', async () => {
    await hasBoth();
    await at.page.locator('.integration .last', { hasText: 'Reminder: db' }).waitFor();
    await at.knell.restart();
    await hasBoth();
  });
});
