/** A calendar in words, for the audit log, commands and lists. Invariant: pure, and in UTC but for schedules, which name their zone. */
import { longSpan } from '../words/span-words.ts';
import type { Calendar, TimeSpan } from './calendar.ts';

/** `2026-05-04 22:00 to 23:30 UTC; 0 2 * * 0 (Europe/Riga) for 2 hours; 3 dates`. */
export function calendarWords({ fromMs, untilMs, schedule, tz, durationS, dates }: Calendar): string {
  const parts = [
    fromMs < untilMs ? spanWords({ fromMs, untilMs }) : '',
    schedule === '' ? '' : `${oneLine(schedule)} (${tz}) for ${longSpan(durationS * 1000)}`,
    datesWords(dates),
  ];
  return parts.filter((part) => part !== '').join('; ') || 'never';
}

/** `2026-05-04 22:00 to 23:30 UTC`, with the second day where it is another. */
export function spanWords({ fromMs, untilMs }: TimeSpan): string {
  const from = minuteWords(fromMs);
  const until = minuteWords(untilMs);
  const isOneDay = from.slice(0, 10) === until.slice(0, 10);
  return `${from} to ${isOneDay ? until.slice(11) : until} UTC`;
}

/** `2026-05-04 22:00`. */
export function minuteWords(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

function datesWords(dates: readonly TimeSpan[]): string {
  const [only] = dates;
  if (only === undefined) return '';
  return dates.length === 1 ? spanWords(only) : `${dates.length} dates from ${minuteWords(only.fromMs)} UTC`;
}

function oneLine(expr: string): string {
  return expr
    .trim()
    .split(/\s*\n\s*/)
    .join(' | ');
}
