/**
 * The one calendar of everything that is on at some times: once, by a schedule with a duration, on listed dates, or all of these
 * together. Not here: what is on then (`maintenance`), what somebody may enter (`spec/maintenance-spec`).
 *
 * A duration is elapsed time, so what begins at 01:00 and takes three hours is over at 04:00, or at 05:00 or 03:00 on the wall if the
 * clock is changed meanwhile. When it begins follows the rules of schedules: see `schedule/occurrence`.
 * Invariant: pure; what is remembered of a calendar never changes whether it is on.
 */
import { internSchedule, type Schedule } from '../../schedule/schedule.ts';
import type { Growing } from '../check/unknown-fields.ts';
import { mergesMax } from '../limits.ts';

/** From `fromMs` on, and no longer at `untilMs`. */
export interface TimeSpan extends Growing {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Calendar {
  /** Once, from then until then; both 0 for never. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Cron or OnCalendar: when it begins. Empty for never. */
  readonly schedule: string;
  /** Canonical IANA name; in its clock the schedule is read. */
  readonly tz: string;
  /** How long it takes each time that the schedule says; 0 without a schedule. */
  readonly durationS: number;
  /** Ascending, without overlaps. */
  readonly dates: readonly TimeSpan[];
  /** Taken out of all the above: when somebody ended it before its time. Ascending. */
  readonly except: readonly TimeSpan[];
}

/** What is so from `sinceMs` on until before `beforeMs`. */
interface Answer {
  readonly span: TimeSpan | null;
  readonly sinceMs: number;
  readonly beforeMs: number;
}

/** The last answer of each: between two changes it costs some 50 ns, otherwise 1.5 µs, with 500 dates 25 µs. */
const remembered = new WeakMap<Calendar, Answer>();

/**
 * The time around `atMs` at which it is on without a break: what overlaps or adjoins is one. Null when it is not on. `untilMs` is
 * too early where more than `mergesMax` of them adjoin: asked again then, it says the rest.
 */
export function activeAt(calendar: Calendar, atMs: number): TimeSpan | null {
  const known = remembered.get(calendar);
  if (known && atMs >= known.sinceMs && atMs < known.beforeMs) return known.span;
  const answer = answerAt(calendar, atMs);
  remembered.set(calendar, answer);
  return answer.span;
}

/** The first time that begins after `atMs`; null for none, ever again. */
export function nextAfter(calendar: Calendar, atMs: number): TimeSpan | null {
  let inactiveMs = activeAt(calendar, atMs)?.untilMs ?? atMs;
  for (let tries = 0; tries < mergesMax; tries++) {
    const span = activeAt(calendar, inactiveMs);
    if (span) return span.fromMs > atMs ? span : null;
    const beginsMs = nextBeginning(calendar, inactiveMs);
    if (beginsMs === Number.POSITIVE_INFINITY) return null;
    inactiveMs = beginsMs;
  }
  return null;
}

/** Whether it will never be on again, and is not now. */
export function isOver(calendar: Calendar, atMs: number): boolean {
  return activeAt(calendar, atMs) === null && nextAfter(calendar, atMs) === null;
}

/** In order, and as one where they overlap or adjoin. */
export function mergedSpans(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const merged: TimeSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last && span.fromMs <= last.untilMs)
      merged[merged.length - 1] = { ...last, untilMs: Math.max(last.untilMs, span.untilMs) };
    else merged.push(span);
  }
  return merged;
}

function answerAt(calendar: Calendar, atMs: number): Answer {
  const cut = calendar.except.find((one) => holds(one, atMs));
  if (cut) return { span: null, sinceMs: cut.fromMs, beforeMs: cut.untilMs };
  const begun = begunAt(calendar, atMs);
  if (begun === null) return { span: null, sinceMs: atMs, beforeMs: nextBeginning(calendar, atMs) };
  const { whole, isWhole } = grown(calendar, begun);
  const span = withoutCuts(whole, calendar.except, atMs);
  // Of one that was too long to follow, an earlier moment may see an earlier beginning.
  return { span, sinceMs: isWhole ? span.fromMs : atMs, beforeMs: span.untilMs };
}

function holds({ fromMs, untilMs }: TimeSpan, atMs: number): boolean {
  return fromMs <= atMs && atMs < untilMs;
}

/** One of the times that hold `atMs`. */
function begunAt(calendar: Calendar, atMs: number): TimeSpan | null {
  const listed = listedSpans(calendar).find((span) => holds(span, atMs));
  if (listed) return listed;
  const schedule = scheduleOf(calendar);
  const durationMs = calendar.durationS * 1000;
  const fromMs = schedule?.next(atMs - durationMs) ?? null;
  return fromMs !== null && fromMs <= atMs ? { fromMs, untilMs: fromMs + durationMs } : null;
}

function listedSpans({ fromMs, untilMs, dates }: Calendar): readonly TimeSpan[] {
  return fromMs < untilMs ? [{ fromMs, untilMs }, ...dates] : dates;
}

function scheduleOf({ schedule, tz }: Calendar): Schedule | null {
  return schedule === '' ? null : internSchedule(schedule, tz);
}

/** With all that overlaps or adjoins it, and what adjoins that. */
function grown(calendar: Calendar, begun: TimeSpan): { readonly whole: TimeSpan; readonly isWhole: boolean } {
  let { fromMs, untilMs } = begun;
  for (let merges = 0; merges < mergesMax; merges++) {
    const before = untilMs - fromMs;
    for (const span of listedSpans(calendar)) {
      if (span.fromMs > untilMs || span.untilMs < fromMs) continue;
      fromMs = Math.min(fromMs, span.fromMs);
      untilMs = Math.max(untilMs, span.untilMs);
    }
    const scheduled = scheduledAround(calendar, { fromMs, untilMs });
    if (scheduled !== null) {
      fromMs = Math.min(fromMs, scheduled.fromMs);
      untilMs = Math.max(untilMs, scheduled.untilMs);
    }
    if (untilMs - fromMs === before) return { whole: { fromMs, untilMs }, isWhole: true };
  }
  return { whole: { fromMs, untilMs }, isWhole: false };
}

/** From the first of those that the schedule says to overlap or adjoin the span to the end of the last. */
function scheduledAround(calendar: Calendar, { fromMs, untilMs }: TimeSpan): TimeSpan | null {
  const schedule = scheduleOf(calendar);
  if (schedule === null) return null;
  const durationMs = calendar.durationS * 1000;
  const first = schedule.next(fromMs - durationMs - 1);
  if (first === null || first > untilMs) return null;
  return { fromMs: first, untilMs: latestUntil(schedule, first, untilMs) + durationMs };
}

/** The latest occurrence at or before `untilMs`, out of those from `first` on. A schedule only knows the next one. */
function latestUntil(schedule: Schedule, first: number, untilMs: number): number {
  let latest = first;
  let aboveMs = untilMs + 1;
  for (;;) {
    const following = schedule.next(latest);
    if (following === null || following > untilMs) return latest;
    latest = following;
    const middleMs = Math.floor((latest + aboveMs) / 2);
    const later = schedule.next(middleMs);
    if (later !== null && later <= untilMs) latest = later;
    else aboveMs = middleMs;
  }
}

/** When something may begin next, strictly after `atMs`; infinite for never. */
function nextBeginning(calendar: Calendar, atMs: number): number {
  const listed = listedSpans(calendar).map(({ fromMs }) => fromMs);
  const cuts = calendar.except.map(({ untilMs }) => untilMs);
  const scheduled = scheduleOf(calendar)?.next(atMs) ?? Number.POSITIVE_INFINITY;
  return Math.min(scheduled, ...[...listed, ...cuts].filter((ms) => ms > atMs));
}

/** What is left of it around `atMs`, which no cut holds. */
function withoutCuts(whole: TimeSpan, cuts: readonly TimeSpan[], atMs: number): TimeSpan {
  return {
    fromMs: Math.max(whole.fromMs, ...cuts.map(({ untilMs }) => untilMs).filter((ms) => ms <= atMs)),
    untilMs: Math.min(whole.untilMs, ...cuts.map(({ fromMs }) => fromMs).filter((ms) => ms > atMs)),
  };
}
