/**
 * Reads of one check's statistics and latest runs: rows, runs and the tail as one. Writes nothing.
 *
 * Invariant: as with pings (`read`), history and tail meet at the mark of the history, read in the same transaction: what is counted
 * in rows, held by runs, or in the tail only, is counted once.
 */

import type { StatusChange } from '../../../domain/check/flip.ts';
import { watchedSpan } from '../../../domain/check/status-time.ts';
import { KeptPings, type Retention } from '../../../domain/retention/kept-pings.ts';
import { type Run, type RunPing, runsOf } from '../../../domain/runs/latest-runs.ts';
import {
  emptyStatistics,
  isEnd,
  type RunStatistics,
  type Uptime,
  uptimeOf,
} from '../../../domain/runs/run-statistics.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { statusInState } from '../../codec/check.ts';
import { readChange, readRunPing } from '../../codec/ping.ts';
import { pingsReadMax } from '../../disk/limits.ts';
import type { TailStep } from '../../journal/tail.ts';
import type { ChangeRange } from '../../store.ts';
import { lastRowN } from '../rows/check-rows.ts';
import { OverlayTable } from '../rows/overlay-table.ts';
import { partsOfOne } from '../rows/run-reader.ts';
import { readRecent, type StatisticsTable } from '../rows/statistics-layout.ts';
import { aboveCheck, abovePings, changeKey, counterBytes, foldedSeqOf } from '../rows/tables.ts';
import { countedRows, countParts } from './count-pings.ts';
import { addSteps, type CheckRead, type CountedAhead, statusAfter } from './counted-ahead.ts';
import { StatisticsView } from './statistics-view.ts';

interface StatisticsRead extends CheckRead {
  readonly ahead: CountedAhead;
}

/** Between each of the `edges` (ascending) and the next. */
export function statisticsBetween(
  read: StatisticsRead,
  edges: readonly number[],
  nowMs: number,
): readonly RunStatistics[] {
  return viewOf(read, nowMs, 'all')?.between(edges, 'all') ?? edges.slice(1).map(emptyStatistics);
}

export function uptimesIn(
  read: StatisticsRead,
  ranges: readonly ChangeRange[],
  nowMs: number,
): readonly Uptime[] {
  const view = viewOf(read, nowMs, 'time');
  return ranges.map(({ fromMs, untilMs }) => {
    const [sum = emptyStatistics()] = view?.between([fromMs, untilMs], 'time') ?? [];
    return uptimeOf(sum);
  });
}

/** Null for a check that is not there. `time`: runs and durations may be missing. */
function viewOf(read: StatisticsRead, nowMs: number, scope: 'all' | 'time'): StatisticsView | null {
  const { tables, tail, uuid } = read;
  const ahead = read.ahead.of(read);
  const { deleted, items: steps } = tail.steps(uuid, {
    seq: foldedSeqOf(tables, uuid),
    from: ahead?.next ?? 0,
    changesOnly: scope === 'time',
  });
  const stored = tables.states.get(uuid);
  if (deleted || (!stored && steps.length === 0 && !ahead)) return null;
  const storedStatus = stored ? statusInState(stored, counterBytes) : 'new';
  const table = withUncounted(read, steps, { base: ahead?.table ?? tables.pings, nowMs, scope });
  const recent = readRecent(table, uuid);
  const status = statusAfter(steps) ?? ahead?.status ?? storedStatus;
  const openSpan = watchedSpan(status, recent?.countedMs ?? null, nowMs);
  return new StatisticsView({ table, uuid, recent, openSpan, nowMs });
}

interface Uncounted {
  /** The table with what is counted: that of the history, or more. */
  readonly base: StatisticsTable;
  readonly nowMs: number;
  readonly scope: 'all' | 'time';
}

/** The table of the statistics as it will be once everything is counted. */
function withUncounted(
  { tables, uuid }: CheckRead,
  steps: readonly TailStep[],
  { base, nowMs, scope }: Uncounted,
): Pick<OverlayTable, 'get'> {
  const recent = readRecent(base, uuid);
  const parts = scope === 'all' || !recent ? partsOfOne(tables.runs, uuid) : [];
  const isCounted = parts.every(({ seq }) => seq <= (recent?.countedSeq ?? 0));
  if (recent && isCounted && steps.length === 0) return base;
  const table = new OverlayTable(base);
  const statistics = countedRows({ tables: { pings: table, changes: tables.changes }, uuid, parts, nowMs });
  countParts(statistics, parts);
  addSteps(statistics, steps);
  statistics.save();
  return table;
}

/** Oldest first. */
export function latestRuns(read: CheckRead, count: number, retention: Retention | null): readonly Run[] {
  const { tables, tail, uuid } = read;
  const seq = foldedSeqOf(tables, uuid);
  // For each run that was late or missed, there is one more when it came back.
  const { deleted, items: recent } = tail.changes(uuid, seq, 3 * count);
  if (deleted || count <= 0) return [];
  const newest = new NewestPings(count, retention && new KeptPings(retention));
  tail.eachPing(uuid, seq, (ping) => newest.add(ping));
  const isFolded = tables.states.get(uuid) !== null;
  if (isFolded && !newest.isEnough) addFolded(read, newest);
  const pings = newest.oldestFirst();
  const changes = isFolded ? changesSince(read, pings[0]?.atMs ?? 0, count).reverse() : [];
  changes.push(...recent);
  changes.sort((one, other) => one.atMs - other.atMs);
  return runsOf(pings, changes).slice(-count);
}

/** Takes pings from the newest on, until there are enough for so many runs. */
class NewestPings {
  readonly #pings: RunPing[] = [];
  readonly #kept: KeptPings | null;
  #endsLeft: number;

  constructor(runs: number, kept: KeptPings | null) {
    this.#kept = kept;
    // One more, since the start of the oldest comes before it.
    this.#endsLeft = runs + 1;
  }

  get isEnough(): boolean {
    return this.#endsLeft <= 0 || this.#pings.length >= pingsReadMax;
  }

  /** Adds a ping; returns whether more are wanted. */
  add(ping: RunPing): boolean {
    if (this.isEnough) return false;
    if (this.#kept && !this.#kept.next(ping)) return true;
    this.#pings.push(ping);
    if (isEnd(ping.signal)) this.#endsLeft--;
    return !this.isEnough;
  }

  oldestFirst(): readonly RunPing[] {
    return this.#pings.reverse();
  }
}

function addFolded({ tables, uuid }: CheckRead, newest: NewestPings): void {
  const parts = partsOfOne(tables.runs, uuid);
  const inRows = parts.length > 0 ? lastRowN(tables, uuid) : 0;
  for (const { pings } of parts.toReversed())
    for (const ping of runPings(pings).reverse()) if (ping.n > inRows) newest.add(ping);
  if (newest.isEnough) return;
  tables.pings.scan({ start: abovePings(uuid), end: uuid, reverse: true }, (_key, chunk) => {
    for (const ping of runPings(chunk).reverse()) newest.add(ping);
    return !newest.isEnough;
  });
}

const reader = new ByteReader();

function runPings(chunk: Buffer): RunPing[] {
  const found: RunPing[] = [];
  reader.open(chunk);
  while (reader.left > 0) found.push(readRunPing(reader));
  return found;
}

/** Changes from the newest on, so many at most; for each run that was late or missed, there is one more when it came back. */
function changesSince({ tables, uuid }: CheckRead, fromMs: number, count: number): StatusChange[] {
  const found: StatusChange[] = [];
  const range = { start: aboveCheck(uuid), end: changeKey(uuid, fromMs - 1, 0), reverse: true };
  tables.changes.scan(range, (_key, value) => {
    found.push(readChange(new ByteReader(value)));
    return found.length < 3 * count;
  });
  return found;
}
