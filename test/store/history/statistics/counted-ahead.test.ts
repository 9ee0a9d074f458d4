/** What is counted ahead says what a read counts by itself, and no turn takes long, however much is not folded yet. */
import { expect, test } from 'vitest';
import type { Status } from '../../../../src/domain/check/check.ts';
import { day, hour, minute } from '../../../../src/lib/units.ts';
import { stepsCountedPerTurn } from '../../../../src/store/disk/limits.ts';
import { Fold } from '../../../../src/store/history/fold/fold.ts';
import { RecordGrouper } from '../../../../src/store/history/fold/fold-groups.ts';
import { createHistoryReads, type HistoryReads } from '../../../../src/store/history/read.ts';
import { openHistoryTables } from '../../../../src/store/history/rows/tables.ts';
import { Tail } from '../../../../src/store/journal/tail.ts';
import type { JournalRecord } from '../../../../src/store/store.ts';
import { countTurns } from '../../../support/count-turns.ts';
import { leastLongestTurnMs } from '../../../support/longest-turn.ts';
import { openMemoryEnv } from '../../../support/store/memory-env.ts';
import { SimulatedDisk } from '../../../support/store/simulated-disk.ts';
import { batchOf, checkOf, pingOf, projectOf } from '../../../support/store/store-facts.ts';

const startMs = Date.UTC(2026, 0, 10, 7, 20);
const check = checkOf(1);
const other = checkOf(2);

class History {
  readonly env = openMemoryEnv(new SimulatedDisk(), new Map());
  readonly tables = openHistoryTables(this.env);
  readonly tail = new Tail(() => null);
  nowMs = startMs;
  #seq = 0;
  #n = 0;
  #status: Status = 'up';
  #unfolded: Buffer[] = [];

  constructor() {
    this.push([{ type: 'put', kind: 'project', fact: projectOf(1) }]);
    this.push([check, other].map((one) => ({ type: 'check', check: one, changes: [] })));
  }

  push(records: readonly JournalRecord[]): void {
    const bytes = batchOf(records);
    this.#seq++;
    this.#unfolded.push(bytes);
    this.tail.push({ seq: this.#seq, bytes });
  }

  /** Pings of two checks, each of which changes the status of the first; the clock is set back now and then. */
  flap(count: number, everyMs: number): void {
    for (let left = count; left > 0; left--) {
      this.#n++;
      this.nowMs += this.#n % 97 === 0 ? -3 * minute : everyMs;
      const [from, to] = [this.#status, this.#status === 'up' ? 'down' : 'up'] as const;
      this.#status = to;
      const cause = to === 'down' ? 'fail' : 'success';
      const state = { ...check.state, lastDurationMs: this.#n % 3 === 0 ? this.#n : null };
      const ping = pingOf({ ...check, state }, this.#n, {
        ...{ atMs: this.nowMs, signal: cause },
        changes: [{ atMs: this.nowMs, from, to, cause }],
      });
      this.push([
        { ...ping, check: { ...ping.check, state: { ...ping.check.state, status: to } } },
        pingOf(other, this.#n, { atMs: this.nowMs }),
      ]);
    }
  }

  fold(): void {
    const grouper = new RecordGrouper();
    for (const batch of this.#unfolded) grouper.add(batch, 1);
    const input = { grouped: grouper.grouped, lastSeq: this.#seq, bodyBudgetBytes: 1000, nowMs: this.nowMs };
    const fold = new Fold(this.env, this.tables, input);
    while (!fold.slice(1));
    this.#unfolded = [];
    this.tail.dropUntil(this.#seq);
  }

  reads(): HistoryReads {
    return createHistoryReads(this.tables, this.tail);
  }
}

/** All that the reads say of both checks. */
function said(reads: HistoryReads, nowMs: number) {
  const hours = [30 * 24, 48, 24, 3, 0].map((before) => (Math.ceil(nowMs / hour) - before) * hour);
  const days = [400, 90, 3, -1].map((before) => (Math.floor(nowMs / day) - before) * day);
  const ranges = [{ fromMs: hours[0] ?? 0, untilMs: nowMs }];
  return [check, other].map(({ id }) => ({
    uptimes: reads.uptimes(id, ranges, nowMs),
    hours: reads.statistics(id, hours, nowMs),
    days: reads.statistics(id, days, nowMs),
  }));
}

test('is what a read counts, while more comes in and while it is folded', async () => {
  const history = new History();
  const ahead = history.reads();
  const holds = async (): Promise<void> => {
    const { nowMs } = history;
    // The first has counted nothing ahead; the last counts on from what it has.
    const expected = said(history.reads(), nowMs);
    expect(said(ahead, nowMs)).toEqual(expected);
    for (const { id } of [check, other]) await ahead.countAhead(id, nowMs);
    expect(said(ahead, nowMs)).toEqual(expected);
  };
  for (const [count, everyMs] of [
    [3500, minute],
    [700, 20 * minute],
    [150, minute],
  ] as const) {
    history.flap(count, everyMs);
    await holds();
  }
  expect(said(ahead, history.nowMs)[0]?.days.some(({ outages }) => outages > 1000)).toBe(true);
  history.fold();
  await holds();
  history.flap(2500, minute);
  await holds();
});

test('is nothing once the check is deleted, also while it is counted', async () => {
  const history = new History();
  history.flap(3000, minute);
  const reads = history.reads();
  const counting = reads.countAhead(check.id, history.nowMs);
  history.push([{ type: 'check-deleted', id: check.id }]);
  await counting;
  await reads.countAhead(check.id, history.nowMs);
  expect(said(reads, history.nowMs)).toEqual(said(history.reads(), history.nowMs));
  expect(said(reads, history.nowMs)[0]?.days.every(({ outages }) => outages === 0)).toBe(true);
});

test('takes no turn of 10 ms for sixteen thousand status changes, nor does the read after it', async () => {
  const history = new History();
  history.flap(16_000, 2000);
  const turns = countTurns();
  await history.reads().countAhead(check.id, history.nowMs);
  expect(turns.stop()).toBeGreaterThanOrEqual(16_000 / stepsCountedPerTurn - 1);
  const edges = [startMs - day, history.nowMs + hour];
  const read = async (): Promise<void> => {
    const reads = history.reads();
    await reads.countAhead(check.id, history.nowMs);
    expect(reads.statistics(check.id, edges, history.nowMs)[0]?.outages).toBe(8000);
  };
  expect(await leastLongestTurnMs(10, read)).toBeLessThan(10);
});
