import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Check, Status } from '../../../src/domain/check/check.ts';
import { type CheckEvent, effectiveSignal, timedOut } from '../../../src/domain/check/check-machine.ts';
import { nextDeadline, nextPingMs } from '../../../src/domain/check/deadline.ts';
import { asRunId } from '../../../src/lib/ids.ts';
import { NEVER } from '../../../src/lib/units.ts';
import { anyCheck, anyEvent, checkWith, t0 } from '../../support/engine/checks.ts';
import { step } from '../../support/step.ts';

const at = (minutes: number): number => t0 + minutes * 60_000;
const simple = { timeoutS: 600, graceS: 300 };
const ridA = asRunId('00000000-0000-4000-8000-00000000000a');
const ridB = asRunId('00000000-0000-4000-8000-00000000000b');
const success = (minutes: number, rid: typeof ridA | null = null): CheckEvent => ({
  type: 'success',
  atMs: at(minutes),
  rid,
});
const fail = (minutes: number): CheckEvent => ({ type: 'fail', atMs: at(minutes), rid: null });
const start = (minutes: number, rid: typeof ridA | null = null): CheckEvent => ({
  type: 'start',
  atMs: at(minutes),
  rid,
});
const timeout = (minutes: number): CheckEvent => ({ type: 'timeout', atMs: at(minutes) });
const pause: CheckEvent = { type: 'pause', atMs: at(1) };
const resume: CheckEvent = { type: 'resume', atMs: at(2) };
const undone = (minutes: number): CheckEvent => ({ type: 'resume', atMs: at(minutes), isUndo: true });
const run = (check: Check, ...events: readonly CheckEvent[]): Check => events.reduce(step, check);
const fresh = checkWith(simple);

describe('the table of states', () => {
  const up = run(fresh, success(0));
  const grace = run(up, timeout(10));
  const down = run(grace, timeout(15));
  const paused = run(up, pause);
  const held = run(run(checkWith({ ...simple, manualResume: true }), success(0)), pause);
  const rows: readonly (readonly [string, Check, CheckEvent, Status])[] = [
    ['new', fresh, success(0), 'up'],
    ['new', fresh, fail(0), 'down'],
    ['new', fresh, start(0), 'new'],
    ['up', up, success(1), 'up'],
    ['up', up, fail(1), 'down'],
    ['up', up, start(1), 'up'],
    ['up', up, timeout(10), 'grace'],
    ['up and not yet due', up, timeout(9), 'up'],
    ['grace', grace, success(11), 'up'],
    ['grace', grace, fail(11), 'down'],
    ['grace', grace, start(11), 'grace'],
    ['grace', grace, timeout(15), 'down'],
    ['grace and not yet due', grace, timeout(14), 'grace'],
    ['down', down, success(20), 'up'],
    ['down', down, fail(20), 'down'],
    ['down', down, start(20), 'down'],
    ['down', down, timeout(99), 'down'],
    ['new', fresh, pause, 'paused'],
    ['grace', grace, pause, 'paused'],
    ['down', down, pause, 'paused'],
    ['paused', paused, resume, 'new'],
    ['paused', paused, undone(2), 'up'],
    ['paused, late by now', paused, undone(12), 'grace'],
    ['paused, overdue by now', paused, undone(15), 'new'],
    ['paused, never pinged', run(fresh, pause), undone(2), 'new'],
    ['paused', paused, success(3), 'up'],
    ['paused', paused, fail(3), 'down'],
    ['paused', paused, start(3), 'new'],
    ['paused', paused, timeout(99), 'paused'],
    ['paused, to be resumed by hand', held, success(3), 'paused'],
    ['paused, to be resumed by hand', held, fail(3), 'paused'],
    ['paused, to be resumed by hand', held, start(3), 'paused'],
    ['paused, to be resumed by hand', held, resume, 'new'],
    ['up', up, { type: 'log', atMs: at(1) }, 'up'],
    ['paused', paused, { type: 'log', atMs: at(1) }, 'paused'],
  ];
  test.each(rows.map(([from, check, event, to]) => ({ from, check, event, to, on: event.type })))(
    '$from, on $on, becomes $to',
    ({ check, event, to }) => {
      expect(step(check, event).state.status).toBe(to);
    },
  );
});

test('a pause that is undone leaves all as it was', () => {
  const up = run(fresh, success(0));
  expect(run(up, pause, undone(2)).state).toEqual(up.state);
});

describe('runs', () => {
  test('a start shows the run, leaves the last ping alone, and takes the check down after its grace time', () => {
    const running = run(fresh, success(0), start(2));
    expect(running.state).toMatchObject({ startedMs: at(2), lastPingMs: at(0), downAtMs: at(7) });
    expect(nextPingMs(running)).toBe(at(2));
    const late = run(running, timeout(7));
    expect(late.state).toMatchObject({ status: 'down', startedMs: at(2) });
  });

  test('a success ends the run when the run ids agree, and knows how long it took', () => {
    const ended = run(fresh, start(0, ridA), success(3, ridA));
    expect(ended.state).toMatchObject({ startedMs: null, startRid: null, lastDurationMs: 180_000 });
  });

  test('a success of another run leaves this one going', () => {
    const going = run(fresh, start(0, ridA), success(3, ridB));
    expect(going.state).toMatchObject({
      status: 'up',
      startedMs: at(0),
      startRid: ridA,
      lastDurationMs: null,
    });
  });

  test('a success without a run id ends any run, without a duration unless the start had none either', () => {
    expect(run(fresh, start(0, ridA), success(3)).state).toMatchObject({
      startedMs: null,
      lastDurationMs: null,
    });
    expect(run(fresh, start(0), success(3)).state).toMatchObject({
      startedMs: null,
      lastDurationMs: 180_000,
    });
  });

  test('a failure always ends the run', () => {
    const failed = run(fresh, start(0, ridA), { type: 'fail', atMs: at(3), rid: ridB });
    expect(failed.state).toMatchObject({ status: 'down', startedMs: null });
  });

  test('a new check whose first run never ends goes down', () => {
    const running = run(fresh, start(0));
    expect(nextDeadline(running.state)).toBe(at(5));
    expect(run(running, timeout(5)).state.status).toBe('down');
  });
});

describe('updates', () => {
  const update = (minutes: number, config: Partial<Check['config']>): CheckEvent => ({
    type: 'update',
    atMs: at(minutes),
    config: { ...fresh.config, ...config },
  });
  const up = run(fresh, success(0));

  test('a longer period brings a late check back up', () => {
    expect(run(up, timeout(10), update(12, { timeoutS: 3600 })).state).toMatchObject({
      status: 'up',
      expectedAtMs: at(60),
    });
  });

  test('a shorter period makes a check late, or takes it down, at once', () => {
    expect(run(up, update(4, { timeoutS: 120 })).state.status).toBe('grace');
    expect(run(up, update(8, { timeoutS: 120 })).state.status).toBe('down');
    expect(run(up, timeout(10), update(12, { graceS: 60 })).state.status).toBe('down');
  });

  test('a change of the name alone changes no status and no deadline', () => {
    const late = run(up, timeout(10));
    expect(run(late, update(12, { name: 'other' })).state).toEqual(late.state);
  });

  test('a check that is down stays down, whatever its new schedule', () => {
    expect(run(up, timeout(10), timeout(15), update(16, { timeoutS: 86_400 })).state.status).toBe('down');
  });
});

test('a schedule without a further time expects nothing', () => {
  const check = run(checkWith({ kind: 'oncalendar', schedule: '2001-01-01' }), success(0));
  expect(check.state).toMatchObject({ status: 'up', expectedAtMs: NEVER, downAtMs: NEVER });
  expect(nextPingMs(check)).toBeNull();
});

test('an interval of 365 days and as much grace is exact to the millisecond', () => {
  const check = run(checkWith({ timeoutS: 31_536_000, graceS: 31_536_000 }), success(0));
  expect(check.state.expectedAtMs - at(0)).toBe(31_536_000_000);
  expect(check.state.downAtMs - at(0)).toBe(63_072_000_000);
});

test('a paused check that waits for its owner logs every ping as ignored', () => {
  const held = run(checkWith({ manualResume: true }), success(0), pause);
  expect(effectiveSignal(held, 'fail')).toBe('ign');
  expect(effectiveSignal(run(fresh, pause), 'fail')).toBe('fail');
});

/** The table of states again, written a second time and differently: what every step must come to. */
function expectedStatus({ config, state }: Check, event: CheckEvent, after: Check): readonly Status[] {
  const { status } = state;
  const held = status === 'paused' && config.manualResume;
  switch (event.type) {
    case 'success':
      return [held ? 'paused' : 'up'];
    case 'fail':
      return [held ? 'paused' : 'down'];
    case 'start':
      return [status === 'paused' && !held ? 'new' : status];
    case 'warn':
      return [held || status === 'down' ? status : 'up'];
    case 'report':
      return [held || status === 'down' || status === 'grace' ? status : 'up'];
    case 'breach':
      return [held ? 'paused' : status === 'paused' ? 'new' : 'down'];
    case 'alive':
      return [status];
    case 'log':
    case 'ign':
      return [status];
    case 'pause':
      return ['paused'];
    case 'resume':
      return [status === 'paused' ? 'new' : status];
    case 'timeout':
      if (event.atMs >= state.downAtMs) return ['down'];
      return [status === 'up' && event.atMs >= state.expectedAtMs ? 'grace' : status];
    case 'update': {
      if (status === 'down' || status === 'paused') return [status];
      if (after.state.status === 'down') return ['down'];
      if (status === 'new') return ['new'];
      return [event.atMs >= after.state.expectedAtMs ? 'grace' : 'up'];
    }
  }
}

test('every event in every state does what the table says, and pings are counted one by one', () => {
  fc.assert(
    fc.property(anyCheck, anyEvent, (check, event) => {
      const after = step(check, event);
      expect(expectedStatus(check, event, after)).toContain(after.state.status);
      const isPing = !['timeout', 'update', 'pause', 'resume'].includes(event.type);
      expect(after.state.nPings - check.state.nPings).toBe(isPing ? 1 : 0);
      if (['down', 'paused'].includes(after.state.status)) expect(nextDeadline(after.state)).toBe(NEVER);
      if (after.state.status === 'paused') expect(after.state.startedMs).toBeNull();
    }),
    { numRuns: 3000 },
  );
});

test('a timeout without an actor leaves what the actor would, and the very same check where nothing has passed', () => {
  let moved = 0;
  fc.assert(
    fc.property(anyCheck, fc.integer({ min: t0, max: t0 + 1_000_000 }), (check, atMs) => {
      const after = timedOut(check, atMs);
      const decided = step(check, { type: 'timeout', atMs });
      expect(after).toEqual(decided);
      expect(after === check).toBe(decided === check);
      if (after !== check) moved++;
    }),
    { numRuns: 2000 },
  );
  expect(moved).toBeGreaterThan(200);
});

test('a passed deadline always moves the check on, so that a timeout is never handled twice', () => {
  fc.assert(
    fc.property(anyCheck, (check) => {
      const dueMs = nextDeadline(check.state);
      if (dueMs === NEVER) return;
      const after = step(check, { type: 'timeout', atMs: dueMs });
      expect(nextDeadline(after.state) > dueMs || after.state.status !== check.state.status).toBe(true);
      expect(after.state.status).not.toBe(check.state.status);
    }),
    { numRuns: 2000 },
  );
});
