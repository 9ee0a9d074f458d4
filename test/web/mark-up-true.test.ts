/** What "Mark as up?" says of the alerts that still wait, in a real browser, and what real receivers then get. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute, second } from '../../src/lib/units.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the question before a check is marked as up', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  /** What the receiver answers. */
  let status = 500;

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = (_, response) => void response.writeHead(status).end();
    const env = { KNELL_WEBHOOK_ALLOW: '127.0.0.1' };
    at = await OwnerBrowser.start(env, 'chromium', { startMs: Date.now() - 60 * minute });
    await at.page.setViewportSize({ width: 1440, height: 900 });
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  async function add(name: string, fields: object, settings: object = {}): Promise<string> {
    const made = { kind: 'webhook', name, fields, checks: 'none', ...settings };
    return (await at.owner.post(`/web/in/${at.project}/channels`, made)).json().id;
  }

  test('names as not sent only what is not, and says what is sent all the same', async () => {
    const down = (path: string) => ({ url_down: receiver.url(`${path}/$STATUS`) });
    const ids = [
      await add('Ticket system', down('/tickets')),
      await add('Pair', { ...down('/pair'), url_up: receiver.url('/pair/up') }),
      await add('Later', down('/later'), { delayS: 3600 }),
    ];
    const { uuid } = await at.knell.create({ name: 'db', timeout: 86_400, channels: ids.join(',') });
    await at.knell.request(`/ping/${uuid}/fail`);
    await receiver.until(2);
    await eventually(async () => {
      const { integrations } = (await at.owner.get(`/web/in/${at.project}/integrations`)).json();
      expect(integrations.map(({ retrying }: { retrying: number }) => retrying).sort()).toEqual([0, 1, 1]);
    });
    await at.open(`checks/${uuid}`);
    await at.page.getByRole('button', { name: 'Mark as up', exact: true }).click();
    const dialog = at.page.getByRole('dialog');
    await dialog
      .getByText(
        'Ticket system (Webhook) is not notified that it is up: the alert is still sent, and says when it was over.',
      )
      .waitFor();
    const ended = dialog.getByText(
      /^The alert that it is down, which is still waiting for .*, is not sent\.$/,
    );
    await expect
      .poll(() => ended.textContent())
      .toMatch(
        /waiting for (?:Pair \(Webhook\), Later \(Webhook\)|Later \(Webhook\), Pair \(Webhook\)), is not sent/,
      );
    expect(await at.findings('dialog')).toEqual([]);
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      await at.page.emulateMedia({ colorScheme });
      await at.page.setViewportSize({ width, height: 844 });
      await expect.poll(() => at.overflow()).toBeLessThanOrEqual(0);
    }
    status = 200;
    const before = receiver.all.length;
    // What is pressed within its first moments is no answer.
    await dialog.getByRole('button', { name: 'Mark as up', disabled: false }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => {
      await at.clock.advance(20 * second);
      const paths = receiver.all.slice(before).map(({ path }) => path);
      expect(paths.sort()).toEqual(['/pair/up', '/tickets/down']);
    });
    await at.clock.advance(2 * 60 * minute);
    expect(
      receiver.all.slice(before).filter(({ path }) => path === '/pair/down' || /later/.test(path)),
    ).toEqual([]);
  });
});
