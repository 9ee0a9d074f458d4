/**
 * The statistics of one check, as its page shows them. They come from kept sums; only the last 24 hours, which begin within an hour, are
 * counted here.
 * Invariant: they say nothing that is not durable, and contain nothing but numbers.
 */
import type { Check } from '../../../domain/check/check.ts';
import { quantileMs } from '../../../domain/runs/duration-histogram.ts';
import { exactUptime } from '../../../domain/runs/exact-uptime.ts';
import { jobDurationMs, type RunOutcome } from '../../../domain/runs/latest-runs.ts';
import {
  emptyStatistics,
  type RunStatistics,
  type Uptime,
  uptimeOf,
} from '../../../domain/runs/run-statistics.ts';
import {
  bucketEdges,
  type ChartRange,
  chartRanges,
  endOfHour,
  isChartRange,
  monthEdges,
  uptimeRange,
  watchedSince,
} from '../../../domain/runs/time-ranges.ts';
import type { CheckStatistics, StatisticsBucket, UptimeView } from '../../../domain/views/page-view.ts';
import type { EngineRead } from '../../../engine/contract/engine.ts';
import { day } from '../../../lib/units.ts';
import { canonicalTimeZone } from '../../../schedule/schedule.ts';
import { changesOfDayMax, chartRunsShownMax } from '../../limits.ts';
import { errorReply, jsonReply, notFound } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import type { ProjectCall } from '../calls/call.ts';
import { checkIdOf } from '../calls/shown-id.ts';

const monthsShown = 12;

export async function showStatistics(call: ProjectCall): Promise<HttpReply> {
  const { context, project, principal, path, nowMs, request } = call;
  const query = new URLSearchParams(request.query);
  const asked = query.get('range') ?? '90d';
  const tz = canonicalTimeZone(query.get('tz') ?? (principal.user.preferences?.timeZone || 'UTC'));
  if (asked !== 'fit' && !isChartRange(asked))
    return errorReply(400, `range must be fit or one of ${chartRanges.join(', ')}`);
  if (tz === null) return errorReply(400, 'tz must be the name of a time zone');
  const { read } = context.engine;
  const id = await checkIdOf(call, path.id ?? '');
  // A deadline that has just passed causes a status change, which is counted once it is durable.
  const check = await read.durably(() => read.check(id, nowMs));
  if (check?.projectId !== project.id) return notFound;
  await read.countAhead(check.id, nowMs);
  return read.durably(() => {
    const range = asked === 'fit' ? fittingRange(read, check.id, { tz, nowMs }) : asked;
    return jsonReply({
      ...exactly(read, check, statisticsOf(read, check.id, { range, tz, nowMs })),
      watchedSinceMs: watchedSince((ranges) => read.uptimes(check.id, ranges, nowMs), {
        range: uptimeRange('365d', nowMs),
        createdAtMs: check.createdAtMs,
        nowMs,
      }),
    });
  });
}

/** Ranges, the longest first. */
const fitting = ['30d', '7d', '24h'] as const;

/** Returns the shortest range that shows everything in the longest; the longest if there is nothing. */
function fittingRange(
  read: EngineRead,
  id: Parameters<EngineRead['statistics']>[0],
  { tz, nowMs }: Omit<Asked, 'range'>,
): ChartRange {
  const edges = [...fitting.map((range) => bucketEdges(range, tz, nowMs)[0] ?? 0), endOfHour(nowMs)];
  const first = read
    .statistics(id, edges, nowMs)
    .findIndex(({ successes, failures, missed, watchedMs }) => successes + failures + missed + watchedMs > 0);
  return fitting[first] ?? '30d';
}

interface Asked {
  readonly range: ChartRange;
  readonly tz: string;
  readonly nowMs: number;
}

function statisticsOf(
  read: EngineRead,
  id: Parameters<EngineRead['statistics']>[0],
  { range, tz, nowMs }: Asked,
): Omit<CheckStatistics, 'watchedSinceMs'> {
  const ranges = chartRanges.map((one) => uptimeRange(one, nowMs));
  const uptimes = read.uptimes(id, ranges, nowMs);
  const months = monthEdges(monthsShown, tz, nowMs);
  const edges = bucketEdges(range, tz, nowMs);
  const ends = [edges[0] ?? 0, edges.at(-1) ?? 0];
  const buckets = read.statistics(id, edges, nowMs).map((sum, index) => shownBucket(sum, edges, index));
  const none = uptimeOf({ downMs: 0, watchedMs: 0, outages: 0 });
  return {
    range,
    tz,
    nowMs,
    uptimes: chartRanges.map((one, index) => ({ range: one, ...shownUptime(uptimes[index] ?? none) })),
    months: read.statistics(id, months, nowMs).map((sum, index) => ({
      startMs: months[index] ?? 0,
      ...shownUptime(uptimeOf(sum)),
    })),
    buckets,
    total: totalOf(read.statistics(id, ends, nowMs), ends),
    runs: runsIn(read, id, buckets),
  };
}

/**
 * Has the last 24 hours begin 24 hours ago: in whole hours, a check that was down all the time was down for less than that. Its runs are
 * those of whole hours where not each of them is known. The same statistics where the check changed too often to look at each change.
 */
function exactly(
  read: EngineRead,
  { id, state }: Pick<Check, 'id' | 'state'>,
  statistics: Omit<CheckStatistics, 'watchedSinceMs'>,
): Omit<CheckStatistics, 'watchedSinceMs'> {
  const { range, nowMs, uptimes, total } = statistics;
  const last = { fromMs: Math.floor(nowMs) - day, untilMs: Math.floor(nowMs) };
  const changes = read.changes(id, { ...last, untilMs: last.untilMs + 1 }, changesOfDayMax + 1);
  if (changes.length > changesOfDayMax) return statistics;
  const uptime = exactUptime(changes, state.status, last);
  const { downMs, watchedMs, outages } = uptime;
  const runs = statistics.runs && runsSince(read, id, last.fromMs);
  return {
    ...statistics,
    uptimes: uptimes.map((one) => (one.range === '24h' ? { range: '24h', ...shownUptime(uptime) } : one)),
    ...(range === '24h'
      ? { runs, total: { ...total, ...countsOf(runs), ...last, downMs, watchedMs, outages } }
      : {}),
  };
}

/** Empty where they are not known one by one. */
function countsOf(runs: CheckStatistics['runs']): Partial<StatisticsBucket> {
  if (!runs) return {};
  const count = (...wanted: readonly RunOutcome[]): number =>
    runs.filter(({ outcome }) => wanted.includes(outcome)).length;
  return {
    ...{ succeeded: count('succeeded', 'warned'), late: count('late') },
    ...{ failed: count('failed'), missed: count('missed') },
  };
}

/** Null if there are more than a chart shows. */
function runsSince(
  read: EngineRead,
  id: Parameters<EngineRead['statistics']>[0],
  fromMs: number,
): CheckStatistics['runs'] {
  const runs = read.latestRuns(id, chartRunsShownMax + 1).filter(({ atMs }) => atMs >= fromMs);
  if (runs.length > chartRunsShownMax) return null;
  return runs.map((run) => (run.isEndedByHand ? { ...run, durationMs: jobDurationMs(run) } : run));
}

function totalOf([sum]: readonly RunStatistics[], edges: readonly number[]): StatisticsBucket {
  return shownBucket(sum ?? emptyStatistics(), edges, 0);
}

/** Returns null if there are more, or if some of them are not kept any more. */
function runsIn(
  read: EngineRead,
  id: Parameters<EngineRead['statistics']>[0],
  buckets: readonly StatisticsBucket[],
): CheckStatistics['runs'] {
  const fromMs = buckets[0]?.fromMs ?? 0;
  const counted = buckets.reduce((sum, one) => sum + one.succeeded + one.late + one.failed + one.missed, 0);
  if (counted > chartRunsShownMax) return null;
  const runs = runsSince(read, id, fromMs);
  return runs && runs.length >= counted ? runs : null;
}

export function shownUptime({ downMs, watchedMs, outages }: Uptime): UptimeView {
  return { percent: watchedMs === 0 ? null : 100 * (1 - downMs / watchedMs), outages, downMs };
}

function shownBucket(sum: RunStatistics, edges: readonly number[], index: number): StatisticsBucket {
  const { successes, failures, late, missed, outages, downMs, watchedMs, durations } = sum;
  return {
    fromMs: edges[index] ?? 0,
    untilMs: edges[index + 1] ?? 0,
    succeeded: Math.max(0, successes - late),
    late,
    failed: failures,
    missed,
    outages,
    downMs,
    watchedMs,
    durations: durations && {
      count: durations.count,
      meanMs: Math.round(durations.sumMs / durations.count),
      minMs: durations.minMs,
      maxMs: durations.maxMs,
      medianMs: Math.round(quantileMs(durations, 0.5) ?? 0),
      p95Ms: Math.round(quantileMs(durations, 0.95) ?? 0),
    },
  };
}
