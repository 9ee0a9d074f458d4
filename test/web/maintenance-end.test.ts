/** The end of a maintenance window in a real browser: the reader stays where they are, and reads what is sent now. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('the end of maintenance', () => {
  let at: OwnerBrowser;
  let http: HttpReceiver;
  const checks: Record<string, Json> = {};

  beforeAll(async () => {
    http = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    const value = JSON.stringify({ topic: 'jobs', url: http.url('/'), priority: 3 });
    const args = { project: 'default', kind: 'ntfy', name: 'On call', value };
    await at.knell.app.admin({ command: 'channel create', args }, () => {});
    for (const name of ['before', 'within', 'again', 'well'])
      checks[name] = await at.knell.create({ name, channels: '*' });
    await at.knell.request(`/ping/${checks.before.uuid}/fail`);
    await http.until(1);
    const path = `/api/v3/checks/${checks.before.uuid}/notifications/`;
    await eventually(async () => {
      await at.clock.advance(1000);
      const { notifications } = (await at.knell.api('GET', path)).json();
      if (notifications.length === 0) throw new Error('not in the log yet');
    });
  }, 60_000);
  afterAll(async () => {
    await at?.stop();
    await http?.stop();
  });

  beforeEach(async () => {
    const { maintenance } = (await at.knell.api('GET', '/api/v3/maintenance/')).json();
    for (const { uuid } of maintenance) await at.knell.api('DELETE', `/api/v3/maintenance/${uuid}`);
    await at.page.setViewportSize({ width: 1024, height: 500 });
  });

  const started = async (name: string, hours: number, of: readonly string[] = []): Promise<void> => {
    const window = { name, checks: of.map((one) => checks[one].uuid), duration: `${hours}h` };
    expect((await at.knell.api('POST', '/api/v3/maintenance/', window)).status).toBe(201);
  };
  const openPage = () => at.page.goto(`${at.knell.app.httpUrl}/project/${at.project}/settings/maintenance`);
  const button = (name: string) => at.page.getByRole('button', { name, exact: true });
  const focused = () => at.page.evaluate<string>('document.activeElement.textContent');
  const toast = () => at.page.locator('.toast').last();

  test('leaves the reader where they are', async () => {
    for (let n = 1; n <= 9; n++) await started(`Window ${n}`, n);
    await openPage();
    await button('End now Window 4').scrollIntoViewIfNeeded();
    const scrolled = () => at.page.evaluate<number>('scrollY');
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await button('End now Window 4').press('Enter');
    const names = () => at.page.locator('.maintenance h3').allTextContents();
    await expect.poll(async () => (await names()).at(-1)).toBe('Window 4');
    await expect.poll(focused).toBe('Edit Window 5');
    expect(await scrolled()).toBe(before);
    await button('End now Window 1').click();
    await expect.poll(async () => (await names())[0]).toBe('Window 2');
    await expect.poll(focused).toBe('Edit Window 2');
    await expect.poll(scrolled).toBeLessThanOrEqual(before);
  });

  test('says that what was sent before is not sent again', async () => {
    await started('Move', 2, ['before']);
    await openPage();
    await at.page.getByText('what was sent before is not sent again.').waitFor();
    await button('End now Move').click();
    await toast()
      .getByText('Maintenance ended: Move. No alert is sent: that of the check that is down was sent before.')
      .waitFor();
  });

  test('says that none of its checks is down', async () => {
    await started('Quiet', 2, ['well']);
    await openPage();
    await button('End now Quiet').click();
    await toast()
      .getByText('Maintenance ended: Quiet. No alert is sent: none of its checks is down.')
      .waitFor();
  });

  test('says of how many checks the alert is sent, and leaves out what another window holds back', async () => {
    await started('Both', 3, ['before', 'within', 'again']);
    await started('Longer', 5, ['again']);
    for (const name of ['within', 'again']) await at.knell.request(`/ping/${checks[name].uuid}/fail`);
    await openPage();
    await button('End now Both').click();
    await toast().getByText('Maintenance ended: Both. The alert of 1 check is sent now.').waitFor();
    await at.clock.advance(1000);
    await http.until(2);
    expect(http.all.map(({ body }) => body.includes('within'))).toEqual([false, true]);
    await at.open(`checks/${checks.again.uuid}`);
    await at.page.locator('.now .taken').getByRole('button', { name: 'End' }).click();
    await toast().getByText('Maintenance ended: Longer. The alert of 1 check is sent now.').waitFor();
  });
});
