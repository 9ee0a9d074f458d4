/**
 * Why a check of an incident went down: the reason in the words of its log, the output of the run that failed, and the way to both in the
 * log, also once the incident is over.
 * Invariant: what is no longer stored is said to be so, and never shown as if it had not been there.
 */
import type { ComponentChildren } from 'preact';
import type { ChangeEntry, LogEntry, LogView, PingBody, RunEntry } from '../../domain/views/log-view.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { useSeen } from '../core/calls.ts';
import { addressOf } from '../core/route.ts';
import { expectedWords, statusReason, wentDownWords } from '../core/status-words.ts';
import { failedAgainWords, failedRun, isComparable, outputTitle, shownFailure } from '../log/failed-runs.ts';
import { RunOutput } from '../log/last-output.tsx';

interface OutputProps {
  readonly project: string;
  /** Of the check. */
  readonly id: string;
  /** Null where it is no longer stored. */
  readonly run: RunEntry | null;
  readonly title: string;
  /** Of the log of the check at that time. */
  readonly entries: readonly LogEntry[];
  /** Whether a link to the run in the log is above it. */
  readonly isLinked?: boolean;
}

function FailedOutput({ project, id, run, title, entries, isLinked = false }: OutputProps) {
  const gone = <p class="why">Its output is no longer stored.</p>;
  if (!run) return gone;
  // A mail is more than its text: the log shows it.
  if (run.from.scheme === 'email' && run.bodies.length > 0) return null;
  const page = addressOf(project, 'checks', id);
  return (
    <RunOutput
      {...{ run, project, id, title, gone }}
      acts={({ body, line, isWhole }) => (
        <>
          {isWhole && isLinked ? null : (
            <a class="button quiet" href={outputAddress(page, run, body, line)}>
              {isWhole ? 'Show in the log' : 'Show all'}
            </a>
          )}
          {isComparable(run, entries) && (
            <a class="button quiet" href={`${page}?compare=good-${run.n}`}>
              Compare<span class="hidden"> with the last good run</span>
            </a>
          )}
        </>
      )}
    />
  );
}

function outputAddress(page: string, { atMs }: RunEntry, { n }: PingBody, line: number): string {
  return `${page}?at=${atMs}#output-${n}-${line}`;
}

interface NowProps {
  readonly row: CheckRow;
  readonly project: string;
  readonly nowMs: number;
  /** Between the two. */
  readonly description: ComponentChildren;
}

/** When what did not come should have. */
export function Expected({ row, nowMs }: Pick<NowProps, 'row' | 'nowMs'>) {
  const words = expectedWords(row, nowMs);
  return words === '' ? null : <p class="why faint">{words}</p>;
}

/** Of a check that is down. */
export function WhyDownNow({ row, project, nowMs, description }: NowProps) {
  const { id, sinceMs, cause, nPings } = row;
  // It may fail again while it is down.
  const { data } = useSeen<LogView>(`/web/in/${project}/checks/${id}/log`, `${sinceMs} ${nPings}`);
  const entries = data?.entries ?? [];
  const run = shownFailure(sinceMs, entries);
  const again = failedAgainWords(row, entries);
  const reason = statusReason(row, entries, nowMs);
  return (
    <>
      <p class="why">{again === '' ? reason : `${reason.replace(/\.$/, '')} · ${again}`}</p>
      <Expected {...{ row, nowMs }} />
      {description}
      {data && (run || cause === 'fail') && (
        <FailedOutput
          {...{ project, id, run, entries }}
          title={run ? outputTitle(run, sinceMs, entries, nowMs) : ''}
        />
      )}
    </>
  );
}

interface ThenProps {
  readonly project: string;
  /** Of the check. */
  readonly id: string;
  /** When it joined the incident, to the second. */
  readonly joinedMs: number;
  readonly nowMs: number;
}

/** Of a check that has come up since. */
export function WhyDownThen({ project, id, joinedMs, nowMs }: ThenProps) {
  const { data } = useSeen<LogView>(`/web/in/${project}/checks/${id}/log?before=${joinedMs + 1000}`);
  if (!data) return null;
  const { entries } = data;
  // It may have been down for a while before something opened the incident.
  const change = entries.find(
    (entry): entry is ChangeEntry => entry.what === 'change' && entry.to === 'down',
  );
  if (!change) return <p class="why">Why it went down is no longer stored.</p>;
  const { cause, atMs } = change;
  const at = failedRun(atMs, entries) ?? change;
  return (
    <>
      <p class="why">
        {/* A full stop before the dot between both would be one too many. */}
        {wentDownWords({ cause, sinceMs: atMs }, entries, nowMs).replace(/\.$/, '')} ·{' '}
        <a href={`${addressOf(project, 'checks', id)}?at=${at.atMs}#${at.id}`}>Show in the log</a>
      </p>
      {cause === 'fail' && (
        <FailedOutput {...{ project, id, entries }} run={failedRun(atMs, entries)} title="Output" isLinked />
      )}
    </>
  );
}
