import { describe, expect, it } from 'vitest';
import type { Ping, Signal } from '../../../src/domain/check/ping.ts';
import { runDurations } from '../../../src/domain/runs/run-durations.ts';
import { asRunId } from '../../../src/lib/ids.ts';
import { hour } from '../../../src/lib/units.ts';

type Entry = readonly [signal: Signal, atMs: number, rid?: string];

/** Entries oldest first; the log is newest first. */
function durations(...entries: readonly Entry[]): [n: number, ms: number][] {
  const pings = entries.map(([signal, atMs, rid], index): Ping => {
    return {
      n: index + 1,
      atMs,
      signal,
      scheme: 'http',
      remoteAddr: '',
      method: 'GET',
      ua: '',
      byHand: false,
      host: '',
      note: null,
      figures: [],
      about: '',
      results: [],
      rid: rid === undefined ? null : asRunId(rid),
      exitStatus: null,
      bodyBytes: 0,
    };
  });
  return [...runDurations(pings.reverse())];
}

describe('durations in the ping log', () => {
  it('are from a start to the next success or failure', () => {
    expect(durations(['start', 0], ['success', 1500])).toEqual([[2, 1500]]);
    expect(durations(['start', 0], ['fail', 1500])).toEqual([[2, 1500]]);
  });

  it('are not there without a start', () => {
    expect(durations(['success', 0], ['success', 1000], ['fail', 2000])).toEqual([]);
  });

  it('belong to one end alone', () => {
    expect(durations(['start', 0], ['success', 1000], ['success', 2000])).toEqual([[2, 1000]]);
  });

  it('begin at the last of several starts', () => {
    expect(durations(['start', 0], ['start', 400], ['success', 1000])).toEqual([[3, 600]]);
  });

  it('are not disturbed by log entries and ignored pings', () => {
    expect(durations(['start', 0], ['log', 100], ['ign', 200], ['success', 1000])).toEqual([[4, 1000]]);
  });

  it('are distinguished by run id', () => {
    const runs: Entry[] = [
      ['start', 0, 'a'],
      ['start', 100, 'b'],
      ['start', 200],
      ['success', 1000, 'a'],
      ['fail', 2000, 'b'],
      ['success', 3000],
    ];
    expect(durations(...runs)).toEqual([
      [4, 1000],
      [5, 1900],
      [6, 2800],
    ]);
  });

  it('do not join a start with an id and an end without one', () => {
    expect(durations(['start', 0, 'a'], ['success', 1000])).toEqual([]);
  });

  it('are under 72 hours', () => {
    expect(durations(['start', 0], ['success', 72 * hour])).toEqual([]);
    expect(durations(['start', 0], ['success', 72 * hour - 1])).toEqual([[2, 72 * hour - 1]]);
  });

  it('are not negative when the clock was set back', () => {
    expect(durations(['start', 5000], ['success', 1000])).toEqual([[2, 0]]);
  });
});
