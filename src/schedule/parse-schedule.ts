/**
 * Expressions in: their kind, whether they are valid, and a function from an instant to the next occurrence.
 * It chooses between the notations and combines lines; fields, readings and zones have files of their own.
 * Invariant: next(from) is strictly after from, and the same for the same arguments on one machine.
 */

import { dateOf } from './civil-time.ts';
import { cronFieldCount, fieldCountWords, parseCron } from './cron.ts';
import { cronYearsMax, expressionLengthMax } from './limits.ts';
import { NotationError, trimBlanks, wordsOf } from './notation.ts';
import { OccurrenceSearch } from './occurrence.ts';
import { calendarPolicy, calendarYearMax, parseCalendarLine } from './oncalendar.ts';
import { canonicalTimeZone } from './time-zones.ts';
import { isTimerLine } from './timer-line.ts';
import type { WallPattern } from './wall-pattern.ts';
import { zoneClock } from './zone-clock.ts';

export type ScheduleKind = 'cron' | 'oncalendar';

export interface Schedule {
  readonly kind: ScheduleKind;
  /** The expression as it came, verbatim. */
  readonly expr: string;
  /** Canonical IANA name. */
  readonly tz: string;
  /**
   * The first occurrence strictly after fromMs, both epoch milliseconds, or null when there is none: ever again for
   * OnCalendar (its years end with 2199), within 50 years for cron. fromMs lies within the years 1970 to 9999.
   */
  next(fromMs: number): number | null;
}

export type ParsedSchedule =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly error: string };

const validFromMs = Date.UTC(2000, 0);

/** One line of exactly five words is cron, all else OnCalendar; says nothing about validity. */
export function detectKind(expr: string): ScheduleKind {
  return !trimBlanks(expr).includes('\n') && wordsOf(expr).length === cronFieldCount ? 'cron' : 'oncalendar';
}

/**
 * Validates an expression in a zone; both come as clients sent them. `error` says why for people, its wording is no
 * contract. An expression is valid only if it occurs after 2000-01-01T00:00Z when read in UTC: so Healthchecks does,
 * and so validity does not depend on the zone. Never throws.
 */
export function parseSchedule(expr: string, tz: string): ParsedSchedule {
  const zone = canonicalTimeZone(tz);
  if (zone === null) return { ok: false, error: `unknown time zone "${tz}"` };
  if ([...expr].length > expressionLengthMax) {
    return { ok: false, error: `longer than ${expressionLengthMax} characters` };
  }
  const kind = detectKind(expr);
  const build = kind === 'cron' ? buildCron : buildCalendar;
  try {
    const bind = build(expr);
    if (bind('UTC')(validFromMs) === null) return { ok: false, error: 'never occurs after 2000-01-01' };
    return { ok: true, schedule: { kind, expr, tz: zone, next: bind(zone) } };
  } catch (error) {
    if (!(error instanceof NotationError)) throw error;
    return { ok: false, error: keyWords(expr) || loneWord(expr) || miscountedCron(expr) || error.message };
  }
}

function keyWords(expr: string): string {
  return isTimerLine(expr) ? 'leave out "OnCalendar=": the expression is what follows it' : '';
}

/** One word of letters is no part of either notation that is known: it says nothing of which was meant. */
function loneWord(expr: string): string {
  const word = trimBlanks(expr);
  return /^\p{L}+$/u.test(word)
    ? `unknown word "${word}": write five fields of cron, as in 0 3 * * *, or OnCalendar, as in Mon 15:00`
    : '';
}

/** Stars, numbers, steps, lists and names: what a field of cron is made of. No time and no range of OnCalendar is. */
const cronField = /^(?:[\d*,/#-]|\b[A-Z]{3}\b|L|W)+$/i;

/** `4 fields; cron has 5`, of what is no expression and would have been meant for cron; else empty. A minute has no letters. */
function miscountedCron(expr: string): string {
  const words = wordsOf(expr);
  const isCron =
    !trimBlanks(expr).includes('\n') &&
    words.every((word) => cronField.test(word)) &&
    !/[a-z]/i.test(words[0] ?? '');
  if (!isCron || words.length === cronFieldCount || (words.length < 4 && !words.includes('*'))) return '';
  return fieldCountWords(words.length);
}

type Next = (fromMs: number) => number | null;

function buildCron(expr: string): (tz: string) => Next {
  const { pattern, policy } = parseCron(expr);
  return (tz) => {
    const search = new OccurrenceSearch(pattern, zoneClock(tz), policy);
    return (fromMs) => search.next(fromMs, dateOf(fromMs).year + cronYearsMax);
  };
}

function buildCalendar(expr: string): (tz: string) => Next {
  const lines = trimBlanks(expr).split('\n').map(parseCalendarLine);
  // A line with a zone of its own is the same search in every other zone, and what it learns holds there too.
  const inOwnZone = lines.map((line) => (line.tz === null ? null : calendarSearch(line.pattern, line.tz)));
  return (tz) => {
    const searches = lines.map((line, index) => inOwnZone[index] ?? calendarSearch(line.pattern, tz));
    return (fromMs) => {
      let least: number | null = null;
      for (const search of searches) {
        const next = search(fromMs);
        if (next !== null && (least === null || next < least)) least = next;
      }
      return least;
    };
  };
}

/** A search that remembers from when on there is nothing: finding that out goes through all years to the last. */
function calendarSearch(pattern: WallPattern, tz: string): Next {
  const search = new OccurrenceSearch(pattern, zoneClock(tz), calendarPolicy);
  let noneAfterMs = Number.POSITIVE_INFINITY;
  return (fromMs) => {
    if (fromMs >= noneAfterMs) return null;
    const next = search.next(fromMs, calendarYearMax);
    if (next === null) noneAfterMs = fromMs;
    return next;
  };
}
