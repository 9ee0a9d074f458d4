/** Runs of a check that tracks them, step by step: each sentence of the manual about runs, without an engine around it. */
import { describe, expect, test } from 'vitest';
import { type Check, type CheckConfig, defaultConfig, freshState } from '../../../src/domain/check/check.ts';
import type { CheckEvent } from '../../../src/domain/check/check-machine.ts';
import { nextDeadline } from '../../../src/domain/check/deadline.ts';
import type { RunEnding } from '../../../src/domain/runs/run-ending.ts';
import { creditRuns, isTracked, settleRuns, trackRuns } from '../../../src/domain/runs/track-runs.ts';
import { decide } from '../../../src/engine/registry/check-actor.ts';
import { asBadgeId, asCheckId, asProjectId, asRunId, type RunId } from '../../../src/lib/ids.ts';
import { hour, minute, NEVER, second } from '../../../src/lib/units.ts';

const a = asRunId('0000000a-0000-4000-8000-000000000000');
const b = asRunId('0000000b-0000-4000-8000-000000000000');
/** A midnight (UTC). */
const day0 = Date.UTC(2026, 0, 5);

class Life {
  check: Check;
  readonly endings: RunEnding[] = [];
  note: string | null = null;

  constructor(config: Partial<CheckConfig>) {
    this.check = {
      id: asCheckId('00000001-0000-4000-8000-000000000000'),
      projectId: asProjectId('00000002-0000-4000-8000-000000000000'),
      badgeId: asBadgeId('00000003-0000-4000-8000-000000000000'),
      createdAtMs: day0,
      config: { ...defaultConfig, timeoutS: 3600, graceS: 600, ...config },
      state: freshState,
    };
  }

  /** Lets every deadline before it pass, as the engine does. */
  send(event: CheckEvent): this {
    this.pass(event.atMs);
    this.#step(event);
    return this;
  }

  pass(untilMs: number): this {
    for (let due = nextDeadline(this.check.state); due <= untilMs; due = nextDeadline(this.check.state))
      this.#step({ type: 'timeout', atMs: due });
    return this;
  }

  #step(event: CheckEvent): void {
    const { check } = this;
    const tracks = isTracked(check) || event.type === 'alive' || event.type === 'update';
    if (!tracks) {
      this.check = decide(check, event);
      return;
    }
    const step = trackRuns(check, event);
    this.endings.push(...step.endings);
    this.note = step.note;
    this.check = settleRuns(step, decide(step.check, step.event));
  }

  start(atMs: number, rid: RunId | null = null, host = ''): this {
    return this.send({ type: 'start', atMs, rid, host });
  }
  success(atMs: number, rid: RunId | null = null, host = ''): this {
    return this.send({ type: 'success', atMs, rid, host });
  }
  fail(atMs: number, rid: RunId | null = null, host = ''): this {
    return this.send({ type: 'fail', atMs, rid, host });
  }
  warn(atMs: number, rid: RunId | null = null, host = ''): this {
    return this.send({ type: 'warn', atMs, rid, host });
  }
  alive(atMs: number, rid: RunId | null = null): this {
    return this.send({ type: 'alive', atMs, rid });
  }

  get status() {
    return this.check.state.status;
  }
  get outcomes() {
    return this.endings.map(({ outcome, rid, host, atMs }) => [outcome, rid ?? host, atMs - day0]);
  }
}

const cron = { kind: 'cron', schedule: '0 2 * * *', tz: 'UTC' } as const;
const two = day0 + 2 * hour;

describe('a longest runtime', () => {
  test('takes the check down at the very end of it, and says which of two runs hung', () => {
    const life = new Life({ maxRuntimeS: 1800 });
    life
      .success(day0)
      .start(day0 + minute, a)
      .start(day0 + 2 * minute, b);
    life.pass(day0 + 31 * minute - 1);
    expect(life.status).toBe('up');
    life.pass(day0 + 31 * minute);
    expect(life.status).toBe('down');
    expect(life.outcomes).toEqual([['hung', a, 31 * minute]]);
    life.pass(day0 + 40 * minute);
    expect(life.outcomes).toEqual([
      ['hung', a, 31 * minute],
      ['hung', b, 32 * minute],
    ]);
  });

  test('is put off by a run that says that it is alive, and by no log entry', () => {
    const life = new Life({ maxRuntimeS: 1800 });
    life
      .success(day0)
      .start(day0, a)
      .send({ type: 'log', atMs: day0 + 20 * minute });
    life.alive(day0 + 20 * minute, a).pass(day0 + 45 * minute);
    expect(life.status).toBe('up');
    life.pass(day0 + 50 * minute);
    expect(life.outcomes).toEqual([['hung', a, 50 * minute]]);
  });

  test('a run in flight answers for the schedule', () => {
    const life = new Life({ ...cron, maxRuntimeS: 3 * 3600, graceS: 60 });
    life
      .success(day0)
      .start(two, a)
      .pass(two + 2 * hour);
    expect(life.status).toBe('up');
    life.success(two + 2 * hour, a);
    expect(life.check.state.lastDurationMs).toBe(2 * hour);
    expect(life.check.state.expectedAtMs).toBe(two + 24 * hour);
  });

  test('an end without an id ends the only run there is, and no one of several', () => {
    const one = new Life({ maxRuntimeS: 1800 })
      .success(day0)
      .start(day0, a)
      .success(day0 + minute);
    expect(one.check.runs?.open).toEqual([]);
    const more = new Life({ maxRuntimeS: 1800 }).success(day0).start(day0, a).start(day0, b);
    expect(more.success(day0 + minute).check.runs?.open).toHaveLength(2);
  });

  test('an end that comes before its start opens no run', () => {
    const life = new Life({ maxRuntimeS: 1800 }).success(day0);
    life.success(day0 + minute, a).start(day0 + minute + second, a);
    expect(life.note).toBe('ended-before');
    expect(life.check.runs?.open).toEqual([]);
    life.start(day0 + 20 * minute, a);
    expect(life.check.runs?.open).toHaveLength(1);
  });

  test('an id that is started twice is one run, whose time begins anew', () => {
    const life = new Life({ maxRuntimeS: 1800 })
      .success(day0)
      .start(day0, a)
      .start(day0 + 20 * minute, a);
    expect(life.check.runs?.open).toHaveLength(1);
    life.pass(day0 + 49 * minute);
    expect(life.status).toBe('up');
  });

  test('a pause gives its runs up', () => {
    const life = new Life({ maxRuntimeS: 1800 }).success(day0).start(day0, a).start(day0, b);
    life.send({ type: 'pause', atMs: day0 + minute }).pass(day0 + 24 * hour);
    expect(life.outcomes).toEqual([
      ['overtaken', a, minute],
      ['overtaken', b, minute],
    ]);
    expect(life.status).toBe('paused');
  });

  test('the oldest of more runs than a check may have is given up, and said', () => {
    const life = new Life({ maxRuntimeS: 1800 }).success(day0);
    for (let n = 0; n < 101; n++)
      life.start(day0 + n, asRunId(`${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`));
    expect(life.check.runs?.open).toHaveLength(100);
    expect(life.endings.map(({ outcome }) => outcome)).toEqual(['overtaken']);
  });

  test('a deadline that passed while Knell was away is put off, that of each run by itself', () => {
    const life = new Life({ maxRuntimeS: 1800 })
      .success(day0)
      .start(day0, a)
      .start(day0 + 20 * minute, b);
    const away = creditRuns(life.check, day0 + 25 * minute, day0 + 35 * minute);
    expect(away?.runs?.open.map(({ notBeforeMs }) => notBeforeMs)).toEqual([day0 + 40 * minute, 0]);
    expect(away?.state.downNotBeforeMs).toBe(0);
    expect(away && creditRuns(away, day0 + 25 * minute, day0 + 35 * minute)).toBeNull();
  });
});

describe('a start grace', () => {
  const config = { ...cron, startGraceS: 300, maxRuntimeS: 3600 };

  test('a run that did not start in time is missed, and not hung', () => {
    const life = new Life(config).success(day0).pass(two);
    expect(life.status).toBe('grace');
    life.pass(two + 5 * minute);
    expect(life.status).toBe('down');
    expect(life.outcomes).toEqual([['missed', '', 2 * hour + 5 * minute]]);
  });

  test('a start is what the check waits for; then the run has its own time', () => {
    const life = new Life(config).success(day0).start(two + 4 * minute, a);
    expect(life.status).toBe('up');
    life.pass(two + 64 * minute);
    expect(life.outcomes).toEqual([['hung', a, 2 * hour + 64 * minute]]);
  });

  test('a run of yesterday that still goes on does not stand for that of today', () => {
    const life = new Life({ ...config, maxRuntimeS: 100_000 }).success(day0).start(two, a);
    life.pass(two + 24 * hour + 5 * minute);
    expect(life.outcomes).toEqual([['missed', '', 26 * hour + 5 * minute]]);
    expect(life.check.runs?.open).toHaveLength(1);
  });
});

describe('durations', () => {
  test('a success that came too soon is a failure', () => {
    const life = new Life({ minRuntimeS: 60 })
      .success(day0)
      .start(day0, a)
      .success(day0 + 2 * second, a);
    expect([life.status, life.note]).toEqual(['down', 'too-short']);
  });

  test.each(['warn', 'fail'] as const)('an unusual one means what the setting says: %s', (unusualRuntime) => {
    const life = new Life({ unusualRuntime, maxRuntimeS: 1800 });
    for (let n = 0; n < 10; n++) {
      const atMs = day0 + n * hour;
      life.start(atMs, a).success(atMs + 10 * minute + n * second, a);
    }
    expect([life.status, life.note]).toEqual(['up', null]);
    life.start(day0 + 10 * hour, a).success(day0 + 10 * hour + minute, a);
    expect([life.status, life.note]).toEqual([unusualRuntime === 'fail' ? 'down' : 'up', 'unusually-short']);
    // Of what was strange nothing is learned.
    expect(life.check.runs?.durations).toHaveLength(10);
  });
});

describe('overlap', () => {
  test.each(['allow', 'warn', 'fail'] as const)('%s', (overlap) => {
    const life = new Life({ overlap, maxRuntimeS: 1800 })
      .success(day0)
      .start(day0, a)
      .start(day0 + 1, b);
    expect(life.status).toBe(overlap === 'fail' ? 'down' : 'up');
    expect(life.note).toBe(overlap === 'allow' ? null : 'overlap');
    expect(life.check.runs?.open).toHaveLength(2);
  });

  test('runs of two hosts do not overlap', () => {
    const life = new Life({ overlap: 'fail', hosts: 'x y' }).success(day0, null, 'x');
    life.start(day0, a, 'x').start(day0, b, 'y');
    expect(life.status).toBe('up');
    life.start(day0 + 1, null, 'z').start(day0 + 2, null, 'y');
    expect(life.status).toBe('down');
    const other = new Life({ overlap: 'fail', hosts: 'x y' }).success(day0, null, 'x');
    other.start(day0 + 1, null, 'x').start(day0 + 2, null, 'y');
    expect([other.status, other.note]).toEqual(['up', null]);
  });
});

describe('a warning', () => {
  test('ends its run and neither takes the check down nor brings it up', () => {
    const life = new Life({ maxRuntimeS: 1800 })
      .success(day0)
      .start(day0, a)
      .warn(day0 + minute, a);
    expect([life.status, life.check.runs?.open]).toEqual(['up', []]);
    life.fail(day0 + 2 * minute).warn(day0 + 3 * minute);
    expect(life.status).toBe('down');
  });

  test('is the report that was due', () => {
    const life = new Life({}).success(day0).warn(day0 + 65 * minute);
    expect([life.status, life.check.state.expectedAtMs]).toEqual(['up', day0 + 125 * minute]);
  });
});

describe('hosts', () => {
  test('the check is down while one is missing, whatever the others say', () => {
    const life = new Life({ hosts: 'x y z' });
    life.success(day0, null, 'x').success(day0 + minute, null, 'y');
    life
      .success(day0 + hour, null, 'x')
      .success(day0 + hour, null, 'y')
      .pass(day0 + 70 * minute);
    expect(life.outcomes).toEqual([['missed', 'z', 70 * minute]]);
    expect(life.status).toBe('down');
    life.success(day0 + 71 * minute, null, 'x');
    expect(life.status).toBe('down');
    life.success(day0 + 72 * minute, null, 'z');
    expect(life.status).toBe('up');
  });

  test('a host that failed keeps the check down until it succeeds', () => {
    const life = new Life({ hosts: 'x y' }).success(day0, null, 'x').success(day0, null, 'y');
    life.fail(day0 + minute, null, 'x').success(day0 + 2 * minute, null, 'y');
    expect(life.status).toBe('down');
    expect(life.success(day0 + 3 * minute, null, 'x').status).toBe('up');
  });

  test('one that the setting does not name is said', () => {
    const life = new Life({ hosts: 'x y' }).success(day0, null, 'x').success(day0, null, 'other');
    expect(life.note).toBe('unknown-host');
  });
});

describe('reports of a period', () => {
  test('as many as expected, for a schedule', () => {
    const life = new Life({ ...cron, expectedRuns: 3, graceS: 3600 }).success(day0);
    for (const at of [1, 2, 3]) life.success(two + at * minute);
    expect(life.pass(two + 23 * hour).status).toBe('up');
    life.success(two + 24 * hour + minute).success(two + 24 * hour + 2 * minute);
    expect(life.pass(two + 25 * hour).status).toBe('down');
    expect(life.success(two + 27 * hour).status).toBe('up');
  });

  test('as many as expected, for a period', () => {
    const life = new Life({ expectedRuns: 2 }).success(day0).success(day0 + minute);
    life.success(day0 + 30 * minute).pass(day0 + 71 * minute);
    expect(life.status).toBe('down');
    expect(life.success(day0 + 72 * minute).status).toBe('up');
  });
});

test('a ping that comes a little early counts for its slot', () => {
  const early = new Life({ ...cron, earlyToleranceS: 300 }).success(two - 2 * minute);
  expect(early.check.state.expectedAtMs).toBe(two + 24 * hour);
  const earlier = new Life({ ...cron, earlyToleranceS: 300 }).success(two - 6 * minute);
  expect(earlier.check.state.expectedAtMs).toBe(two);
});

test('without settings of runs, a run that is alive is put off, and all is as before when it ends', () => {
  const life = new Life({}).success(day0).start(day0 + minute, a);
  life.alive(day0 + 10 * minute, a).pass(day0 + 19 * minute);
  expect(life.status).toBe('up');
  life.success(day0 + 19 * minute, a);
  expect(life.check.runs).toBeUndefined();
  expect(life.check.state.downAtMs).toBe(day0 + 19 * minute + 70 * minute);
});

test('settings that are unset again forget the runs but the last, and none silently', () => {
  const life = new Life({ maxRuntimeS: 1800 })
    .success(day0)
    .start(day0, a)
    .start(day0 + 1, b);
  life.send({ type: 'update', atMs: day0 + 2, config: { ...life.check.config, maxRuntimeS: 0 } });
  expect(life.outcomes).toEqual([['overtaken', a, 2]]);
  expect(life.check.state).toMatchObject({ startedMs: day0 + 1, startRid: b });
  expect(life.check.state.downAtMs).not.toBe(NEVER);
});
