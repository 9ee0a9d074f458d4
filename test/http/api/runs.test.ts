/** Lists of runs as an owner gets them: pings and requests over a real socket, a real store, and a simulated clock. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatedClock } from '../../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../../support/knell.ts';
import { isLong } from '../../support/long.ts';

const start = Date.UTC(2026, 2, 2, 12);
const second = 1000;
const minute = 60_000;
const a = '0000000a-0000-4000-8000-000000000000';
const b = '0000000b-0000-4000-8000-000000000000';

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

async function ping(uuid: string, rest = '', body?: string): Promise<void> {
  const init = body === undefined ? {} : { method: 'POST', body };
  expect((await knell.request(`/ping/${uuid}${rest}`, init)).status).toBe(200);
}

async function list(uuid: string, query = ''): Promise<Json> {
  const answer = await knell.api('GET', `/api/v3/checks/${uuid}/runs/${query}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

async function outcomes(uuid: string, query = ''): Promise<string[]> {
  return (await list(uuid, query)).runs.map(({ outcome }: { outcome: string }) => outcome);
}

describe('the runs of a check that tracks them', () => {
  test('overlap, hang, end late, and are the same after a restart', async () => {
    const { uuid } = await knell.create({ timeout: 86_400, grace: 60, max_runtime: 1800, overlap: 'warn' });
    await ping(uuid, `/start?rid=${a}&host=db-1`);
    await clock.advance(90 * second);
    await ping(uuid, `/start?rid=${b}`);
    await clock.advance(1500);
    await ping(uuid, `/24?rid=${b}&host=db-2`, 'no space');
    await clock.advance(30 * minute);
    await ping(uuid, `?rid=${a}`, 'done');
    await ping(uuid, '/start');
    const { runs, next } = await list(uuid);
    expect(next).toBeNull();
    expect(runs).toEqual([
      expect.objectContaining({
        outcome: 'running',
        ended: null,
        duration: null,
        rid: null,
        pings: [5],
        n: null,
      }),
      {
        outcome: 'failure',
        started: '2026-03-02T12:01:30.000000+00:00',
        ended: '2026-03-02T12:01:31.500000+00:00',
        late_end: null,
        duration: 1.5,
        rid: b,
        host: 'db-2',
        exitstatus: 24,
        note: 'overlap',
        pings: [2, 3],
        n: 3,
        figures: { other_started: '2026-03-02T12:00:00.000000+00:00' },
      },
      {
        outcome: 'hung',
        started: '2026-03-02T12:00:00.000000+00:00',
        ended: '2026-03-02T12:30:00.000000+00:00',
        late_end: '2026-03-02T12:31:31.500000+00:00',
        duration: 1891.5,
        rid: a,
        host: 'db-1',
        exitstatus: null,
        note: null,
        pings: [1, 4],
        n: null,
      },
    ]);
    await knell.restart();
    expect((await list(uuid)).runs).toEqual(runs);
  });

  test('are missed by each host', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600, hosts: 'db-1 db-2' });
    await ping(uuid, '?host=db-1');
    await clock.advance(70 * minute);
    const { runs } = await list(uuid, '?outcome=missed');
    expect(runs.map(({ host, pings }: Json) => [host, pings])).toEqual([
      ['db-1', []],
      ['db-2', []],
    ]);
    const first = await list(uuid, '?limit=1');
    expect((await list(uuid, `?limit=1&before=${first.next}`)).runs).toEqual(runs.slice(1));
  });

  test('an end before its start is one run; a pause gives up the run in flight', async () => {
    const { uuid } = await knell.create({ max_runtime: 1800 });
    await ping(uuid, `?rid=${a}`);
    await ping(uuid, `/start?rid=${a}`);
    expect((await list(uuid)).runs).toMatchObject([
      { outcome: 'success', started: null, note: 'ended-before', pings: [1, 2], n: 1 },
    ]);
    await clock.advance(second);
    await ping(uuid, `/start?rid=${b}`);
    await clock.advance(minute);
    await knell.api('POST', `/api/v3/checks/${uuid}/pause`, {});
    expect((await list(uuid, '?outcome=overtaken')).runs).toMatchObject([
      { rid: b, ended: '2026-03-02T12:01:01.000000+00:00', pings: [3] },
    ]);
  });

  test('more than a hundred in flight: the oldest is given up', async () => {
    const { uuid } = await knell.create({ max_runtime: 1800 });
    const rid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    for (let n = 0; n <= 100; n++) await ping(uuid, `/start?rid=${rid(n)}`);
    expect((await list(uuid, '?outcome=overtaken')).runs).toMatchObject([{ rid: rid(0), pings: [1] }]);
    expect(await outcomes(uuid, '?outcome=running&limit=1000')).toHaveLength(100);
  });
});

test('the list says from when on the log has all of them, where it does not', async () => {
  // A free project keeps a hundred pings of a check, any other one a thousand.
  const args = { name: 'free', plan: 'free' };
  const made = (await knell.app.admin({ command: 'project create', args }, () => {})) as Json;
  knell.keys.readWrite = made.keys.read_write;
  const { uuid } = await knell.create({ timeout: 86_400 });
  await ping(uuid);
  expect(await list(uuid)).not.toHaveProperty('log_from');
  for (let n = 0; n < 100; n++) {
    await clock.advance(second);
    await ping(uuid);
  }
  const answer = await list(uuid, '?limit=1');
  expect(answer.log_from).toBe('2026-03-02T12:00:01.000000+00:00');
});

test('badges as JSON count checks whose last run had a warning, and are what they were without one', async () => {
  const { uuid, badge_url } = await knell.create({ tags: 'db', timeout: 86_400 });
  const { badges } = (await knell.api('GET', '/api/v3/badges/')).json();
  const path = (url: string) => url.replace('http://knell.test', '');
  const own = path(badge_url).replace('.svg', '.json');
  const texts = async () =>
    Promise.all(
      [own, path(badges.db.json), path(badges['*'].json3)].map(
        async (url) => (await knell.request(url)).text,
      ),
    );
  const plain = '{"status":"up","total":1,"grace":0,"down":0}';
  await ping(uuid);
  expect(await texts()).toEqual([plain, plain, plain]);
  await ping(uuid, '/warn');
  const warned = plain.replace('}', ',"warning":1}');
  expect(await texts()).toEqual([warned, warned, warned]);
  expect((await knell.request(path(badges.db.shields))).json()).toMatchObject({ message: 'up' });
  await ping(uuid);
  expect(await texts()).toEqual([plain, plain, plain]);
});

describe('a note has the figures by which it was noted', () => {
  const rid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

  test('of limits, as they were then', async () => {
    const spec = { timeout: 86_400, min_runtime: 2, unusual_runtime: 'warn' };
    const { uuid } = await knell.create(spec);
    const runFor = async (ms: number) => {
      await ping(uuid, '/start');
      await clock.advance(ms);
      await ping(uuid);
    };
    for (let n = 0; n < 10; n++) await runFor(10 * second);
    await runFor(3 * second);
    await runFor(20 * second);
    await runFor(second);
    await knell.api('POST', `/api/v3/checks/${uuid}`, { min_runtime: 1, unusual_factor: 1 });
    await knell.restart();
    const { runs } = await list(uuid, '?limit=4');
    expect(runs.map(({ note, figures }: Json) => [note, figures])).toEqual([
      ['too-short', { at_least: 2 }],
      ['unusually-long', { usual_from: 4, usual_to: 16 }],
      ['unusually-short', { usual_from: 4, usual_to: 16 }],
      [null, undefined],
    ]);
    const details = await knell.api('GET', `/api/v3/checks/${uuid}/runs/26`);
    expect(details.json().figures).toEqual({ at_least: 2 });
  });

  test('of other runs', async () => {
    const { uuid } = await knell.create({ timeout: 86_400, overlap: 'warn' });
    await ping(uuid, `/start?rid=${rid(1)}`);
    await clock.advance(second);
    await ping(uuid, `/start?rid=${rid(2)}`);
    await clock.advance(second);
    await ping(uuid, `/start?rid=${rid(3)}`);
    await ping(uuid, `?rid=${rid(4)}`);
    await clock.advance(second);
    await ping(uuid, `/start?rid=${rid(4)}`);
    const { runs } = await list(uuid);
    expect(runs.map(({ note, figures }: Json) => [note, figures])).toEqual([
      ['ended-before', { other_ended: '2026-03-02T12:00:02.000000+00:00' }],
      ['overlap', { other_started: '2026-03-02T12:00:01.000000+00:00' }],
      ['overlap', { other_started: '2026-03-02T12:00:00.000000+00:00' }],
      [null, undefined],
    ]);
  });
});

test('the list of pings has host and note only of those that have one', async () => {
  const { uuid } = await knell.create({ min_runtime: 60, hosts: 'db-1' });
  await ping(uuid, '/start?host=db-1');
  await clock.advance(second);
  await ping(uuid, '?host=db-1');
  await ping(uuid, '?host=db-9');
  await ping(uuid, '/log');
  const pings = await knell.pings(uuid);
  const plain = ['type', 'date', 'n', 'scheme', 'remote_addr', 'method', 'ua', 'rid', 'body_url'];
  expect(Object.keys(pings[0])).toEqual(plain);
  expect(pings.slice(1)).toMatchObject([
    { host: 'db-9', note: 'unknown-host' },
    { host: 'db-1', note: 'too-short', duration: 1 },
    { host: 'db-1' },
  ]);
  expect(Object.keys(pings[1])).toEqual([...plain.slice(0, -1), 'host', 'note', 'body_url']);
  expect(Object.keys(pings[3])).toEqual([...plain.slice(0, -1), 'host', 'body_url']);
});

test('the runs of any other check come from its log: missed, hung, ended, in flight', async () => {
  const { uuid } = await knell.create({ timeout: 600, grace: 60 });
  await ping(uuid);
  await clock.advance(11 * minute);
  await ping(uuid, '/start');
  await clock.advance(2 * second);
  await ping(uuid, '/3');
  await ping(uuid);
  await clock.advance(second);
  await ping(uuid, `/start?rid=${a}`);
  await clock.advance(2 * minute);
  expect(await outcomes(uuid)).toEqual(['hung', 'success', 'failure', 'missed', 'success']);
  await ping(uuid, `?rid=${a}`);
  await ping(uuid, '/start');
  const { runs } = await list(uuid);
  expect(runs.map(({ outcome, duration, n }: Json) => [outcome, duration, n])).toEqual([
    ['running', null, null],
    ['hung', 120, null],
    ['success', null, 4],
    ['failure', 2, 3],
    ['missed', null, null],
    ['success', null, 1],
  ]);
});

describe('the list', () => {
  test('has pages, which go on where the one before ended, though runs have begun and ended since', async () => {
    const { uuid } = await knell.create();
    for (let n = 0; n < 5; n++) {
      await ping(uuid, '/start');
      await clock.advance(second);
      await ping(uuid);
      await clock.advance(second);
    }
    await ping(uuid, '/start');
    const first = await list(uuid, '?limit=2');
    await clock.advance(second);
    await ping(uuid);
    await ping(uuid, '/start');
    const rest = await list(uuid, `?limit=4&before=${first.next}`);
    const ns = [...first.runs, ...rest.runs].map(({ n }: Json) => n);
    expect(ns).toEqual([null, 10, 8, 6, 4, 2]);
    expect(rest.next).toBeNull();
    const page = await list(uuid, `?limit=3&before=${first.next}`);
    expect((await list(uuid, `?before=${page.next}`)).runs.map(({ n }: Json) => n)).toEqual([2]);
  });

  test('filters by outcome and by time', async () => {
    const { uuid } = await knell.create({ exit_codes: '24=warning' });
    for (const end of ['', '/24', '/1']) {
      await ping(uuid, end);
      await clock.advance(second);
    }
    expect(await outcomes(uuid, '?outcome=success,warning')).toEqual(['warning', 'success']);
    expect(await outcomes(uuid, '?outcome=success&outcome=failure&outcome=')).toEqual(['failure', 'success']);
    expect(await outcomes(uuid, `?start=${start / second + 1}`)).toEqual(['failure', 'warning']);
    expect(await outcomes(uuid, `?start=${start / second + 1}&end=${start / second + 2}`)).toEqual([
      'warning',
    ]);
    expect(await outcomes(uuid, '?seconds=1')).toEqual(['failure']);
  });

  test.each([
    ['outcome=late', 'outcome is not one of success, warning, failure, missed, hung, overtaken, running'],
    ['limit=0', 'limit is not a number from 1 to 1000'],
    ['limit=1001', 'limit is not a number from 1 to 1000'],
    ['before=x', 'before is not a cursor of this list'],
    [`before=${'A'.repeat(400)}`, 'before is not a cursor of this list'],
    ['start=-1', 'start is not a valid UNIX timestamp'],
  ])('refuses %s', async (query, error) => {
    const { uuid } = await knell.create();
    const answer = await knell.api('GET', `/api/v3/checks/${uuid}/runs/?${query}`);
    expect([answer.status, answer.json()]).toEqual([400, { error }]);
  });

  test('opens to a read-only key by the unique key, in all versions; one run does not', async () => {
    const { uuid } = await knell.create();
    await ping(uuid);
    const [{ unique_key }] = (
      await knell.api('GET', '/api/v3/checks/', undefined, knell.keys.readOnly)
    ).json().checks;
    for (const version of [1, 2, 3]) {
      const path = `/api/v${version}/checks/${unique_key}/runs/`;
      const answer = await knell.api('GET', path, undefined, knell.keys.readOnly);
      expect(answer.json().runs).toHaveLength(1);
    }
    const one = await knell.api('GET', `/api/v3/checks/${uuid}/runs/1`, undefined, knell.keys.readOnly);
    const pings = await knell.api('GET', `/api/v3/checks/${uuid}/pings/`, undefined, knell.keys.readOnly);
    expect([one.status, one.text]).toEqual([pings.status, pings.text]);
  });
});

describe('one run', () => {
  test('is found by any of its pings, with them, and with its output on request', async () => {
    const { uuid } = await knell.create();
    await ping(uuid, `/start?rid=${a}`);
    await ping(uuid, '/log', 'not of this run');
    await ping(uuid, `?rid=${a}`, 'Grüße\n');
    const get = async (rest: string) =>
      (await knell.api('GET', `/api/v3/checks/${uuid}/runs/${rest}`)).json();
    const run = await get('3');
    expect(run).toMatchObject({ outcome: 'success', n: 3, pings: [{ n: 3 }, { n: 1 }] });
    expect(run.pings).toEqual((await knell.pings(uuid)).filter(({ n }: Json) => n !== 2));
    expect(run).not.toHaveProperty('output');
    expect(await get('1?output=1')).toEqual({ ...run, output: 'Grüße\n' });
  });

  test('is not there for a ping of no run, or none', async () => {
    const { uuid } = await knell.create();
    await ping(uuid, '/log');
    for (const n of [1, 2, 0]) {
      const answer = await knell.api('GET', `/api/v3/checks/${uuid}/runs/${n}`);
      expect([answer.status, answer.json()]).toEqual([404, { error: 'not found' }]);
    }
  });
});

test('a log full of runs that hung has them all', async () => {
  const { uuid } = await knell.create({ max_runtime: 60, timeout: 86_400 });
  const all = isLong ? 500 : 100;
  for (let n = 0; n < all; n++) {
    await ping(uuid, `/start?rid=00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    await clock.advance(61 * second);
  }
  const { runs } = await list(uuid, '?limit=1000');
  expect(runs).toHaveLength(all);
  expect(runs.every(({ outcome }: Json) => outcome === 'hung')).toBe(true);
}, 60_000);
