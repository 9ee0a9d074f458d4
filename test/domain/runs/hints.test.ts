/** Each hint, and beside it what looks like it and is none. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckConfig, defaultConfig } from '../../../src/domain/check/check.ts';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { Ping, Signal } from '../../../src/domain/check/ping.ts';
import { type Hint, hintsOf } from '../../../src/domain/runs/hints.ts';
import { asRunId } from '../../../src/lib/ids.ts';
import { day, hour, minute, second } from '../../../src/lib/units.ts';

/** A Monday in winter, midnight UTC. */
const monday = Date.UTC(2026, 0, 5);
const nightly = { kind: 'cron', schedule: '0 3 * * *', tz: 'UTC', graceS: 1800 } as const;
const rids = Array.from({ length: 100 }, (_, n) =>
  asRunId(`${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`),
);

interface Sent extends Partial<Ping> {
  readonly atMs: number;
  readonly signal?: Signal;
}

function logOf(sent: readonly Sent[]): readonly Ping[] {
  return sent
    .toSorted((one, other) => one.atMs - other.atMs)
    .map((ping, index) => ({
      n: index + 1,
      signal: 'success',
      scheme: 'http',
      remoteAddr: '192.0.2.1',
      method: 'GET',
      ua: '',
      byHand: false,
      rid: null,
      exitStatus: null,
      host: '',
      note: null,
      ...{ figures: [], about: '', results: [] },
      bodyBytes: 0,
      ...ping,
    }));
}

interface More {
  readonly zones?: readonly string[];
  readonly changes?: readonly StatusChange[];
}

function hints(config: Partial<CheckConfig>, sent: readonly Sent[], more: More = {}): readonly Hint[] {
  const whole = { ...defaultConfig, ...config };
  return hintsOf({ zones: [], changes: [], ...more, config: whole, pings: logOf(sent) });
}

/** One success a day, so many minutes after midnight UTC. */
function daily(minutes: readonly number[]): readonly Sent[] {
  return minutes.map((at, index) => ({ atMs: monday + index * day + at * minute }));
}

/** A start and an end, each so long after the one before. */
function runs(count: number, everyMs: number, lasting: (index: number) => number): readonly Sent[] {
  return Array.from({ length: count }, (_, index): readonly Sent[] => {
    const atMs = monday + index * everyMs;
    return [
      { atMs, signal: 'start' },
      { atMs: atMs + lasting(index), signal: 'success' },
    ];
  }).flat();
}

describe('always late', () => {
  /** Expected at 3:00 each day. */
  const waits = (begins: readonly number[], lasting: number, hasStarts: boolean) => {
    const ends = begins.map((minutes, index) => monday + index * day + (minutes + lasting) * minute);
    const start = (atMs: number): Sent => ({ atMs: atMs - lasting * minute, signal: 'start' });
    const sent = ends.flatMap((atMs) => (hasStarts ? [start(atMs), { atMs }] : [{ atMs }]));
    const changes = ends.flatMap((atMs, index): readonly StatusChange[] => [
      { atMs: monday + index * day + 3 * hour, from: 'up', to: 'grace', cause: 'timeout' },
      { atMs, from: 'grace', to: 'up', cause: 'success' },
    ]);
    return hints(nightly, sent, { changes });
  };

  test('is a job that takes long and pings only at its end, or one that begins late', () => {
    const text = ([hint]: readonly Hint[]) => `${hint?.code}: ${hint?.text}`;
    expect(text(waits([180, 181, 180, 182, 180, 180], 11, false))).toBe(
      'always-late: Each of the last 6 runs was late, reported 11 to 13 minutes after its time: a ping when the job starts, too, shows that it is on time, however long it takes.',
    );
    expect(text(waits([190, 191, 190, 192, 190], 5, true))).toBe(
      'always-late: Each of the last 5 runs was late, begun 10 to 12 minutes after its time: is the schedule right?',
    );
  });

  test('is none that begins or ends on time, or did once', () => {
    expect(waits([180, 180, 180, 180, 180], 20, true)).toEqual([]);
    expect(waits([190, 190, 180, 190, 190, 190], 0.5, false)).toEqual([]);
  });
});

describe('time zone', () => {
  const hourEarly = daily([120, 121, 122, 120, 121, 119]);

  test('runs that begin an hour early, with the one zone of the project that fits', () => {
    expect(hints(nightly, hourEarly, { zones: ['Europe/Berlin', 'Asia/Tokyo'] })).toEqual([
      {
        code: 'time-zone',
        text: 'Runs begin 58 to 61 minutes before they are expected: is the time zone right? Europe/Berlin would fit.',
        change: { tz: 'Europe/Berlin' },
      },
    ]);
  });

  test('no change where none fits, or several do', () => {
    expect(hints(nightly, hourEarly)).toMatchObject([
      { text: expect.stringMatching(/right\?$/), change: null },
    ]);
    expect(hints(nightly, hourEarly, { zones: ['Europe/Berlin', 'Europe/Paris'] })).toMatchObject([
      { text: expect.stringContaining('Europe/Berlin and Europe/Paris would fit.'), change: null },
    ]);
  });

  test('a machine in UTC, hours after the time of the schedule', () => {
    const tokyo = { ...nightly, tz: 'Asia/Tokyo' };
    expect(hints(tokyo, daily([180, 180, 181, 180, 180]))).toEqual([
      {
        code: 'time-zone',
        text: 'Runs begin 9 hours to 9 hours 1 minute after they are expected: is the time zone right? UTC would fit.',
        change: { tz: 'UTC' },
      },
    ]);
  });

  test('a machine whose clock does not change, while that of the schedule does', () => {
    const berlin = { ...nightly, tz: 'Europe/Berlin' };
    const friday = Date.UTC(2026, 2, 27, 3);
    const sent = Array.from({ length: 8 }, (_, index) => ({ atMs: friday + index * day + index * second }));
    expect(hints(berlin, sent)).toEqual([
      {
        code: 'time-zone',
        text: 'Runs begin 1 hour to 2 hours after they are expected: is the time zone right? UTC would fit.',
        change: { tz: 'UTC' },
      },
    ]);
  });

  test.each([
    ['too few runs', nightly, daily([240, 240, 240, 240])],
    ['in time', nightly, daily([180, 181, 182, 180, 184, 183])],
    ['not close to an hour', { ...nightly, graceS: 7200 }, daily([225, 226, 225, 224, 226, 225])],
    ['not steady', { ...nightly, graceS: 7200 }, daily([240, 251, 240, 240, 239, 240])],
    [
      'slots too close',
      { ...nightly, schedule: '0 */2 * * *', graceS: 7200 },
      daily([60, 60, 60, 60, 60, 60]),
    ],
    ['several hosts', { ...nightly, graceS: 7200, hosts: 'a b' }, daily([240, 240, 240, 240, 240, 240])],
    [
      'sent by hand',
      { ...nightly, graceS: 7200 },
      daily([240, 240, 240, 240, 240, 240]).map((ping) => ({ ...ping, byHand: true })),
    ],
  ])('not: %s', (_, config, sent) => {
    expect(hints(config, sent).filter(({ code }) => code === 'time-zone')).toEqual([]);
  });
});

describe('never in time', () => {
  test('always later than the grace time: a longer one', () => {
    expect(hints(nightly, daily([180, 225, 232, 228, 241, 229]))).toEqual([
      {
        code: 'never-in-time',
        text: 'Not one of the last 5 runs came within the grace time of 30 minutes: they came 45 to 61 minutes after they were expected.',
        change: { grace: 4200 },
      },
    ]);
  });

  test('a period that is much too short: another one', () => {
    const hourly = { timeoutS: 3600, graceS: 1800 };
    expect(hints(hourly, daily([0, 2, 1, 0, 1, 3]))).toMatchObject([{ change: { timeout: 86_400 } }]);
  });

  test('a little before each slot: an early tolerance', () => {
    expect(hints(nightly, daily([178, 179, 178, 177, 178, 179]))).toEqual([
      {
        code: 'never-in-time',
        text: 'Not one of the last 5 runs came within the grace time of 30 minutes: they come 1 to 3 minutes before they are expected.',
        change: { early_tolerance: 240 },
      },
    ]);
    expect(hints({ ...nightly, earlyToleranceS: 240 }, daily([178, 179, 178, 177, 178, 179]))).toEqual([]);
  });

  test('runs that take longer than they may', () => {
    const config = { timeoutS: 86_400, graceS: 3600, maxRuntimeS: 600 };
    expect(
      hints(
        config,
        runs(6, day, (index) => (20 + index) * minute),
      ),
    ).toEqual([
      {
        code: 'never-in-time',
        text: 'Not one of the last 6 runs ended within the 10 minutes that it may take: they took 20 to 25 minutes.',
        change: { max_runtime: 1800 },
      },
    ]);
    expect(
      hints(
        config,
        runs(6, day, (index) => (index === 2 ? 10 : 20) * minute),
      ),
    ).toEqual([]);
  });

  test.each([
    ['once in time', nightly, daily([180, 225, 232, 209, 241, 229])],
    ['too few runs', nightly, daily([180, 225, 232, 228, 241])],
    ['in time', { timeoutS: 86_400, graceS: 600 }, daily([0, 2, 4, 6, 8, 10])],
  ])('not: %s', (_, config, sent) => {
    expect(hints(config, sent)).toEqual([]);
  });

  test('not counted over a pause', () => {
    const changes = [0, 1, 2, 3, 4].map(
      (index): StatusChange => ({
        atMs: monday + index * day + 20 * hour,
        from: 'up',
        to: 'paused',
        cause: 'pause',
      }),
    );
    expect(hints(nightly, daily([180, 225, 232, 228, 241, 229]), { changes })).toEqual([]);
  });
});

describe('starts without ends', () => {
  const starts = (count: number): readonly Sent[] =>
    Array.from({ length: count }, (_, index) => ({ atMs: monday + index * day, signal: 'start' as const }));

  test('from five on', () => {
    expect(hints({}, starts(5))).toEqual([
      {
        code: 'starts-without-ends',
        text: 'The job sent 5 starts and no end at all: it should report success or failure when it is done.',
        change: null,
      },
    ]);
    expect(hints({}, starts(4))).toEqual([]);
  });

  test('no longer, since there were ends', () => {
    const ended = { atMs: monday - day };
    expect(hints({}, [ended, ...starts(6)])).toMatchObject([
      { text: expect.stringContaining('no end since') },
    ]);
    expect(hints({}, [...starts(6), { atMs: monday + 3.5 * day, signal: 'fail' }])).toEqual([]);
  });
});

describe('slower every week', () => {
  const config = { timeoutS: 86_400, graceS: 86_400 };
  const weekly = (minutes: readonly number[]): readonly Sent[] =>
    runs(minutes.length * 7, day, (index) => (minutes[Math.floor(index / 7)] ?? 0) * minute);

  test('each week by a tenth, for four weeks', () => {
    expect(hints(config, weekly([10, 11, 12.2, 13.5]))).toEqual([
      {
        code: 'slower-every-week',
        text: 'Runs have taken longer every week for 4 weeks: 10 minutes, 11 minutes, 12 minutes 12 seconds and 13 minutes 30 seconds.',
        change: null,
      },
    ]);
  });

  test.each([
    ['three weeks', [11, 12.2, 13.5]],
    ['one week by less', [10, 11, 12, 13.5]],
    ['one week faster', [10, 12, 11, 14]],
    ['fractions of a second', [0.001, 0.0012, 0.0015, 0.002]],
  ])('not: %s', (_, minutes) => {
    expect(hints(config, weekly(minutes))).toEqual([]);
  });

  test('not: two runs a week', () => {
    const sent = runs(8, 3.5 * day, (index) => [10, 11.5, 13, 15][Math.floor(index / 2)] ?? 0);
    expect(hints({ timeoutS: 7 * 86_400, graceS: 86_400 }, sent)).toEqual([]);
  });
});

describe('overlapping starts', () => {
  /** A run an hour, each so long. */
  const overlapping = (count: number, minutes: number, more: Partial<Ping> = {}): readonly Sent[] =>
    Array.from({ length: count }, (_, index): readonly Sent[] => {
      const own = { rid: rids[index] ?? null, ...more };
      const atMs = monday + index * hour;
      return [
        { atMs, signal: 'start', ...own },
        { atMs: atMs + minutes * minute, ...own },
      ];
    }).flat();
  const config = { timeoutS: 3600, graceS: 36_000 };

  test('while another run is in flight', () => {
    expect(hints(config, overlapping(4, 61))).toEqual([
      {
        code: 'starts-overlap',
        text: '3 of the last 4 runs started while another one was in flight.',
        change: { overlap: 'warn' },
      },
    ]);
  });

  test.each([
    ['two of them', config, overlapping(3, 61)],
    ['one after the other', config, overlapping(10, 60)],
    ['without ids', config, overlapping(10, 61, { rid: null })],
    ['noticed already', { ...config, overlap: 'warn' as const }, overlapping(10, 61)],
    ['few of many', config, [...overlapping(20, 59), ...overlapping(4, 61).map(later)]],
    [
      'on different hosts',
      { ...config, hosts: 'a b' },
      overlapping(10, 61).map((ping, index) => ({ ...ping, host: index % 4 < 2 ? 'a' : 'b' })),
    ],
    [
      'runs that never ended',
      config,
      overlapping(10, 61)
        .filter(({ signal }) => signal === 'start')
        .slice(0, 4),
    ],
  ])('not: %s', (_, settings, sent) => {
    expect(hints(settings, sent).filter(({ code }) => code === 'starts-overlap')).toEqual([]);
  });

  function later(ping: Sent): Sent {
    return { ...ping, atMs: ping.atMs + 40 * hour + second };
  }
});

test('nothing to say of a check without pings, or with good ones', () => {
  expect(hints({}, [])).toEqual([]);
  expect(hints(nightly, daily(Array.from({ length: 40 }, (_, index) => 180 + (index % 7))))).toEqual([]);
});

test('starts of runs that may all be in flight are no hint, until their time is over', () => {
  const config = { maxRuntimeS: 1800 };
  const starts = rids
    .slice(0, 20)
    .map((rid, n): Sent => ({ atMs: monday + n * second, signal: 'start', rid }));
  expect(hints(config, starts)).toEqual([]);
  const later: Sent = { atMs: monday + hour, signal: 'log' };
  expect(hints(config, [...starts, later])).toMatchObject([
    { code: 'starts-without-ends', text: expect.stringContaining('20 starts') },
  ]);
});

test('runs of which several are expected in each period are meant to overlap', () => {
  const sent = rids.slice(0, 20).flatMap((rid, n): readonly Sent[] => [
    { atMs: monday + n * second, signal: 'start', rid },
    { atMs: monday + n * second + minute, rid },
  ]);
  expect(hints({}, sent).map(({ code }) => code)).toContain('starts-overlap');
  expect(hints({ expectedRuns: 20 }, sent)).toEqual([]);
});

test('overlapping starts are counted as looking at each pair of runs counts them', () => {
  const anyRun = fc.record({
    fromS: fc.nat(500),
    tookS: fc.nat(200),
    host: fc.constantFrom('a', 'b'),
    ends: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyRun, { maxLength: 30 }), fc.boolean(), (given, byHost) => {
      const all = given.map((run, n) => ({
        ...run,
        fromMs: monday + run.fromS * second + n,
        rid: rids[n] ?? null,
      }));
      const sent = all.flatMap(({ fromMs, tookS, host, rid, ends }): readonly Sent[] => [
        { atMs: fromMs, signal: 'start', rid, host },
        ...(ends ? [{ atMs: fromMs + tookS * second + 0.5, rid, host }] : []),
      ]);
      const overlapping = all.filter((run) =>
        all.some(
          (other) =>
            other.ends &&
            (!byHost || other.host === run.host) &&
            other.fromMs < run.fromMs &&
            other.fromMs + other.tookS * second + 0.5 > run.fromMs,
        ),
      );
      const config = { hosts: byHost ? 'a b' : '', timeoutS: 86_400 };
      const found = hints(config, sent).find(({ code }) => code === 'starts-overlap');
      const isHint = overlapping.length >= 3 && overlapping.length >= all.length / 5;
      const words = `${overlapping.length} of the last ${all.length} runs started`;
      expect(found?.text.startsWith(words) ?? false).toBe(isHint);
    }),
  );
});
