/** A maintenance window in the words of the list. Pure but for the reader's own language and zone. */
import type { MaintenanceAnswer } from '../../domain/views/maintenance-view.ts';
import { capital } from '../../domain/words/capital.ts';
import { formatted, isReadersZone, timeOptions, zoneName } from '../core/time-style.ts';
import {
  dayWords,
  expressionWords,
  momentWords,
  runTime,
  spanWords,
  timeWords,
  unbroken,
  zonedScheduleWords,
} from '../core/words.ts';

type Span = MaintenanceAnswer['dates'][number];
type Times = Pick<MaintenanceAnswer, 'schedule' | 'tz' | 'from' | 'dates'>;

/** What the window is now: until when it is on, or when it will be. A zone that is not the reader's is named. */
export function stateWords(window: MaintenanceAnswer, nowMs: number): string {
  const { until_active: until, next } = window;
  if (until !== null) return `On until ${momentIn(null, Date.parse(until), nowMs)}`;
  const [first, ...later] = next;
  if (!first) return 'Over';
  if (isOnce(window)) return `Next: ${betweenWords(first, null, nowMs)}`;
  const zone = nextZone(window);
  return `${nextWords(window)}: ${betweenWords(first, zone, nowMs)}${laterWords([first, ...later], zone, nowMs)}`;
}

/** `, then Sun 29 Nov and Sun 6 Dec`: of those after the first, which has its end. Their time is left out where it is that of the first. */
function laterWords(spans: readonly Span[], zone: string | null, nowMs: number): string {
  const times = spans.map(({ from }) => Date.parse(from));
  const hasOneTime = new Set(times.map((ms) => clockIn(zone, ms))).size === 1;
  const isByDay = new Set(times.map((ms) => dayIn(zone, ms, nowMs))).size === times.length;
  const words = times
    .slice(1)
    .map((ms) => (hasOneTime && isByDay ? unbroken(shownDayIn(zone, ms, nowMs)) : momentIn(zone, ms, nowMs)));
  return words.length === 0 ? '' : `, then ${words.join(' and ')}`;
}

/** The schedule in words, such as `Sundays at 02:00 for 2 hours`, of a window to come that has nothing else; empty for others. */
export function ruleWords(window: MaintenanceAnswer): string {
  const { schedule, tz, duration, next, until_active: onUntil } = window;
  if (schedule === '' || onUntil !== null || next.length === 0 || isMixed(window)) return '';
  // By itself, though the next times name it, too: above the list is in which zone a time without one is.
  const isSaid = isReadersZone(scheduleZone(window));
  return `${capital(scheduleWordsIn(schedule, isSaid ? '' : tz))} for ${spanWords(duration)}`;
}

/** Whether it is on a single time. */
function isOnce({ from, schedule, dates }: MaintenanceAnswer): boolean {
  return schedule === '' && dates.length + (from === null ? 0 : 1) === 1;
}

/**
 * `Sundays at 02:00 (Europe/Riga) for 2 hours`: instants in the reader's zone, a schedule in its own, which is named unless
 * `stateWords` has named it. Empty where `ruleWords` or `stateWords` says all of it; what is on says only when it began.
 */
export function timesWords(window: MaintenanceAnswer, nowMs: number): string {
  const { from, until, schedule, tz, duration, dates, next, until_active: onUntil } = window;
  const isNamed = onUntil === null && next.length > 0 && nextZone(window) !== null;
  const [first, ...others] = dates;
  const parts = [
    ...(from === null || until === null ? [] : [onceWords({ from, until }, window, nowMs)]),
    ...(schedule === '' || ruleWords(window) !== ''
      ? []
      : [`${scheduleWordsIn(schedule, isNamed ? '' : tz)} for ${spanWords(duration)}`]),
    ...(first && others.length === 0 ? [onceWords(first, window, nowMs)] : []),
    ...(first && others.length > 0
      ? [`${dates.length} dates from ${momentIn(null, Date.parse(first.from), nowMs)}`]
      : []),
  ];
  return capital(parts.filter((part) => part !== '').join('; '));
}

function onceWords(span: Span, window: MaintenanceAnswer, nowMs: number): string {
  const { until_active: until, next } = window;
  if (until !== null && Date.parse(until) === Date.parse(span.until))
    return `began ${dayedIn(Date.parse(span.from), nowMs)}`;
  return until === null && next.length > 0 && isOnce(window) ? '' : betweenWords(span, null, nowMs);
}

/** `tomorrow 22:00 until Sun 22 Nov, 04:00`, in the reader's zone if none is given. */
export function betweenWords({ from, until }: Span, zone: string | null, nowMs: number): string {
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)];
  const end =
    dayIn(zone, fromMs, nowMs) === dayIn(zone, untilMs, nowMs)
      ? clockIn(zone, untilMs)
      : momentIn(zone, untilMs, nowMs);
  return `${momentIn(zone, fromMs, nowMs)} until ${end}`;
}

/** Distinguishes two days, in the reader's zone if none is given. */
function dayIn(zone: string | null, atMs: number, nowMs: number): string {
  return zone === null ? dayWords(atMs, nowMs) : formatted(atMs, { dateStyle: 'short', timeZone: zone });
}

/** `Sun 29 Nov`, with its year unless that is this one. */
function shownDayIn(zone: string | null, atMs: number, nowMs: number): string {
  if (zone === null) return dayWords(atMs, nowMs);
  const year = { year: 'numeric', timeZone: zone } as const;
  const isThisYear = formatted(atMs, year) === formatted(nowMs, year);
  const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone } as const;
  return formatted(atMs, isThisYear ? day : { ...day, ...year });
}

/** A date is not broken at the end of a line. In the reader's zone if none is given. */
export function momentIn(zone: string | null, atMs: number, nowMs: number): string {
  return unbroken(zone === null ? momentWords(atMs, nowMs) : runTime(atMs, zone));
}

/** Beside the end, which may be on another day, the time of today is no day. In the reader's zone. */
function dayedIn(atMs: number, nowMs: number): string {
  const isToday = dayWords(atMs, nowMs) === dayWords(nowMs, nowMs);
  return `${isToday ? 'today\u00a0' : ''}${momentIn(null, atMs, nowMs)}`;
}

function clockIn(zone: string | null, atMs: number): string {
  const digits = { hour: '2-digit', minute: '2-digit' } as const;
  const words =
    zone === null ? timeWords(atMs) : formatted(atMs, { ...digits, ...timeOptions(), timeZone: zone });
  return unbroken(words);
}

/** The zone of the next times: that of the schedule they are from. Null for the reader's own, which has no need of a name. */
export function nextZone(window: Times): string | null {
  const zone = scheduleZone(window);
  return isMixed(window) || isReadersZone(zone) || !isZoneKnown(zone) ? null : zone;
}

/** An expression of OnCalendar may name its zone. */
export function scheduleZone({ schedule, tz }: Times): string {
  return schedule === '' ? zoneName() : expressionWords('oncalendar', schedule).zone || tz;
}

/** Whether it has single times, which are in the reader's zone, beside those of a schedule. */
function isMixed({ schedule, from, dates }: Times): boolean {
  return schedule !== '' && (from !== null || dates.length > 0);
}

/** The browser may be older than the server. */
function isZoneKnown(zone: string): boolean {
  try {
    return formatted(0, { timeZone: zone }) !== '';
  } catch {
    return false;
  }
}

/** The words before the next times: their zone is named where the schedule is in another one than the reader. */
export function nextWords(window: Times): string {
  return isReadersZone(scheduleZone(window)) ? 'Next' : `Next, in ${nextZone(window) ?? zoneName()}`;
}

/** Next times of a preview, with the one that is on. */
const previewedMax = 3;

/**
 * What a window comes to, in lines for a phone: the schedule in words, then its times, each in a line. `isOn` is said of one that
 * is on. The zone of its times is named once, if it is not the reader's own.
 */
export function previewLines(window: MaintenanceAnswer, isOn: string, nowMs: number): readonly string[] {
  const { until_active: until, next, schedule, duration } = window;
  const zone = nextZone(window);
  const isOwn = schedule !== '' && isReadersZone(scheduleZone(window));
  const ownZone = isOwn ? '' : ` (${zoneName()})`;
  const on = until === null ? [] : [`${isOn} until ${momentIn(null, Date.parse(until), nowMs)}${ownZone}.`];
  const spans = next.map((one) => betweenWords(one, zone, nowMs));
  if (on.length + spans.length === 0) return ['This is over already.'];
  const isNamed = isOwn || spans.length > 0;
  const words =
    schedule === ''
      ? []
      : [`${capital(scheduleWordsIn(schedule, isNamed ? '' : window.tz))} for ${spanWords(duration)}.`];
  const last = schedule === '' && on.length === 0 ? ownZone : '';
  if (schedule === '' && on.length + spans.length === 1)
    return (on[0] ?? `${nextWords(window)}: ${spans[0]}${last}.`).split(/ (?=until )/);
  // The sentence of what is on may be two lines long.
  const shown = spans.slice(0, previewedMax - 2 * on.length);
  const head = shown.length === 0 ? [] : [`${nextWords(window)}:`];
  return [
    ...words,
    ...on,
    ...head,
    ...shown.map((span, at) => (at === shown.length - 1 ? `${span}${last}.` : `${span};`)),
  ];
}

/** What cannot be said is shown as it was entered. Without `tz` the zone is not said. */
function scheduleWordsIn(schedule: string, tz: string): string {
  const said = zonedScheduleWords(schedule, tz) || `${schedule.trim().replaceAll('\n', ', ')} (${tz})`;
  return tz === '' ? said.replace(/ \([^()]*\)$/, '') : said;
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
