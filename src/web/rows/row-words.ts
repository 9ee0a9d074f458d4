/** The words of a check's state in the list and on its page: its status, and why or until when. Pure. */

import type { Cause } from '../../domain/check/flip.ts';
import type { ShownStatus } from '../../domain/check/shown-status.ts';
import { givenSpan, overrunWords } from '../../domain/runs/overrun.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { shownName } from '../../domain/words/check-name.ts';
import { wordsOfCalendar, wordsOfCron } from '../../domain/words/schedule-words.ts';
import { exactSpan, roughSpan, spanAhead, spanDown } from '../../domain/words/span-words.ts';
import type { Mark } from '../core/status-words.ts';
import { formatted, isReadersZone, zoneOption } from '../core/time-style.ts';
import {
  atWords,
  dayWords,
  heldBackWords,
  isLateStart,
  missingWords,
  momentWords,
  scheduleWords,
  shownStatusOfRow,
  timeWords,
  untilWords,
  waitingWords,
} from '../core/words.ts';
import { progressWords } from './run-progress.ts';

const oneMinute = 60_000;
const oneDay = 86_400_000;

export interface StateWords {
  readonly status: ShownStatus;
  readonly mark: Mark;
  readonly first: string;
  /** Of one that is down the reason, and behind it what holds alerts back; of others the latter takes its place. */
  readonly second: string;
  /** What holds alerts back, in words; empty for nothing. */
  readonly held: string;
  /** The same, each by itself: a snooze ends neither an acknowledgement nor maintenance. */
  readonly heldParts: readonly string[];
}

const heldSigns: readonly (readonly [said: string, sign: Mark])[] = [
  ['Acknowledged ', 'acknowledged'],
  ['Snoozed ', 'snoozed'],
  ['In maintenance ', 'maintenance'],
];

/** What holds alerts back as a sign and the words beside it, in place of the words that it means; null where there is no sign for it. */
export function heldSign(
  held: string,
): { readonly sign: Mark; readonly said: string; readonly beside: string } | null {
  const [said, sign] = heldSigns.find(([begins]) => held.startsWith(begins)) ?? [];
  if (said === undefined || sign === undefined) return null;
  return { sign, said, beside: held.slice(said.length).replace(domainOfName, '$1') };
}

/** Who has no name but an address is known by what is before its `@`; the title of the cell has the whole. */
const domainOfName = /^(by [^\s@]+)@\S+$/;

/** Between the reason and what holds alerts back. */
export const between = ' · ';

const causes: Readonly<Record<Cause, string>> = {
  timeout: 'No ping in time',
  fail: 'The job failed',
  update: 'When its schedule changed',
  success: '',
  start: '',
  pause: '',
  resume: '',
  hung: 'A run hung',
  missed: 'A run was missed',
  overlap: 'Runs overlapped',
  warn: '',
};

/** `maintainedUntilMs`: when the maintenance ends that the check is in; null for none. */
export function stateWords(
  row: CheckRow,
  nowMs: number,
  maintainedUntilMs: number | null = null,
): StateWords {
  const status = shownStatusOfRow(row);
  const words = wordsOf[status](row, nowMs);
  const mark = status === 'down' && isSnoozedRow(row, nowMs) ? 'snoozed' : status;
  const heldParts = heldWords(row, nowMs, maintainedUntilMs);
  const held = heldParts.join(between);
  if (held === '') return { status, mark, ...words, held, heldParts };
  const second = status === 'down' && words.second !== '' ? `${words.second}${between}${held}` : held;
  return { status, mark, ...words, second, held, heldParts };
}

function heldWords(row: CheckRow, nowMs: number, maintainedUntilMs: number | null): readonly string[] {
  const parts: string[] = [];
  if (isSnoozedRow(row, nowMs)) parts.push(`Snoozed ${untilWords(row.snoozedUntilMs, nowMs)}`);
  if (row.acknowledged) parts.push(acknowledgedWords(row.acknowledged.by));
  if (isHeldBack(row)) return [...parts, heldBackWords(row.heldBack, nowMs)];
  // A warning says more than that nobody is alerted.
  if (maintainedUntilMs === null || (shownStatusOfRow(row) === 'up' && hasWarning(row))) return parts;
  return [...parts, maintenanceWords(maintainedUntilMs, nowMs)];
}

/** What holds its alerts back beside a snooze and an acknowledgement, in words; empty for nothing. */
export function keptBackWords(row: CheckRow, nowMs: number, maintainedUntilMs: number | null): string {
  if (isHeldBack(row)) return heldBackWords(row.heldBack, nowMs);
  return maintainedUntilMs === null ? '' : maintenanceWords(maintainedUntilMs, nowMs);
}

export function isSnoozedRow<Row extends Pick<CheckRow, 'snoozedUntilMs'>>(
  row: Row,
  nowMs: number,
): row is Row & { readonly snoozedUntilMs: number } {
  return row.snoozedUntilMs !== null && row.snoozedUntilMs > nowMs;
}

function maintenanceWords(untilMs: number, nowMs: number): string {
  return `In maintenance ${untilWords(untilMs, nowMs)}`;
}

/** Whether it is down, and a setting or maintenance holds that back from everybody. */
export function isHeldBack(row: CheckRow): row is CheckRow & Required<Pick<CheckRow, 'heldBack'>> {
  return row.status === 'down' && row.heldBack !== undefined;
}

/**
 * Whether nobody is needed now for what is wrong with it: acknowledged, snoozed, held back, or in maintenance. `maintainedUntilMs` as of
 * `stateWords`.
 */
export function isHandledRow(row: CheckRow, nowMs: number, maintainedUntilMs: number | null): boolean {
  const isMaintained = maintainedUntilMs !== null && (row.status === 'down' || row.status === 'grace');
  const isSnoozed = row.status === 'down' && isSnoozedRow(row, nowMs);
  return row.acknowledged !== null || isSnoozed || isHeldBack(row) || isMaintained;
}

function acknowledgedWords(by: string): string {
  return by === '' ? 'Acknowledged' : `Acknowledged by ${by}`;
}

type Words = (row: CheckRow, nowMs: number) => Pick<StateWords, 'first' | 'second'>;

const wordsOf: Readonly<Record<ShownStatus, Words>> = {
  down: (row, nowMs) => ({
    first: `Down for ${spanDown(nowMs - row.sinceMs)}`,
    second: downWords(row, nowMs),
  }),
  late: ({ nextPingMs, downAtMs, startedMs, startedLateMs }, nowMs) => {
    const goesDown = downAtMs === null ? '' : `Goes down ${atWords(downAtMs, nowMs)}`;
    if (startedMs === null)
      return { first: `${roughSpan(nowMs - (nextPingMs ?? nowMs))} overdue`, second: goesDown };
    return {
      first: `Running ${roughSpan(nowMs - startedMs)}`,
      second: isLateStart(startedLateMs) ? `Started ${roughSpan(startedLateMs)} late` : goesDown,
    };
  },
  running: (row, nowMs) => ({
    first: `Running ${roughSpan(nowMs - (row.startedMs ?? nowMs))}`,
    second: progressWords(row, nowMs),
  }),
  up: (row, nowMs) => ({
    ...upWords(row.nextPingMs, nowMs),
    ...(hasWarning(row) ? { second: row.breach ? `Warning: ${row.breach}` : 'Last run with a warning' } : {}),
  }),
  paused: ({ sinceMs }, nowMs) => ({ first: `Paused for ${roughSpan(nowMs - sinceMs)}`, second: '' }),
  new: ({ sinceMs, nPings }, nowMs) => ({
    first: nPings === 0 ? 'No pings yet' : waitingWords,
    // Since it was resumed, or created: of a moment ago it says nothing.
    second: nowMs - sinceMs < oneMinute ? '' : `For ${roughSpan(nowMs - sinceMs)}`,
  }),
};

/**
 * Returns `No ping in time`, or of a run that did not end that it did not; empty for what brings nothing down. `overrunMs`: what that
 * run was given.
 */
export function causeWords(cause: Cause | undefined, overrunMs?: number): string {
  if (overrunMs !== undefined) return overrunWords(overrunMs);
  return cause === undefined ? '' : causes[cause];
}

/** Where no ping had come and a run is in flight by now, the reader wants to know of that run. */
function downWords(row: CheckRow, nowMs: number): string {
  const { cause, startedMs, startedLateMs, missing, breach, overrunMs, exitStatus } = row;
  if (cause === null) return '';
  if (missing !== undefined) return missingWords(missing);
  if (cause === 'hung' && startedMs === null) return causes.hung;
  // A warning does not bring a check up: its number is not why the check is down.
  if (cause === 'fail' && breach !== undefined && !hasWarning(row)) return breach;
  if (overrunMs !== undefined) return overrunRowWords(row, overrunMs, nowMs);
  if (cause === 'fail' && exitStatus !== undefined) return `Exit status ${exitStatus}`;
  if (startedMs === null || cause === 'fail') return causes[cause];
  const late = isLateStart(startedLateMs) ? `, ${roughSpan(startedLateMs)} late` : '';
  return `Running ${roughSpan(nowMs - startedMs)}${late}`;
}

/** `Running 1 h 1 min, limit 1 h`, which fits into the line of a row, while that run is in flight. */
function overrunRowWords({ startedMs, sinceMs }: CheckRow, overrunMs: number, nowMs: number): string {
  const given = givenSpan(overrunMs);
  if (startedMs !== null && startedMs < sinceMs)
    return `Running ${givenSpan(nowMs - startedMs)}, limit ${given}`;
  return `The run did not end within ${given}`;
}

/** Whether its last run ended with a warning. */
export function hasWarning({ runs }: CheckRow): boolean {
  return runs.at(-1)?.[1] === 'warned';
}

/** The first words say by themselves what they are about: on a phone a row has no others, and in maintenance other second ones. */
function upWords(nextMs: number | null, nowMs: number): Pick<StateWords, 'first' | 'second'> {
  if (nextMs === null) return { first: 'Up', second: 'No run expected' };
  const leftMs = nextMs - nowMs;
  if (leftMs < 0) return { first: 'Due now', second: '' };
  if (leftMs <= oneDay)
    return { first: `Next in ${spanAhead(leftMs)}`, second: capital(momentWords(nextMs, nowMs)) };
  const days = Math.round(leftMs / oneDay);
  const inDays = `Next in ${days} ${days === 1 ? 'day' : 'days'}`;
  if (leftMs < 7 * oneDay) {
    const weekday = formatted(nextMs, { weekday: 'short', ...zoneOption() });
    return { first: inDays, second: `${weekday} ${timeWords(nextMs)}` };
  }
  return { first: inDays, second: dayWords(nextMs, nowMs) };
}

/** Returns `Daily at 02:15`, with the zone if it is not the reader's: `Daily at 02:15 (UTC)`. */
export function scheduleTitle(row: CheckRow): string {
  const words = capital(scheduleWords(row));
  return namesZone(row) ? words : words.replace(zoneAtEnd, '');
}

/** The zone in such a title, with the space before it. */
export const zoneAtEnd = / \(([^)]*)\)$/;

/** Whether the title says the zone: every 5 minutes are the same in all zones. */
export function namesZone(row: CheckRow): boolean {
  if (row.kind === 'simple') return false;
  const { words, zone } = (row.kind === 'cron' ? wordsOfCron : wordsOfCalendar)(row.schedule);
  const isOfClock = words === '' || /\d:\d\d|day|month/.test(words);
  return isOfClock && !isReadersZone(zone || row.tz);
}

export function graceWords({ graceS }: Pick<CheckRow, 'graceS'>): string {
  return `Grace ${exactSpan(graceS * 1000)}`;
}

export function nameOf({ name, slug }: Pick<CheckRow, 'name' | 'slug'>): string {
  return shownName({ name, slug });
}
