/**
 * What the job printed, in short: its errors and its last lines, where a check that has failed is shown, so that the reader sees what went wrong without a
 * tap.
 * Invariant: they are below the buttons, which do not move when the lines have come.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LogEntry, PingBody, RunEntry } from '../../domain/views/log-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { gapWords, type ShownOutput, shownOutput } from '../../domain/words/output-lines.ts';
import type { WantedEntry } from '../charts/chart-columns.ts';
import { askText, Refusal } from '../core/calls.ts';
import { apiPath } from '../rows/api-check.ts';
import { compare } from './compare-address.ts';
import { isComparable, outputTitle, shownFailure } from './failed-runs.ts';
import { TerminalLines } from './terminal-lines.tsx';

interface LastOutputProps {
  readonly row: CheckRow;
  readonly project: string;
  /** Entries of its log, newest first. */
  readonly entries: readonly LogEntry[];
  readonly nowMs: number;
  readonly open: (entry: Required<WantedEntry>) => void;
}

export function LastOutput({ row, project, entries, nowMs, open }: LastOutputProps) {
  const run = row.status === 'down' ? shownFailure(row.sinceMs, entries) : null;
  if (!run || run.from.scheme === 'email') return null;
  return (
    <RunOutput
      {...{ run, project }}
      id={row.id}
      title={outputTitle(run, row.sinceMs, entries, nowMs)}
      acts={({ body, line, isWhole }) => (
        <>
          <button
            type="button"
            class="quiet"
            onClick={() => open({ id: run.id, atMs: run.atMs, output: { n: body.n, line } })}
          >
            {isWhole ? 'Show in the log' : 'Show all'}
          </button>
          {isComparable(run, entries) && (
            <button type="button" class="quiet" onClick={() => compare({ left: 'good', right: run.n })}>
              Compare<span class="hidden"> with the last good run</span>
            </button>
          )}
        </>
      )}
    />
  );
}

interface ShownBody {
  readonly body: PingBody;
  /** Its first line that matters. */
  readonly line: number;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

interface RunOutputProps {
  readonly run: RunEntry;
  readonly project: string;
  /** Of the check. */
  readonly id: string;
  readonly title: string;
  /** What one can do with the output. */
  readonly acts: (shown: ShownBody) => ComponentChildren;
  /** Shown in its place where it was stored and is no more. */
  readonly gone?: ComponentChildren;
}

/** Nothing where the run brought no output. */
export function RunOutput({ run, project, id, title, acts, gone = null }: RunOutputProps) {
  const [body] = run.bodies;
  const text = useBody(body ? apiPath(project, `checks/${id}/pings/${body.n}/body`) : null);
  if (text === false || (!body && run.bodyAgeMs !== undefined)) return <>{gone}</>;
  const output = text === null ? null : shownOutput(text, true);
  if (!body || !output) return null;
  const { rows, line } = output;
  const isWhole = rows.every(({ kind }) => kind !== 'gap');
  return (
    <div class="last-output">
      <p>
        <strong>{title}</strong>
        <span class="acts">{acts({ body, line, isWhole })}</span>
      </p>
      <pre>
        <Rows rows={rows} />
      </pre>
    </div>
  );
}

function Rows({ rows }: Pick<ShownOutput, 'rows'>) {
  return (
    <>
      {rows.map((row, at) =>
        row.kind === 'gap' ? (
          <span key={at} class="faint">
            {`${gapWords(row)}\n`}
          </span>
        ) : (
          <span key={at} class={row.isError ? 'bad' : undefined}>
            <TerminalLines lines={[row]} />
            {'\n'}
          </span>
        ),
      )}
    </>
  );
}

/** Reads the body; null until it is there, and false where it is no longer stored. */
function useBody(path: string | null): string | false | null {
  const [body, setBody] = useState<{ readonly path: string; readonly text: string | false } | null>(null);
  useEffect(() => {
    if (path === null) return;
    let isWanted = true;
    // Without a connection the page says so, and the lines come with the next look.
    askText(path).then(
      (text) => isWanted && setBody({ path, text }),
      (reason: unknown) => {
        if (isWanted && reason instanceof Refusal && reason.status === 404) setBody({ path, text: false });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [path]);
  return body && body.path === path ? body.text : null;
}
