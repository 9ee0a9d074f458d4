/** What is said of the alert to an integration that was deleted before it arrived, in a real browser: it is not sent, and that is no trouble. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('an alert to an integration that was deleted', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  let incident = '';
  let integration = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = (_, response) => {
      response.statusCode = 500;
      response.end();
    };
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const fields = { url_down: receiver.url('/pager') };
    const kept = { kind: 'webhook', name: 'pager', fields };
    integration = (await at.owner.post(`/web/in/${at.project}/channels`, kept)).json().id;
    ({ uuid: check } = await at.knell.create({ name: 'db', channels: '*' }));
    await at.knell.request(`/ping/${check}`);
    await at.knell.request(`/ping/${check}/fail`);
    incident = (await at.knell.api('GET', '/api/v3/incidents/')).json().incidents[0].id;
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  test('is given up', async () => {
    await expect.poll(() => receiver.all.length).toBeGreaterThan(0);
    await at.knell.app.admin({ command: 'channel delete', args: { channel: integration } }, () => {});
    const outcomes = async () => {
      await at.clock.advance(60_000);
      const { notifications } = (await at.knell.api('GET', `/api/v3/incidents/${incident}`)).json();
      return notifications.map(({ outcome }: { outcome: string }) => outcome);
    };
    await expect.poll(outcomes).toEqual(['failed']);
    await at.page.clock.setFixedTime(at.clock.nowMs());
  });

  test('is one calm line on the page of its check, and in its log', async () => {
    await at.open(`checks/${check}`);
    const box = at.page.locator('.notified');
    await box.getByText('An integration that was deleted: not sent').waitFor();
    await expect.poll(() => box.getByText(/deleted/).count()).toBe(1);
    await expect.poll(() => box.locator('.bad, button').count()).toBe(0);
    const line = at.page.locator('.log > li', { hasText: 'an integration that was deleted' });
    await expect.poll(() => line.textContent()).toMatch(/an integration that was deleted2 attemptsNot sent$/);
    expect(await at.findings()).toEqual([]);
  });

  test('is one in the timeline of its incident', async () => {
    await at.open(`incidents/${incident}`);
    const line = at.page.locator('.timeline li', { hasText: 'Down alert' });
    await expect.poll(() => line.textContent()).toMatch(/to an integration that was deleted: not sent$/);
    await expect.poll(() => line.getAttribute('class')).not.toContain('wrong');
  });
});
