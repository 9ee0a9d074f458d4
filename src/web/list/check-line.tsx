/** The row of one check in the list: its status, when it runs, how it went, whom it notifies, and what can be done at once. */

import { Fragment } from 'preact';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { countedStatusOf } from '../../domain/check/shown-status.ts';
import { resultValue } from '../../domain/results/result-words.ts';
import type { ActiveWindowView, CheckRow, ListView } from '../../domain/views/page-view.ts';
import { exactSpan } from '../../domain/words/span-words.ts';
import { RowActions, type RowActionsProps } from '../actions/row-actions.tsx';
import { RunColumns, Uptime } from '../charts/run-columns.tsx';
import { addressOf } from '../core/route.ts';
import { exactTime, lastRunMs, relativeWords, sinceWords } from '../core/words.ts';
import type { Trouble } from '../form/channel-trouble.ts';
import { tagsOf } from '../rows/filter.ts';
import type { ListQuery } from '../rows/list-query.ts';
import { maintainedUntil } from '../rows/maintained.ts';
import {
  between,
  graceWords,
  hasWarning,
  heldSign,
  isHandledRow,
  isSnoozedRow,
  nameOf,
  namesZone,
  type StateWords,
  scheduleTitle,
  stateWords,
  zoneAtEnd,
} from '../rows/row-words.ts';
import { progressOf } from '../rows/run-progress.ts';
import { Shape } from '../ui/status-mark.tsx';
import type { Place } from './list-layout.ts';
import { rowPressed } from './row-press.ts';
import { RowTags } from './row-tags.tsx';

export interface LineActionsProps extends RowActionsProps {
  readonly project: string;
  readonly channels: ListView['channels'];
  /** Those of the integrations that send nothing now, and why. */
  readonly notSending: ReadonlyMap<string, Trouble>;
  /** The maintenance windows that are on. */
  readonly maintenance: readonly ActiveWindowView[];
  readonly mayEdit: boolean;
  /** Selects the check; with Shift, all from the one selected before. */
  readonly select: (at: number, row: CheckRow, isRange: boolean) => void;
  readonly chooseTag: (name: string) => void;
}

interface LineProps extends LineActionsProps {
  readonly row: CheckRow;
  readonly at: number;
  readonly nowMs: number;
  readonly isChosen: boolean;
  readonly query: Pick<ListQuery, 'result'>;
  readonly isSelected: boolean;
  /** Whether any row is. */
  readonly isSelecting: boolean;
  readonly style: Place;
}

/** The `aria-rowindex` of the row of the first check: that of the heads is 1. */
export const firstRowIndex = 2;

/** Statuses whose row has its reason in place of its schedule on a phone. */
const troubled: ReadonlySet<string> = new Set(['down', 'late', 'running', 'paused']);

export function CheckLine(props: LineProps) {
  const { row, at, nowMs, isChosen, isSelected, style, project, mayEdit, select, query } = props;
  const maintainedUntilMs = maintainedUntil(row, props.maintenance);
  const words = stateWords(row, nowMs, maintainedUntilMs);
  const isWarned = words.status === 'up' && hasWarning(row);
  const isSnoozed = isSnoozedRow(row, nowMs);
  const says = isWarned || isSnoozed || maintainedUntilMs !== null || troubled.has(words.status);
  const reason = says ? words.second : '';
  const isSaid = words.heldParts.some((part) => heldSign(part)?.sign === 'maintenance');
  const sign = maintainedUntilMs !== null && !isSaid && <Shape of="maintenance" size={12} />;
  const progress = words.status === 'running' ? progressOf(row, nowMs) : null;
  const isHeld = isHandledRow(row, nowMs, maintainedUntilMs);
  const lastMs = lastRunMs(row);
  const schedule = scheduleTitle(row);
  const [zone = ''] = namesZone(row) ? (zoneAtEnd.exec(schedule) ?? []) : [];
  const href = addressOf(project, 'checks', row.id);
  const toggle = mayEdit && props.isSelecting ? () => select(at, row, false) : null;
  const classes = [
    'row',
    words.status,
    isHeld ? 'held' : '',
    isWarned ? 'warned' : '',
    countedStatusOf(words.status, row.nPings) === 'waiting' ? 'waiting' : '',
    isChosen ? 'chosen' : '',
    isSelected ? 'selected' : '',
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for keys there is the link.
    <div
      class={classes.filter((one) => one !== '').join(' ')}
      style={style}
      role="row"
      tabIndex={-1}
      aria-rowindex={at + firstRowIndex}
      onClick={(event) => rowPressed(event, { href, toggle })}
    >
      <span role="cell" class="pick">
        {mayEdit && (
          <input
            type="checkbox"
            aria-label={`Select ${nameOf(row)}`}
            checked={isSelected}
            onClick={(event) => select(at, row, event.shiftKey)}
          />
        )}
        <Shape of={words.mark} />
      </span>
      <span role="cell" class="what">
        <a href={href}>{nameOf(row)}</a>
        <RowTags names={tagsOf(row)} choose={props.chooseTag} />
      </span>
      <span role="cell" class="state" onMouseEnter={exactly(row, words, maintainedUntilMs)}>
        <strong>{words.first}</strong>
        <SecondLine words={words} />
        {progress && (
          <progress
            class={progress.share > 1 ? 'over' : ''}
            max={1}
            value={Math.min(1, progress.share)}
            aria-label={`Progress of ${nameOf(row)}`}
            aria-valuetext={progress.words}
          />
        )}
      </span>
      <span
        role="cell"
        class={reason === '' ? 'schedule' : 'schedule reasoned'}
        // The title has all of it, where it is cut off.
        title={row.kind === 'simple' ? schedule : `${schedule}: ${row.schedule} (${row.tz})`}
      >
        <span>
          {zone === '' ? schedule : schedule.slice(0, -zone.length)}
          <span class="zone">{zone}</span>
        </span>
        <span>
          {graceWords(row)}
          {zone === '' ? '' : ` · ${cityOf(zone)}`}
        </span>
        {reason !== '' && (
          <span class="reason">
            {sign}
            <SecondLine words={words} />
          </span>
        )}
      </span>
      <span role="cell" class="runs">
        <RunColumns row={row} nowMs={nowMs} />
      </span>
      <span role="cell" class={row.uptime === null ? 'uptime none' : 'uptime'}>
        <Uptime percent={row.uptime} isDown={row.status === 'down'} />
        {row.watchedSinceMs !== undefined && (
          <span class="since" title={`Watched since ${exactTime(row.watchedSinceMs)}`}>
            {sinceWords(row.watchedSinceMs, nowMs)}
          </span>
        )}
      </span>
      {query.result !== '' && <ResultCell row={row} name={query.result} />}
      <span role="cell" class={lastMs === null ? 'last none' : 'last'}>
        <span>{lastMs === null ? '–' : relativeWords(lastMs, nowMs)}</span>
        <span>{row.lastDurationMs === null ? '' : exactSpan(row.lastDurationMs)}</span>
      </span>
      <span role="cell" class="notifies">
        <Notifies row={row} channels={props.channels} notSending={props.notSending} />
      </span>
      {mayEdit && <RowActions {...props} row={row} />}
    </div>
  );
}

/** What holds alerts back has a sign in place of words where it has one, so that its line has the name or the time whole. */
function SecondLine({ words: { second, held, heldParts } }: { readonly words: StateWords }) {
  if (held === '' || !second.endsWith(held)) return <span>{second}</span>;
  const [first = ''] = heldParts;
  const reason = second.slice(0, -(between + held).length);
  return (
    <span class={`reason-and-held ${heldSign(first)?.sign ?? ''}`}>
      {reason !== '' && (
        <span>
          <span>{reason}</span>
          <span>{between}</span>
        </span>
      )}
      <span>
        {heldParts.map((part, at) => (
          <Fragment key={part}>
            {at > 0 && between}
            <Held part={part} isShort={heldParts.slice(0, at).some((before) => before.includes(' until '))} />
          </Fragment>
        ))}
      </span>
    </span>
  );
}

/** `isShort`: without `until`, which is said before it in the same line. */
function Held({ part, isShort }: { readonly part: string; readonly isShort: boolean }) {
  const signed = heldSign(part);
  if (!signed) return <>{part}</>;
  const [until = ''] = isShort ? (/^until /.exec(signed.beside) ?? []) : [];
  return (
    <>
      <Shape of={signed.sign} size={12} />
      <span class="hidden">
        {signed.said}
        {until}
      </span>
      {signed.beside.slice(until.length)}
    </>
  );
}

/** Returns `New York` of ` (America/New_York)`: the whole is in the title. */
function cityOf(zone: string): string {
  return (zone.slice(2, -1).split('/').at(-1) ?? '').replaceAll('_', ' ');
}

/** Puts the exact times into words only when the pointer is there: in a list they would be most of the work. */
function exactly(
  { sinceMs, nextPingMs, downAtMs, snoozedUntilMs, breach }: CheckRow,
  { second }: StateWords,
  maintainedUntilMs: number | null,
) {
  return ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    currentTarget.title = [
      // It may be too long for its line.
      ...(second === '' ? [] : [second]),
      ...(breach === undefined ? [] : [breach]),
      `Since ${exactTime(sinceMs)}`,
      ...(nextPingMs === null ? [] : [`Expected ${exactTime(nextPingMs)}`]),
      ...(downAtMs === null ? [] : [`Goes down at ${exactTime(downAtMs)}`]),
      ...(snoozedUntilMs === null ? [] : [`Snoozed until ${exactTime(snoozedUntilMs)}`]),
      ...(maintainedUntilMs === null ? [] : [`In maintenance until ${exactTime(maintainedUntilMs)}`]),
    ].join('\n');
  };
}

/** Marks a number beyond its limit by a word, too. */
function ResultCell({ row, name }: { readonly row: CheckRow; readonly name: string }) {
  const [, value, unit, verdict] = row.results?.find(([of]) => of === name) ?? [];
  const isBroken = verdict === 'warn' || verdict === 'fail';
  return (
    <span role="cell" class={isBroken ? `result ${verdict}` : 'result'}>
      {value === undefined ? <span class="faint">–</span> : <span>{resultValue(value, unit ?? '')}</span>}
      {isBroken && <span>beyond its limit</span>}
    </span>
  );
}

type NotifiesProps = Pick<LineProps, 'row' | 'channels' | 'notSending'>;

/** The worst first. */
const markOrder: readonly Trouble['mark'][] = ['down', 'late', 'paused'];

/**
 * Says how many integrations a check notifies, and marks one that notifies nobody now: it looks fine until it is too late. Which they
 * are, and what is wrong with each, the pointer shows.
 */
function Notifies({ row, channels, notSending }: NotifiesProps) {
  const place = (id: string): number => {
    const why = notSending.get(id);
    return why === undefined ? markOrder.length : markOrder.indexOf(why.mark);
  };
  const assigned = channels
    .filter(({ id }) => row.channels.includes(id))
    .sort((one, other) => place(one.id) - place(other.id));
  if (assigned.length === 0) return <span class="nobody">Nobody</span>;
  const names = assigned.map((one) => {
    const why = notSending.get(one.id);
    return `${channelTitle(one)}${why ? `: ${why.words}` : ''}`;
  });
  const working = assigned.filter(({ id }) => !notSending.has(id)).length;
  const [look, words] = notifiesWords(working, assigned.length);
  return (
    <span class={look} title={names.join('\n')}>
      {words}
      <span class="hidden">: {names.join(', ')}</span>
    </span>
  );
}

/** Returns `4`, `2 of 4 work` or `None works`, and how it looks. */
function notifiesWords(working: number, all: number): readonly [look: string, words: string] {
  if (working === 0) return ['nobody down', 'None works'];
  if (working === all) return ['all', all.toLocaleString()];
  return [
    'some',
    `${working.toLocaleString()} of ${all.toLocaleString()} ${working === 1 ? 'works' : 'work'}`,
  ];
}
