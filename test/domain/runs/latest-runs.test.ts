import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { type RunPing, runsOf } from '../../../src/domain/runs/latest-runs.ts';
import { runDurations } from '../../../src/domain/runs/run-durations.ts';
import { asRunId } from '../../../src/lib/ids.ts';

const rid = asRunId('00000001-0000-4000-8000-000000000000');

function pingsOf(...given: readonly (Partial<RunPing> & Pick<RunPing, 'signal'>)[]): readonly RunPing[] {
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

describe('the latest runs', () => {
  test('join start and end by their run id', () => {
    const runs = runsOf(
      pingsOf(
        { signal: 'start', rid },
        { signal: 'success', rid: asRunId('00000002-0000-4000-8000-000000000000') },
        { signal: 'log' },
        { signal: 'success', rid },
        { signal: 'start' },
        { signal: 'fail', exitStatus: 3 },
      ),
      [],
    );
    expect(runs).toMatchObject([
      { atMs: 2000, startedMs: null, durationMs: null, outcome: 'succeeded', exitStatus: null, n: 2 },
      { atMs: 4000, startedMs: 1000, durationMs: 3000, outcome: 'succeeded', exitStatus: null, n: 4 },
      { atMs: 6000, startedMs: 5000, durationMs: 1000, outcome: 'failed', exitStatus: 3, n: 6 },
    ]);
  });

  test('say what was late and what was missed', () => {
    const changes: readonly StatusChange[] = [
      { atMs: 1500, from: 'up', to: 'grace', cause: 'timeout' },
      { atMs: 62_000, from: 'grace', to: 'up', cause: 'success' },
      { atMs: 63_500, from: 'up', to: 'down', cause: 'timeout' },
      { atMs: 64_000, from: 'down', to: 'up', cause: 'success' },
    ];
    const pings = pingsOf(
      { signal: 'success' },
      { signal: 'success', atMs: 62_000 },
      { signal: 'start', atMs: 63_000 },
      { signal: 'success', atMs: 64_000 },
    );
    expect(runsOf(pings, changes).map(({ atMs, startedMs, outcome }) => [atMs, startedMs, outcome])).toEqual([
      [1000, null, 'succeeded'],
      [62_000, null, 'late'],
      [63_500, 63_000, 'missed'],
      [64_000, 63_000, 'succeeded'],
    ]);
  });

  test('are in time if they began or ended in the minute after they were due', () => {
    const dueMs = 1_000_000;
    const outcomeOf = (endMs: number, startMs: number | null): string | undefined => {
      const changes: readonly StatusChange[] = [
        { atMs: dueMs, from: 'up', to: 'grace', cause: 'timeout' },
        { atMs: endMs, from: 'grace', to: 'up', cause: 'success' },
      ];
      const start = startMs === null ? [] : [{ signal: 'start', atMs: startMs } as const];
      return runsOf(pingsOf(...start, { signal: 'success', atMs: endMs }), changes).at(-1)?.outcome;
    };
    expect(outcomeOf(dueMs + 7_000, null)).toBe('succeeded');
    expect(outcomeOf(dueMs + 59_999.5, null)).toBe('succeeded');
    expect(outcomeOf(dueMs + 60_000, null)).toBe('late');
    expect(outcomeOf(dueMs + 3_600_000, dueMs + 1_000)).toBe('succeeded');
    expect(outcomeOf(dueMs + 3_600_000, dueMs - 5_000)).toBe('succeeded');
    expect(outcomeOf(dueMs + 3_600_000, dueMs + 60_000)).toBe('late');
  });

  test('are in time where it is not known when they were due', () => {
    const change: StatusChange = { atMs: 90_000, from: 'grace', to: 'up', cause: 'success' };
    expect(runsOf(pingsOf({ signal: 'success', atMs: 90_000 }), [change])[0]?.outcome).toBe('succeeded');
  });

  test('know nothing of a start before a pause', () => {
    const pause: StatusChange = { atMs: 1500, from: 'up', to: 'paused', cause: 'pause' };
    const [run] = runsOf(pingsOf({ signal: 'start' }, { signal: 'success' }), [pause]);
    expect(run?.startedMs).toBeNull();
  });

  test('have the durations of the ping log where one run follows the other', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('success' as const, 'fail' as const), fc.boolean()));
    fc.assert(
      fc.property(pairs, (given) => {
        const pings = pingsOf(
          ...given.flatMap(([signal, hasStart]) => [
            ...(hasStart ? [{ signal: 'start' } as const] : []),
            { signal },
          ]),
        );
        const whole = pings.map(
          (ping) =>
            ({
              ...ping,
              scheme: 'http',
              remoteAddr: '',
              method: '',
              ua: '',
              byHand: false,
              bodyBytes: 0,
            }) as const,
        );
        const durations = runDurations(whole.toReversed());
        for (const { n, durationMs } of runsOf(pings, []))
          expect(durations.get(n ?? 0) ?? null).toBe(durationMs);
      }),
    );
  });
});
