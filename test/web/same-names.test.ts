/** Integrations of the same name in a real browser: each counts, and each can be told from the others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('integrations of the same name', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  let incident = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = (request, response) => {
      response.statusCode = request.body.includes('bad') ? 500 : 200;
      response.end();
    };
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    for (const topic of ['alpha-good', 'beta-good', 'gamma-bad', 'delta-bad'])
      await at.owner.post(`/web/in/${at.project}/channels`, {
        ...{ kind: 'ntfy', name: '', checks: 'all' },
        fields: { topic, url: receiver.url('').replace(/\/$/, '') },
      });
    ({ uuid: check } = await at.knell.create({ name: 'db', channels: '*', timeout: 86_400 }));
    await at.knell.request(`/ping/${check}`);
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
    await at.page.clock.setFixedTime(at.clock.nowMs());
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  test('are each in the timeline of an incident', async () => {
    const alerts = async (): Promise<readonly string[]> => {
      await at.clock.advance(200);
      await at.open(`incidents/${incident}`);
      await at.page.reload();
      return at.page.locator('.timeline li p:first-child', { hasText: 'Down alert' }).allTextContents();
    };
    await expect
      .poll(async () => (await alerts()).toSorted())
      .toEqual(['Down alert to ntfy (2): delivered', 'Down alert to ntfy (2): failed']);
  });
});
