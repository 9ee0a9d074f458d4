/** The pasts of status pages: when they are read again, who waits for it, and how much of a check that flaps is read. */
import { expect, test } from 'vitest';
import type { StatusChange } from '../../../src/domain/check/flip.ts';
import { emptyStatistics } from '../../../src/domain/runs/run-statistics.ts';
import type { EngineRead } from '../../../src/engine/contract/engine.ts';
import { Histories } from '../../../src/http/status-page/histories.ts';
import type { Member } from '../../../src/http/status-page/members.ts';
import { asCheckId } from '../../../src/lib/ids.ts';
import { day, minute, second } from '../../../src/lib/units.ts';
import { limits } from '../../../src/limits.ts';
import { ApiEngine, uuid } from '../../support/engine/api-engine.ts';
import { eventually } from '../../support/patience.ts';
import { statusPageOf } from '../../support/store/store-facts.ts';

const nowMs = Date.UTC(2026, 2, 10, 12);
const page = statusPageOf(1, { timeZone: 'UTC' });
const member: Member = {
  ...{ id: asCheckId(uuid(1)), status: 'up', isWaiting: false, services: [0] },
  ...{ lateSinceMs: null, maintainedUntilMs: null, excused: [] },
};
const wanted = (hash: string, sinceMs: number) => ({ members: [member], hash, nowMs: nowMs + sinceMs });

const readAt = async (histories: Histories, hash: string, sinceMs: number): Promise<number> =>
  (await histories.of(page, wanted(hash, sinceMs))).atMs - nowMs;

test('are read again a minute later, or after a status change, and for a page that was changed', async () => {
  const histories = new Histories(new ApiEngine().read, limits.statusPage);
  expect(await readAt(histories, 'a', 0)).toBe(0);
  expect(await readAt(histories, 'a', minute - 1)).toBe(0);
  expect(await readAt(histories, 'a', minute)).toBe(minute);
  expect(await readAt(histories, 'b', minute + 4 * second)).toBe(minute);
  expect(await readAt(histories, 'b', minute + 5 * second)).toBe(minute + 5 * second);
  const changed = { ...page, services: [...page.services] };
  expect((await histories.of(changed, wanted('b', minute + 6 * second))).atMs).toBe(
    nowMs + minute + 6 * second,
  );
});

test('that took long are shown as they were until they are read again; one that fails is read by the next', async () => {
  const { read } = new ApiEngine();
  let fails = false;
  const failing: EngineRead = {
    ...read,
    statistics: (...args) => {
      if (fails) throw new Error('broken');
      return read.statistics(...args);
    },
  };
  const histories = new Histories(failing, { ...limits.statusPage, historyWaitMs: 0, historyShareMax: 1 });
  expect(await readAt(histories, 'a', 0)).toBe(0);
  expect(await readAt(histories, 'a', 5 * minute)).toBe(0);
  await eventually(async () => expect(await readAt(histories, 'a', 5 * minute)).toBe(5 * minute));
  fails = true;
  expect(await readAt(histories, 'a', 10 * minute)).toBe(5 * minute);
  await eventually(() => expect(readAt(histories, 'a', 10 * minute)).rejects.toThrow('broken'));
  fails = false;
  expect(await readAt(histories, 'a', 10 * minute)).toBe(10 * minute);
});

test('of a check that flaps hold its latest outages, read some hundred changes at a time', async () => {
  const { read } = new ApiEngine();
  const midnight = nowMs - (nowMs % day);
  const flips = Array.from({ length: 20_000 }, (_, n): StatusChange => {
    const atMs = midnight + 2 * second * n;
    return n % 2 === 0
      ? { atMs, from: 'up', to: 'down', cause: 'fail' }
      : { atMs, from: 'down', to: 'up', cause: 'success' };
  });
  const reads: number[] = [];
  const flapping: EngineRead = {
    ...read,
    statistics: (_, edges) =>
      edges.slice(1).map((untilMs) => ({
        ...emptyStatistics(),
        ...(untilMs === midnight + day ? { outages: 10_000, downMs: 20_000_000, watchedMs: day } : {}),
      })),
    changes: (_, { fromMs, untilMs }) => {
      const found = flips.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
      reads.push(found.length);
      return found.reverse();
    },
  };
  const { services } = await new Histories(flapping, limits.statusPage).of(page, wanted('a', 0));
  const [first] = services;
  expect(first?.outages).toHaveLength(limits.statusPage.incidentsMax);
  expect(first?.outages.at(-1)).toEqual({ fromMs: flips.at(-2)?.atMs, untilMs: flips.at(-1)?.atMs });
  expect(Math.max(...reads)).toBeLessThan(2.5 * limits.statusPage.changesPerRead);
  expect(reads.reduce((sum, count) => sum + count, 0)).toBeLessThan(1500);
});
