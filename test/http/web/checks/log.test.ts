/** The log of a check as its page gets it, over a real socket: joined runs, pages, filters, search, before and after a fold. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LogEntry, LogView } from '../../../../src/domain/views/log-view.ts';
import { minute, second } from '../../../../src/lib/units.ts';
import { SimulatedClock } from '../../../support/engine/simulated-clock.ts';
import { Knell } from '../../../support/knell.ts';
import { ownerPage, PageClient } from '../../../support/page/page-client.ts';
import { eventually } from '../../../support/patience.ts';

const startMs = Date.UTC(2026, 2, 10, 12);
const clock = new SimulatedClock(startMs);

let knell: Knell;
let page: PageClient;
let project = '';
let uuid = '';
let busy = '';

const ping = (id: string, rest = '', body = '') =>
  knell.request(`/ping/${id}${rest}`, { method: 'POST', body });

beforeAll(async () => {
  knell = await Knell.start({ clock });
  page = await ownerPage(knell);
  project = (await page.get('/web/state')).json().projects[0].id;
  // A private address: refused without a connection, so nothing leaves this machine.
  const hook = { kind: 'webhook', name: 'Blocked', fields: { url_down: 'http://127.0.0.1:9/' } };
  const { id } = (await page.post(`/web/in/${project}/channels`, hook)).json();
  ({ uuid } = await knell.create({ timeout: 3600, grace: 3600, channels: id }));
  ({ uuid: busy } = await knell.create({ timeout: 3600, grace: 3600 }));
  await ping(uuid, '/start', 'copying Needle');
  await clock.advance(3 * minute);
  await ping(uuid, '', 'done');
  await clock.advance(minute);
  await ping(uuid, '/log', 'a note');
  await clock.advance(minute);
  await ping(uuid, '/start');
  await clock.advance(134 * second);
  await ping(uuid, '/3', 'pg_dump: no space');
  await eventually(async () => {
    await clock.advance(5);
    const sent = await knell.api('GET', `/api/v3/checks/${uuid}/notifications/`);
    expect(sent.json().notifications).toHaveLength(1);
  });
  await page.post(`/web/in/${project}/api/checks/${uuid}/acknowledge`);
  await clock.advance(minute);
  await ping(uuid, '/start');
}, 60_000);

afterAll(() => knell.stop());

async function log(id: string, query = ''): Promise<LogView> {
  const answer = await page.get(`/web/in/${project}/checks/${id}/log${query}`);
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.stringContaining('{')]);
  return answer.json() as LogView;
}

const kinds = ({ entries }: LogView): readonly string[] =>
  entries.map((entry) => ('signal' in entry ? entry.signal : entry.what));

describe('the log of a check', () => {
  test('joins start and end of a run, with exit status, duration and outputs, also after a restart and a fold', async () => {
    const before = await log(uuid);
    expect(kinds(before)).toEqual([
      'start',
      'alert',
      'notification',
      'change',
      'run',
      'log',
      'change',
      'run',
    ]);
    const [running, acknowledged, sent, down, failed, , up, first] = before.entries;
    expect(running).toMatchObject({ n: 6, isRunning: true });
    expect(acknowledged).toMatchObject({ action: 'acknowledged', by: 'ada' });
    expect(sent).toMatchObject({
      kind: 'down',
      outcome: 'failed',
      channelName: 'Blocked',
      isReminder: false,
    });
    expect(sent).toMatchObject({
      deliveryId: expect.any(String),
      error: expect.stringContaining('127.0.0.1 is private'),
    });
    expect(down).toMatchObject({ from: 'up', to: 'down', cause: 'fail', atMs: startMs + 434 * second });
    expect(failed).toMatchObject({
      ...{ atMs: startMs + 5 * minute, endedMs: startMs + 434 * second, durationMs: 134 * second },
      ...{ n: 5, outcome: 'failed', exitStatus: 3, bodies: [{ n: 5, bytes: 17 }] },
    });
    expect(up).toMatchObject({ from: 'new', to: 'up' });
    expect(first).toMatchObject({ n: 2, outcome: 'succeeded', durationMs: 3 * minute });
    expect(first).toMatchObject({
      bodies: [
        { n: 2, bytes: 4 },
        { n: 1, bytes: 14 },
      ],
    });
    expect(before.olderMs).toBeNull();
    await knell.restart();
    expect(await log(uuid)).toEqual(before);
  });

  test('filters by kind, and refuses what it does not know', async () => {
    expect(kinds(await log(uuid, '?filter=runs'))).toEqual(['start', 'run', 'log', 'run']);
    expect(kinds(await log(uuid, '?filter=failed'))).toEqual(['run']);
    expect(kinds(await log(uuid, '?filter=status'))).toEqual(['change', 'change']);
    expect(kinds(await log(uuid, '?filter=snoozes'))).toEqual(['alert']);
    expect(kinds(await log(uuid, '?filter=notifications'))).toEqual(['notification']);
    const statusOf = async (path: string) => (await page.get(`/web/in/${project}/checks/${path}`)).status;
    expect(await statusOf(`${uuid}/log?filter=nothing`)).toBe(400);
    expect(await statusOf(`${uuid}/log?before=yesterday`)).toBe(400);
    expect(await statusOf('00000000-0000-4000-8000-000000000000/log')).toBe(404);
    const nobody = new PageClient(knell);
    expect((await nobody.get(`/web/in/${project}/checks/${uuid}/log`)).status).toBe(401);
  });

  test('leaves out that it waited for a run that was in time, but for those who ask for status changes', async () => {
    const { uuid: punctual } = await knell.create({ timeout: 3600, grace: 3600 });
    await ping(punctual);
    await clock.advance(3600 * second + 2 * second);
    await ping(punctual, '/start');
    await clock.advance(20 * minute);
    await ping(punctual);
    expect(kinds(await log(punctual))).toEqual(['run', 'change', 'run']);
    expect(kinds(await log(punctual, '?filter=status'))).toEqual(['change', 'change', 'change']);
    await clock.advance(3600 * second + 2 * minute);
    await ping(punctual);
    const { entries } = await log(punctual);
    expect(entries.map((entry) => ('outcome' in entry ? entry.outcome : entry.what)).slice(0, 3)).toEqual([
      'change',
      'late',
      'change',
    ]);
  });

  test('finds what outputs say, in upper or lower case, those of a start too', async () => {
    const found = async (text: string) =>
      (await log(uuid, `?q=${encodeURIComponent(text)}`)).entries.map((entry) => 'n' in entry && entry.n);
    expect(await found('NO SPACE')).toEqual([5]);
    expect(await found('needle')).toEqual([2]);
    expect(await found('a note')).toEqual([3]);
    expect(await found('nowhere')).toEqual([]);
    const [entry] = (await log(uuid, '?q=NO%20SPACE')).entries;
    const line = entry && 'found' in entry ? entry.found : null;
    expect(line).toMatchObject({ n: 5, line: 1, excerpt: expect.stringMatching(/no space/) });
    expect(line?.marks.map(([from, to]) => line.excerpt.slice(from, to))).toEqual(['no space']);
  });

  test('keeps acknowledgements and snoozes that are over, with who began, changed and ended them', async () => {
    const { uuid: held } = await knell.create({ timeout: 3600, grace: 3600 });
    const act = (action: string, body = {}) =>
      page.post(`/web/in/${project}/api/checks/${held}/${action}`, body);
    const byKey = (action: string, json: unknown) =>
      knell.api('POST', `/api/v3/checks/${held}/${action}`, json);
    await ping(held);
    await clock.advance(minute);
    await ping(held, '/fail');
    const steps: readonly (() => Promise<unknown>)[] = [
      () => act('acknowledge'),
      () => act('unacknowledge'),
      () => act('acknowledge'),
      () => ping(held),
      () => act('snooze', { for: 3600 }),
      () => byKey('snooze', { for: 7200 }),
      () => act('unsnooze'),
      () => act('snooze', { for: 600 }),
    ];
    const times: number[] = [];
    for (const step of steps) {
      await clock.advance(minute);
      times.push(clock.nowMs());
      await step();
    }
    const said = ({ entries }: LogView) =>
      entries.flatMap((one) => (one.what === 'alert' ? [[one.action, one.by, one.atMs, one.untilMs]] : []));
    const [first = 0, second0 = 0, third = 0, recovered = 0, snoozed = 0, moved = 0, ended = 0, last = 0] =
      times;
    const held0 = [
      ['snoozed', 'ada', last, last + 600 * second],
      ['unsnoozed', 'ada', ended, null],
      ['snooze-changed', expect.stringMatching(/key|…|API/), moved, moved + 7200 * second],
      ['snoozed', 'ada', snoozed, snoozed + 3600 * second],
      ['acknowledgement-over', '', recovered, null],
      ['acknowledged', 'ada', third, null],
      ['unacknowledged', 'ada', second0, null],
      ['acknowledged', 'ada', first, null],
    ];
    expect(said(await log(held))).toEqual(held0);
    await clock.advance(11 * minute);
    const over = [['snooze-over', '', last + 600 * second, null], ...held0];
    expect(said(await log(held, '?filter=snoozes'))).toEqual(over);
    await knell.restart();
    const after = await log(held);
    expect(said(after)).toEqual(over);
    expect(after.entries.map(({ atMs }) => atMs)).toEqual(
      [...after.entries].map(({ atMs }) => atMs).sort((a, b) => b - a),
    );
    // A page of older entries has what is before its end, and nothing of other checks.
    expect(said(await log(held, `?before=${third}`))).toEqual(over.slice(-2));
    expect(said(await log(busy))).toEqual([]);
  });

  test('comes in pages that together have each entry once', async () => {
    for (let n = 0; n < 260; n++) {
      await ping(busy, '', n % 50 === 0 ? `needle ${n}` : '');
      // Several of one instant, too.
      if (n % 3 === 0) await clock.advance(second);
    }
    const all: LogEntry[] = [];
    let before = '';
    for (let pages = 0; pages < 5; pages++) {
      const { entries, olderMs } = await log(busy, before);
      all.push(...entries);
      if (olderMs === null) break;
      before = `?before=${olderMs}`;
    }
    const runs = all.filter(({ what }) => what === 'run');
    expect(runs.map((run) => 'n' in run && run.n)).toEqual(Array.from({ length: 260 }, (_, at) => 260 - at));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect((await log(busy, '?q=needle')).entries).toHaveLength(6);
    const jumped = await log(busy, `?before=${runs[200]?.atMs}`);
    expect(jumped.entries.length).toBeLessThan(100);
    expect(jumped.entries[0]?.atMs).toBeLessThan(runs[200]?.atMs ?? 0);
  });
});
