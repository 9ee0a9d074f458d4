/**
 * The runs of a check that tracks them: those in flight, how the machines did that have to report, and the last day as bars in rows,
 * in which one sees what overlapped. Nothing of other checks.
 */

import { useMemo, useRef } from 'preact/hooks';
import { usualRange } from '../../domain/runs/note-words.ts';
import { tookMs } from '../../domain/runs/run-took.ts';
import type { RunAnswer, RunListAnswer } from '../../domain/views/api-answers.ts';
import type { TrackedView } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { ticksWithin, timeTicks } from '../charts/chart-axis.ts';
import { barRowsOf } from '../charts/run-bars.ts';
import { useSeen } from '../core/calls.ts';
import { useInnerWidth } from '../core/use-inner-width.ts';
import { atWords, exactTime, momentWords } from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { RunRows } from './run-rows.tsx';

interface RunsCardProps {
  readonly project: string;
  readonly id: string;
  readonly tracked: TrackedView;
  readonly version: unknown;
  readonly nowMs: number;
}

export function RunsCard({ project, id, tracked, version, nowMs }: RunsCardProps) {
  const { open, hosts, usual, unusual } = tracked;
  return (
    <section class="card runs-card">
      <h2>Runs</h2>
      {usual && (
        <p class="faint">
          Usually {usualRange(usual)}, the median {exactSpan(Math.round(usual.medianMs))}: learned from the
          last {usual.runs} good runs.{unusualWords[unusual]}
        </p>
      )}
      {open.length > 0 && (
        <ul class="in-flight" aria-label="Runs in flight">
          {open.map((run) => (
            <li key={`${run.rid} ${run.startedMs}`}>
              <OpenRunLine {...{ run, usual, nowMs }} />
            </li>
          ))}
        </ul>
      )}
      {hosts.length > 0 && <Hosts hosts={hosts} nowMs={nowMs} />}
      <Bars {...{ project, id, version, nowMs }} />
      <RunRows {...{ project, id, usual, version, nowMs }} />
    </section>
  );
}

const unusualWords: Readonly<Record<TrackedView['unusual'], string>> = {
  off: '',
  warn: ' A success that takes another time is a warning.',
  fail: ' A success that takes another time is a failure.',
};

interface OpenRunLineProps {
  readonly run: TrackedView['open'][number];
  readonly usual: TrackedView['usual'];
  readonly nowMs: number;
}

function OpenRunLine({ run, usual, nowMs }: OpenRunLineProps) {
  const tookMs = Math.max(0, nowMs - run.startedMs);
  const words = [
    `Running ${exactSpan(Math.floor(tookMs / 1000) * 1000)}`,
    `since ${momentWords(run.startedMs, nowMs)}`,
    run.host === '' ? '' : `on ${run.host}`,
    `hangs ${atWords(run.deadlineMs, nowMs)}`,
  ];
  return (
    <>
      <span>{words.filter((part) => part !== '').join(' · ')}</span>
      {usual && (
        <progress
          max={usual.medianMs}
          value={Math.min(tookMs, usual.medianMs)}
          aria-label="Of its usual duration"
        />
      )}
    </>
  );
}

/** What a machine is, in words; a colour only says it again. */
function hostWords({ status, reportedMs }: TrackedView['hosts'][number], nowMs: number): string {
  const last = reportedMs === 0 ? '' : momentWords(reportedMs, nowMs);
  if (status === 'missing')
    return last === '' ? 'missing, has never reported' : `missing since its report at ${last}`;
  if (last === '') return 'no report yet';
  return status === 'failed' ? `failed, ${last}` : `in time, ${last}`;
}

function hostTone({ status, reportedMs }: TrackedView['hosts'][number]): string {
  if (status !== 'due') return 'down';
  return reportedMs === 0 ? 'waiting' : 'up';
}

function Hosts({ hosts, nowMs }: Pick<TrackedView, 'hosts'> & { readonly nowMs: number }) {
  return (
    <ul class="hosts" aria-label="Machines that have to report">
      {hosts.map((host) => (
        <li key={host.name} class={hostTone(host)}>
          <strong>{host.name}</strong> <span>{hostWords(host, nowMs)}</span>
        </li>
      ))}
    </ul>
  );
}

const hourMs = 3_600_000;
/** What is shown at most: whole hours, and what there is of this one. */
const shownMax = 24 * hourMs;
/** Runs that are drawn, the newest. */
const drawnMax = 500;
/** Bars that are drawn: more would be a wall. */
const barRowsMax = 12;
/** A run that began earlier is not looked for, even if it ended in the time that is shown. */
const askedMs = 2 * shownMax;

/** The time that is shown. */
interface Shown {
  readonly fromMs: number;
  readonly shownMs: number;
}

interface Bar {
  readonly run: RunAnswer;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** The end of a run that had hung or was given up is as far as it went. */
function barsOf(runs: readonly RunAnswer[], fromMs: number, nowMs: number): readonly Bar[] {
  return runs.flatMap((run): readonly Bar[] => {
    const startedMs = Date.parse(run.started ?? run.ended ?? '');
    if (Number.isNaN(startedMs)) return [];
    const end = run.late_end ?? run.ended;
    const endedMs = Math.max(startedMs, end === null ? nowMs : Date.parse(end));
    return endedMs < fromMs ? [] : [{ run, startedMs, endedMs }];
  });
}

/** The bars move on so often: all of them anew each second would be half of what a busy page does. */
const movesMs = 30_000;

function Bars({ project, id, version, nowMs }: Omit<RunsCardProps, 'tracked'>) {
  const query = new URLSearchParams({ seconds: String(askedMs / 1000), limit: String(drawnMax) });
  const { data } = useSeen<RunListAnswer>(apiPath(project, `checks/${id}/runs/?${query}`), version);
  const untilMs = Math.ceil(nowMs / movesMs) * movesMs;
  return useMemo(() => data && <DrawnBars data={data} nowMs={untilMs} />, [data, untilMs]);
}

/** They begin with an hour and end now, as the history below them does: both have the same time at the same place. */
function DrawnBars({ data, nowMs }: { readonly data: RunListAnswer; readonly nowMs: number }) {
  const fromMs = (Math.floor(nowMs / hourMs) + 1) * hourMs - shownMax;
  const shownMs = nowMs - fromMs;
  const bars = barsOf(data.runs, fromMs, nowMs);
  if (bars.length === 0) return null;
  const rows = barRowsOf(
    bars.map(({ startedMs, endedMs }) => ({ startedMs, endedMs: endedMs + shownMs / 400 })),
  );
  const height = Math.min(barRowsMax, Math.max(...rows) + 1);
  const hidden = rows.filter((row) => row >= barRowsMax).length;
  const knownMs = knownFrom(data, bars);
  const unknown = Math.max(0, ((knownMs - fromMs) / shownMs) * 100);
  return (
    <>
      <h3>
        The last 24 hours <small class="faint">since {momentWords(fromMs, nowMs)}</small>
      </h3>
      <ol
        class="run-bars"
        style={{ height: `${height * 14}px`, '--unknown': `${unknown}%` }}
        aria-label="Runs of the last 24 hours, the newest first"
      >
        {bars.map((bar, at) => (
          <RunBar key={barKey(bar)} {...bar} {...{ fromMs, shownMs }} row={rows[at] ?? 0} />
        ))}
      </ol>
      <Times {...{ fromMs, shownMs }} />
      {hidden > 0 && <p class="faint">{hidden.toLocaleString()} more ran beside them.</p>}
      {unknown > 0 && <p class="faint">{unknownWords(data, momentWords(knownMs, nowMs))}</p>}
    </>
  );
}

/** The times below the bars, as many as the chart of the history has in that width. */
function Times({ fromMs, shownMs }: Shown) {
  const line = useRef<HTMLParagraphElement>(null);
  const width = useInnerWidth(line);
  return (
    <p class="run-times" aria-hidden="true" ref={line}>
      {width > 0 &&
        timeTicks(fromMs, fromMs + shownMs, ticksWithin(width)).map(({ atMs, words }) => (
          <span key={atMs} style={{ left: `${((atMs - fromMs) / shownMs) * 100}%` }}>
            {words}
          </span>
        ))}
    </p>
  );
}

/** From when on all runs are there: not before the oldest one that is drawn, nor before what the log still has. */
function knownFrom({ next, log_from }: RunListAnswer, bars: readonly Bar[]): number {
  if (next !== null) return Math.min(...bars.map(({ startedMs }) => startedMs));
  return log_from === undefined ? 0 : Date.parse(log_from);
}

function unknownWords({ next, runs }: RunListAnswer, from: string): string {
  return next === null
    ? `The log of pings goes back to ${from}: what was before is not known.`
    : `These are the newest ${runs.length}, since ${from}; there are more.`;
}

function barKey({ run, startedMs }: Bar): string {
  return `${run.pings.join()} ${startedMs} ${run.host}`;
}

function RunBar({ run, startedMs, endedMs, fromMs, shownMs, row }: Bar & Shown & { row: number }) {
  const left = Math.min(99.5, Math.max(0, ((startedMs - fromMs) / shownMs) * 100));
  const width = Math.min(100 - left, (Math.max(0, endedMs - Math.max(startedMs, fromMs)) / shownMs) * 100);
  const durationMs = tookMs(run);
  const took = durationMs === null ? '' : `, ${exactSpan(durationMs)}`;
  const words = `${run.outcome}: ${exactTime(startedMs)}${took}${run.host === '' ? '' : `, ${run.host}`}`;
  return (
    <li
      class={run.outcome}
      hidden={row >= barRowsMax}
      style={{ left: `${left}%`, width: `${width}%`, top: `${row * 14}px` }}
      title={words}
    >
      <span class="hidden">{words}</span>
    </li>
  );
}
