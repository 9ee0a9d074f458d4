/** The report of a period, from the same data as its mail. */

import { useEffect, useState } from 'preact/hooks';
import { checkPath } from '../../domain/accounts/page-address.ts';
import type { ShownPeriod } from '../../domain/accounts/report-period.ts';
import {
  fewerIncidentsWords,
  incidentWords,
  moreIncidentsWords,
  nowWords,
  percentWords,
  type Report,
  type ReportLine,
  withoutLine,
} from '../../domain/views/report.ts';
import { shownName } from '../../domain/words/check-name.ts';
import { counted } from '../../domain/words/counted.ts';
import { outageSpan } from '../../domain/words/span-words.ts';
import { fromRoot } from '../core/base-path.ts';
import { useAsk } from '../core/calls.ts';
import { formatted, zoneSuffix } from '../core/time-style.ts';
import { useWide } from '../core/use-wide.ts';
import { exactTime, minuteTime, sinceWords, unbroken } from '../core/words.ts';
import { Problem } from '../ui/bits.tsx';

interface PreviewProps {
  readonly period: ShownPeriod;
  /** Whether the reader has more than one project: all of them are counted, and the page names one. */
  readonly hasOthers: boolean;
  /** Once it is there, or will not be: what is below it would be moved. */
  readonly counted: () => void;
}

export function ReportPreview({ period, hasOthers, counted: isThere }: PreviewProps) {
  const { data, error } = useAsk<Report>(`/web/reports/preview?period=${period}`);
  const isAnswered = data !== null || error !== '';
  useEffect(() => {
    if (isAnswered) isThere();
  }, [isAnswered, isThere]);
  if (!data) return error === '' ? <p class="faint">Counting…</p> : <Problem text={error} />;
  const { affected, watched, checks, percent, downMs, fromMs, untilMs, nowMs, timeZone, incidents, before } =
    data;
  const sums = sumWords(data);
  const more = moreIncidentsWords(data);
  const when = beforeWords(period, data);
  return (
    <>
      <p>{headline(data, hasOthers ? ', in all your projects' : '')}</p>
      <dl>
        <dt>Uptime</dt>
        <dd>
          {percentWords(percent)}
          {watched > 1 && ` of the time in which ${counted(watched, 'check')} were watched`}
          {before && (
            <Before when={when}>{`${percentWords(before.percent)}, ${outagesWords(before.outages)}`}</Before>
          )}
        </dd>
        {affected > 0 && (
          <>
            <dt>Downtime</dt>
            <dd>
              {outageSpan(downMs)}
              {affected > 1 && `, the sum of ${affected.toLocaleString()} checks`}
              {before && (
                <Before when={when}>{before.downMs === 0 ? 'none' : outageSpan(before.downMs)}</Before>
              )}
            </dd>
          </>
        )}
        {incidents && (
          <>
            <dt>Incidents</dt>
            <dd>
              {incidentWords(incidents)}
              {before && (
                <Before when={when}>
                  {before.incidents === 0 ? 'none' : `${before.incidents.toLocaleString()} opened`}
                </Before>
              )}
            </dd>
          </>
        )}
        <dt>Now</dt>
        <dd>
          {checks > 0 && `${counted(checks, 'check')}: `}
          {nowWords(data).map(unbroken).join(', ') || '–'}
        </dd>
        <dt>Period</dt>
        <dd>
          {minuteTime(fromMs, timeZone)} to {minuteTime(Math.min(untilMs, nowMs), timeZone)}
          {zoneSuffix(timeZone)}
          {(period === '7d' || period === '30d') && ', begun at a full hour'}
        </dd>
      </dl>
      {affected > 0 && <Worst report={data} />}
      {more !== '' && <p class="faint">{more}</p>}
      {sums !== '' && <p class="sums">{sums}</p>}
    </>
  );
}

interface BeforeProps {
  readonly when: string;
  readonly children: string;
}

/** The same figure in the period before: whether this one is better or worse. */
function Before({ when, children }: BeforeProps) {
  return (
    <span class="period-before faint">
      {when}: {children}
    </span>
  );
}

const halfDay = 43_200_000;

/** Returns what a figure is compared with: `The 7 days before`, `Tue 10 Mar`, `Mon 2 to Sun 8 Mar` or `February`, as its reader writes dates. */
function beforeWords(period: ShownPeriod, { frequency, fromMs, timeZone }: Report): string {
  if (period === '7d' || period === '30d') return `The ${period === '7d' ? 7 : 30} days before`;
  const words = (atMs: number, options: Intl.DateTimeFormatOptions): string =>
    formatted(atMs, { ...options, timeZone });
  const lastMs = fromMs - halfDay;
  if (frequency === 'monthly') return words(lastMs, { month: 'long' });
  const dayOf = (atMs: number): string => words(atMs, { weekday: 'short', day: 'numeric', month: 'short' });
  // However long the days of that week are, this is in its first one.
  return frequency === 'daily' ? dayOf(lastMs) : `${dayOf(lastMs - 12 * halfDay)} to ${dayOf(lastMs)}`;
}

function outagesWords(count: number): string {
  return count === 0 ? 'no outages' : counted(count, 'outage');
}

/** `where`: which checks are counted. */
function headline({ affected, checks, watched, outages }: Report, where: string): string {
  if (checks === 0) return 'Knell is running. There are no checks yet.';
  if (watched === 0) return 'Knell is running. No check was watched: all are paused, or without a ping yet.';
  if (affected === 0) return `Still alive: no outages in ${counted(watched, 'check')}${where}.`;
  return `${counted(outages, 'outage')} in ${affected === checks ? '' : `${affected.toLocaleString()} of `}${counted(checks, 'check')}${where}.`;
}

/** `Of 15 checks, 3 had outages, 10 had none and 2 were not watched. …`; empty where one of these is all of them. */
function sumWords({ affected, watched, checks, now }: Report): string {
  const without = watched - affected;
  const unwatched = checks - watched;
  const parts = [
    ...(affected > 0 ? [`${affected.toLocaleString()} had outages`] : []),
    ...(without > 0 ? [`${without.toLocaleString()} had ${affected > 0 ? 'none' : 'no outages'}`] : []),
    ...(unwatched > 0
      ? [`${unwatched.toLocaleString()} ${unwatched === 1 ? 'was' : 'were'} not watched`]
      : []),
  ];
  if (parts.length < 2) return '';
  const why = unwatched > 0 ? ` ${unwatchedWords(unwatched)}` : '';
  // More are paused or new now than were not watched: of the others there is a part of the period.
  const partly = now.paused + now.new > unwatched ? ' A check paused later counts until its pause.' : '';
  return `Of ${counted(checks, 'check')}, ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}.${why}${partly}`;
}

function unwatchedWords(count: number): string {
  if (count === 1) return 'That one had no ping yet, or was paused all the time.';
  return `Those ${count.toLocaleString()} had no ping yet, or were paused all the time.`;
}

type Column = 'name' | 'outages' | 'downtime' | 'uptime';

interface Order {
  readonly by: Column;
  readonly isDescending: boolean;
}

/** What a first press has first: names from A on, and of the figures the worst. */
const descendsFirst: Readonly<Record<Column, boolean>> = {
  name: false,
  outages: true,
  downtime: true,
  uptime: false,
};

const comparing: Readonly<Record<Column, (a: ReportLine, b: ReportLine) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name),
  outages: (a, b) => a.outages - b.outages,
  downtime: (a, b) => a.downMs - b.downMs,
  uptime: (a, b) => (a.percent ?? 0) - (b.percent ?? 0),
};

/** Lines that are equal in it stay in the order of the server. */
function inOrder(lines: readonly ReportLine[], order: Order | null): readonly ReportLine[] {
  if (order === null) return lines;
  const compare = comparing[order.by];
  return [...lines].sort((a, b) => (order.isDescending ? compare(b, a) : compare(a, b)));
}

interface HeadProps {
  readonly words: string;
  readonly column: Column;
  readonly order: Order | null;
  readonly sort: (order: Order) => void;
}

function Head({ words, column, order, sort }: HeadProps) {
  // On a phone the heads are not in sight, and a button that is not takes the focus out of it.
  const isWide = useWide();
  const isBy = order?.by === column;
  const isDescending = isBy ? order.isDescending : descendsFirst[column];
  return (
    <th
      scope="col"
      class={column === 'name' ? '' : 'number'}
      aria-sort={isBy ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      {isWide ? (
        <button
          type="button"
          onClick={() => sort({ by: column, isDescending: isBy ? !isDescending : isDescending })}
        >
          {words}
          <span class="arrow" aria-hidden="true">
            {isBy ? (isDescending ? '▾' : '▴') : ''}
          </span>
        </button>
      ) : (
        words
      )}
    </th>
  );
}

function Worst({ report }: { readonly report: Report }) {
  const { worst, nowMs } = report;
  const [order, sort] = useState<Order | null>(null);
  const more = withoutLine(report);
  const fewer = fewerIncidentsWords(report);
  return (
    <>
      <table class="report-lines">
        <caption class="hidden">Checks that were down{order === null && ', the worst first'}</caption>
        <thead>
          <tr>
            <Head words="Check" column="name" {...{ order, sort }} />
            <Head words="Outages" column="outages" {...{ order, sort }} />
            <Head words="Downtime" column="downtime" {...{ order, sort }} />
            <Head words="Uptime" column="uptime" {...{ order, sort }} />
          </tr>
        </thead>
        <tbody>
          {inOrder(worst, order).map((line) => (
            <Line key={line.projectId + line.uniqueKey} line={line} nowMs={nowMs} />
          ))}
        </tbody>
      </table>
      {more && (
        <p>
          And {counted(more.affected, 'other check')} with {counted(more.outages, 'outage')},{' '}
          {outageSpan(more.downMs)} in all.
        </p>
      )}
      {fewer !== '' && <p class="faint">{fewer}</p>}
    </>
  );
}

function Line({ line, nowMs }: { readonly line: ReportLine; readonly nowMs: number }) {
  const { projectId, project, uniqueKey, name, status, outages, downMs, percent, watchedSinceMs } = line;
  return (
    <tr>
      <th scope="row">
        <a href={fromRoot(checkPath(projectId, uniqueKey))}>{shownName({ name })}</a>{' '}
        <span class="faint">
          {project}
          {status === 'down' && (
            <>
              , <strong class="bad">down now</strong>
            </>
          )}
        </span>
      </th>
      <td class="number">
        {outages.toLocaleString()}
        <span class="narrow-only"> {outages === 1 ? 'outage' : 'outages'}</span>
      </td>
      <td class="number">
        <span class="narrow-only">down </span>
        {outageSpan(downMs)}
      </td>
      <td class="number">
        {percentWords(percent)}
        <span class="narrow-only"> up</span>
        {watchedSinceMs !== undefined && (
          <span class="faint" title={`Watched since ${exactTime(watchedSinceMs)}`}>
            {' '}
            {sinceWords(watchedSinceMs, nowMs)}
          </span>
        )}
      </td>
    </tr>
  );
}
