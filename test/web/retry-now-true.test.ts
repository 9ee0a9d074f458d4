/** What retries say once the address is allowed, or while a check is snoozed, in a real browser and at a real receiver. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { answerYes } from '../support/page/answer-yes.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a retry', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  const ids = new Map<string, string>();
  const checks = new Map<string, string>();

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 2 * hour });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ['first', 'second']) {
      const fields = { url_down: receiver.url(`/${name}/$NAME`) };
      const made = { kind: 'webhook', name, fields, checks: 'none' };
      ids.set(name, (await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id);
    }
    for (const [name, to] of [
      ['db', ['first', 'second']],
      ['web', ['second']],
    ] as const) {
      const channels = to.map((one) => ids.get(one)).join(',');
      const { uuid } = await at.knell.create({ name, timeout: 30 * 86_400, channels });
      checks.set(name, uuid);
      await at.knell.request(`/ping/${uuid}/fail`);
    }
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration('first')).toMatchObject({ failed: 1 });
      expect(await integration('second')).toMatchObject({ failed: 2 });
    });
    await at.clock.advance(2 * hour);
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  async function integration(name: string): Promise<Json> {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    return integrations.find((one: Json) => one.name === name);
  }

  const line = (name: string) => at.page.getByRole('listitem', { name, exact: true });
  const button = (name: string, words: RegExp) => line(name).getByRole('button', { name: words });
  const snooze = (name: string, forS: number) =>
    at.knell.api('POST', `/api/v3/checks/${checks.get(name)}/snooze`, { for: forS });

  test('that allows the address keeps the focus in its row', async () => {
    await at.open('integrations');
    const result = at.page.getByText('Nothing was sent: 127.0.0.1 is a private address');
    for (const name of ['first', 'second']) await button(name, /^Send test/).press('Enter');
    await expect.poll(() => result.count()).toBe(2);
    await button('first', /^Allow 127\.0\.0\.1 and retry/).press('Enter');
    await answerYes(at.page, 'Allow and retry');
    await receiver.until(1);
    // What a test said before does not hold any more, in any row.
    await expect.poll(() => result.count()).toBe(0);
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration('first')).toMatchObject({ failed: 0, waiting: 0 });
    });
    await expect.poll(() => line('first').locator('.troubles').count()).toBe(0);
    await expect.poll(() => line('first').evaluate((one: Json) => one.matches(':focus-within'))).toBe(true);
  });

  test('asks for no address that is allowed by now, on each page', async () => {
    await at.open('integrations');
    const head = line('second').locator('.troubles-head');
    await head.getByText('127.0.0.1 was blocked; it is allowed now').waitFor();
    await button('second', /^Retry all now/).waitFor();
    await expect.poll(() => button('second', /^Allow/).count()).toBe(0);
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await at.page.emulateMedia({ colorScheme });
      await at.page.setViewportSize({ width, height: 844 });
      await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
    await at.open(`checks/${checks.get('web')}`);
    const card = at.page.locator('.now .notified');
    await card.getByText('127.0.0.1 was blocked; it is allowed now').waitFor();
    await card.getByRole('button', { name: 'Retry now' }).waitFor();
    const { incidents } = (await at.knell.api('GET', '/api/v3/incidents/')).json();
    await at.open(`incidents/${incidents[0].id}`);
    await at.page.getByText('127.0.0.1 was blocked; it is allowed now').first().waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /^Allow/ }).count()).toBe(0);
  });

  test('of a check that is snoozed is not sent, and says so', async () => {
    await snooze('db', 4 * 3600);
    await at.open('integrations');
    await expect.poll(() => button('second', /^Retry/).allTextContents()).toContain('Retry 1 now of second');
    await at.page
      .getByText(/ · 1 is snoozed/)
      .first()
      .waitFor();
    await button('second', /^Retry 1 now/).press('Enter');
    await at.page
      .getByText('1 is sent again. 1 is about a check that is snoozed, and is not sent.')
      .waitFor();
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration('second')).toMatchObject({ failed: 0, waiting: 0, snoozed: 0 });
    });
    expect(receiver.all.map(({ path }) => path)).toEqual(['/first/db', '/second/web']);
  });

  test('of one notification says until when its check is snoozed', async () => {
    // Nobody may connect to this one.
    const args = { fields: { url_down: 'http://10.0.0.1/$NAME' } };
    await at.owner.post(`/web/in/${at.project}/channels/${ids.get('first')}`, args);
    const { uuid } = await at.knell.create({
      name: 'late',
      timeout: 30 * 86_400,
      channels: ids.get('first'),
    });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration('first')).toMatchObject({ failed: 1 });
    });
    checks.set('late', uuid);
    await snooze('late', 90 * 60);
    await at.clock.advance(minute);
    await at.open('integrations');
    await line('first').getByText('10.0.0.1 is a private address · about a check that is snoozed').waitFor();
    const details = line('first').getByRole('button', { name: /^Details of Down: late/ });
    if ((await details.count()) === 0) await line('first').locator('.troubles-head strong').click();
    await details.click();
    await line('first')
      .getByText(/^Given up\. Not sent for now: snoozed until .*\d(?:\s[AP]M)?\.$/)
      .waitFor();
    await expect.poll(() => button('first', /^Retry now Down: late/).count()).toBe(0);
    expect(at.complaints).toEqual([]);
  });
});
