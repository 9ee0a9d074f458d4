/** A check that is down, on a phone: what went wrong and who knows of it is in its card, without a tap. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../support/knell.ts';
import { browserMissing } from '../support/page/browser.ts';
import { OwnerBrowser } from '../support/page/owner-browser.ts';
import { eventually } from '../support/patience.ts';
import { HttpReceiver } from '../support/wire/receivers.ts';

const isInSight = (line: Json): boolean => {
  const { top, bottom } = line.getBoundingClientRect();
  return top > 48 && bottom < 780;
};

describe.skipIf(browserMissing !== '')('a check that is down, at night', () => {
  let at: OwnerBrowser;
  let http: HttpReceiver;

  beforeAll(async () => {
    http = await HttpReceiver.start();
    at = await OwnerBrowser.start({ KNELL_WEBHOOK_ALLOW: '127.0.0.0/8' });
    await at.page.setViewportSize({ width: 390, height: 844 });
  }, 60_000);

  afterAll(async () => {
    await at?.stop();
    await http?.stop();
  });

  const card = () => at.page.locator('.now');
  const open = (uuid: string) => at.open(`checks/${uuid}`);

  test('has the last lines of its output, those about errors first, and says that nobody was notified', async () => {
    const { uuid } = await at.knell.create({ name: 'Orphan job', channels: '' });
    const lines = [
      'step 1',
      'pg_dump: error: server closed the <b>connection</b>',
      ...Array.from({ length: 30 }, (_, line) => `line ${line}${' of a long output'.repeat(8)}`),
      '\u001b[31mbackup.sh: failed at step 2\u001b[0m',
      '',
    ];
    await at.knell.request(`/ping/${uuid}/3`, { method: 'POST', body: lines.join('\n') });
    await open(uuid);
    const output = card().locator('.last-output pre');
    await output.waitFor();
    const shown = ((await output.textContent()) ?? '').trimEnd().split('\n');
    expect(shown.slice(0, 4)).toEqual([
      'step 1',
      'pg_dump: error: server closed the <b>connection</b>',
      '… 25 lines left out',
      expect.stringMatching(/^line 25 of/),
    ]);
    expect(shown.at(-1)).toBe('backup.sh: failed at step 2');
    await expect.poll(() => output.locator('.bad').count()).toBe(2);
    await card().getByText('Nobody was notified.').waitFor();
    await at.page.locator('#log').getByText('nobody was notified').waitFor();
    expect(await at.findings('.now')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    await card().getByRole('button', { name: 'Show all' }).click();
    // All lines, with the first error in sight.
    const whole = at.page.locator('#log .details pre');
    await expect.poll(() => whole.locator('.output-line').count()).toBe(33);
    const error = whole.locator('.found-line', { hasText: 'pg_dump: error' });
    await expect.poll(() => error.evaluate(isInSight)).toBe(true);
    await expect
      .poll(() => at.page.locator('#log').getByRole('button', { name: 'View all' }).count())
      .toBe(0);
    // Another press comes back to it.
    await card().getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => error.evaluate(isInSight)).toBe(true);
    // In the card nothing is hidden in a box that scrolls.
    expect(await output.evaluate((box: Json) => box.scrollHeight - box.clientHeight)).toBe(0);
  });

  test('says so, too, where it got its integration after it went down', async () => {
    const { uuid } = await at.knell.create({ name: 'Late integration', channels: '' });
    await at.knell.request(`/ping/${uuid}/fail`, {
      method: 'POST',
      body: 'Traceback (most recent call last):\nredis.exceptions.ResponseError: cannot\nok',
    });
    const fields = { url_down: http.url('/later'), method_down: 'GET' };
    const added = { kind: 'webhook', name: 'Later', fields, checks: 'none' };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, added)).json();
    await at.knell.api('POST', `/api/v3/checks/${uuid}`, { channels: id });
    await open(uuid);
    await card().getByText('When it went down, no integration of this check was notified.').waitFor();
    await at.page.locator('#log').getByText('nobody was notified').waitFor();
    // The line of the exception is marked, whatever is before the word in its name.
    await card().locator('.last-output .bad', { hasText: 'ResponseError' }).waitFor();
    // In the log, too.
    await at.page.getByRole('button', { name: 'Details of ping 1', exact: true }).click();
    const errors = at.page.locator('#log .output-line.bad');
    await expect
      .poll(() => errors.allTextContents())
      .toEqual([expect.stringMatching(/^Traceback/), expect.stringMatching(/ResponseError/)]);
    expect(await at.findings('#log .body')).toEqual([]);
    await at.knell.request(`/ping/${uuid}`);
    await expect.poll(() => card().getByText('Nobody was notified').count()).toBe(0);
  });

  test('never says that nobody was notified while what was sent waits for the disk', async () => {
    const fields = { url_down: http.url('/gathered'), method_down: 'GET' };
    const added = { kind: 'webhook', name: 'Gathered', fields, checks: 'none' };
    const { id } = (await at.owner.post(`/web/in/${at.project}/channels`, added)).json();
    const { uuid } = await at.knell.create({ name: 'Watched job', channels: id });
    await open(uuid);
    const before = http.all.length;
    await at.knell.request(`/ping/${uuid}/fail`);
    await http.until(before + 1);
    // The clock has not moved since: the record of what was delivered is still gathered with others.
    for (let n = 0; n < 20; n++) {
      const { entries } = (await at.owner.get(`/web/in/${at.project}/checks/${uuid}/log`)).json();
      expect(entries.map(({ what }: Json) => what).toSorted()).toContain('notification');
    }
    await card().getByText('Exit status').or(card().getByText('reported a failure')).first().waitFor();
    await expect.poll(() => card().getByText('Nobody was notified').count()).toBe(0);
    // And what became of it is there without anything else that changes.
    await at.clock.advance(10);
    await card().getByText('Notifications: 1 delivered').waitFor();
  });

  test('and of several alerts says in one line what became of them, with a button that tries again', async () => {
    const webhook = (name: string, url: string) =>
      at.owner.post(`/web/in/${at.project}/channels`, {
        ...{ kind: 'webhook', name, fields: { url_down: url, method_down: 'GET' } },
      });
    const channels = [];
    for (const [name, url] of [
      ['good', http.url('/good')],
      ['broken', 'http://127.0.0.1:9/'],
    ] as const)
      channels.push((await webhook(name, url)).json().id);
    const { uuid } = await at.knell.create({ name: 'Alerting job', channels: channels.join(',') });
    await at.knell.request(`/ping/${uuid}/fail`);
    await http.until(1);
    await eventually(async () => {
      await at.clock.advance(5);
      const log = (await at.owner.get(`/web/in/${at.project}/checks/${uuid}/log`)).json();
      const outcomes = log.entries
        .filter(({ what }: { what: string }) => what === 'notification')
        .map(({ outcome, attempts }: { outcome: string; attempts: number }) => `${outcome} ${attempts}`);
      expect(outcomes.toSorted()).toEqual(['delivered 1', 'waiting 1']);
    });
    await open(uuid);
    const fold = at.page.locator('#log .fold.sent');
    await fold.getByText('1 delivered, 1 failing').waitFor();
    await expect.poll(() => at.page.locator('#log .notification').count()).toBe(0);
    await expect.poll(() => card().getByText('Nobody was notified').count()).toBe(0);
    await fold.getByRole('button', { name: 'Retry now' }).click();
    await eventually(async () => {
      await at.clock.advance(5);
      const log = (await at.owner.get(`/web/in/${at.project}/checks/${uuid}/log`)).json();
      expect(JSON.stringify(log)).toContain('"attempts":2');
    });
    // On every page, once it is no accident.
    await at.clock.advance(120_000);
    await at.open('badges');
    const banner = at.page.locator('.banner.failing');
    await banner.getByText('broken fails').waitFor();
    expect(await at.findings('.banner.failing')).toEqual([]);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
    // What fails is above what was never configured, whose kinds are in one line.
    for (const [kind, value] of [
      ['telegram', '{"id":1}'],
      ['email', 'ops@example.org'],
    ])
      await at.owner.post(`/web/in/${at.project}/channels`, { kind, value, name: kind });
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await at.page.reload();
    await expect
      .poll(() => at.page.locator('.banners .words').allTextContents())
      .toEqual([
        expect.stringMatching(/^broken has been failing since/),
        'telegram and 1 more cannot send: this server lacks settings for Telegram, Email.',
      ]);
    await at.page.setViewportSize({ width: 390, height: 844 });
    await open(uuid);
    // A tap anywhere on the line opens it.
    await fold.locator('.said').click();
    await at.page.locator('#log .notification').first().waitFor();
    await expect.poll(() => at.page.locator('#log .notification').count()).toBe(2);
    expect(await at.findings('#log')).toEqual([]);
    expect(at.complaints).toEqual([]);
  });

  test('has below the words of an alert what one can do about it, however long that is', async () => {
    const channels = [];
    for (const [kind, value] of [
      ['telegram', '{"id":1}'],
      ['email', 'ops@example.org'],
    ])
      channels.push(
        (await at.owner.post(`/web/in/${at.project}/channels`, { kind, value, name: kind })).json().id,
      );
    const { uuid } = await at.knell.create({ name: 'Unheard job', channels: channels.join(',') });
    await at.knell.request(`/ping/${uuid}/fail`);
    await eventually(async () => {
      await at.clock.advance(5);
      const log = (await at.owner.get(`/web/in/${at.project}/checks/${uuid}/log`)).json();
      expect(JSON.stringify(log).match(/"outcome":"failed"/g)).toHaveLength(3);
    });
    await open(uuid);
    const row = at.page.locator('#log .fold.sent');
    const set = await row.getByRole('link', { name: /^Set KNELL_/ }).boundingBox();
    const [said, show] = [
      await row.locator('.said').boundingBox(),
      await row.getByRole('button', { name: /^Show/ }).boundingBox(),
    ];
    expect(said?.width).toBeGreaterThan(180);
    expect(set?.y).toBeGreaterThanOrEqual((said?.y ?? 0) + (said?.height ?? 0));
    expect(show?.y).toBeLessThan(set?.y ?? 0);
    expect(await at.overflow()).toBeLessThanOrEqual(0);
  });
});
