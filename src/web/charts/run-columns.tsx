/**
 * The newest runs of a check as columns, oldest at the left. The height of a column says how the run went as well as its colour.
 * The pointer and the arrow keys show what one run was; a finger, under which nobody sees it, does not.
 */

import { useState } from 'preact/hooks';
import type { RunOutcome } from '../../domain/runs/latest-runs.ts';
import type { CheckRow, RunView } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { momentWords } from '../core/words.ts';
import { nameOf } from '../rows/row-words.ts';

const shown = 30;
const width = 4;
const step = 7;
const tallest = 24;
type Column = RunOutcome | 'running' | 'none';
const heights: Readonly<Record<Column, number>> = {
  failed: 24,
  missed: 24,
  late: 19,
  warned: 19,
  succeeded: 13,
  running: 13,
  none: 3,
};

const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  succeeded: 'succeeded',
  late: 'late',
  warned: 'with a warning',
  failed: 'failed',
  missed: 'missed',
};

export function RunColumns({ row, nowMs }: { readonly row: CheckRow; readonly nowMs: number }) {
  const [at, setAt] = useState(-1);
  const isRunning = row.startedMs !== null;
  const ended = row.runs.slice(isRunning ? 1 - shown : -shown);
  const outcomes = [...ended.map(([, outcome]) => outcome), ...(isRunning ? (['running'] as const) : [])];
  const columns = [...Array.from({ length: shown - outcomes.length }, () => 'none' as const), ...outcomes];
  const first = columns.length - outcomes.length;
  const wordsAt = (column: number): string => {
    const run = ended[column - first];
    if (run) return runWords(run, nowMs);
    return column >= first ? 'Running now' : '';
  };
  const pressed = (event: KeyboardEvent): void => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move === undefined || outcomes.length === 0) return;
    event.preventDefault();
    setAt((before) =>
      Math.max(first, Math.min((before < 0 ? columns.length : before) + move, columns.length - 1)),
    );
  };
  return (
    <span
      class="columns"
      role="img"
      aria-label={summaryOf(row)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go through the runs.
      tabIndex={0}
      onKeyDown={pressed}
      onBlur={() => setAt(-1)}
    >
      <svg
        width={shown * step - (step - width)}
        height={tallest}
        aria-hidden="true"
        onPointerMove={({ offsetX, pointerType }) =>
          pointerType !== 'touch' && setAt(Math.min(columns.length - 1, Math.floor(offsetX / step)))
        }
        onPointerLeave={() => setAt(-1)}
      >
        {[...new Set(columns)].map((outcome) => (
          <path key={outcome} class={outcome} d={pathOf(columns, outcome)} />
        ))}
      </svg>
      {at >= first && (
        <span class="tip" role="status">
          {wordsAt(at)}
        </span>
      )}
    </span>
  );
}

/** Draws all columns of one outcome as one shape, since a list has thousands of them. */
function pathOf(columns: readonly Column[], outcome: Column): string {
  const height = heights[outcome];
  return columns
    .map((one, at) =>
      one === outcome ? `M${at * step} ${tallest - height}h${width}v${height}h-${width}z` : '',
    )
    .join('');
}

function runWords([atMs, outcome, durationMs]: RunView, nowMs: number): string {
  const took = durationMs === null ? '' : ` · ${exactSpan(durationMs)}`;
  return `${momentWords(atMs, nowMs)} · ${outcomeWords[outcome]}${took}`;
}

function summaryOf(row: CheckRow): string {
  const count = (wanted: RunOutcome): number => row.runs.filter(([, outcome]) => outcome === wanted).length;
  const parts = (['failed', 'missed', 'warned', 'late', 'succeeded'] as const)
    .map((outcome) => [count(outcome), outcomeWords[outcome]] as const)
    .filter(([found]) => found > 0)
    .map(([found, words]) => `${found} ${words}`);
  const name = nameOf(row);
  const { length } = row.runs;
  if (length === 0) return `No runs of ${name} yet`;
  return `${length === 1 ? 'The only run' : `Last ${length} runs`} of ${name}: ${parts.join(', ')}`;
}

/** Percent of uptime under which it is marked. */
const poorBelow = 99;

interface UptimeProps {
  readonly percent: number | null;
  /** Whether it is down now, or was: an outage that began just when it was counted has no time yet. */
  readonly isDown?: boolean;
}

/** Rounded down: all of it only if nothing is missing. */
export function Uptime({ percent: counted, isDown = false }: UptimeProps) {
  if (counted === null) return <span>–</span>;
  const percent = isDown ? Math.min(counted, 99.99) : counted;
  const words = percent === 100 ? '100.0' : (Math.floor(percent * 100) / 100).toFixed(2);
  return (
    <span class={percent < poorBelow ? 'figure poor' : 'figure'}>
      {words} <span class="faint">%</span>
    </span>
  );
}
