/**
 * Which stretch of time a report by mail is about, and from when on it is sent: days, weeks from Monday on, months, by the clock
 * of the member's time zone. Pure.
 * Invariant: the periods of a zone follow each other without a gap, and each is due after its end.
 */
import { day, hour } from '../../lib/units.ts';
import { dateOf, wallOf, weekdayOf } from '../../schedule/civil-time.ts';
import { zoneClock } from '../../schedule/schedule.ts';
import { instantOf, type TimeRange, uptimeRange } from '../runs/time-ranges.ts';
import type { ReportFrequency } from './user.ts';

export interface ReportPeriod {
  readonly frequency: ReportFrequency;
  /** IANA name of a listed zone. */
  readonly timeZone: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** When its report is sent. */
  readonly dueMs: number;
}

/** Time after midnight on the zone's clock: in the morning, when people read it, and not when they sleep. */
const dueAfterMs = 8 * hour;

/** The one that `nowMs` is in. */
export function presentPeriod(frequency: ReportFrequency, timeZone: string, nowMs: number): ReportPeriod {
  return periodAt(frequency, timeZone, nowMs, 0);
}

/** Of which periods the page shows a report: the present ones, and others that no mail is about. */
export const shownPeriods = ['daily', 'weekly', 'monthly', '7d', '30d', 'last-month'] as const;
export type ShownPeriod = (typeof shownPeriods)[number];

/** Of a period that no mail is about, `frequency` is that of the mail which is about one as long. */
export function shownPeriod(shown: ShownPeriod, timeZone: string, nowMs: number): ReportPeriod {
  if (shown === 'last-month') return periodAt('monthly', timeZone, nowMs, -1);
  if (shown !== '7d' && shown !== '30d') return presentPeriod(shown, timeZone, nowMs);
  const { fromMs, untilMs } = uptimeRange(shown, nowMs);
  return { frequency: shown === '7d' ? 'weekly' : 'monthly', timeZone, fromMs, untilMs, dueMs: untilMs };
}

/** The time before, as long, or the calendar's day, week or month before. */
export function periodBefore(
  shown: ShownPeriod,
  { frequency, timeZone, fromMs, untilMs }: ReportPeriod,
): TimeRange {
  if (shown === '7d' || shown === '30d') return { fromMs: fromMs - (untilMs - fromMs), untilMs: fromMs };
  return { fromMs: periodAt(frequency, timeZone, fromMs, -1).fromMs, untilMs: fromMs };
}

/** The latest one that is over, whether or not its report is due. */
export function latestOver(frequency: ReportFrequency, timeZone: string, nowMs: number): ReportPeriod {
  return periodAt(frequency, timeZone, nowMs, -1);
}

/** The latest one whose report is due. */
export function latestDue(frequency: ReportFrequency, timeZone: string, nowMs: number): ReportPeriod {
  const last = periodAt(frequency, timeZone, nowMs, -1);
  return last.dueMs <= nowMs ? last : periodAt(frequency, timeZone, nowMs, -2);
}

/** The first one whose report is not due yet. */
export function nextDue(frequency: ReportFrequency, timeZone: string, nowMs: number): ReportPeriod {
  const last = periodAt(frequency, timeZone, nowMs, -1);
  return last.dueMs > nowMs ? last : periodAt(frequency, timeZone, nowMs, 0);
}

/** `place`: 0 for the present one, -1 for the one before. */
function periodAt(frequency: ReportFrequency, timeZone: string, nowMs: number, place: number): ReportPeriod {
  const wallNow = nowMs + zoneClock(timeZone).spanAt(nowMs).offsetMs;
  const untilWall = beginnings[frequency](wallNow, place + 1);
  return {
    frequency,
    timeZone,
    fromMs: instantOf(beginnings[frequency](wallNow, place), timeZone),
    untilMs: instantOf(untilWall, timeZone),
    dueMs: instantOf(untilWall + dueAfterMs, timeZone),
  };
}

/** Time on the clock at the beginning of the period that is `place` after that of `wallNow`. */
const beginnings: Readonly<Record<ReportFrequency, (wallNow: number, place: number) => number>> = {
  daily: (wallNow, place) => midnight(wallNow) + place * day,
  weekly(wallNow, place) {
    const { year, month, day: dayOfMonth } = dateOf(wallNow);
    const sinceMonday = (weekdayOf(year, month, dayOfMonth) + 6) % 7;
    return midnight(wallNow) + (place * 7 - sinceMonday) * day;
  },
  monthly(wallNow, place) {
    const { year, month } = dateOf(wallNow);
    const months = year * 12 + month - 1 + place;
    return wallOf(Math.floor(months / 12), (months % 12) + 1, 1);
  },
};

function midnight(wallMs: number): number {
  return Math.floor(wallMs / day) * day;
}
