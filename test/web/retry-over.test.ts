/**
 * Alerts that failed, whose outages are over by now, in a real browser and at a real receiver: what is retried at once is only what is
 * still true, and both the page and the message say so.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hour, minute } from '../../src/lib/units.ts';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('what failed of an integration', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    at = await OwnerBrowser.start({}, 'chromium', { startMs: Date.now() - 2 * hour });
    await at.page.setViewportSize({ width: 1440, height: 900 });
    const url = (path: string) => receiver.url(`${path}/$STATUS/$NAME`);
    await add('webhook', 'downs', { url_down: url('/downs') });
    await add('ntfy', 'pairs', { url: receiver.url(), topic: 'pairs', priority: '3', priority_up: '3' });
    const over = await check('over', 'downs pairs');
    const still = await check('still', 'downs');
    const twice = await check('twice', 'downs');
    for (const uuid of [over, twice]) await at.knell.request(`/ping/${uuid}/fail`);
    await at.clock.advance(7 * minute);
    for (const uuid of [over, twice]) await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(minute);
    for (const uuid of [still, twice]) await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration('downs')).toMatchObject({ failed: 4, over: 2 });
      expect(await integration('pairs')).toMatchObject({ failed: 2, over: 0 });
    });
    await at.clock.advance(hour);
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  async function add(kind: string, name: string, fields: object): Promise<void> {
    const made = { kind, name, fields, checks: 'none' };
    ids.set(name, (await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id);
  }

  async function check(name: string, to: string): Promise<string> {
    const channels = to.split(' ').map((one) => ids.get(one));
    return (await at.knell.create({ name, timeout: 30 * 86_400, channels: channels.join(',') })).uuid;
  }

  async function integration(name: string): Promise<Json> {
    const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
    return integrations.find((one: Json) => one.name === name);
  }

  const line = (name: string) => at.page.getByRole('listitem', { name, exact: true });
  const retry = () => line('downs').getByRole('button', { name: /^Allow 127\.0\.0\.1 and retry/ });
  const question = () => at.page.locator('dialog[open]');

  test('has one button that allows the address on the page of the integration', async () => {
    await at.open(`integrations/${ids.get('downs')}`);
    await at.page.getByRole('button', { name: 'Send test' }).waitFor();
    await expect.poll(() => at.page.getByRole('button', { name: /^Allow 127/ }).count()).toBe(1);
  });

  test.each([1440, 390])(
    'is counted before it is sent, and the server asked for, at %i px',
    async (width) => {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('integrations');
      await expect.poll(() => retry().textContent()).toBe('Allow 127.0.0.1 and retry 2 of downs');
      await line('downs')
        .getByText(/2 are over/)
        .waitFor();
      await retry().press('Enter');
      await question().getByText('KNELL_WEBHOOK_ALLOW: every project may then send to 127.0.0.1.').waitFor();
      expect(await at.findings()).toEqual([]);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      await at.page.keyboard.press('Tab');
      await expect.poll(() => at.page.evaluate('document.activeElement.textContent')).toBe('Cancel');
      await at.page.keyboard.press('Enter');
      await question().waitFor({ state: 'detached' });
      expect(await integration('downs')).toMatchObject({ failed: 4 });
      expect(receiver.all).toEqual([]);
    },
  );

  test('keeps the indent of its heading where it is open, on a phone', async () => {
    const head = line('pairs').locator('.troubles-head strong');
    if ((await line('pairs').locator('.troubles li').count()) === 0) await head.click();
    const first = line('pairs').locator('.troubles li').first();
    const lefts = async () => [(await head.boundingBox())?.x ?? 0, (await first.boundingBox())?.x ?? 0];
    await expect
      .poll(async () => Math.abs(((await lefts())[0] ?? 0) - ((await lefts())[1] ?? 99)))
      .toBeLessThan(6);
  });

  test('is sent where it is still true, and says what is not sent', async () => {
    await at.page.setViewportSize({ width: 1440, height: 900 });
    await at.open('integrations');
    await retry().press('Enter');
    const yes = question().getByRole('button', { name: 'Allow and retry' });
    // A press within a moment of the question is no answer.
    await expect
      .poll(async () => {
        if (await yes.isVisible()) await yes.press('Enter');
        return question().count();
      })
      .toBe(0);
    await at.page
      .getByText('2 are sent again. 2 were about outages that are over, and are not sent.')
      .waitFor();
    await expect.poll(() => receiver.all.length).toBe(2);
    expect(receiver.all.map(({ path }) => path).sort()).toEqual(['/downs/down/still', '/downs/down/twice']);
    await eventually(async () => {
      await at.clock.advance(200);
      expect(await integration('downs')).toMatchObject({ failed: 0, waiting: 0, over: 0 });
    });
    const listed = (await at.knell.app.admin({ command: 'outbox list', args: {} }, () => {})) as Json[];
    expect(listed.filter(({ state }) => state === 'superseded').map(({ error }) => error)).toEqual([
      expect.stringMatching(/^that outage \(\S+T\S+\) was over before this was sent$/),
      expect.stringMatching(/^that outage \(\S+T\S+\) was over before this was sent$/),
    ]);
  });

  test('of an outage whose end failed, too, is sent in order, and says when it was over', async () => {
    const answer = (await at.owner.post(`/web/in/${at.project}/channels/${ids.get('pairs')}/retry`)).json();
    expect(answer).toEqual({ count: 2, over: 0, replaced: 0, snoozed: 0 });
    await expect.poll(() => receiver.all.length).toBe(4);
    const [down, up] = receiver.all.slice(2).map(({ body }) => JSON.parse(body));
    expect([down.title, up.title]).toEqual(['over was DOWN', 'over is UP']);
    expect(down.message).toMatch(
      /^It went down at \d\d:\d\d UTC and has been up since \d\d:\d\d UTC\. The job reported a failure\./,
    );
    expect(up.message).toMatch(/^Recovered: a ping arrived\./);
  });
});
