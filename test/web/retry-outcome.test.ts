/** What a retry of one notification has come to, and where none is offered, in a real browser: at a closed port and at a receiver. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

/** More than the page of integrations shows. */
const manyChecks = 22;

const refused = '127.0.0.1:9 refused the connection';

describe.skipIf(browserMissing !== '')('a retry', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  const ids = new Map<string, string>();
  const checks = new Map<string, string>();

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 2 * hour });
    at.page.setDefaultTimeout(8000);
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const [name, url] of [
      ['closed', 'http://127.0.0.1:9/$NAME'],
      ['open', receiver.url('/$NAME')],
    ] as const) {
      const made = { kind: 'webhook', name, fields: { url_down: url }, checks: 'none' };
      ids.set(name, (await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id);
    }
    for (let n = 0; n < manyChecks; n++) await failing(`check ${n}`, 'closed');
    await failing('held', 'open');
    await failing('arrives', 'open');
    // Logs are written a moment later.
    await at.clock.advance(2000);
  }, 90_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  /** Its alert is blocked, and given up at once. */
  async function failing(name: string, channel: string): Promise<void> {
    const { uuid } = await at.knell.create({ name, timeout: 30 * 86_400, channels: ids.get(channel) });
    checks.set(name, uuid);
    const before = (await integration(channel)).failed;
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration(channel)).toMatchObject({ failed: before + 1 });
    });
  }

  async function integration(name: string): Promise<Json> {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    return integrations.find((one: Json) => one.name === name);
  }

  async function incidentOf(name: string): Promise<string> {
    const { incidents } = (await at.knell.api('GET', `/api/v3/incidents/?q=${name}`)).json();
    return incidents[0].id;
  }

  const line = (name: string) => at.page.getByRole('listitem', { name, exact: true });
  const card = () => at.page.locator('.now .notified');
  const said = (words: string) => at.page.locator('.toasts').getByText(words);
  const checkPage = (name: string) => at.open(`checks/${checks.get(name)}`);

  test('is not offered while its check is snoozed, on any page: only the address can be allowed', async () => {
    await at.knell.api('POST', `/api/v3/checks/${checks.get('held')}/snooze`, { for: 7200 });
    await checkPage('held');
    const log = at.page.locator('.log');
    for (const place of [card(), log]) {
      await place.getByText(/^Snoozed until /).waitFor();
      await place.getByRole('button', { name: 'Allow 127.0.0.1', exact: true }).waitFor();
      await expect.poll(() => place.getByRole('button', { name: /retry/i }).count()).toBe(0);
    }
    await at.open(`incidents/${await incidentOf('held')}`);
    await at.page
      .getByText(/^Snoozed until /)
      .first()
      .waitFor();
    await at.page.getByRole('button', { name: 'Allow 127.0.0.1', exact: true }).waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /retry/i }).count()).toBe(0);
    await at.open('integrations');
    const details = line('open').getByRole('button', { name: /^Details of Down: held/ });
    await details.click();
    await line('open')
      .getByText(/^Given up\. Not sent for now: snoozed until /)
      .waitFor();
    const again = line('open').getByRole('button', { name: /^Retry now Down: held/ });
    await expect.poll(() => again.count()).toBe(0);
    // It is allowed from the page of the check, and nothing is sent by that.
    await checkPage('held');
    await card().getByRole('button', { name: 'Allow 127.0.0.1' }).click();
    await answerYes(at.page, 'Allow');
    await said('This server may send to 127.0.0.1 now.').waitFor();
    expect(receiver.all).toEqual([]);
  });

  test('says on the page of the check, in its log and on that of the incident that it was not delivered', async () => {
    await checkPage('check 20');
    await card().getByRole('button', { name: 'Retry now' }).click();
    await said(`Not delivered to closed again: ${refused}.`).waitFor();
    await card().getByText(refused).waitFor();
    await checkPage('check 19');
    await at.page.locator('.log').getByRole('button', { name: 'Retry now' }).first().click();
    await said(`Not delivered to closed again: ${refused}.`).waitFor();
    await at.open(`incidents/${await incidentOf('check+21')}`);
    await at.page.getByRole('button', { name: 'Retry now' }).first().click();
    await said(`Not delivered to closed again: ${refused}.`).waitFor();
    expect(at.complaints).toEqual([]);
  });

  test('that fails again is the newest on the page of integrations, of however many', async () => {
    await at.open('integrations');
    const head = line('closed').locator('.troubles-head');
    await head.getByText(`${refused}`).waitFor();
    await head.getByText(`${manyChecks} failed notifications`).waitFor();
    await line('closed').getByText('Down: check 21').first().waitFor();
  });

  test('says that it was delivered, and is busy until then', async () => {
    await checkPage('arrives');
    const button = card().getByRole('button', { name: 'Retry now' });
    let answer = (): void => {};
    receiver.answering = (_, response) => {
      answer = () => response.end('ok');
    };
    await button.click();
    await receiver.until(1);
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    answer();
    await said('Delivered to open.').waitFor();
    await expect.poll(() => receiver.all.map(({ path }) => path)).toEqual(['/arrives']);
  });
});
