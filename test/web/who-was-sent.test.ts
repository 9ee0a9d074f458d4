/** "Who would be notified now?" of a check that is down, in a real browser: what its integrations got, at real receivers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('who would be notified of a check that is down', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let uuid = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = ({ path }, response) =>
      void response.writeHead(path.startsWith('/broken') ? 500 : 200).end();
    const env = { KNELL_WEBHOOK_ALLOW: '127.0.0.1' };
    const startMs = Date.UTC(2026, 10, 16, 1, 22);
    at = await OwnerBrowser.start(env, 'chromium', { startMs, timezoneId: 'UTC' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const ids = [
      await add('On call', '/calls', { repeatS: 3600 }),
      await add('Once', '/once'),
      await add('Broken', '/broken'),
      await add('Gone', 'http://10.0.0.1/'),
      await add('Later', '/later', { delayS: 3 * 3600 }),
    ];
    uuid = (await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: ids.join(',') })).uuid;
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  async function add(name: string, path: string, settings: object = {}): Promise<string> {
    const fields = { url_down: path.startsWith('/') ? receiver.url(path) : path };
    const made = { kind: 'webhook', name, fields, checks: 'none', ...settings };
    return (await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id;
  }

  const answer = async (): Promise<Json> =>
    (await at.knell.api('GET', `/api/v3/checks/${uuid}/alerting`)).json();
  const texts = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await answer()).recipients.map(({ name, text }: Json) => [name, text]));
  const card = () => at.page.locator('.who-is-notified');

  async function open(): Promise<void> {
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.open(`checks/${uuid}`);
    await at.page.getByText('Who would be notified now?').click();
  }

  test('says what was delivered, what is tried again, what failed, and what is to come', async () => {
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await texts()).toEqual({
        'On call': 'Notified at 2026-11-16 01:22 UTC. Reminders every hour.',
        Once: 'Notified at 2026-11-16 01:22 UTC. No reminders: its settings ask for none.',
        Broken: 'Not yet delivered: it is tried again.',
        Gone: 'Not notified: it failed, and is not tried again until its address is allowed and it is retried.',
        Later: 'Notified after 3 hours, if the check is still down.',
      });
    });
    await open();
    await card()
      .getByText(/On call: Notified at 1:22\sAM\. Reminders every hour\./)
      .waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('says that it is acknowledged, and what a snooze keeps back', async () => {
    await at.knell.api('POST', `/api/v3/checks/${uuid}/acknowledge`);
    expect(await answer()).toMatchObject({
      text: expect.stringMatching(/ It is acknowledged: no reminders until it is up again\.$/),
    });
    expect((await texts())['On call']).toBe(
      'Notified at 2026-11-16 01:22 UTC; no more, since it is acknowledged.',
    );
    await open();
    await card()
      .getByText(/On call: Notified at 1:22\sAM; no more, since it is acknowledged\./)
      .waitFor();
    // It is so: nothing more goes to it.
    await at.clock.advance(2 * hour + minute);
    expect(receiver.all.filter(({ path }) => path === '/calls').length).toBe(1);
    await at.knell.api('POST', `/api/v3/checks/${uuid}/snooze`, { for: 1800 });
    expect((await answer()).text).toMatch(/after that, who has not been notified yet is\.$/);
    await at.open(`checks/${uuid}`);
    await at.page.locator('.now').getByRole('button', { name: 'End the snooze' }).press('Enter');
    const said =
      'db is not snoozed any more. It is acknowledged: only people who have not had the alert get it.';
    const toast = at.page.locator('.toast', { hasText: said });
    await toast.getByRole('button', { name: 'Undo' }).press('Enter');
    await at.page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor();
    await at.knell.api('POST', `/api/v3/checks/${uuid}/unacknowledge`);
    expect((await texts()).Once).toBe(
      'Notified at 2026-11-16 01:22 UTC, and again after the snooze, if the check is still down.',
    );
    await at.clock.advance(31 * minute);
    await eventually(async () => {
      await at.clock.advance(second);
      expect(receiver.all.filter(({ path }) => path === '/once').length).toBe(2);
    });
  });
});
