/**
 * A check's runs over time, as columns in round steps from 0. Failed runs are red with a cross, late ones amber; a column of
 * several runs shows the parts that failed and were late. A line shows the 95th percentile of durations, a band behind the columns
 * how long runs usually take. Pointer and keyboard work alike. uPlot draws axes and scales, and only this file imports it.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { UsualDuration } from '../../domain/runs/usual-duration.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import 'uplot/dist/uPlot.min.css';
import { axisTop, countTicks, durationTicks, ticksWithin, timeTicks } from './chart-axis.ts';
import { chartColors, useTheme } from './chart-colors.ts';
import type { ChartColumn, ChartData } from './chart-columns.ts';

/** Width of the axis at the left, in CSS pixels, unless its words are wider. */
export const gutterMin = 56;
const gapAtWords = 6;
/** Space at the right, in CSS pixels: half of the last time's words. */
export const overhang = 26;
const height = 176;
const columnMax = 14;
const columnMin = 2;
/** Height in CSS pixels of a run of which no duration is known: it is there, and it is none that took as long as another. */
const unknownHigh = 6;
/** CSS pixels from one cross to the next: closer ones would be one line of crosses. */
const crossWide = 8;

/** The axis at the left, with the words of its ticks. */
export interface ValueAxis {
  readonly levels: readonly number[];
  readonly words: readonly string[];
  /** The value at the upper edge. */
  readonly top: number;
  /** Width in CSS pixels, with the gap. The band above has the same. */
  readonly gutter: number;
}

/** The axis also shows the whole band, unless that would make the columns less than half as high. */
const bandShareMax = 2;

export type UsualBand = Pick<UsualDuration, 'fromMs' | 'toMs'>;

export function valueAxisOf(
  { of, columns }: ChartData,
  p95Ms: number | null,
  usual: UsualBand | null,
): ValueAxis {
  const highest = Math.max(1, p95Ms ?? 0, ...columns.map(({ value, p95Ms: high }) => high ?? value ?? 0));
  const most = Math.max(highest, Math.min(usual?.toMs ?? 0, bandShareMax * highest));
  const levels = of === 'counts' ? countTicks(most) : durationTicks(most);
  const words = levels.map((level) =>
    level === 0 ? '0' : of === 'counts' ? level.toLocaleString() : exactSpan(level),
  );
  return {
    levels,
    words,
    top: axisTop(levels, highest),
    gutter: Math.max(gutterMin, Math.ceil(widest(words)) + 2 * gapAtWords),
  };
}

function fontOf(element: Element): string {
  return `12px ${getComputedStyle(element).fontFamily}`;
}

/** Returns the width of the widest words as a canvas writes them: no axis may be cut off, whatever the reader's font is. */
function widest(words: readonly string[]): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0;
  context.font = fontOf(document.body);
  return Math.max(...words.map((text) => context.measureText(text).width));
}

export interface ChartProps extends ChartData {
  readonly axis: ValueAxis;
  readonly fromMs: number;
  readonly untilMs: number;
  /** 95th percentile of the whole range; null if there is none. */
  readonly p95Ms: number | null;
  /** Null where that is not known, and where columns are no durations. */
  readonly usual: UsualBand | null;
  /** Width in CSS pixels. */
  readonly width: number;
  readonly label: string;
  readonly open: (column: ChartColumn) => void;
}

export function RunChart(props: ChartProps) {
  const { columns, axis, width, label, open } = props;
  const { gutter } = axis;
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(-1);
  const theme = useTheme();
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    if (!place.current || width <= 0) return;
    plot.current = draw(place.current, props);
    return () => plot.current?.destroy();
  }, [columns, axis, width, theme]);
  const pressed = (event: KeyboardEvent): void => {
    const column = columns[at];
    const to = targetOf(event.key, at, columns.length);
    if (event.key === 'Enter' && column) open(column);
    else if (event.key === 'Escape') setAt(-1);
    else if (to === null) return;
    else setAt(to);
    event.preventDefault();
  };
  const nearest = (offsetX: number): number => {
    const atMs = (plot.current?.posToVal(offsetX - gutter, 'x') ?? 0) * 1000;
    return nearestColumn(columns, atMs);
  };
  const chosen = columns[at];
  const left = chosen ? gutter + (plot.current?.valToPos(chosen.atMs / 1000, 'x') ?? 0) : 0;
  return (
    <div
      class="chart"
      role="img"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go through the runs, Enter opens one.
      tabIndex={0}
      onKeyDown={pressed}
      onBlur={() => setAt(-1)}
      onMouseMove={({ clientX, currentTarget }) =>
        setAt(nearest(clientX - currentTarget.getBoundingClientRect().left))
      }
      onMouseLeave={() => setAt(-1)}
      onClick={({ clientX, currentTarget }) => {
        const column = columns[nearest(clientX - currentTarget.getBoundingClientRect().left)];
        if (column) open(column);
      }}
    >
      {chosen && <span class="chart-hover" style={{ left: `${left - columnMax}px` }} />}
      <div ref={place} />
      {chosen && (
        <span
          class="tip"
          role="status"
          style={{ left: `${Math.max(0, Math.min(left - 40, width - 280))}px` }}
        >
          {chosen.words}
        </span>
      )}
    </div>
  );
}

function targetOf(key: string, at: number, length: number): number | null {
  if (length === 0) return null;
  if (key === 'ArrowLeft') return Math.max(0, at < 0 ? length - 1 : at - 1);
  if (key === 'ArrowRight') return Math.min(length - 1, at < 0 ? length - 1 : at + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? length - 1 : null;
}

function nearestColumn(columns: readonly ChartColumn[], atMs: number): number {
  let best = -1;
  for (const [index, column] of columns.entries()) {
    if (best < 0 || Math.abs(column.atMs - atMs) < Math.abs((columns[best]?.atMs ?? 0) - atMs)) best = index;
  }
  return best;
}

function draw(place: HTMLElement, props: ChartProps): uPlot {
  const { columns, fromMs, untilMs, width, axis } = props;
  const colors = chartColors();
  const times = timeTicks(fromMs, untilMs, ticksWithin(width - axis.gutter - overhang));
  const line = { stroke: colors.line, width: 1 };
  const font = fontOf(place);
  const options: uPlot.Options = {
    width,
    height,
    padding: [14, overhang, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [fromMs / 1000, untilMs / 1000] },
      y: { range: () => [0, axis.top] },
    },
    axes: [
      {
        ...{ stroke: colors.text, font, size: 26, gap: gapAtWords, grid: { show: false } },
        ticks: { show: false },
        splits: () => times.map(({ wordsAtMs }) => wordsAtMs / 1000),
        values: () => times.map(({ words }) => words),
      },
      {
        ...{ stroke: colors.text, font, size: axis.gutter, gap: gapAtWords, grid: line },
        ticks: { show: false },
        splits: () => [...axis.levels],
        values: () => [...axis.words],
      },
    ],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [(plot) => drawColumns(plot, props, colors)] },
  };
  const data: uPlot.AlignedData = [columns.map(({ atMs }) => atMs / 1000), columns.map(({ value }) => value)];
  return new uPlot(options, data, place);
}

type Colors = ReturnType<typeof chartColors>;

/** Width of a column in CSS pixels: as much as there usually is between one and the next. */
function columnWidth(plot: uPlot, { columns, bucketMs }: ChartProps): number {
  const x = (atMs: number): number => plot.valToPos(atMs / 1000, 'x');
  const gaps = columns.slice(1).map(({ atMs }, at) => x(atMs) - x(columns[at]?.atMs ?? atMs));
  gaps.sort((a, b) => a - b);
  const usual = gaps[Math.floor(gaps.length / 2)] ?? columnMax * 2;
  const slot = bucketMs === null ? usual : x(bucketMs) - x(0);
  return Math.max(columnMin, Math.min(columnMax, slot * 0.65));
}

function drawColumns(plot: uPlot, props: ChartProps, colors: Colors): void {
  const { ctx } = plot;
  const scale = devicePixelRatio;
  const width = columnWidth(plot, props);
  ctx.save();
  if (props.usual !== null) drawBand(plot, props.usual, colors.usual, scale);
  const crossed = crossedOf(plot, props.columns);
  for (const [at, column] of props.columns.entries())
    drawColumn(plot, column, { colors, width, scale, isCrossed: crossed.has(at) });
  if (props.p95Ms !== null) drawLevel(plot, props.p95Ms, colors.strong, scale);
  ctx.restore();
}

/** Returns the places in the list of the failures that get a cross: of several that are close together, the newest. */
function crossedOf(plot: uPlot, columns: readonly ChartColumn[]): ReadonlySet<number> {
  const crossed = new Set<number>();
  let right = Number.POSITIVE_INFINITY;
  for (const [at, { failed, atMs }] of [...columns.entries()].reverse()) {
    const x = plot.valToPos(atMs / 1000, 'x');
    if (failed === 0 || right - x < crossWide) continue;
    crossed.add(at);
    right = x;
  }
  return crossed;
}

interface ColumnLook {
  readonly colors: Colors;
  readonly width: number;
  readonly scale: number;
  readonly isCrossed: boolean;
}

/** Draws what failed at the bottom and what was late above it. Each can be seen, however few runs it has. */
function drawColumn(plot: uPlot, column: ChartColumn, { colors, width, scale, isCrossed }: ColumnLook): void {
  const { atMs, value, p95Ms, failed, late } = column;
  const { ctx, bbox } = plot;
  const x = plot.valToPos(atMs / 1000, 'x', true);
  // A run at the very beginning has nothing drawn before it.
  const left = Math.max(bbox.left, x - (width * scale) / 2);
  const wide = x + (width * scale) / 2 - left;
  const floor = bbox.top + bbox.height;
  const least = 2 * scale;
  const top =
    value === null ? floor - unknownHigh * scale : Math.min(plot.valToPos(value, 'y', true), floor - least);
  let below = floor;
  for (const [part, color] of [
    [failed, colors.down],
    [late, colors.late],
    [1 - failed - late, colors.bar],
  ] as const) {
    if (part <= 0) continue;
    const high = Math.min(below - top, Math.max(least, part * (floor - top)));
    ctx.fillStyle = color;
    ctx.fillRect(left, below - high, wide, high);
    below -= high;
  }
  if (p95Ms !== null) {
    const above = plot.valToPos(p95Ms, 'y', true);
    ctx.fillStyle = colors.bar;
    ctx.fillRect(x - scale / 2, above, scale, Math.max(0, top - above));
  }
  ctx.fillStyle = colors.down;
  if (isCrossed) drawCross(ctx, x, top - 7 * scale, scale);
}

function drawCross(ctx: CanvasRenderingContext2D, x: number, y: number, scale: number): void {
  const arm = 3 * scale;
  ctx.strokeStyle = ctx.fillStyle;
  ctx.lineWidth = 2 * scale;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x - arm, y - arm);
  ctx.lineTo(x + arm, y + arm);
  ctx.moveTo(x + arm, y - arm);
  ctx.lineTo(x - arm, y + arm);
  ctx.stroke();
}

const bandOpacity = 0.14;

/** Draws the band as far as it is within the plot, with a line at each limit, so that it is seen without its colour. */
function drawBand(plot: uPlot, { fromMs, toMs }: UsualBand, color: string, scale: number): void {
  const { ctx, bbox } = plot;
  const within = (y: number): number => Math.max(bbox.top, Math.min(bbox.top + bbox.height, y));
  const [top, bottom] = [plot.valToPos(toMs, 'y', true), plot.valToPos(fromMs, 'y', true)];
  ctx.fillStyle = color;
  ctx.globalAlpha = bandOpacity;
  ctx.fillRect(bbox.left, within(top), bbox.width, within(bottom) - within(top));
  ctx.globalAlpha = 1;
  for (const y of [top, bottom]) {
    // At the floor there is the axis.
    if (y === within(y) && y < bbox.top + bbox.height)
      ctx.fillRect(bbox.left, y - scale / 2, bbox.width, scale);
  }
}

/** Draws a dashed line. Its value is in the legend: words beside it would be crossed by the lines and columns of the chart. */
function drawLevel(plot: uPlot, ms: number, color: string, scale: number): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(ms, 'y', true);
  ctx.strokeStyle = color;
  ctx.lineWidth = scale;
  ctx.setLineDash([4 * scale, 3 * scale]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
}
