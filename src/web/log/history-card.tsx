/**
 * The card of how a check did in the last day, week, month or quarter: figures, the band of its status, durations, and all of it
 * as a table.
 */

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { usualRange } from '../../domain/runs/note-words.ts';
import { uptimeOf } from '../../domain/runs/run-statistics.ts';
import type {
  CheckRow,
  CheckStatistics,
  CheckStory,
  StatisticsBucket,
} from '../../domain/views/page-view.ts';
import { exactSpan, outageSpan } from '../../domain/words/span-words.ts';
import type { WantedEntry } from '../charts/chart-columns.ts';
import {
  type ChartData,
  chartDataOf,
  countOf,
  endedOf,
  missedWords,
  outcomeWords as runWords,
} from '../charts/chart-columns.ts';
import { overhang, RunChart, type UsualBand, valueAxisOf } from '../charts/run-chart.tsx';
import { Uptime } from '../charts/run-columns.tsx';
import { beforeWords, StatusBand } from '../charts/status-band.tsx';
import { withoutWaits } from '../charts/timeline.ts';
import { replaceSearch } from '../core/route.ts';
import { useInnerWidth } from '../core/use-inner-width.ts';
import { exactTime, momentWords } from '../core/words.ts';

export const historyRanges = ['24h', '7d', '30d', '90d'] as const;
export type HistoryRange = (typeof historyRanges)[number];

const rangeWords: Readonly<Record<HistoryRange, string>> = {
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
};

/** The range that the address has, or else the shortest that has in it all there is of 30 days, which the server knows. */
export function historyRangeOf(search: string): HistoryRange | 'fit' {
  const asked = new URLSearchParams(search).get('range');
  return historyRanges.find((one) => one === asked) ?? 'fit';
}

function chooseRange(range: HistoryRange): void {
  const query = new URLSearchParams(location.search);
  query.set('range', range);
  replaceSearch(query.toString());
}

const dayMs = 86_400_000;

interface HistoryProps {
  readonly row: CheckRow;
  readonly range: ReturnType<typeof historyRangeOf>;
  /** The statistics; null until they are known. While another range is asked for, they are those of the range before. */
  readonly statistics: CheckStatistics | null;
  readonly story: CheckStory | null;
  readonly nowMs: number;
  readonly open: (entry: WantedEntry) => void;
  /** Called with the width of the axis at the left, in CSS pixels, so that charts above begin where this one does. */
  readonly aligned: (gutter: number) => void;
}

export function HistoryCard({ row, range, statistics, story, nowMs, open, aligned }: HistoryProps) {
  const card = useRef<HTMLElement>(null);
  const width = useInnerWidth(card);
  const shown = range === 'fit' ? statistics?.range : range;
  return (
    <section class="card history" ref={card}>
      <div class="card-head">
        <h2>History</h2>
        <fieldset class="segments" aria-label="Range of the history">
          {historyRanges.map((one) => (
            <button key={one} type="button" aria-pressed={one === shown} onClick={() => chooseRange(one)}>
              {rangeWords[one]}
            </button>
          ))}
        </fieldset>
      </div>
      {statistics && <Figures {...{ statistics, row, nowMs }} />}
      {statistics && story && width > 0 && (
        <Charts {...{ row, statistics, story, nowMs, open, width, aligned }} isChosen={range !== 'fit'} />
      )}
      {statistics && <HistoryTable statistics={statistics} />}
    </section>
  );
}

type FiguresProps = Pick<HistoryProps, 'row' | 'nowMs'> & { readonly statistics: CheckStatistics };

function Figures({ statistics, row, nowMs }: FiguresProps) {
  const { range, uptimes, total } = statistics;
  const uptime = uptimes.find((one) => one.range === range);
  const bad = [total.failed > 0 ? `${total.failed.toLocaleString()} failed` : '', missedWords(total)].filter(
    (part) => part !== '',
  );
  const durations = durationsOf(statistics);
  // The outage that is open goes on while the page is, and its status says for how long.
  const openMs = row.status === 'down' ? Math.max(0, nowMs - Math.max(statistics.nowMs, row.sinceMs)) : 0;
  const downMs = Math.min(total.downMs + openMs, range === '24h' ? dayMs : Number.POSITIVE_INFINITY);
  const ended = endedOf(total);
  const noneFailed = ended === 0 ? 'Runs' : 'Runs, none failed';
  return (
    <dl class="figures">
      <Figure name={uptimeName(statistics)}>
        <Uptime percent={uptime?.percent ?? null} isDown={downMs > 0} />
      </Figure>
      <Figure name="Outages">{uptimeOf(total).outages}</Figure>
      <Figure name={downtimeName(statistics)}>{downMs === 0 ? 'None' : outageSpan(downMs)}</Figure>
      <Figure name="Median duration">{durations ? exactSpan(durations.medianMs) : '–'}</Figure>
      <Figure name="p95 duration" isMinor>
        {durations ? exactSpan(durations.p95Ms) : '–'}
      </Figure>
      <Figure name={bad.length === 0 ? noneFailed : `Runs, ${bad.join(', ')}`} isMinor>
        {ended === 0 && bad.length === 0 ? 'None' : ended.toLocaleString()}
      </Figure>
    </dl>
  );
}

/** The same figure as in the card of the uptime, which has parts of the range that its buckets do not. */
function uptimeName({ range, total: { fromMs }, watchedSinceMs }: CheckStatistics): string {
  const isWhole = watchedSinceMs === null || watchedSinceMs <= fromMs;
  return isWhole && range !== '365d' ? `Uptime, ${rangeWords[range]}` : 'Uptime';
}

/** All ranges but that of 24 h begin with a bucket, so a check that was down all the time was so for a little less. */
function downtimeName({ total: { fromMs, downMs }, watchedSinceMs, nowMs }: CheckStatistics): string {
  const isWhole = watchedSinceMs === null || watchedSinceMs <= fromMs;
  return downMs > 0 && isWhole ? `Downtime since ${momentWords(fromMs, nowMs)}` : 'Downtime';
}

interface FigureProps {
  readonly name: string;
  readonly children: ComponentChildren;
  /** Whether a phone leaves the figure out. */
  readonly isMinor?: boolean;
}

function Figure({ name, children, isMinor = false }: FigureProps) {
  return (
    <div class={isMinor ? 'from-768' : ''}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface MedianAndP95 {
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Returns the durations, which are exact where each run is there. */
function durationsOf({ runs, total }: CheckStatistics): MedianAndP95 | null {
  const known = (runs ?? [])
    .flatMap(({ durationMs }) => (durationMs === null ? [] : [durationMs]))
    .sort((a, b) => a - b);
  if (known.length === 0) return total.durations;
  const at = (part: number): number => known[Math.max(0, Math.ceil(part * known.length) - 1)] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95) };
}

interface ChartsProps extends Omit<HistoryProps, 'statistics' | 'story' | 'range'> {
  readonly statistics: CheckStatistics;
  readonly story: CheckStory;
  /** Whether somebody has chosen the range. */
  readonly isChosen: boolean;
  readonly width: number;
}

function Charts({ row, statistics, story, isChosen, nowMs, open, width, aligned }: ChartsProps) {
  const { fromMs, untilMs } = shownTime(statistics, story.createdAtMs, isChosen);
  const isPart = fromMs > statistics.total.fromMs;
  const shownStory = useMemo(
    () => ({ ...story, changes: withoutWaits(story.changes, statistics) }),
    [story, statistics],
  );
  // Another object with each story, and mostly the same.
  const known = story.tracked?.usual ?? null;
  const { data, p95Ms, usual, axis } = useMemo(() => {
    const shown = chartDataOf(statistics, story.createdAtMs, { fromMs, untilMs });
    const isOfDurations = shown.of === 'durations';
    const high = isOfDurations ? (durationsOf(statistics)?.p95Ms ?? null) : null;
    const band = isOfDurations ? known : null;
    return { data: shown, p95Ms: high, usual: band, axis: valueAxisOf(shown, high, band) };
  }, [statistics, story.createdAtMs, fromMs, untilMs, known?.fromMs, known?.toMs]);
  useLayoutEffect(() => aligned(axis.gutter), [axis.gutter, aligned]);
  // A chart below it has the half of a column behind its last instant.
  const bandWidth = Math.max(1, width - axis.gutter - (data.columns.length > 0 ? overhang : 0));
  // Runs below it are to be in line with it, and are as of when they were asked for.
  const bandUntilMs = data.columns.length > 0 ? untilMs : Math.max(nowMs, untilMs);
  const before = beforeWords({ story: shownStory, fromMs, untilMs: bandUntilMs, width: bandWidth });
  const hasWarnings = statistics.runs?.some(({ outcome }) => outcome === 'warned') ?? false;
  return (
    <>
      <div class="band">
        <span class="faint">Status</span>
        <StatusBand
          fromMs={fromMs}
          nowMs={Math.min(nowMs, bandUntilMs)}
          untilMs={bandUntilMs}
          story={shownStory}
          status={row.status}
          width={bandWidth}
        />
      </div>
      {data.columns.length === 0 && (
        <p class="band-ends">
          <span>
            {isPart ? 'Created' : 'Since'} {momentWords(isPart ? story.createdAtMs : fromMs, nowMs)}
          </span>
          <span>Now</span>
        </p>
      )}
      <p class="chart-title">{chartTitle(data)}</p>
      {data.columns.length > 0 && (
        <RunChart
          {...data}
          {...{ axis, p95Ms, usual, fromMs, untilMs, width }}
          label={chartLabel(data, usual)}
          open={({ entry }) => open(entry)}
        />
      )}
      <p class="legend">
        {data.columns.length > 0 && (
          <>
            <span class="bar">Succeeded</span>
            <span class="down">Failed or down</span>
            <span class="late">{hasWarnings ? 'Late, or with a warning' : 'Late'}</span>
          </>
        )}
        {before !== '' && <span class="before">{before}</span>}
        {p95Ms !== null && <span class="p95">p95 {exactSpan(p95Ms)}</span>}
        {usual !== null && (
          <span
            class="usual"
            title={`The middle of the last ${usual.runs} good runs took ${exactSpan(Math.round(usual.medianMs))}`}
          >
            Usually {usualRange(usual)}
          </span>
        )}
        {isPart && data.columns.length > 0 && (
          <span class="from">Created {momentWords(story.createdAtMs, nowMs)}</span>
        )}
        {!isPart && data.columns.length > 0 && statistics.range === '24h' && (
          <span class="from">Since {momentWords(fromMs, nowMs)}</span>
        )}
        <span class="zone">{statistics.tz}</span>
      </p>
    </>
  );
}

/**
 * Returns all of a range that was chosen, up to now: what is called 24 h are 24 hours, of which the last is not over. Before one is
 * chosen, that of a check that is younger than half of it begins when the check was created: all that there is would be at its right edge.
 */
function shownTime({ total, nowMs }: CheckStatistics, createdMs: number, isChosen: boolean) {
  const firstMs = total.fromMs;
  const untilMs = Math.max(firstMs + 1, nowMs);
  if (isChosen || createdMs <= (firstMs + untilMs) / 2) return { fromMs: firstMs, untilMs };
  return { fromMs: Math.min(createdMs, untilMs - 1), untilMs };
}

function chartTitle({ of, columns, bucketMs }: ChartData): string {
  if (columns.length === 0) return 'No runs in this time.';
  if (of === 'counts') return 'Runs. Their durations are known where a job pings at its start, too.';
  return bucketMs === null
    ? 'Duration'
    : 'Duration: median, and p95 as a thin line. The colours are the parts that failed and were late.';
}

function chartLabel({ of, columns, bucketMs }: ChartData, usual: UsualBand | null): string {
  const bad = columns.filter(({ failed }) => failed > 0).length;
  const what = bucketMs === null ? 'runs' : 'times';
  const shown = of === 'counts' ? 'Numbers of runs at' : 'Durations of';
  const range = usual === null ? '' : ` Usually ${usualRange(usual)}.`;
  return `${shown} ${columns.length} ${what}, ${bad} with a failure.${range} Arrow keys go through them.`;
}

/** The same as a table, for those who do not see the charts. */
function HistoryTable({ statistics: { buckets, runs } }: { readonly statistics: CheckStatistics }) {
  const rows = runs
    ? runs.map(({ atMs, outcome, durationMs }) => [atMs, runWords[outcome], durationMs] as const)
    : buckets
        .filter((one) => countOf(one) > 0 || one.downMs > 0)
        .map((one) => [one.fromMs, bucketWords(one), one.durations?.medianMs ?? null] as const);
  return (
    <div class="hidden">
      <table>
        <caption>Runs of this range</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Outcome</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([atMs, words, durationMs], at) => (
            <tr key={`${atMs} ${at}`}>
              <td>{exactTime(atMs)}</td>
              <td>{words}</td>
              <td>{durationMs === null ? '–' : exactSpan(durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function bucketWords(bucket: StatisticsBucket): string {
  const { succeeded, late, failed, missed, downMs } = bucket;
  const misses = missed > 0 ? `, ${missedWords(bucket)}` : '';
  const down = downMs > 0 ? `, down for ${outageSpan(downMs)}` : '';
  return `${succeeded} succeeded, ${late} late, ${failed} failed${misses}${down}`;
}
