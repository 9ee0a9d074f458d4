/**
 * What the job printed, in short: its errors and its last lines, where a check that has failed is shown, so that the reader sees what went wrong without a
 * tap.
 * Invariant: they are below the buttons, which do not move when the lines have come.
 */
import { useEffect, useState } from 'preact/hooks';
import type { LogEntry, RunEntry } from '../../domain/views/log-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { gapWords, type ShownOutput, shownOutput } from '../../domain/words/output-lines.ts';
import type { WantedEntry } from '../charts/chart-columns.ts';
import { askText } from '../core/calls.ts';
import { apiPath } from '../rows/api-check.ts';
import { compare } from './compare-address.ts';
import { TerminalLines } from './terminal-lines.tsx';

interface LastOutputProps {
  readonly row: CheckRow;
  readonly project: string;
  /** Entries of its log, newest first. */
  readonly entries: readonly LogEntry[];
  readonly open: (entry: Required<WantedEntry>) => void;
}

export function LastOutput({ row, project, entries, open }: LastOutputProps) {
  const run = row.status === 'down' ? failedRun(row, entries) : null;
  const [body] = run?.bodies ?? [];
  const text = useBody(body ? apiPath(project, `checks/${row.id}/pings/${body.n}/body`) : null);
  const output = text === null ? null : shownOutput(text, true);
  if (!run || !body || !output) return null;
  const { rows, line } = output;
  return (
    <div class="last-output">
      <p>
        <strong>Output</strong>
        <span class="acts">
          <button
            type="button"
            class="quiet"
            onClick={() => open({ id: run.id, atMs: run.atMs, output: { n: body.n, line } })}
          >
            Show all
          </button>
          <button type="button" class="quiet" onClick={() => compare({ left: 'good', right: run.n })}>
            Compare<span class="hidden"> with the last good run</span>
          </button>
        </span>
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

/** Finds the ping that took the check down. Of a mail the log shows what a person reads of it. */
function failedRun({ cause, sinceMs }: CheckRow, entries: readonly LogEntry[]): RunEntry | null {
  if (cause !== 'fail') return null;
  const run = entries.find((entry): entry is RunEntry => entry.what === 'run' && entry.endedMs === sinceMs);
  return run && run.outcome === 'failed' && run.from.scheme !== 'email' ? run : null;
}

/** Reads the body; null until it is there, and where it is no longer stored. */
function useBody(path: string | null): string | null {
  const [body, setBody] = useState<{ readonly path: string; readonly text: string } | null>(null);
  useEffect(() => {
    if (path === null) return;
    let isWanted = true;
    // Without a connection the page says so, and the lines come with the next look.
    askText(path).then(
      (text) => isWanted && setBody({ path, text }),
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [path]);
  return body && body.path === path ? body.text : null;
}
