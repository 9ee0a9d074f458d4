/** A maintenance window in the words of the list. Pure but for the reader's own language and zone. */
import type { MaintenanceAnswer } from '../../domain/views/maintenance-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { isReadersZone, zoneName } from '../core/time-style.ts';
import { dayWords, momentWords, spanWords, timeWords, zonedScheduleWords } from '../core/words.ts';

type Span = MaintenanceAnswer['dates'][number];

/** What the window is now: until when it is on, or when it will be. */
export function stateWords(window: MaintenanceAnswer, nowMs: number): string {
  const { until_active: until, next } = window;
  if (until !== null) return `On until ${momentWords(Date.parse(until), nowMs)}`;
  const [only] = next;
  if (only && isOnce(window)) return `Next: ${betweenWords(only, nowMs)}`;
  const times = next.map(({ from }) => momentWords(Date.parse(from), nowMs));
  return times.length === 0 ? 'Over' : `${nextWords(window)}: ${times.join('; ')}`;
}

/** Whether it is on a single time. */
function isOnce({ from, schedule, dates }: MaintenanceAnswer): boolean {
  return schedule === '' && dates.length + (from === null ? 0 : 1) === 1;
}

/**
 * `Sundays at 02:00 (Europe/Riga) for 2 hours`: instants in the reader's zone, a schedule in its own, which is named. Empty where
 * `stateWords` says all of it; what is on says only when it began.
 */
export function timesWords(window: MaintenanceAnswer, nowMs: number): string {
  const { from, until, schedule, tz, duration, dates } = window;
  const [first, ...others] = dates;
  const parts = [
    ...(from === null || until === null ? [] : [onceWords({ from, until }, window, nowMs)]),
    ...(schedule === '' ? [] : [`${scheduleWordsIn(schedule, tz)} for ${spanWords(duration)}`]),
    ...(first && others.length === 0 ? [onceWords(first, window, nowMs)] : []),
    ...(first && others.length > 0
      ? [`${dates.length} dates from ${momentWords(Date.parse(first.from), nowMs)}`]
      : []),
  ];
  return capital(parts.filter((part) => part !== '').join('; '));
}

function onceWords(span: Span, window: MaintenanceAnswer, nowMs: number): string {
  const { until_active: until, next } = window;
  if (until !== null && Date.parse(until) === Date.parse(span.until))
    return `began ${momentWords(Date.parse(span.from), nowMs)}`;
  return until === null && next.length > 0 && isOnce(window) ? '' : betweenWords(span, nowMs);
}

/** `tomorrow 22:00 until Sun 22 Nov, 04:00`. */
export function betweenWords({ from, until }: Span, nowMs: number): string {
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)];
  const isOneDay = dayWords(fromMs, nowMs) === dayWords(untilMs, nowMs);
  return `${momentWords(fromMs, nowMs)} until ${isOneDay ? timeWords(untilMs) : momentWords(untilMs, nowMs)}`;
}

/** The words before the next times, which are in the reader's zone: it is named where the schedule has another one. */
export function nextWords({ schedule, tz }: Pick<MaintenanceAnswer, 'schedule' | 'tz'>): string {
  return schedule === '' || isReadersZone(tz) ? 'Next' : `Next, in ${zoneName()}`;
}

/** What cannot be said is shown as it was entered. */
function scheduleWordsIn(schedule: string, tz: string): string {
  return zonedScheduleWords(schedule, tz) || `${schedule.trim().replaceAll('\n', ', ')} (${tz})`;
}

/** `names`: of the integrations that there are, by id; null until that is known. */
export function quietWords(
  { integrations }: MaintenanceAnswer,
  names: ReadonlyMap<string, string> | null,
): string {
  if (integrations.length === 0) return '';
  const count = integrations.length === 1 ? '1 integration' : `${integrations.length} integrations`;
  if (names === null) return `Quiet hours of ${count}`;
  const there = integrations.flatMap((id) => names.get(id) ?? []);
  return there.length === 0
    ? 'Quiet hours of integrations that were deleted'
    : `Quiet hours of ${there.join(', ')}`;
}
