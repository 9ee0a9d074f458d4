/**
 * The log of a check, newest first, by days. It can be filtered and searched, begins at a date that one chooses, and is folded
 * where nothing was unusual.
 */

import { useEffect, useState } from 'preact/hooks';
import {
  type LogEntry,
  type LogFilter,
  logFilters,
  type NotificationEntry,
  type RunEntry,
} from '../../domain/views/log-view.ts';
import type { WantedEntry } from '../charts/chart-columns.ts';
import { replaceSearch } from '../core/route.ts';
import { dayWords } from '../core/words.ts';
import { Act, Problem } from '../ui/bits.tsx';
import { SearchField } from '../ui/filter-parts.tsx';
import type { ServerLacks } from '../ui/retry-now.tsx';
import { isComparable } from './failed-runs.ts';
import { dayOf, endOfDay, logQueryOf, withLogQuery } from './log-address.ts';
import { LogLine, RunsFold, SentFold } from './log-line.tsx';
import {
  daysOf,
  foldedItems,
  foldId,
  type LogDay,
  type LogItem,
  ofOneMinute,
  sentTogetherMs,
} from './log-words.ts';
import { lineIntoSight } from './numbered-lines.tsx';
import { type LoadedLog, type LogQuery, useLog } from './use-log.ts';

const filterTitles: Readonly<Record<LogFilter, string>> = {
  all: 'All',
  runs: 'Runs',
  failed: 'Failed',
  status: 'Status',
  snoozes: 'Acknowledged, snoozed, maintenance',
  notifications: 'Notifications',
};

const typingMs = 300;

interface LogCardProps {
  readonly project: string;
  readonly id: string;
  /** When this is another value, the log is asked for again. */
  readonly version: unknown;
  readonly nowMs: number;
  /** Time of the status change of which nobody was notified; null if there is none. */
  readonly unheardMs: number | null;
  /** Tries the deliveries again; absent for those who may not. */
  readonly retry?: ((entries: readonly NotificationEntry[]) => Promise<void>) | undefined;
  readonly lacks: ServerLacks;
  /** Units of the numbers that its runs report. */
  readonly units: ReadonlyMap<string, string>;
  /** An entry that is shown and opened, wherever it is, each time that this is another object. */
  readonly wanted: WantedEntry | null;
}

export function LogCard(props: LogCardProps) {
  const { project, id, version, nowMs, unheardMs, retry, lacks, units, wanted } = props;
  const [first] = useState(() => logQueryOf(location.search));
  const [filter, setFilter] = useState(first.filter);
  const [text, setText] = useState(first.text);
  const [beforeMs, setBeforeMs] = useState(first.beforeMs);
  const query = { filter, text: useTyped(text), beforeMs };
  useAddress(query);
  const log = useLog(`/web/in/${project}/checks/${id}/log`, query, version);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [failed, setFailed] = useState('');
  const toggle = (entry: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(entry)) next.add(entry);
      return next;
    });
  const show = (entry: string): void => setOpen((before) => new Set([...before, entry]));
  const reset = (from: number | null): void => {
    setFilter('all');
    setText('');
    setBeforeMs(from);
  };
  useWanted({ wanted, log, query, show, reset });
  const isPlain = filter === 'all' && query.text === '';
  const items: readonly LogItem[] = isPlain
    ? foldedItems(log.entries)
    : log.entries.map((entry) => ({ kind: 'entry', entry }));
  const sentMs = sentTogetherMs(items);
  return (
    <section class="card log-card" id="log">
      <div class="card-head">
        <h2>Log</h2>
        <Filters filter={filter} change={setFilter} />
        <SearchField name="Search output" placeholder="Search output" {...{ text }} change={setText} />
        <label class="jump">
          Jump to<span class="hidden"> a date</span>
          <input
            type="date"
            onChange={(event) => setBeforeMs(endOfDay(event.currentTarget.value))}
            value={beforeMs === null ? '' : dayOf(beforeMs)}
          />
        </label>
      </div>
      {beforeMs !== null && (
        <p class="strip-line">
          <span>Until {dayWords(beforeMs - 1, nowMs)}</span>
          <button type="button" class="quiet" onClick={() => setBeforeMs(null)}>
            Back to the newest
          </button>
        </p>
      )}
      <Problem text={failed || log.error} />
      {daysOf(items, nowMs).map((day) => (
        <Day
          key={dayKey(day)}
          day={day}
          {...{ project, id, nowMs, unheardMs, sentMs, open, toggle, retry, lacks, units }}
          output={wanted?.output ?? null}
          isComparable={(run) => !isPlain || isComparable(run, log.entries)}
          failed={setFailed}
        />
      ))}
      {log.isKnown && log.entries.length === 0 && <Empty {...{ query, log, nowMs }} change={setFilter} />}
      {log.hasOlder && (
        <p class="older">
          <Act class="quiet" run={log.loadOlder} failed={setFailed}>
            Load older entries
          </Act>
        </p>
      )}
    </section>
  );
}

/** Keeps in the address what the log shows, for those who come back to it, load it again or send its link. */
function useAddress(query: LogQuery): void {
  useEffect(() => {
    const search = new URLSearchParams(location.search).toString();
    const next = withLogQuery(search, query);
    if (next !== search) replaceSearch(next);
  }, [query.filter, query.text, query.beforeMs]);
}

/** Returns the text once one has stopped typing. */
function useTyped(text: string): string {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : typed;
}

interface EmptyProps {
  readonly query: LogQuery;
  readonly log: LoadedLog;
  readonly nowMs: number;
  readonly change: (filter: LogFilter) => void;
}

/** Says that there is nothing, and of what: of a search that had only the entries of a filter, that others may have it. */
function Empty({ query, log, nowMs, change }: EmptyProps) {
  const { filter, text } = query;
  const hasMore = text !== '' && filter !== 'all' && filter !== 'runs';
  const searchAll = (button: HTMLElement): void => {
    button.closest('.log-card')?.querySelector<HTMLElement>('input[type="search"]')?.focus();
    change('all');
  };
  return (
    <p class="faint empty-log">
      {emptyWords(query, log, nowMs)}{' '}
      {hasMore && (
        <button type="button" class="quiet within" onClick={({ currentTarget }) => searchAll(currentTarget)}>
          Search all runs
        </button>
      )}
    </p>
  );
}

const nothingOf: Readonly<Record<LogFilter, string>> = {
  all: 'Nothing',
  runs: 'No run',
  failed: 'No failed run',
  status: 'No change of status',
  snoozes: 'Nothing acknowledged or snoozed, and no maintenance',
  notifications: 'No notification',
};

function emptyWords({ text, filter, beforeMs }: LogQuery, { hasOlder }: LoadedLog, nowMs: number): string {
  const until = beforeMs === null ? '' : ` on or before ${dayWords(beforeMs - 1, nowMs)}`;
  const isOfRuns = filter === 'all' || filter === 'runs' || filter === 'failed';
  if (text !== '' && !isOfRuns) return `Only runs have output: there is none in “${filterTitles[filter]}”.`;
  const ofFailed = filter === 'failed' && text !== '';
  if (hasOlder)
    return `Nothing found${ofFailed ? ' in failed runs' : ''} so far. Older entries have not been searched yet.`;
  if (text !== '')
    return `No output${ofFailed ? ' of a failed run' : ''}${until} that is still stored contains this.`;
  if (filter === 'all' && beforeMs === null) return 'No pings yet. Send one to the ping URL.';
  return `${nothingOf[filter]}${until}.`;
}

function Filters({ filter, change }: { filter: LogFilter; change: (filter: LogFilter) => void }) {
  return (
    <>
      <fieldset class="segments from-768" aria-label="Filter the log">
        {logFilters.map((one) => (
          <button key={one} type="button" aria-pressed={filter === one} onClick={() => change(one)}>
            {filterTitles[one]}
          </button>
        ))}
      </fieldset>
      <select
        class="below-768"
        aria-label="Filter the log"
        value={filter}
        onChange={(event) => change(logFilters.find((one) => one === event.currentTarget.value) ?? 'all')}
      >
        {logFilters.map((one) => (
          <option key={one} value={one}>
            {one === 'all' ? 'All events' : filterTitles[one]}
          </option>
        ))}
      </select>
    </>
  );
}

interface DayProps
  extends Pick<LogCardProps, 'project' | 'id' | 'nowMs' | 'unheardMs' | 'retry' | 'lacks' | 'units'> {
  readonly day: LogDay;
  readonly output: WantedEntry['output'] | null;
  readonly sentMs: ReadonlySet<number>;
  readonly open: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly isComparable: (run: RunEntry) => boolean;
  readonly failed: (error: string) => void;
}

function Day({ day: { title, items }, id, ...rest }: DayProps) {
  const exact = ofOneMinute(items);
  const line = { ...rest, check: id, exact };
  return (
    <>
      <h3 class="day">{title}</h3>
      <ol class="log">
        {items.map((item) => {
          if (item.kind === 'entry') return <LogLine key={item.entry.id} entry={item.entry} {...line} />;
          const fold = { ...line, id: foldId(item) };
          return item.kind === 'runs' ? (
            <RunsFold key={fold.id} entries={item.entries} {...fold} />
          ) : (
            <SentFold key={fold.id} entries={item.entries} results={item.results} {...fold} />
          );
        })}
      </ol>
    </>
  );
}

/** Returns a key: a day may come twice, with days between that are folded. */
function dayKey({ items: [first] }: LogDay): string {
  if (!first) return '';
  return first.kind === 'entry' ? first.entry.id : foldId(first);
}

interface Wanted extends Pick<LogCardProps, 'wanted'> {
  readonly log: LoadedLog;
  readonly query: LogQuery;
  readonly show: (id: string) => void;
  readonly reset: (beforeMs: number | null) => void;
}

function isWanted(entry: LogEntry, { id, output }: WantedEntry): boolean {
  if (!output) return entry.id === id;
  return 'bodies' in entry && entry.bodies.some(({ n }) => n === output.n);
}

/** Opens the wanted entry and moves to it. If its part of the log is not there, it is asked for first. */
function useWanted({ wanted, log, query, show, reset }: Wanted): void {
  const [done, setDone] = useState<WantedEntry | null>(null);
  const here = wanted === null ? undefined : log.entries.find((entry) => isWanted(entry, wanted));
  const isHere = here !== undefined;
  const isPlain = query.filter === 'all' && query.text === '';
  const wasAsked =
    isPlain && query.beforeMs !== null && wanted !== null && query.beforeMs === wanted.atMs + 1;
  useEffect(() => {
    if (!wanted || wanted === done || !log.isKnown) return;
    if (!isHere && !wasAsked) return reset(wanted.atMs + 1);
    setDone(wanted);
    if (!isHere) return document.getElementById('log')?.scrollIntoView();
    show(here.id);
    // It moves once the entry is drawn, which may have been in a fold.
    requestAnimationFrame(() => {
      const line = document.getElementById(here.id);
      lineIntoSight(line?.querySelector<HTMLElement>('.found-line') ?? line);
      line?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
    });
  }, [wanted, isHere, wasAsked, log.isKnown]);
}
