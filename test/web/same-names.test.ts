/** Integrations of the same name in a real browser: each counts, and each has something that distinguishes it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

describe.skipIf(browserMissing !== '')('integrations of the same name', () => {
  let at: OwnerBrowser;
  let receiver: HttpReceiver;
  let check = '';
  let incident = '';
  let host = '';

  beforeAll(async () => {
    receiver = await HttpReceiver.start();
    host = new URL(receiver.url('/')).host;
    receiver.answering = (request, response) => {
      response.statusCode = request.body.includes('bad') ? 500 : 200;
      response.end();
    };
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    for (const topic of ['alpha-good', 'beta-good', 'gamma-bad', 'delta-bad'])
      await at.owner.post(`/web/in/${at.project}/channels`, {
        ...{ kind: 'ntfy', name: '', checks: 'all' },
        fields: { topic, url: `http://${host}` },
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

  /** The beginning of its topic: the rest is a kind of password. */
  const named = (beginning: string): string => `ntfy (${host}/${beginning}…)`;
  const all = () => ['alph', 'beta', 'delt', 'gamm'].map(named);

  test('are each in the timeline of an incident and in the log of a check', async () => {
    const alerts = async (): Promise<readonly string[]> => {
      await at.clock.advance(200);
      await at.open(`incidents/${incident}`);
      await at.page.reload();
      await at.page.locator('.timeline li').first().waitFor();
      return at.page.locator('.timeline li p:first-child', { hasText: 'Down alert' }).allTextContents();
    };
    // Those of one line are in the order in which they were sent, and failed once or more often.
    const parts = (line: string): readonly string[] => [
      ...[...line.matchAll(/\/(\w+)…\)/g)].map(([, topic = '']) => topic).sort(),
      /: (delivered|failed)/.exec(line)?.[1] ?? '',
    ];
    await expect
      .poll(async () => (await alerts()).map(parts).toSorted())
      .toEqual([
        ['alph', 'beta', 'delivered'],
        ['delt', 'gamm', 'failed'],
      ]);
    await at.open(`checks/${check}`);
    await at.page.locator('.log').getByRole('button', { name: /^Show/ }).first().click();
    for (const name of all()) await at.page.locator('.log li', { hasText: name }).first().waitFor();
    for (const name of all()) await at.page.locator('.integrations-list li', { hasText: name }).waitFor();
  });

  test('have names of their own wherever they are chosen', async () => {
    const ticks = at.page.locator('label.tick .channel > span:first-child');
    const ticked = () => expect.poll(async () => (await ticks.allTextContents()).toSorted()).toEqual(all());
    await at.open('new');
    await ticked();
    await at.open('new/crontab');
    await at.page.locator('textarea').first().fill('0 3 * * * /usr/bin/backup');
    await ticked();
    await at.open('integrations');
    const lines = at.page.locator('.integration');
    await expect
      .poll(async () => {
        const labels = await Promise.all((await lines.all()).map((one) => one.getAttribute('aria-label')));
        return labels.toSorted();
      })
      .toEqual(all());
    await at.open('integrations?view=matrix');
    for (const name of all()) {
      await at.page.locator('.matrix-head .title', { hasText: name }).waitFor();
      await at.page.getByRole('checkbox', { name: `db notifies ${name}` }).waitFor();
    }
    expect(await at.findings()).toEqual([]);
  });

  test('have them in the list of checks and where several checks are changed at once', async () => {
    await at.open('checks');
    const notifies = at.page.locator('.notifies .hidden');
    for (const name of all()) await expect.poll(() => notifies.textContent()).toContain(name);
    await at.page.getByLabel('Select db').click();
    await at.page.locator('.bulk').getByRole('button', { name: 'Actions' }).click();
    await at.page.getByRole('menuitem', { name: 'Notify…' }).click();
    for (const name of all()) await at.page.locator('dialog label.tick', { hasText: name }).waitFor();
    expect(await at.findings('dialog[open]')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });
});
