/**
 * The latest runs of a check as rows: start, end, duration beside what is usual, outcome, machine, and the output in one press.
 * Invariant: what an output says is text.
 */

import { useEffect, useRef, useState } from 'preact/hooks';
import { tookMs } from '../../domain/runs/run-took.ts';
import type { RunAnswer, RunDetailsAnswer, RunListAnswer } from '../../domain/views/api-answers.ts';
import type { TrackedView } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { isErrorLine } from '../../domain/words/output-lines.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { terminalLines } from '../../domain/words/terminal-text.ts';
import { useSeen } from '../core/calls.ts';
import { exactTime, momentWords } from '../core/words.ts';
import { TerminalLines } from '../log/terminal-lines.tsx';
import { apiPath } from '../rows/api-check.ts';
import { CopyButton, Problem } from '../ui/bits.tsx';

const rowsAtFirst = 5;
/** Rows that each press adds. */
const rowsMore = 20;
/** Rows that are shown at most: the log has the others. */
const rowsMax = 105;

interface RunRowsProps {
  readonly project: string;
  readonly id: string;
  readonly usual: TrackedView['usual'];
  readonly version: unknown;
  readonly nowMs: number;
}

export function RunRows({ project, id, usual, version, nowMs }: RunRowsProps) {
  const [limit, setLimit] = useState(rowsAtFirst);
  const { data, error } = useSeen<RunListAnswer>(
    apiPath(project, `checks/${id}/runs/?limit=${limit}`),
    version,
  );
  if (data === null) return <Problem text={error} />;
  if (data.runs.length === 0) return <p class="faint">No run has come yet.</p>;
  const hasMachines = data.runs.some(({ host }) => host !== '');
  return (
    <>
      <h3>Latest runs</h3>
      <table class="run-rows">
        <thead>
          <tr>
            <th>Outcome</th>
            <th>Started</th>
            <th class="ended">Ended</th>
            <th>Took</th>
            {hasMachines && <th>Machine</th>}
            <th>
              <span class="hidden">Output</span>
            </th>
          </tr>
        </thead>
        {data.runs.map((run) => (
          <RunRow key={keyOf(run)} {...{ project, id, run, usual, nowMs, hasMachines }} />
        ))}
      </table>
      {data.next !== null && limit < rowsMax && (
        <button type="button" class="quiet" onClick={() => setLimit(Math.min(rowsMax, limit + rowsMore))}>
          Show more runs
        </button>
      )}
      {data.next !== null && limit >= rowsMax && <p class="faint">Earlier runs are in the log below.</p>}
    </>
  );
}

/** A run keeps its row while it ends. */
function keyOf({ rid, started, ended, host }: RunAnswer): string {
  return `${rid} ${started ?? ended} ${host}`;
}

/** The card says above the rows what is usual. */
function isOutside(
  durationMs: number | null,
  { fromMs, toMs }: NonNullable<TrackedView['usual']>,
): durationMs is number {
  return durationMs !== null && (durationMs < fromMs || durationMs > toMs);
}

type RunRowProps = Omit<RunRowsProps, 'version'> & {
  readonly run: RunAnswer;
  /** Whether there is a column of machines: most jobs name none. */
  readonly hasMachines: boolean;
};

function RunRow({ project, id, run, usual, nowMs, hasMachines }: RunRowProps) {
  const [isOpen, setOpen] = useState(false);
  const durationMs = tookMs(run);
  const endedAt = run.late_end ?? run.ended;
  const n = run.n ?? (run.late_end === null ? null : (run.pings.at(-1) ?? null));
  return (
    <tbody>
      <tr class={run.outcome}>
        <th scope="row">
          {capital(run.outcome)}
          {run.note_text !== undefined && <small class="noted">{run.note_text}</small>}
        </th>
        <td>
          {run.started === null && endedAt !== null ? (
            <>
              <span class="no-start">–</span>
              {/* On a phone there is no column of ends. */}
              <span class="only-end">
                {instant(endedAt, nowMs)}
                <small>{run.outcome === 'missed' ? 'deadline' : 'end'}</small>
              </span>
            </>
          ) : (
            instant(run.started, nowMs)
          )}
        </td>
        <td class="ended">{instant(endedAt, nowMs)}</td>
        <td>
          {durationMs === null ? '–' : exactSpan(durationMs)}
          {usual && isOutside(durationMs, usual) && (
            <small>usually {exactSpan(Math.round(usual.medianMs))}</small>
          )}
        </td>
        {hasMachines && <td class="machine">{run.host === '' ? '–' : run.host}</td>}
        <td>
          {n !== null && (
            <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Output<span class="hidden"> of the run that ended with ping {n}</span>
            </button>
          )}
        </td>
      </tr>
      {isOpen && n !== null && (
        <tr>
          <td colSpan={hasMachines ? 6 : 5}>
            <RunOutput
              path={apiPath(project, `checks/${id}/runs/${n}?output=1`)}
              hasFailed={run.outcome === 'failure'}
            />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function instant(iso: string | null, nowMs: number) {
  if (iso === null) return '–';
  const atMs = Date.parse(iso);
  return (
    <time dateTime={iso} title={exactTime(atMs)}>
      {momentWords(atMs, nowMs)}
    </time>
  );
}

interface RunOutputProps {
  readonly path: string;
  readonly hasFailed: boolean;
}

/** As a terminal would show it, from its end, where it is said what went wrong; Copy gives what was sent. */
function RunOutput({ path, hasFailed }: RunOutputProps) {
  const { data, error } = useSeen<RunDetailsAnswer>(path);
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [data]);
  if (data === null) return <Problem text={error} />;
  const { output } = data;
  if (output === null || output === undefined)
    return <p class="faint">The end of this run brought no output.</p>;
  return (
    <div class="body">
      <div class="actions">
        <CopyButton text={output} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0} ref={box}>
        {terminalLines(output).map((line, at, lines) => (
          <span key={at} class={hasFailed && isErrorLine(line) ? 'bad' : undefined}>
            <TerminalLines lines={[line]} />
            {at < lines.length - 1 && '\n'}
          </span>
        ))}
      </pre>
    </div>
  );
}
