/** Who was notified at a moment in the past, as the API and the command say it of a Knell that has lived through it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AlertTimeline, minute } from '../support/page/alert-timeline.ts';

let timeline: AlertTimeline;
let startMs: number;
beforeEach(async () => {
  timeline = await AlertTimeline.start();
  startMs = timeline.clock.nowMs();
});
afterEach(() => timeline.stop());

interface Past {
  readonly text: string;
  readonly status: string | null;
  readonly change: { readonly timestamp: string; readonly to: string } | null;
  readonly incident: string | null;
  readonly notes: readonly { readonly text: string }[];
  readonly recipients: readonly { readonly name: string; readonly outcome: string; readonly text: string }[];
}

const past = (name: string, minutes: number): Promise<Past> =>
  timeline.alerting(name, String((startMs + minutes * minute) / 1000)) as Promise<unknown> as Promise<Past>;
const said = ({ recipients }: Past): Readonly<Record<string, string>> =>
  Object.fromEntries(recipients.map(({ name, text }) => [name, text]));

test('says of each integration what became of it, long after it', async () => {
  await timeline.integration('later', { delayS: 600 });
  await timeline.integration('dba', { tags: 'db' });
  await timeline.integration('hung', { events: 'hung' });
  await timeline.check('job', {});
  await timeline.later(1);
  await timeline.ping('job', '/fail');
  await timeline.later(2);
  await timeline.ping('job');
  await timeline.later(5);
  await timeline.integration('young', {});
  const down = await past('job', 2);
  expect(down).toMatchObject({
    text: 'At 2026-03-02 02:02:00 UTC it was down, since 2026-03-02 02:01:00 UTC. One integration was notified of that.',
    status: 'down',
    change: { timestamp: '2026-03-02T02:01:00.000000+00:00', from: 'new', to: 'down', cause: 'fail' },
    incident: expect.any(String),
    notes: [],
  });
  expect(said(down)).toEqual({
    ops: 'Delivered at 2026-03-02 02:01:00 UTC.',
    later: expect.stringMatching(
      /^Not sent: the check was up before this was sent \(2026-03-02 02:03:00 UTC\)\.$/,
    ),
    dba: 'Not notified: it was only for checks tagged db.',
    hung: 'Not notified: it was only for hung.',
    young: 'Not notified: it was created later, at 2026-03-02 02:08:00 UTC.',
  });
  const up = await past('job', 6);
  expect(up).toMatchObject({ status: 'up', change: { to: 'up' } });
  expect(said(up)).toMatchObject({ ops: 'Delivered at 2026-03-02 02:03:00 UTC.' });
  expect(await past('job', 0.5)).toMatchObject({ status: 'new', change: null, recipients: [] });
});

test('says what held it back, and who wanted that', async () => {
  await timeline.check('job', {});
  await timeline.snooze('job', 30);
  await timeline.ping('job', '/fail');
  await timeline.later(10);
  await timeline.ping('job');
  await timeline.later(25);
  await timeline.maintenance(20);
  await timeline.ping('job', '/fail');
  await timeline.later(5);
  const snoozed = await past('job', 5);
  expect(snoozed.text).toMatch(/Nobody was notified of that\.$/);
  expect(said(snoozed).ops).toMatch(
    /^Not sent: the check was snoozed by .+ from 2026-03-02 02:00:00 UTC to 2026-03-02 02:30:00 UTC, and it was up at 2026-03-02 02:10:00 UTC\.$/,
  );
  expect(snoozed.notes.length).toBe(1);
  const held = await past('job', 36);
  expect(held.notes[0]?.text).toMatch(/^Held back at 2026-03-02 02:35:00 UTC: in maintenance: moving/);
  expect(said(held).ops).toMatch(/^Held back still: in maintenance/);
  await timeline.later(20);
  await timeline.advance(100);
  expect(said(await past('job', 36)).ops).toMatch(/^Delivered at 2026-03-02 0[23]:\d\d:00 UTC\.$/);
});

test('knows settings of that time by the audit log', async () => {
  const id = await timeline.integration('off', { disabled: true });
  await timeline.check('job', {});
  await timeline.ping('job', '/fail');
  await timeline.later(2);
  await timeline.knell.app.admin(
    { command: 'channel edit', args: { channel: id, disabled: false } },
    () => {},
  );
  await timeline.later(1);
  expect(said(await past('job', 1)).off).toBe('Not notified: it was turned off.');
  await timeline.edit('job', { channels: '' });
  await timeline.later(1);
  expect(said(await past('job', 1)).off).toMatch(
    /^Not assigned to the check now\. Whether it was then is not known: that was changed at 2026-03-02 02:03:00 UTC\.$/,
  );
  expect(said(await past('job', 1)).ops).toMatch(/^Delivered at/);
});

test('says what failed, what waits and what was given up', async () => {
  timeline.receiver.answering = (_, response) => void response.writeHead(500).end();
  await timeline.check('job', {});
  await timeline.ping('job', '/fail');
  await expect
    .poll(async () => said(await past('job', 0)).ops)
    .toMatch(
      /^One attempt has failed: status 500\. It is tried again, not before 2026-03-02 02:00:0\d UTC\.$/,
    );
  expect((await past('job', 0)).text).toMatch(/Nobody was notified of that; 1 waits\.$/);
});

describe('a moment', () => {
  test.each([
    ['soon', 'at must be epoch seconds, or ISO 8601 with an offset such as 2030-05-04T09:00:00Z'],
    ['', 'at must be epoch seconds, or ISO 8601 with an offset such as 2030-05-04T09:00:00Z'],
    [
      '2026-03-02T01:00:00',
      'at must be epoch seconds, or ISO 8601 with an offset such as 2030-05-04T09:00:00Z',
    ],
  ])('that is %j is refused', async (at, error) => {
    const { uuid } = await timeline.check('job', {});
    const query = new URLSearchParams({ at });
    const reply = await timeline.knell.api('GET', `/api/v3/checks/${uuid}/alerting?${query}`);
    expect([reply.status, reply.json()]).toEqual([400, { error }]);
  });

  test.each(['2027-03-02T01:00:00Z', '9999999999'])('in the future means now: %s', async (at) => {
    const { uuid } = await timeline.check('job', {});
    const reply = await timeline.knell.api('GET', `/api/v3/checks/${uuid}/alerting?at=${at}`);
    expect(Date.parse((reply.json() as { at: string }).at)).toBe(timeline.clock.nowMs());
  });

  test('before the check, or before the kept history, says so', async () => {
    await timeline.later(2);
    const { uuid } = await timeline.check('job', {});
    expect(await past('job', 1)).toMatchObject({
      text: 'There was no such check: it was created at 2026-03-02 02:02:00 UTC.',
      ...{ status: null, change: null, recipients: [] },
    });
    await timeline.knell.request(`/ping/${uuid}/fail`);
    timeline.clock.jump(150 * 24 * 60 * minute);
    expect(await past('job', 5)).toMatchObject({
      text: 'That is not known any more: the history is kept from 2026-05-01 00:00:00 UTC on.',
    });
  });

  test('in whole seconds, or with an offset, is that of the flip with this timestamp', async () => {
    const { uuid } = await timeline.check('job', {});
    await timeline.clock.advance(345);
    await timeline.knell.request(`/ping/${uuid}/fail`);
    await timeline.clock.advance(5000);
    const [{ timestamp }] = await timeline.knell.flips(uuid);
    expect(timestamp).toBe('2026-03-02T02:00:00+00:00');
    for (const at of [
      timestamp,
      '2026-03-02T03:00:00+01:00',
      '2026-03-02T02:00:00Z',
      '2026-03-02T02:00:00.345Z',
    ])
      expect((await timeline.alerting('job', at)).status).toBe('down');
    expect((await timeline.alerting('job', '2026-03-02T02:00:00.344Z')).status).toBe('new');
    const unescaped = await timeline.knell.api('GET', `/api/v3/checks/${uuid}/alerting?at=${timestamp}`);
    expect(unescaped.json().status).toBe('down');
  });
});
