/** A long past is replayed in many short turns, and two ways through it are compared by their outages. */
import { describe, expect, test } from 'vitest';
import { type Alert, alertsOnlyIn } from '../../../src/domain/alerting/what-if.ts';
import { type Check, defaultConfig, freshState } from '../../../src/domain/check/check.ts';
import type { Ping } from '../../../src/domain/check/ping.ts';
import { replayedPingsPerTurn } from '../../../src/engine/contract/limits.ts';
import { whatIf } from '../../../src/engine/reads/what-if.ts';
import { asBadgeId, asCheckId, asProjectId, asRunId } from '../../../src/lib/ids.ts';
import { hour, minute } from '../../../src/lib/units.ts';
import { countTurns } from '../../support/count-turns.ts';

const startMs = Date.UTC(2026, 0, 5);

const check: Check = {
  id: asCheckId('00000001-0000-4000-8000-000000000000'),
  projectId: asProjectId('00000002-0000-4000-8000-000000000000'),
  badgeId: asBadgeId('00000003-0000-4000-8000-000000000000'),
  createdAtMs: startMs,
  config: { ...defaultConfig, timeoutS: 600, graceS: 300, maxRuntimeS: 240 },
  state: freshState,
};

/** Every ten minutes; each hundredth is twenty minutes late. */
function pingAt(index: number): Ping {
  const lateMs = index % 100 === 99 ? 7 * minute : 0;
  return {
    n: index + 1,
    atMs: startMs + index * 10 * minute + lateMs,
    signal: index % 2 === 0 ? 'start' : 'success',
    scheme: 'http',
    remoteAddr: '192.0.2.1',
    method: 'GET',
    ua: '',
    byHand: false,
    rid: null,
    exitStatus: null,
    host: '',
    note: null,
    figures: [],
    about: '',
    results: [],
    bodyBytes: 0,
  };
}

test('ten thousand pings take many turns', async () => {
  const pings = Array.from({ length: 10_000 }, (_, index) => pingAt(index));
  const past = { check, pings, changes: [], statusBefore: 'new' as const };
  const untilMs = pings.at(-1)?.atMs ?? 0;
  const config = { ...check.config, maxRuntimeS: 1200 };
  const turns = countTurns();
  const result = await whatIf(past, { config, fromMs: startMs, untilMs });
  // Two ways through the past.
  expect(turns.stop()).toBeGreaterThanOrEqual((2 * pings.length) / replayedPingsPerTurn);
  expect(result).toMatchObject({ pings: 10_000, isCut: false, asAsked: [], onlyAsAsked: [] });
});

test('deadlines take turns, too, however many come after the last ping', async () => {
  const starts = Array.from({ length: 100 }, (_, n) => ({
    ...pingAt(2 * n),
    n: n + 1,
    atMs: startMs + n,
    rid: asRunId(`00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
  }));
  const config = { ...check.config, maxRuntimeS: 60 };
  const past = { check: { ...check, config }, pings: starts, changes: [], statusBefore: 'new' as const };
  const turns = countTurns();
  const result = await whatIf(past, { config, fromMs: startMs, untilMs: startMs + hour });
  // A hundred starts and as many deadlines, twice.
  expect(turns.stop()).toBeGreaterThanOrEqual((2 * 200) / replayedPingsPerTurn);
  expect(result.asIs.map(({ cause }) => cause)).toEqual(['hung']);
  const hosts = Array.from({ length: 100 }, (_, n) => `h${n}`).join(' ');
  const ofMachines = countTurns();
  await whatIf(past, { config: { ...config, hosts }, fromMs: startMs, untilMs: startMs + hour });
  // With as many machines a step has a turn of its own.
  expect(ofMachines.stop()).toBeGreaterThanOrEqual(200);
});

describe('alerts that are in only one of two ways', () => {
  const alert = (kind: Alert['kind'], atHours: number): Alert => ({
    atMs: startMs + atHours * hour,
    kind,
    cause: 'timeout',
    why: '',
  });
  const outage = (from: number, to: number): readonly Alert[] => [alert('down', from), alert('up', to)];

  test.each([
    ['none beside nothing', [], outage(1, 2), []],
    ['all beside nothing', outage(1, 2), [], outage(1, 2)],
    ['one that begins later', outage(2, 4), outage(1, 3), []],
    ['two during one', [...outage(1, 2), ...outage(3, 4)], outage(0, 5), []],
    ['one that begins when the other ends', outage(2, 3), outage(1, 2), outage(2, 3)],
    ['one that ends when the other begins', outage(1, 2), outage(2, 3), outage(1, 2)],
    ['one that goes on', [alert('down', 4)], outage(1, 3), [alert('down', 4)]],
    ['the end of one from before', [alert('up', 1)], outage(0, 2), []],
    ['of no length, at the same time', outage(1, 1), outage(1, 2), []],
    ['the second of two', [...outage(1, 2), ...outage(6, 7)], outage(1, 3), outage(6, 7)],
  ])('%s', (_, alerts, others, only) => {
    expect(alertsOnlyIn(alerts, others)).toEqual(only);
  });
});
