/** Settings are previewed as their owner does it: over the API, with real pings behind them, on a simulated clock. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../simulation/random.ts';
import { SimulatedClock } from '../support/engine/simulated-clock.ts';
import { type Json, Knell } from '../support/knell.ts';

const start = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;
const hour = 60 * minute;

let clock: SimulatedClock;
let knell: Knell;

beforeEach(async () => {
  clock = new SimulatedClock(start);
  knell = await Knell.start({ clock });
});

afterEach(() => knell.stop());

async function ping(uuid: string, rest = ''): Promise<void> {
  expect((await knell.request(`/ping/${uuid}${rest}`)).status).toBe(200);
}

async function preview(body: unknown, key?: string): Promise<Json> {
  const answer = await knell.api('POST', '/api/v3/schedules/preview', body, key);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json();
}

async function refusal(body: unknown, key?: string): Promise<unknown> {
  const answer = await knell.api('POST', '/api/v3/schedules/preview', body, key);
  return [answer.status, answer.json().error];
}

describe('the next times', () => {
  test('of a schedule, in UTC and local, with what daylight saving does, for a read-only key', async () => {
    clock.skip(Date.UTC(2026, 2, 27, 12) - start);
    const asked = { schedule: '30 2 * * *', tz: 'Europe/Berlin', count: 3 };
    expect(await preview(asked, knell.keys.readOnly)).toEqual({
      kind: 'cron',
      schedule: '30 2 * * *',
      tz: 'Europe/Berlin',
      next: [
        { at: '2026-03-28T01:30:00+00:00', local: '2026-03-28T02:30:00+01:00', dst: null, note: '' },
        {
          at: '2026-03-29T01:00:00+00:00',
          local: '2026-03-29T03:00:00+02:00',
          dst: 'skipped',
          note: 'The clock skips 02:30 on 2026-03-29, as it is set forward: this is expected at 03:00 instead.',
        },
        { at: '2026-03-30T00:30:00+00:00', local: '2026-03-30T02:30:00+02:00', dst: null, note: '' },
      ],
      what_if: null,
    });
  });

  test('ten of a period, from now on, or from the last ping of a check', async () => {
    const { next } = await preview({ timeout: 3600 });
    expect(next).toHaveLength(10);
    expect(next[0].at).toBe('2026-03-02T13:00:00+00:00');
    const { uuid } = await knell.create({ timeout: 86_400 });
    await ping(uuid);
    await clock.advance(10 * minute);
    expect((await preview({ check: uuid, count: 1 })).next).toMatchObject([
      { at: '2026-03-03T12:00:00+00:00' },
    ]);
    expect((await preview({ check: uuid, timeout: 60, count: 1 })).next).toMatchObject([
      { at: '2026-03-02T12:11:00+00:00' },
    ]);
  });

  test('what would have happened is counted from the creation of a check on', async () => {
    const { uuid } = await knell.create({ timeout: 3600 });
    await clock.advance(14 * minute);
    await ping(uuid);
    expect((await preview({ check: uuid, timeout: 60 })).what_if).toMatchObject({
      from: '2026-03-02T12:00:00+00:00',
      pings: 1,
    });
  });

  test('of a schedule that ends', async () => {
    const { next } = await preview({ schedule: '2026-03-03 12:00\n2026-03-04 12:00', count: 100 });
    expect(next.map(({ at }: Json) => at.slice(0, 10))).toEqual(['2026-03-03', '2026-03-04']);
  });

  test.each([
    [{}, 'give schedule, timeout or check'],
    [{ tz: 'Europe/Riga' }, 'give schedule, timeout or check'],
    [{ schedule: '* * *' }, 'schedule is not a valid cron or OnCalendar expression'],
    [{ schedule: '* * * * *', tz: 'Mars/Olympus' }, 'tz is not a valid timezone'],
    [{ timeout: 59 }, 'timeout is too small'],
    [{ timeout: 60, count: 101 }, 'count is too large'],
    [{ timeout: 60, count: 0 }, 'count is too small'],
    [{ timeout: 60, days: 91 }, 'days is too large'],
    [{ timeout: 60, days: '7' }, 'days is not a number'],
    [{ check: 'backup' }, 'check does not match pattern'],
    [{ timeout: 60, exit_codes: '3=warn' }, 'exit_codes does not match pattern'],
  ])('%j: %s', async (body, error) => {
    expect(await refusal(body)).toEqual([400, `json validation error: ${error}`]);
  });

  test('only of a check of the project', async () => {
    expect(await refusal({ check: '00000000-0000-4000-8000-000000000000' })).toEqual([404, 'not found']);
    expect(await refusal({ timeout: 60 }, 'x'.repeat(32))).toEqual([401, 'wrong api key']);
  });
});

describe('what would have happened', () => {
  test('a longer grace time spares an alert, and the answer says which and why', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
    await ping(uuid);
    await clock.advance(100 * minute);
    await ping(uuid);
    await clock.advance(30 * minute);
    await ping(uuid, '/3');
    await clock.advance(minute);
    await ping(uuid);
    const before = await knell.check(uuid);
    const { what_if } = await preview({ check: uuid, grace: 7200 });
    const late = [
      {
        at: '2026-03-02T13:10:00+00:00',
        kind: 'down',
        cause: 'timeout',
        why: 'No ping came within the grace time of 10 minutes.',
      },
      { at: '2026-03-02T13:40:00+00:00', kind: 'up', cause: 'success', why: 'A ping reported success.' },
    ];
    const failed = [
      {
        at: '2026-03-02T14:10:00+00:00',
        kind: 'down',
        cause: 'fail',
        why: 'The job ended with exit status 3, which is a failure.',
      },
      { at: '2026-03-02T14:11:00+00:00', kind: 'up', cause: 'success', why: 'A ping reported success.' },
    ];
    expect(what_if).toMatchObject({
      until: '2026-03-02T14:11:00+00:00',
      pings: 4,
      as_is: [...late, ...failed],
      as_asked: failed,
      only_as_is: late,
      only_as_asked: [],
    });
    expect(await knell.check(uuid)).toEqual(before);
  });

  test('with settings that hold alerts back: those that would not have come, or later', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
    await ping(uuid);
    for (let run = 0; run < 2; run++) {
      await clock.advance(10 * minute);
      await ping(uuid, '/fail');
      await clock.advance(10 * minute);
      await ping(uuid);
    }
    await clock.advance(10 * minute);
    await ping(uuid, '/fail');
    await clock.advance(3 * hour);
    const { what_if } = await preview({ check: uuid, alert_after: 3 });
    expect(what_if.as_is.map(({ kind }: Json) => kind)).toEqual(['down', 'up', 'down', 'up', 'down']);
    expect(what_if.as_asked).toMatchObject([{ kind: 'down', at: '2026-03-02T15:00:00+00:00' }]);
    const recovered = await preview({ check: uuid, recover_after: 2 });
    expect(recovered.what_if.as_asked).toMatchObject([{ kind: 'down', at: '2026-03-02T12:10:00+00:00' }]);
  });

  test('nothing while a check that it depends on was down, and what is still wrong once that is back', async () => {
    const parent = (await knell.create({ name: 'db', slug: 'db', tags: 'core', timeout: 86_400 })).uuid;
    const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
    await ping(parent);
    await ping(uuid);
    await clock.advance(5 * minute);
    await ping(parent, '/fail');
    await clock.advance(5 * minute);
    await ping(uuid, '/fail');
    await clock.advance(10 * minute);
    await ping(uuid);
    await clock.advance(10 * minute);
    await ping(uuid, '/fail');
    await clock.advance(5 * minute);
    const kinds = async (fields: Json): Promise<Json> =>
      (await preview({ check: uuid, ...fields })).what_if.as_asked.map(({ kind }: Json) => kind);
    expect(await kinds({})).toEqual(['down', 'up', 'down']);
    for (const depends_on of ['db', parent, 'tag:core', 'tag:core db'])
      expect(await kinds({ depends_on })).toEqual([]);
    expect(await kinds({ depends_on: 'tag:other' })).toEqual(['down', 'up', 'down']);
    await ping(parent);
    const back = '2026-03-02T12:35:00+00:00';
    await clock.advance(2 * hour);
    const { what_if } = await preview({ check: uuid, depends_on: 'db' });
    // An hour and the grace time after the parent came back.
    expect(what_if.as_asked).toMatchObject([{ kind: 'down', at: '2026-03-02T13:45:00+00:00' }]);
    expect(Date.parse(what_if.as_asked[0].at) - Date.parse(back)).toBe(70 * minute);
    expect(what_if.notes.join()).toContain('snoozes, maintenance, and times when Knell was away');
  });

  test('exit codes are judged anew from the recorded exit status', async () => {
    const { uuid } = await knell.create({ timeout: 3600 });
    await ping(uuid);
    await ping(uuid, '/24');
    await clock.advance(minute);
    await ping(uuid, '/0');
    const { what_if } = await preview({ check: uuid, exit_codes: '24=warning,0=failure' });
    expect(what_if.only_as_is).toMatchObject([{ kind: 'down' }, { kind: 'up' }]);
    expect(what_if.only_as_asked).toMatchObject([{ kind: 'down', at: '2026-03-02T12:01:00+00:00' }]);
  });

  test('an outage that only begins later is in both', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
    await ping(uuid);
    await clock.advance(5 * hour);
    const { what_if } = await preview({ check: uuid, grace: 1200 });
    expect([what_if.as_is[0].at, what_if.as_asked[0].at]).toEqual([
      '2026-03-02T13:10:00+00:00',
      '2026-03-02T13:20:00+00:00',
    ]);
    expect([what_if.only_as_is, what_if.only_as_asked]).toEqual([[], []]);
  });

  test('with a limit of its own, a run that took long would have been an alert', async () => {
    const { uuid } = await knell.create({ timeout: 86_400, grace: 7200 });
    await ping(uuid);
    await ping(uuid, '/start');
    await clock.advance(50 * minute);
    await ping(uuid);
    const asked = await preview({ check: uuid, max_runtime: 1800 });
    expect(asked.what_if.as_is).toEqual([]);
    expect(asked.what_if.only_as_asked).toMatchObject([
      { at: '2026-03-02T12:30:00+00:00', cause: 'hung', why: 'A run did not end within 30 minutes.' },
      { at: '2026-03-02T12:50:00+00:00', kind: 'up' },
    ]);
    const short = await preview({ check: uuid, min_runtime: 3600 });
    expect(short.what_if.as_asked).toMatchObject([
      { why: 'A run ended with success after 50 minutes, sooner than the 1 hour that it must take.' },
    ]);
  });

  test('a pause by the owner is one in both', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
    await ping(uuid);
    await clock.advance(minute);
    await knell.api('POST', `/api/v3/checks/${uuid}/pause`, {});
    await clock.advance(24 * hour);
    await ping(uuid);
    const { what_if } = await preview({ check: uuid, grace: 60 });
    expect([what_if.as_is, what_if.as_asked]).toEqual([[], []]);
  });

  test('of so many days, and of no more than the log holds', async () => {
    const { uuid } = await knell.create({ timeout: 3600, grace: 600 });
    for (let day = 0; day < 4; day++) {
      await ping(uuid, '/fail');
      await clock.advance(hour);
      await ping(uuid);
      await clock.advance(23 * hour);
    }
    const all = (await preview({ check: uuid, grace: 7200 })).what_if;
    expect(all.notes.join()).not.toContain('The log holds no pings');
    expect(all.as_is.filter(({ cause }: Json) => cause === 'fail')).toHaveLength(1);
    const last = (await preview({ check: uuid, days: 1 })).what_if;
    expect([last.from, last.pings]).toEqual(['2026-03-05T12:00:00+00:00', 2]);
    for (let batch = 0; batch < 21; batch++) await Promise.all(Array.from({ length: 50 }, () => ping(uuid)));
    const cut = (await preview({ check: uuid })).what_if;
    expect(cut.pings).toBe(1000);
    expect(cut.from).toBe('2026-03-06T12:00:00+00:00');
    expect(cut.notes[0]).toBe(
      'The log holds no pings before 2026-03-06T12:00:00+00:00: the replay begins there.',
    );
  });

  test('says that pings stay ignored that were', async () => {
    const { uuid } = await knell.create({ methods: 'POST' });
    await ping(uuid);
    const words = 'Pings that were ignored for their method stay ignored: what else they said is not kept.';
    expect((await preview({ check: uuid, methods: '' })).what_if.notes).toContain(words);
    expect((await preview({ check: uuid, grace: 120 })).what_if.notes).not.toContain(words);
  });

  test('says that keywords are not judged again', async () => {
    const { uuid } = await knell.create({ filter_http_body: true, failure_kw: 'error' });
    await ping(uuid);
    const { what_if } = await preview({ check: uuid, failure_kw: '' });
    expect(what_if.notes[0]).toContain('Keywords are not judged again');
  });

  test('a read-only key names the check by its unique key', async () => {
    await knell.create({ timeout: 3600 });
    const listed = await knell.api('GET', '/api/v3/checks/', undefined, knell.keys.readOnly);
    const [{ unique_key }] = listed.json().checks;
    expect((await preview({ check: unique_key }, knell.keys.readOnly)).what_if.pings).toBe(0);
  });
});

/** The settings under which the pings came give the alerts that there were: pings, runs and pauses at random. */
describe('the replay is what happened', () => {
  const configs: readonly Json[] = [
    { timeout: 3600, grace: 600 },
    { schedule: '0 * * * *', tz: 'Europe/Berlin', grace: 900, exit_codes: '24=warning,*=failure' },
    { timeout: 3600, grace: 600, max_runtime: 900, min_runtime: 120, overlap: 'fail' },
    { timeout: 3600, grace: 600, hosts: 'db-1 db-2' },
    { schedule: '0 */2 * * *', grace: 600, start_grace: 300, expected_runs: 2 },
    { timeout: 3600, unusual_runtime: 'fail', unusual_factor: 1, manual_resume: true },
  ];
  const rests = ['', '', '', '/start', '/start', '/fail', '/0', '/24', '/3', '/log', '/warn', '/alive'];

  test.each(configs)('%j', async (config) => {
    const { uuid } = await knell.create(config);
    const random = new Random(JSON.stringify(config).length);
    const pick = (count: number): number => random.below(count);
    for (let step = 0; step < 90; step++) {
      await clock.advance((1 + pick(80)) * minute + pick(minute));
      const roll = pick(30);
      if (roll === 0) await knell.api('POST', `/api/v3/checks/${uuid}/pause`, {});
      else if (roll === 1) await knell.api('POST', `/api/v3/checks/${uuid}/resume`, {});
      else {
        const rid = pick(3) === 0 ? '' : `&rid=0000000${pick(3)}-0000-4000-8000-000000000000`;
        await ping(uuid, `${rests[pick(rests.length)]}?host=db-${1 + pick(2)}${rid}`);
      }
    }
    const flips = (await knell.flips(uuid)).map(({ timestamp, up }: Json) => [timestamp, up]).reverse();
    const { what_if } = await preview({ check: uuid });
    expect(flips.length).toBeGreaterThan(5);
    expect(what_if.as_is.map(({ at, kind }: Json) => [at, kind === 'up' ? 1 : 0])).toEqual(flips);
    expect(what_if.as_asked).toEqual(what_if.as_is);
    expect([what_if.only_as_is, what_if.only_as_asked]).toEqual([[], []]);
  });
});
