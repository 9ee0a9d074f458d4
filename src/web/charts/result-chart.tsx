/**
 * A small chart of one number: run by run, or the averages of hours or days with the least and the most as a band. Limits are dashed lines,
 * those of a warning with shorter dashes, and failures large dots. Below are the least, the most and each limit.
 */

import { resultValue } from '../../domain/results/result-words.ts';
import type { ResultListAnswer } from '../../domain/views/api-answers.ts';
import { dayWords } from '../core/words.ts';
import { type DrawnValue, levelsOf, type Place, placesOf } from './result-points.ts';

const width = 320;
const height = 64;
/** Points up to which each is a dot: a line alone hides single ones, and more dots would be a thick line. */
const dottedMax = 40;

export interface ResultPoint {
  readonly atMs: number;
  readonly value: number;
  /** Of an hour or a day; otherwise both are the value. */
  readonly least: number;
  readonly most: number;
  /** Whether the run failed, or one of that hour or day. */
  readonly isBad: boolean;
}

interface ResultChartProps {
  readonly name: string;
  readonly unit: string;
  /** Oldest first; one at least. */
  readonly points: readonly ResultPoint[];
  /** What the points are, in words. */
  readonly of: string;
  /** The time that is shown; null for one point behind the other. */
  readonly times: { readonly fromMs: number; readonly untilMs: number } | null;
  /** Values at which a limit is drawn. */
  readonly bounds: readonly Bound[];
  readonly nowMs: number;
}

export interface Bound {
  readonly value: number;
  readonly outcome: Limit['outcome'];
}

type Limit = ResultListAnswer['results'][number]['limits'][number];

/**
 * A limit of a change is drawn where values come near it: far away it would press them into one line. Without a usual value it is
 * nowhere yet.
 */
export function drawnBounds(
  limits: readonly Limit[],
  median: number | null,
  points: readonly ResultPoint[],
): readonly Bound[] {
  const fixed = limits.flatMap(({ kind, value, outcome }) =>
    (kind === 'below' || kind === 'above') && value !== undefined ? [{ value, outcome }] : [],
  );
  const { least, most } = levelsOf(
    points.flatMap((point) => [point.least, point.most]),
    fixed.map(({ value }) => value),
  );
  const changes = limits.flatMap(({ kind, value, outcome }) =>
    kind === 'change' && value !== undefined && median !== null
      ? [-value, value].map((share) => ({ value: median + share * Math.abs(median), outcome }))
      : [],
  );
  const all = [...fixed, ...changes.filter(({ value }) => value >= least && value <= most)];
  // Where two are at one value, a failure is what it means.
  const byValue = new Map<number, Bound>();
  for (const bound of all)
    if (byValue.get(bound.value)?.outcome !== 'failure') byValue.set(bound.value, bound);
  return [...byValue.values()];
}

export function ResultChart({ name, unit, points, of, times, bounds, nowMs }: ResultChartProps) {
  const all = points.flatMap(({ least, most }) => [least, most]);
  const levels = levelsOf(
    all,
    bounds.map(({ value }) => value),
  );
  const shareOf = (atMs: number) =>
    times === null ? {} : { share: (atMs - times.fromMs) / (times.untilMs - times.fromMs) };
  const drawn = (value: (point: ResultPoint) => number): readonly Place[] =>
    placesOf(
      points.map(
        (point): DrawnValue => ({ value: value(point), isBad: point.isBad, ...shareOf(point.atMs) }),
      ),
      levels,
      { width, height },
    );
  const places = drawn(({ value }) => value);
  const [least, most] = [Math.min(...all), Math.max(...all)].map((value) => resultValue(value, unit));
  const failed = points.filter(({ isBad }) => isBad).length;
  const withFailures = failed === 0 ? '' : `, ${failed} with a failure`;
  return (
    <div class="result-chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${name} of ${points.length} ${of}, from ${least} to ${most}${withFailures}`}
      >
        {times && (
          <polygon
            points={bandOf(
              drawn(({ most }) => most),
              drawn(({ least }) => least),
            )}
          />
        )}
        {bounds.map(({ value, outcome }) => {
          const [line] = placesOf([{ value, isBad: false }], levels, { width, height });
          return <line key={value} x1={0} x2={width} y1={line?.y} y2={line?.y} class={`limit ${outcome}`} />;
        })}
        <polyline points={pathOf(places)} />
        {places
          .filter(({ isBad }, at) => isBad || at === places.length - 1 || places.length <= dottedMax)
          .map(dot)}
      </svg>
      {times && (
        <p class="bar-times" aria-hidden="true">
          <span>{dayWords(times.fromMs, nowMs)}</span>
          <span>{dayWords(times.untilMs, nowMs)}</span>
        </p>
      )}
      {/* The image and the text beside it say the same. */}
      <p class="limits" aria-hidden="true">
        <span>{least === most ? least : `${least} to ${most}`}</span>
        {bounds.map(({ value, outcome }) => (
          <span key={value} class={outcome}>
            {resultValue(value, unit)}: {outcome}
          </span>
        ))}
      </p>
    </div>
  );
}

function pathOf(places: readonly Place[]): string {
  return places.map(({ x, y }) => `${x},${y}`).join(' ');
}

function bandOf(above: readonly Place[], below: readonly Place[]): string {
  return pathOf([...above, ...[...below].reverse()]);
}

/** Failures are larger, so that colour alone does not mark them. */
function dot({ x, y, isBad }: Place, at: number) {
  return <circle key={at} cx={x} cy={y} r={isBad ? 4 : 2} class={isBad ? 'bad' : undefined} />;
}
