/**
 * Durations of runs over time: columns from 0 in round steps, failed ones red with a cross, late ones amber, the 95th percentile as a
 * line. uPlot draws axes and scales; only this file imports it. By pointer and by keyboard.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { exactSpan } from '../../domain/words/span-words.ts';
import 'uplot/dist/uPlot.min.css';
import type { RunOutcome } from '../../domain/runs/latest-runs.ts';
import { durationTicks, timeTicks } from './chart-axis.ts';
import { chartColors, useTheme } from './chart-colors.ts';
import type { ChartColumn } from './chart-columns.ts';

/** Of the axis at the left, in CSS pixels: the band above has the same. */
export const gutter = 56;
/** At the right: half of the last time's words. */
export const overhang = 20;
const height = 176;
const columnMax = 14;

export interface ChartProps {
  readonly columns: readonly ChartColumn[];
  readonly fromMs: number;
  readonly untilMs: number;
  /** Of the whole range; null for none. */
  readonly p95Ms: number | null;
  /** In CSS pixels. */
  readonly width: number;
  readonly label: string;
  readonly open: (column: ChartColumn) => void;
}

export function DurationChart(props: ChartProps) {
  const { columns, width, label, open } = props;
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(-1);
  const theme = useTheme();
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    if (!place.current || width <= 0) return;
    plot.current = draw(place.current, props);
    return () => plot.current?.destroy();
  }, [columns, width, theme]);
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
  const { columns, fromMs, untilMs, p95Ms, width } = props;
  const colors = chartColors();
  const longestMs = Math.max(1, p95Ms ?? 0, ...columns.map((one) => one.p95Ms ?? one.durationMs ?? 0));
  const levels = durationTicks(longestMs);
  const times = timeTicks(fromMs, untilMs, width < 500 ? 4 : 7);
  const line = { stroke: colors.line, width: 1 };
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  const options: uPlot.Options = {
    width,
    height,
    padding: [14, overhang, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: () => [fromMs / 1000, untilMs / 1000] },
      y: { range: () => [0, levels.at(-1) ?? 1] },
    },
    axes: [
      {
        ...{ stroke: colors.text, font, size: 26, gap: 6, grid: { show: false } },
        ticks: { show: false },
        splits: () => times.map(({ atMs }) => atMs / 1000),
        values: () => times.map(({ words }) => words),
      },
      {
        ...{ stroke: colors.text, font, size: gutter, gap: 6, grid: line },
        ticks: { show: false },
        splits: () => [...levels],
        values: (_plot, shown) => shown.map((ms) => (ms === 0 ? '0' : exactSpan(ms))),
      },
    ],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [(plot) => drawColumns(plot, props, colors)] },
  };
  const data: uPlot.AlignedData = [
    columns.map(({ atMs }) => atMs / 1000),
    columns.map(({ durationMs }) => durationMs),
  ];
  return new uPlot(options, data, place);
}

type Colors = ReturnType<typeof chartColors>;

const fills: Readonly<Record<RunOutcome, keyof Colors>> = {
  succeeded: 'bar',
  late: 'late',
  failed: 'down',
  missed: 'down',
};

function drawColumns(plot: uPlot, { columns, p95Ms }: ChartProps, colors: Colors): void {
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const wide =
    Math.max(2, Math.min(columnMax, (bbox.width / scale / Math.max(1, columns.length)) * 0.65)) * scale;
  const floor = bbox.top + bbox.height;
  ctx.save();
  for (const { atMs, durationMs, p95Ms: high, outcome } of columns) {
    const x = plot.valToPos(atMs / 1000, 'x', true);
    const top = durationMs === null ? floor : plot.valToPos(durationMs, 'y', true);
    ctx.fillStyle = colors[fills[outcome]];
    if (durationMs !== null)
      ctx.fillRect(x - wide / 2, Math.min(top, floor - 2 * scale), wide, Math.max(2 * scale, floor - top));
    if (high !== null) {
      const above = plot.valToPos(high, 'y', true);
      ctx.fillRect(x - scale / 2, above, scale, Math.max(0, top - above));
    }
    if (outcome === 'failed' || outcome === 'missed') drawCross(ctx, x, top - 7 * scale, scale);
  }
  if (p95Ms !== null) drawLevel(plot, p95Ms, colors.strong, scale);
  ctx.restore();
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

/** Dashed, with its value above it. */
function drawLevel(plot: uPlot, ms: number, color: string, scale: number): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(ms, 'y', true);
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = scale;
  ctx.setLineDash([4 * scale, 3 * scale]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = `${12 * scale}px ${getComputedStyle(plot.root).fontFamily}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  ctx.fillText(`p95 ${exactSpan(ms)}`, bbox.left + 6 * scale, y - 2 * scale);
}
