/** The list of incidents in a real browser: a line says that alerts did not get through, and nothing where all did. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('a listed incident', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  const checks: Record<string, Json> = {};

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    receiver.answering = ({ path }, response) => {
      response.statusCode = path === '/pager' ? 500 : 200;
      response.end();
    };
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    for (const name of ['pager', 'tickets']) {
      const value = JSON.stringify({ url_down: receiver.url(`/${name}`) });
      const args = { project: 'default', kind: 'webhook', name, value };
      await at.knell.app.admin({ command: 'channel create', args }, () => {});
    }
    const later = { kind: 'webhook', name: 'later', fields: { url_down: receiver.url('/later') } };
    await at.owner.post(`/web/in/${at.project}/channels`, { ...later, checks: 'none', delayS: 86_400 });
    const { channels } = (await at.knell.api('GET', '/api/v3/channels/')).json();
    const idOf = (name: string): string => channels.find((one: Json) => one.name === name).id;
    const integrations = {
      both: [idOf('pager'), idOf('tickets')].join(),
      late: '*',
      pager: idOf('pager'),
      none: '',
      well: idOf('tickets'),
    };
    for (const [name, ids] of Object.entries(integrations)) {
      checks[name] = await at.knell.create({ name, channels: ids, timeout: 30 * 86_400 });
      await at.knell.request(`/ping/${checks[name].uuid}/fail`);
    }
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await receiver?.stop();
  });

  const words = (title: string) => at.page.locator('.incidents > li', { hasText: title });
  const says = (title: string, all: readonly string[]) =>
    expect.poll(() => words(title).locator('.undelivered').allTextContents()).toEqual(all);

  test('says how many of its alerts got through, or that nobody was notified', async () => {
    // Outcomes are written together, a moment later.
    const tried = async (): Promise<number> => {
      await at.clock.advance(1000);
      return receiver.all.length;
    };
    await expect.poll(tried).toBeGreaterThanOrEqual(6);
    await at.clock.advance(1000);
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('incidents');
      await says('both is down', ['1 of 2 alerts delivered']);
      // Also of those that are not tried yet.
      await says('late is down', ['1 of 3 alerts delivered']);
      await says('pager is down', ['No alert delivered']);
      await says('none is down', ['Nobody was notified']);
      await words('well is down').waitFor();
      await says('well is down', []);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
      expect(await at.findings()).toEqual([]);
    }
  });

  test('says so once it is over, where the check was up before an attempt succeeded', async () => {
    for (const { uuid } of Object.values(checks)) await at.knell.request(`/ping/${uuid}`);
    await at.clock.advance(3_600_000);
    for (const width of [1440, 390]) {
      await at.page.setViewportSize({ width, height: 844 });
      await at.open('incidents');
      await says('both was down', ['1 of 2 alerts delivered']);
      await says('pager was down', ['No alert delivered']);
      await says('none was down', ['Nobody was notified']);
      await words('well was down').waitFor();
      await says('well was down', []);
      expect(await at.overflow()).toBeLessThanOrEqual(0);
    }
  });
});
