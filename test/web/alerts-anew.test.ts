/**
 * Alerts that failed, and were created anew at the end of a snooze, in a real browser and at a real receiver: the card, the folded lines
 * of the log and their entries say the same.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute, second } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('alerts of one outage, before and after a snooze', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = ({ path }, response) => void response.writeHead(path === '/bad' ? 500 : 200).end();
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.UTC(2026, 10, 16, 12), timezoneId: 'UTC' });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const names = { pager: '/good', tickets: '/bad' };
    for (const [name, path] of Object.entries(names)) {
      const fields = { url_down: receiver.url(path) };
      await at.owner.post(`/web/in/${at.project}/channels`, {
        kind: 'webhook',
        name,
        fields,
        checks: 'none',
      });
    }
    check = (await at.knell.create({ name: 'db', timeout: 30 * 86_400, channels: '*' })).uuid;
    await at.knell.request(`/ping/${check}/fail`);
    await until(({ failed }) => failed === 1);
    await at.clock.advance(6 * minute);
    const path = `/web/in/${at.project}/api/checks/${check}`;
    await at.owner.post(`${path}/snooze`, { for: 7200 });
    await at.clock.advance(minute);
    await at.owner.post(`${path}/unsnooze`, {});
    await until(({ failed }) => failed === 2);
    await at.owner.post('/web/server-settings/allow', { addresses: ['127.0.0.1'] });
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  /** Of both integrations. */
  async function until(isSo: (one: Json) => boolean): Promise<void> {
    await eventually(async () => {
      await at.clock.advance(200);
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect(integrations.filter((one: Json) => !isSo(one))).toEqual([]);
    });
    // Outcomes are written together.
    await at.clock.advance(second);
  }

  async function open(): Promise<void> {
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.open(`checks/${check}`);
  }

  test('have a line each time, which counts its own', async () => {
    await open();
    const folds = at.page.locator('#log .fold.sent');
    await expect
      .poll(() => folds.locator('.said').allTextContents())
      .toEqual(['Down alert 2 failed', 'Down alert 2 failed']);
  });

  test('are sent again once, as its line says before, and the message after it', async () => {
    await at.page.clock.setFixedTime(at.clock.nowMs());
    await at.open('integrations');
    const line = at.page.getByRole('listitem', { name: 'pager', exact: true });
    const retry = line.getByRole('button', { name: /^Retry 1/ });
    await expect.poll(() => retry.textContent()).toBe('Retry 1 now of pager');
    await line.getByText(/ · 1 is replaced by a newer one/).waitFor();
    await retry.press('Enter');
    await at.page
      .getByText('1 is sent again. 1 was replaced by a newer one, and is not sent.', { exact: true })
      .waitFor();
    await until(({ name, failed }) => name !== 'pager' || failed === 0);
    expect(receiver.all.map(({ path }) => path)).toEqual(['/good']);
    await open();
    await at.page
      .locator('#log .notification')
      .getByText(/a newer alert about it takes its place$/)
      .first()
      .waitFor();
    expect(await at.findings()).toEqual([]);
  });

  test('are counted in each folded line as its entries are, each integration once', async () => {
    await open();
    const folds = at.page.locator('#log .fold.sent');
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    const tickets = integrations.find(({ name }: Json) => name === 'tickets');
    await at.owner.post(`/web/in/${at.project}/channels/${tickets.id}/retry`);
    await at.clock.advance(minute);
    await until(({ name, failed, retrying }) => failed === 0 && retrying === (name === 'pager' ? 0 : 1));
    await open();
    // What was sent again has lines of its own.
    await expect.poll(() => folds.last().locator('.said').textContent()).toBe('Down alert 2 failed');
    for (let fold = (await folds.count()) - 1; fold >= 0; fold--) {
      const said = (await folds.nth(fold).locator('.said').textContent()) ?? '';
      const before = await at.page.locator('#log .notification').count();
      await folds.nth(fold).getByRole('button', { name: 'Show' }).click();
      const rows = at.page.locator('#log .fold.sent').nth(fold).locator('~ .notification');
      const all = at.page.locator('#log .notification');
      await expect.poll(() => all.count()).toBeGreaterThan(before);
      const shown = (await rows.allTextContents()).slice(0, (await all.count()) - before);
      const counted = [...said.matchAll(/(\d+) (delivered|failing|waiting|failed|not sent)/g)].flatMap(
        ([, count, what = '']) => Array<string>(Number(count)).fill(what),
      );
      // One that was sent several times counts once.
      const names = new Set(shown.map((row) => /\S+ \(Webhook\)/.exec(row)?.[0]));
      expect(counted).toHaveLength(names.size);
      for (const what of counted) expect(shown.join('\n').toLowerCase()).toContain(what);
    }
    expect(await at.findings()).toEqual([]);
  });

  test.each([1440, 390])(
    'are named in the card while they fail and are tried again, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 844 });
      await open();
      const card = at.page.locator('.now .notified');
      await card.getByText('Notifications: 1 delivered, 1 failing', { exact: true }).waitFor();
      await card.getByText(/tickets \(Webhook\) status 500/).waitFor();
      await card.getByRole('button', { name: 'Retry now' }).waitFor();
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    },
  );
});
