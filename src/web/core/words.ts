/** Times and spans in words, and how words begin a sentence. It is pure but for the browser's own language and zone. */

import type { KeyScope } from '../../domain/accounts/project.ts';
import type { CheckKind, Status } from '../../domain/check/check.ts';
import { type ShownStatus, shownStatusOf } from '../../domain/check/shown-status.ts';
import { lateMsMin } from '../../domain/limits.ts';
import type { CheckRow } from '../../domain/views/page-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { type ScheduleWords, wordsOfCalendar, wordsOfCron } from '../../domain/words/schedule-words.ts';
import { everySpan, longSpan, roughSpan } from '../../domain/words/span-words.ts';
import { dateParts, formatted, timeOptions, zoneOption } from './time-style.ts';

export const statusWords: Readonly<Record<Status, string>> = {
  new: 'New',
  up: 'Up',
  grace: 'Late',
  down: 'Down',
  paused: 'Paused',
};

export const shownWords: Readonly<Record<ShownStatus, string>> = {
  down: 'Down',
  late: 'Late',
  running: 'Running',
  up: 'Up',
  paused: 'Paused',
  new: 'New',
};

export const scopeWords: Readonly<Record<KeyScope, string>> = {
  'read-write': 'Read-write',
  'read-only': 'Read-only',
  ping: 'Ping',
  wall: 'Wall link',
};

/** Returns `1 hour 30 minutes`. */
export function spanWords(seconds: number): string {
  return longSpan(seconds * 1000);
}

/** Returns `every day` or `every 2 hours`. */
export function everyWords(seconds: number): string {
  return everySpan(seconds * 1000);
}

/** Returns `1 check` or `12 checks`. */
export function checksWords(count: number): string {
  return count === 1 ? '1 check' : `${count.toLocaleString()} checks`;
}

/** Returns `5 min ago` or `in 2 h`: one unit, short. */
export function relativeWords(atMs: number, nowMs: number): string {
  const apartMs = Math.round(Math.abs(atMs - nowMs) / 1000) * 1000;
  if (apartMs < 2000) return 'just now';
  return atMs > nowMs ? `in ${roughSpan(apartMs)}` : `${roughSpan(apartMs)} ago`;
}

export function isLateStart(lateMs: number): boolean {
  return lateMs >= lateMsMin;
}

/** Of a check that is new although it was pinged before: it was resumed. */
export const waitingWords = 'Waiting for a ping';

/** The word of a status that a check had, which was pinged before it or not. */
export function pastStatusWords(status: Status, isPinged: boolean): string {
  return status === 'new' && isPinged ? waitingWords : statusWords[status];
}

/** The word of so many checks that are new, of which so many were never pinged: the others were resumed, and are not new to anybody. */
export function newWords(count: number, neverPinged: number): string {
  if (neverPinged >= count) return shownWords.new;
  return neverPinged === 0 ? 'Waiting' : 'New, waiting';
}

/** Time of its last run; of a check that has been resumed since, as its runs say it. Null for none. */
export function lastRunMs({ lastPingMs, runs }: CheckRow): number | null {
  return lastPingMs ?? runs.findLast(([, outcome]) => outcome !== 'missed')?.[0] ?? null;
}

/** The status that a row shows. */
export function shownStatusOfRow({ status, startedMs, startedLateMs }: CheckRow): ShownStatus {
  return shownStatusOf({ status, startedMs, expectedAtMs: (startedMs ?? 0) - startedLateMs });
}

/** Keeps words on one line, such as a span, a date or a time. */
export function unbroken(words: string): string {
  return words.replaceAll(' ', '\u00a0');
}

/** Returns `05:26`, in the way of the reader's language. */
export function timeWords(atMs: number): string {
  return formatted(atMs, {
    hour: '2-digit',
    minute: '2-digit',
    ...timeOptions(),
  });
}

/** Returns `05:26:04`, with the hour as in `timeWords`. */
export function exactClock(atMs: number): string {
  const digits = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return formatted(atMs, { ...digits, ...timeOptions() });
}

/** Returns `Wed 18 Nov`, without the year while it is this one. */
export function dayWords(atMs: number, nowMs: number): string {
  return dayOf(atMs, nowMs, { weekday: 'short' });
}

/** Returns `18 Nov`, without the year while it is this one, for a narrow column. */
export function dateWords(atMs: number, nowMs: number): string {
  return dayOf(atMs, nowMs, {});
}

function dayOf(atMs: number, nowMs: number, weekday: Intl.DateTimeFormatOptions): string {
  const [[yearOfAt], [yearOfNow]] = [dateParts(atMs), dateParts(nowMs)];
  const year = yearOfAt === yearOfNow ? {} : ({ year: 'numeric' } as const);
  return formatted(atMs, { ...weekday, day: 'numeric', month: 'short', ...year, ...zoneOption() });
}

/** Returns `05:30` for today, `tomorrow 05:30`, `yesterday 04:33`, or else `Sun 22 Nov, 04:00`. */
export function momentWords(atMs: number, nowMs: number, clock = timeWords): string {
  const day = (ms: number): number => Math.round(Date.UTC(...dateParts(ms)) / 86_400_000);
  const days = day(atMs) - day(nowMs);
  const time = clock(atMs);
  if (days === 0) return time;
  if (days === 1) return `tomorrow ${time}`;
  if (days === -1) return `yesterday ${time}`;
  return `${dayWords(atMs, nowMs)}, ${time}`;
}

/** Returns `since 06:34` for today, or else `since 23 Nov`, short enough for a narrow column. */
export function sinceWords(atMs: number, nowMs: number): string {
  if (dayWords(atMs, nowMs) === dayWords(nowMs, nowMs)) return `since ${timeWords(atMs)}`;
  const parts = { day: 'numeric', month: 'short', ...zoneOption() } as const;
  return `since ${formatted(atMs, parts)}`;
}

/** Returns `until 05:30` or `until 6 Dec`. Short, for one line: beyond tomorrow the day will do. */
export function untilWords(untilMs: number, nowMs: number): string {
  const isSoon = untilMs - nowMs < 86_400_000;
  return `until ${isSoon ? momentWords(untilMs, nowMs) : dateWords(untilMs, nowMs)}`;
}

/** As `momentWords`, to stand behind a verb: `at 3:15 AM`, `tomorrow 3:15 AM`. */
export function atWords(atMs: number, nowMs: number): string {
  const words = momentWords(atMs, nowMs);
  return words === timeWords(atMs) ? `at ${words}` : words;
}

/** Returns `12 MB`, in decimal units with two digits at least. */
export function sizeWords(bytes: number): string {
  const sizes = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const;
  const [name, size] = sizes.find(([, one]) => bytes >= one) ?? ['bytes', 1];
  const count = bytes / size;
  return `${count < 10 && size > 1 ? count.toFixed(1) : Math.round(count)} ${name}`;
}

/**
 * Returns `Wed, Nov 18, 3:15 AM`: the day of the week is what one compares a schedule with. The seconds are there where it has
 * some, the year where it is not this one.
 */
export function runTime(atMs: number, timeZone?: string): string {
  const seconds = atMs % 60_000 === 0 ? {} : ({ second: '2-digit' } as const);
  const [[year], [thisYear]] = [dateParts(atMs), dateParts(Date.now())];
  return formatted(atMs, {
    ...(year === thisYear ? {} : { year: 'numeric' }),
    ...{ weekday: 'short', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', ...seconds },
    ...timeOptions(),
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}

/** Returns `Nov 18, 2026, 3:15:04 AM`. */
export function exactTime(atMs: number, timeZone?: string): string {
  return fullTime(atMs, { second: '2-digit' }, timeZone);
}

/** Returns `Nov 18, 2026, 3:15 AM`, where nobody needs the seconds. */
export function minuteTime(atMs: number, timeZone?: string): string {
  return fullTime(atMs, {}, timeZone);
}

/** The hour is as in `timeWords`: the styles that `Intl` has names for give it one digit on every clock. */
function fullTime(atMs: number, seconds: Intl.DateTimeFormatOptions, timeZone: string | undefined): string {
  return formatted(atMs, {
    ...{ year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', ...seconds },
    ...timeOptions(),
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}

interface Expectation {
  readonly kind: CheckKind;
  readonly timeoutS: number;
  readonly schedule: string;
  readonly tz: string;
}

export function scheduleWords({ kind, timeoutS, schedule, tz }: Expectation): string {
  if (kind === 'simple') return everyWords(timeoutS);
  const { words, zone } = expressionWords(kind, schedule);
  return `${words || schedule.replaceAll('\n', ', ')} (${zone || tz})`;
}

/** Times of the day are on the reader's clock, as all others of a page. */
export function expressionWords(kind: CheckKind, schedule: string): ScheduleWords {
  return kind === 'cron' ? wordsOfCron(schedule, clockWords) : wordsOfCalendar(schedule, clockWords);
}

/** Returns `Sundays at 02:00 (Europe/Riga)`, of a cron expression or of OnCalendar, whichever it is; empty for what cannot be said. */
export function zonedScheduleWords(expr: string, tz: string): string {
  const cron = expressionWords('cron', expr);
  const { words, zone } = cron.words === '' ? expressionWords('oncalendar', expr) : cron;
  return words === '' ? '' : `${words} (${zone || tz})`;
}

/** Returns `05:26` of any day, whichever zone it is in. */
function clockWords(hour: number, minute: number): string {
  const digits = { hour: '2-digit', minute: '2-digit' } as const;
  return formatted(Date.UTC(2000, 0, 1, hour, minute), { ...digits, ...timeOptions(), timeZone: 'UTC' });
}

/** Returns `db-3 has not reported; 4 of 5 have`. */
export function missingWords({ hosts, of }: NonNullable<CheckRow['missing']>): string {
  return `${hosts.join(', ')} ${hosts.length === 1 ? 'has' : 'have'} not reported; ${of - hosts.length} of ${of} have`;
}

type HeldBack = NonNullable<CheckRow['heldBack']>;

/** Returns `Held back by db`, for a check that is down. Short: a row of the list has one line for it. */
export function heldBackWords({ reason, about, untilMs }: HeldBack, nowMs: number): string {
  const until = untilMs === null ? '' : ` ${untilWords(untilMs, nowMs)}`;
  if (reason === 'maintenance') return `In maintenance${until}`;
  if (reason === 'unstable') return `Unstable${until}`;
  if (reason === 'parent-down') return `Held back by ${about}`;
  if (reason === 'parent-back') return `Held back after ${about}`;
  return reason === 'awaiting-parent' ? `Waiting for ${about}` : `Held back: ${about}`;
}

const instants = /(?:\b([Aa])t )?\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)| \d\d:\d\d(?::\d\d)? UTC)/g;

/** Why a notification was not sent. An instant in it is shown as all others are: in the reader's time zone. */
export function errorWords(error: string, nowMs: number): string {
  return error.replace(instants, (found: string, first: string | undefined) => {
    const atMs = Date.parse(first === undefined ? found : found.slice('at '.length));
    if (Number.isNaN(atMs)) return found;
    if (first === undefined) return momentWords(atMs, nowMs);
    const words = atWords(atMs, nowMs);
    const said = /^(?:at|tomorrow|yesterday) /.test(words) ? words : `on ${words}`;
    return first === 'A' ? capital(said) : said;
  });
}
