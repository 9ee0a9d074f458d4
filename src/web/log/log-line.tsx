/** One line of a check's log, and what it shows when it is open. Runs that are folded are one line. */

import type { ComponentChildren } from 'preact';
import { channelKinds } from '../../domain/accounts/project.ts';
import { notificationKindOf } from '../../domain/deliveries/delivery.ts';
import { droppedWords } from '../../domain/retention/retention-words.ts';
import type {
  ChangeEntry,
  LogEntry,
  NotificationEntry,
  PingEntry,
  RunEntry,
} from '../../domain/views/log-view.ts';
import { kinds } from '../../integrations/all.ts';
import type { WantedEntry } from '../charts/chart-columns.ts';
import {
  dayWords,
  errorWords,
  exactClock,
  exactTime,
  momentWords,
  pastStatusWords,
  relativeWords,
  timeWords,
} from '../core/words.ts';
import { apiPath } from '../rows/api-check.ts';
import { Icon } from '../ui/icons.tsx';
import { RetryNow, type ServerLacks } from '../ui/retry-now.tsx';
import { type Mark, Shape } from '../ui/status-mark.tsx';
import { BodyViewer } from './body-viewer.tsx';
import { compare } from './compare-address.ts';
import {
  alertEnds,
  alertTitle,
  changeWords,
  channelWords,
  endingDetails,
  endingTitle,
  foldDurations,
  hasReminder,
  isAcknowledgement,
  isOfDeleted,
  lastResults,
  maintenanceTitle,
  notificationTitle,
  outcomeWords,
  runDetails,
  runTitle,
  sentTitle,
  sentWords,
  shownOutcome,
} from './log-words.ts';
import { Marked } from './marked.tsx';
import { OthersNotNotified, WasNotified } from './was-notified.tsx';

interface LineProps {
  readonly project: string;
  readonly check: string;
  readonly nowMs: number;
  /** Time of a status change of which nobody was notified. */
  readonly unheardMs?: number | null;
  /** Times of the status changes of which one line has all that was sent: who was notified is said there. */
  readonly sentMs?: ReadonlySet<number>;
  /** Tries the deliveries again; absent for those who may not. */
  readonly retry?: ((entries: readonly NotificationEntry[]) => Promise<void>) | undefined;
  readonly failed: (error: string) => void;
  readonly lacks: ServerLacks;
  /** Whether a good run may be there to compare it with. */
  readonly isComparable: (run: RunEntry) => boolean;
  /** Units of the numbers that its runs report. */
  readonly units: ReadonlyMap<string, string>;
  /** The output that is looked for, with its line. */
  readonly output?: WantedEntry['output'] | null;
  /** Ids of the lines that are open. */
  readonly open: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** It says its day: the head above it is of several. */
  readonly isDated?: boolean;
  /** Ids of the entries that have their seconds on a phone, too: their neighbours are of the same minute. */
  readonly exact?: ReadonlySet<string>;
}

export function LogLine(props: LineProps & { readonly entry: LogEntry }) {
  const { entry } = props;
  switch (entry.what) {
    case 'run':
    case 'ping':
      return <RunLine {...props} entry={entry} />;
    case 'ending':
      return (
        <Line
          {...props}
          kind={`ending ${entry.outcome}`}
          icon={<Shape of={endingMarks[entry.outcome]} size={16} />}
        >
          <strong>{endingTitle(entry)}</strong>
          <span class="rest">{` ${endingDetails(entry)}`}</span>
        </Line>
      );
    case 'notification':
      return <NotificationLine {...props} entry={entry} />;
    case 'change':
      return <ChangeLine {...props} entry={entry} />;
    case 'alert':
      return (
        <Line
          {...props}
          kind="alert"
          icon={<Icon name={isAcknowledgement(entry) ? 'acknowledge' : 'moon'} />}
        >
          <strong>{alertTitle(entry)}</strong>
          {alertEnds[entry.action] !== undefined && (
            <span class="rest">{` · ${alertEnds[entry.action]}`}</span>
          )}
          {entry.untilMs !== null && (
            <span class="rest">{` · until ${momentWords(entry.untilMs, props.nowMs)}`}</span>
          )}
        </Line>
      );
    case 'maintenance':
      return (
        <Line {...props} kind="alert" icon={<Shape of="maintenance" size={16} />}>
          <strong>{maintenanceTitle(entry)}</strong>
          <span class="rest">
            {` · ${entry.name}`}
            {entry.untilMs !== null && ` · until ${momentWords(entry.untilMs, props.nowMs)}`}
          </span>
        </Line>
      );
  }
}

/** With what opens who was notified of it, where anybody is notified of such a change, and no line of its alerts says that. */
function ChangeLine(props: LineProps & { readonly entry: ChangeEntry }) {
  const { entry, open, toggle, project, check, nowMs } = props;
  const key = `${entry.id}-notified`;
  const isOpen = open.has(key);
  const button = (
    <button type="button" class="quiet who" aria-expanded={isOpen} onClick={() => toggle(key)}>
      Who was notified?
    </button>
  );
  const isAlert = notificationKindOf(entry) !== null && props.sentMs?.has(entry.atMs) !== true;
  return (
    <Line
      {...props}
      kind={`change to-${entry.to}`}
      icon={<Icon name="pulse" />}
      {...(isAlert ? { end: button, press: () => toggle(key) } : {})}
      more={isOpen && <WasNotified {...{ project, check, nowMs }} atMs={entry.atMs} />}
    >
      <Shape of={markOf(entry.from)} size={16} />{' '}
      <strong>{pastStatusWords(entry.from, entry.isPinged)}</strong>
      <span class="arrow" aria-hidden="true">
        →
      </span>
      <span class="hidden">to</span>
      <Shape of={markOf(entry.to)} size={16} />{' '}
      <strong class={entry.to}>{pastStatusWords(entry.to, entry.isPinged)}</strong>
      <span class="rest">{` · ${changeWords(entry)}`}</span>
      {entry.atMs === props.unheardMs && <strong class="bad">{' · nobody was notified'}</strong>}
    </Line>
  );
}

const endingMarks = { hung: 'down', missed: 'down', overtaken: 'paused' } as const;

function markOf(status: ChangeEntry['to']): Mark {
  return status === 'grace' ? 'late' : status;
}

interface PartsProps extends LineProps {
  readonly entry: LogEntry;
  readonly kind: string;
  readonly icon: ComponentChildren;
  readonly children: ComponentChildren;
  /** Content at the right. */
  readonly end?: ComponentChildren;
  /** Content under the line. */
  readonly more?: ComponentChildren;
  /** Shows or hides what is under the line, for a click anywhere on it. The button is for the keyboard. */
  readonly press?: () => void;
}

/** Whether the click is for the line: not for a link, a button or what was open already, and not the end of a selection of text. */
function pressedLine({ target }: Event, press: () => void): void {
  if (target instanceof Element && target.closest('a, button, dialog, .details')) return;
  if (getSelection()?.isCollapsed !== false) press();
}

function Line({ entry, kind, icon, children, end, more, nowMs, press, isDated = false, exact }: PartsProps) {
  const { id, atMs } = entry;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its button does the same, by keyboard too.
    <li
      id={id}
      class={press ? `${kind} opens` : kind}
      onClick={press && ((event) => pressedLine(event, press))}
    >
      <EntryTime {...{ id, atMs, nowMs }} isExact={exact?.has(id) === true} />
      <span class="sign">{icon}</span>
      <span class="said">
        {children}
        {isDated && entry.what === 'notification' && (
          <span class="rest">{` · ${dayWords(atMs, nowMs)}`}</span>
        )}
      </span>
      {end !== undefined && <span class="end">{end}</span>}
      {more}
    </li>
  );
}

interface EntryTimeProps {
  readonly id: string;
  readonly atMs: number;
  readonly nowMs: number;
  /** It has its seconds on a phone, too. */
  readonly isExact: boolean;
}

/** The time of an entry, as a link to it that one can send to somebody. */
function EntryTime({ id, atMs, nowMs, isExact }: EntryTimeProps) {
  return (
    <a
      class="at"
      href={`?at=${atMs}#${id}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const query = new URLSearchParams(location.search);
        query.set('at', String(atMs));
        history.replaceState(history.state, '', `${location.pathname}?${query}#${id}`);
      }}
    >
      <time
        dateTime={new Date(atMs).toISOString()}
        title={`${exactTime(atMs)}, ${relativeWords(atMs, nowMs)}`}
      >
        <span class="from-768">{exactClock(atMs)}</span>
        <span class={isExact ? 'below-768 exact' : 'below-768'}>
          {isExact ? exactClock(atMs) : timeWords(atMs)}
        </span>
      </time>
    </a>
  );
}

function RunLine(props: LineProps & { readonly entry: RunEntry | PingEntry }) {
  const { entry, open, toggle, nowMs, units, isDated = false } = props;
  const isOpen = open.has(entry.id);
  const outcome = entry.what === 'run' ? entry.outcome : entry.signal;
  return (
    <Line
      {...props}
      kind={`${entry.what} ${outcome}`}
      press={() => toggle(entry.id)}
      icon={<RunSign entry={entry} />}
      end={
        <>
          <span class="n">Ping {entry.n.toLocaleString()}</span>
          <button
            type="button"
            class="symbol"
            aria-expanded={isOpen}
            aria-label={`Details of ping ${entry.n}`}
            onClick={() => toggle(entry.id)}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        </>
      }
      more={isOpen && <Details {...props} />}
    >
      <strong>{runTitle(entry)}</strong>
      <span class="rest">
        {isDated && ` on ${dayWords(entry.atMs, nowMs)} ·`} {runDetails(entry, units)}
        <span class="hidden">, {relativeWords(entry.atMs, nowMs)}</span>
      </span>
      {entry.found && (
        <code class="hit">
          <span class="faint">{entry.found.line.toLocaleString()}</span>{' '}
          <Marked text={entry.found.excerpt} marks={entry.found.marks} />
        </code>
      )}
    </Line>
  );
}

function RunSign({ entry }: { readonly entry: RunEntry | PingEntry }) {
  if (entry.what === 'ping')
    return entry.isRunning ? (
      <Shape of="running" size={16} />
    ) : (
      <Icon name={entry.signal === 'start' ? 'play' : 'terminal'} />
    );
  return (
    <Shape
      of={({ succeeded: 'up', late: 'late', warned: 'late', failed: 'down' } as const)[entry.outcome]}
      size={16}
    />
  );
}

function Details({
  entry,
  project,
  check,
  nowMs,
  output,
  isComparable,
}: LineProps & { readonly entry: RunEntry | PingEntry }) {
  const { from, rid, bodies, bodyAgeMs, found } = entry;
  const isMail = from.scheme === 'email';
  const facts = [
    entry.what === 'run' && entry.endedMs !== entry.atMs ? `ended ${exactClock(entry.endedMs)}` : '',
    relativeWords(entry.atMs, nowMs),
    from.scheme,
    from.method,
    from.remoteAddr,
    from.byHand === '' ? from.ua : '',
    rid === null ? '' : `run ID ${rid}`,
  ];
  return (
    <div class="details">
      <p class="faint">{facts.filter((fact) => fact !== '').join(' · ')}</p>
      {bodyAgeMs !== undefined && <p class="faint">{droppedWords(bodyAgeMs)}</p>}
      {bodies.length === 0 && bodyAgeMs === undefined && <p class="faint">No output.</p>}
      {entry.what === 'run' && bodies.some(({ n }) => n === entry.n) && isComparable(entry) && (
        <button type="button" class="quiet" onClick={() => compare({ left: 'good', right: entry.n })}>
          Compare with the last good run
        </button>
      )}
      {bodies.map(({ n, bytes }) => (
        <BodyViewer
          key={n}
          path={apiPath(project, `checks/${check}/pings/${n}/body`)}
          n={n}
          bytes={bytes}
          isMail={isMail}
          hasFailed={entry.what === 'run' && entry.outcome === 'failed'}
          line={output?.n === n ? output.line : found?.n === n ? found.line : null}
          fileName={`ping-${n}.${isMail ? 'eml' : 'txt'}`}
        />
      ))}
    </div>
  );
}

function NotificationLine(props: LineProps & { readonly entry: NotificationEntry }) {
  const { entry, nowMs } = props;
  const { outcome, attempts, error, nextMs, channelKind } = entry;
  if (outcome === 'held')
    return (
      <Line {...props} kind="notification held" icon={<Icon name="pause" />}>
        <strong>{notificationTitle(entry)} held back</strong>
        {entry.channelName === '' ? '' : ` from ${channelWords(entry)}`}
        <span class="rest">{` · ${errorWords(error, nowMs)}`}</span>
      </Line>
    );
  const kind = channelKinds.find((one) => one === channelKind);
  const isOver = outcome !== 'waiting' || nextMs === null || nextMs <= nowMs;
  const notes = [
    attempts > 1 ? `${attempts} attempts` : '',
    isOfDeleted(entry) ? '' : errorWords(error, nowMs),
    isOver || isOfDeleted(entry) ? '' : `next try ${exactClock(nextMs)}`,
  ];
  const said = notes.filter((note) => note !== '').join(' · ');
  return (
    <Line
      {...props}
      kind={`notification ${shownOutcome(entry)}`}
      icon={<Icon name={kind ? kinds[kind].icon : 'bell'} />}
      end={
        <>
          {said !== '' && <span class="rest">{said}</span>}
          <strong class="outcome">{outcomeWords[shownOutcome(entry)]}</strong>
          <RetryNow {...props} retry={props.retry} of={retryable([entry])} />
        </>
      }
    >
      <strong>{notificationTitle(entry)}</strong> to {channelWords(entry)}
    </Line>
  );
}

function retryable(entries: readonly NotificationEntry[]): readonly NotificationEntry[] {
  return entries.filter((entry) => entry.deliveryId !== null && !isOfDeleted(entry));
}

interface FoldProps extends LineProps {
  readonly id: string;
  readonly kind: string;
  readonly at: ComponentChildren;
  readonly icon: ComponentChildren;
  readonly children: ComponentChildren;
  /** Name of what the button opens, for those who do not see it. */
  readonly of: string;
  readonly entries: readonly LogEntry[];
  /** Content beside the button. */
  readonly act?: ComponentChildren;
  /** Lines below the entries. */
  readonly after?: ComponentChildren;
}

/** Several entries as one line, with the entries below it once it is open. */
function Fold({ id, kind, at, icon, children, of, entries, act, after, ...props }: FoldProps) {
  const days = new Set(entries.map(({ atMs }) => dayWords(atMs, props.nowMs)));
  const count = entries.length.toLocaleString();
  const isOpen = props.open.has(id) || entries.some((entry) => props.open.has(entry.id));
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: its button does the same, by keyboard too. */}
      <li class={`fold ${kind} opens`} onClick={(event) => pressedLine(event, () => props.toggle(id))}>
        {at}
        <span class="sign">{icon}</span>
        <span class="said">{children}</span>
        <span class="end">
          {act}
          <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => props.toggle(id)}>
            {isOpen ? 'Hide' : `Show ${count}`}
            <span class="hidden">{` ${isOpen ? `${count} ` : ''}${of}`}</span>
          </button>
        </span>
      </li>
      {isOpen &&
        entries.map((entry) => <LogLine key={entry.id} {...props} entry={entry} isDated={days.size > 1} />)}
      {isOpen && after}
    </>
  );
}

/** The line of runs that went as they should, one after the other; the entries are newest first. */
export function RunsFold({ entries, ...props }: LineProps & { id: string; entries: readonly RunEntry[] }) {
  return (
    <Fold
      {...{ ...props, entries }}
      of="runs"
      kind="runs"
      at={<span class="at">{entries.length} runs</span>}
      icon={<Shape of="up" size={16} />}
    >
      <strong>All succeeded</strong>
      <span class="rest">{foldDurations(entries)}</span>
    </Fold>
  );
}

interface SentFoldProps extends LineProps {
  readonly id: string;
  readonly entries: readonly NotificationEntry[];
  /** What their integrations were sent last: the colour is that of now. The words count each integration of the entries once. */
  readonly results: readonly NotificationEntry[];
}

/** The line of what was sent of one status change. */
export function SentFold({ entries, results, ...props }: SentFoldProps) {
  const [first] = entries;
  const oldest = entries.at(-1);
  if (!first || !oldest) return null;
  const title = sentTitle(entries);
  const isWell = results.every(({ outcome }) => outcome !== 'failed' && outcome !== 'waiting');
  const isOpen = props.open.has(props.id) || entries.some((entry) => props.open.has(entry.id));
  return (
    <Fold
      {...{ ...props, entries }}
      kind={`sent${isWell ? '' : ' unwell'}`}
      of={`of ${title.toLowerCase()}`}
      // When the first of them was over: the others may have been tried for hours.
      at={<EntryTime id={first.id} atMs={oldest.atMs} nowMs={props.nowMs} isExact={false} />}
      icon={<Icon name="bell" />}
      // Once it is open, each line has its own.
      act={isOpen ? undefined : <RetryNow {...props} retry={props.retry} of={retryable(entries)} />}
      after={hasReminder(entries) ? undefined : <OthersNotNotified {...props} atMs={first.changedMs} />}
    >
      <strong>{title}</strong>
      <span class="rest"> {sentWords(lastResults(entries), props.nowMs)}</span>
    </Fold>
  );
}
