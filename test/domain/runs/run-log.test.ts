import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import type { RunPing } from '../../../src/domain/runs/latest-runs.ts';
import type { RunEnding } from '../../../src/domain/runs/run-ending.ts';
import { durationOf, type LoggedRun, type RunLog, runsOfLog } from '../../../src/domain/runs/run-log.ts';
import { asRunId, type RunId } from '../../../src/lib/ids.ts';

const a = asRunId('0000000a-0000-4000-8000-000000000000');
const b = asRunId('0000000b-0000-4000-8000-000000000000');

type Given = Partial<RunPing> & Pick<RunPing, 'signal'>;

/** One a second, oldest first. */
function pingsOf(...given: readonly Given[]): readonly RunPing[] {
  return given.map((one, index) => ({
    n: index + 1,
    atMs: (index + 1) * 1000,
    rid: null,
    exitStatus: null,
    host: '',
    note: null,
    figures: [],
    about: '',
    results: [],
    ...one,
  }));
}

function runsOf(pings: readonly RunPing[], log: Partial<RunLog> = {}): readonly LoggedRun[] {
  const rest = { changes: [], endings: [], open: [], isTracked: true, ...log };
  return runsOfLog({ ...rest, pings: [...pings].reverse() });
}

/** Oldest first. */
function shown(runs: readonly LoggedRun[]) {
  return [...runs]
    .reverse()
    .map((run) => [run.outcome, run.startedMs, run.endedMs, durationOf(run), run.pings.join(' '), run.n]);
}

function ending(outcome: RunEnding['outcome'], atMs: number, more: Partial<RunEnding> = {}): RunEnding {
  return { atMs, outcome, rid: null, startedMs: null, host: '', limitS: 0, ...more };
}

function change(atMs: number, more: Partial<StatusChange> = {}): StatusChange {
  return { atMs, from: 'up', to: 'down', cause: 'timeout', ...more };
}

describe('runs that pings ended', () => {
  test('overlap, each with its own start, host and note', () => {
    const runs = runsOf(
      pingsOf(
        { signal: 'start', rid: a, host: 'db-1' },
        { signal: 'start', rid: b, note: 'overlap' },
        { signal: 'alive', rid: a },
        { signal: 'fail', rid: a, exitStatus: 3 },
        { signal: 'log', rid: b },
        { signal: 'warn', rid: b, host: 'db-2', exitStatus: 24 },
      ),
    );
    expect(shown(runs)).toEqual([
      ['failure', 1000, 4000, 3000, '1 3 4', 4],
      ['warning', 2000, 6000, 4000, '2 5 6', 6],
    ]);
    expect(runs[1]).toMatchObject({ rid: a, host: 'db-1', note: null, exitStatus: 3 });
    expect(runs[0]).toMatchObject({ rid: b, host: 'db-2', note: 'overlap', exitStatus: 24 });
  });

  test('have no start where none was reported, and pings without an id mean the only run there is', () => {
    const pings = pingsOf({ signal: 'success' }, { signal: 'start', rid: a }, { signal: 'success' });
    expect(shown(runsOf(pings))).toEqual([
      ['success', null, 1000, null, '1', 1],
      ['success', 2000, 3000, 1000, '2 3', 3],
    ]);
  });

  test('a check with one start forgets it with an end without an id, and the end of that run may still come', () => {
    const pings = pingsOf({ signal: 'start', rid: a }, { signal: 'success' });
    expect(shown(runsOf(pings, { isTracked: false }))).toEqual([
      ['overtaken', 1000, 2000, null, '1', null],
      ['success', null, 2000, null, '2', 2],
    ]);
    const more = pingsOf({ signal: 'start', rid: a }, { signal: 'success' }, { signal: 'success', rid: a });
    expect(shown(runsOf(more, { isTracked: false }))[0]).toEqual(['success', 1000, 3000, 2000, '1 3', 3]);
  });

  test('an end before its start is one run, which has no duration', () => {
    const pings = pingsOf({ signal: 'success', rid: a }, { signal: 'start', rid: a, note: 'ended-before' });
    const runs = runsOf(pings);
    expect(shown(runs)).toEqual([['success', null, 1000, null, '1 2', 1]]);
    expect(runs[0]?.note).toBe('ended-before');
  });

  test('an id that is used twice is two runs, and a start that is sent twice is one that began anew', () => {
    const [start, success] = [
      { signal: 'start', rid: a },
      { signal: 'success', rid: a },
    ] as const;
    expect(shown(runsOf(pingsOf(start, success, start, start, success)))).toEqual([
      ['success', 1000, 2000, 1000, '1 2', 2],
      ['success', 4000, 5000, 1000, '3 4 5', 5],
    ]);
  });
});

describe('runs that no ping ended', () => {
  test('one that hung stays hung, and says when its end came', () => {
    const pings = pingsOf(
      { signal: 'start', rid: a, host: 'db-1' },
      { signal: 'log' },
      { signal: 'success', rid: a, exitStatus: 0 },
      { signal: 'success', rid: a },
    );
    const runs = runsOf(pings, { endings: [ending('hung', 2500, { rid: a, startedMs: 1000 })] });
    expect(shown(runs)).toEqual([
      ['hung', 1000, 2500, 2000, '1 3', null],
      ['success', null, 4000, null, '4', 4],
    ]);
    expect(runs[1]).toMatchObject({ lateEnd: { n: 3, atMs: 3000 }, host: 'db-1', exitStatus: 0 });
  });

  test('are there without their start, once the log has it no more', () => {
    const endings = [
      ending('hung', 500, { rid: b, startedMs: 200, host: 'db-2' }),
      ending('missed', 400, { host: 'db-1' }),
    ];
    const runs = runsOf(pingsOf({ signal: 'success', rid: b }), { endings });
    expect(shown(runs)).toEqual([
      ['hung', 200, 500, 800, '1', null],
      ['missed', null, 400, null, '', null],
    ]);
    expect(runs.map(({ host }) => host)).toEqual(['db-1', 'db-2']);
  });

  test('a missed deadline of a check with one start is a missed run, or that of the run in flight', () => {
    const changes = [change(5000), change(2500), change(500, { cause: 'fail' })];
    const pings = pingsOf(
      { signal: 'success' },
      { signal: 'start' },
      { signal: 'log' },
      { signal: 'success' },
    );
    expect(shown(runsOf(pings, { changes, isTracked: false }))).toEqual([
      ['success', null, 1000, null, '1', 1],
      ['hung', 2000, 2500, 2000, '2 4', null],
      ['missed', null, 5000, null, '', null],
    ]);
  });

  test('one is overtaken by the next start without an id, and by a pause', () => {
    const pings = pingsOf({ signal: 'start' }, { signal: 'start' });
    const changes = [change(2500, { to: 'paused', cause: 'pause' })];
    expect(shown(runsOf(pings, { changes, isTracked: false }))).toEqual([
      ['overtaken', 1000, 2000, null, '1', null],
      ['overtaken', 2000, 2500, null, '2', null],
    ]);
    expect(shown(runsOf(pings))[0]).toEqual(['overtaken', 1000, 2000, null, '1', null]);
  });

  test('those in flight are running, also where the log does not have their start', () => {
    const open = [
      { rid: a, startedMs: 500, host: 'db-1' },
      { rid: b, startedMs: 1000, host: '' },
    ];
    const runs = runsOf(pingsOf({ signal: 'start', rid: b }, { signal: 'alive', rid: a }), { open });
    expect(shown(runs)).toEqual([
      ['running', 500, null, null, '2', null],
      ['running', 1000, null, null, '1', null],
    ]);
  });
});

test('each start and end of any log belongs to one run, and the list is newest first', () => {
  const rid = fc.constantFrom<RunId | null>(null, a, b);
  const given = fc.record({
    signal: fc.constantFrom('start', 'success', 'fail', 'warn', 'alive', 'log', 'ign' as const),
    rid,
    atMs: fc.integer({ min: 1, max: 20 }).map((second) => second * 1000),
  });
  const endings = fc.array(
    fc.record({ atMs: fc.integer({ min: 1, max: 30_000 }), rid, startedMs: fc.constantFrom(1000, 2000) }),
  );
  fc.assert(
    fc.property(fc.array(given), endings, fc.boolean(), (pings, ended, isTracked) => {
      const all = pingsOf(...pings);
      const runs = runsOf(all, { endings: ended.map((one) => ending('hung', one.atMs, one)), isTracked });
      const numbers = runs.flatMap((run) => run.pings);
      expect(new Set(numbers).size).toBe(numbers.length);
      const mustBelong = all.filter(({ signal }) => !['alive', 'log', 'ign'].includes(signal));
      expect(mustBelong.every(({ n }) => numbers.includes(n))).toBe(true);
      const places = runs.map((run) => run.startedMs ?? run.endedMs ?? 0);
      expect(places).toEqual([...places].sort((one, other) => other - one));
      expect(runs.every(({ outcome }) => outcome !== 'running')).toBe(true);
    }),
  );
});

test('a run whose ending was read after the check is not in flight as well, when its start has left the log', () => {
  const run = { rid: a, startedMs: 500, host: 'db-1' };
  const log = { open: [run], endings: [ending('hung', 2500, run)] };
  expect(shown(runsOf(pingsOf({ signal: 'success' }, { signal: 'success' }), log))).toEqual([
    ['hung', 500, 2500, null, '', null],
    ['success', null, 1000, null, '1', 1],
    ['success', null, 2000, null, '2', 2],
  ]);
});
