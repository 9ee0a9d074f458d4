/**
 * What daylight saving does to one occurrence of a schedule: whether the clock skips a reading of it before that, or shows its
 * reading twice. Not here: which occurrences follow from that (`occurrence`).
 * Invariant: pure; null unless the clock of the zone is set forward or back there.
 */
import { minute } from '../lib/units.ts';
import { dateOf } from './civil-time.ts';
import { parseCron } from './cron.ts';
import { skippedLookBackMs } from './limits.ts';
import { trimBlanks } from './notation.ts';
import { type ClockChangePolicy, offsetMaxMs } from './occurrence.ts';
import { calendarPolicy, parseCalendarLine } from './oncalendar.ts';
import type { Schedule } from './parse-schedule.ts';
import { nextWall, type WallPattern } from './wall-pattern.ts';
import { type ZoneClock, zoneClock } from './zone-clock.ts';

export interface ClockChange {
  /** `skipped`: the clock passes over a reading of the schedule before this occurrence. `repeated`: it shows this one twice. */
  readonly kind: 'skipped' | 'repeated';
  /** In one sentence. */
  readonly words: string;
}

/** One line of an expression on the clock that it goes by. */
interface Line {
  readonly pattern: WallPattern;
  readonly policy: ClockChangePolicy;
  readonly clock: ZoneClock;
}

/** Of the occurrence at `atMs`, when the one before it (or the beginning of the search) was at `fromMs`. */
export function clockChangeOf(schedule: Schedule, fromMs: number, atMs: number): ClockChange | null {
  for (const line of linesOf(schedule)) {
    const change = repeatedAt(line, atMs) ?? skippedBetween(line, fromMs, atMs);
    if (change !== null) return change;
  }
  return null;
}

function linesOf({ kind, expr, tz }: Schedule): readonly Line[] {
  if (kind === 'cron') return [{ ...parseCron(expr), clock: zoneClock(tz) }];
  return trimBlanks(expr)
    .split('\n')
    .map(parseCalendarLine)
    .map((line) => ({ pattern: line.pattern, policy: calendarPolicy, clock: zoneClock(line.tz ?? tz) }));
}

function repeatedAt({ pattern, policy, clock }: Line, atMs: number): ClockChange | null {
  const wall = atMs + clock.spanAt(atMs).offsetMs;
  if (nextIn(pattern, wall) !== wall) return null;
  const isFirst = showsAgain(clock, wall, atMs, atMs + offsetMaxMs);
  if (!isFirst && !showsAgain(clock, wall, atMs, atMs - offsetMaxMs)) return null;
  const twice = `The clock shows ${reading(wall)} twice that day, as it is set back`;
  if (policy.repeated === 'first') return { kind: 'repeated', words: `${twice}: the first time counts.` };
  return {
    kind: 'repeated',
    words: `${twice}: both times count, this is the ${isFirst ? 'first' : 'second'}.`,
  };
}

/** Whether the clock shows the reading by the offset that it has at `thereMs`, too. */
function showsAgain(clock: ZoneClock, wall: number, atMs: number, thereMs: number): boolean {
  const { offsetMs } = clock.spanAt(thereMs);
  return wall - offsetMs !== atMs && clock.spanAt(wall - offsetMs).offsetMs === offsetMs;
}

/** The latest reading that was skipped: what came of earlier ones is over. */
function skippedBetween({ pattern, policy, clock }: Line, fromMs: number, atMs: number): ClockChange | null {
  const sinceMs = Math.max(fromMs, atMs - skippedLookBackMs);
  let span = clock.spanAt(atMs);
  while (span.startMs > sinceMs) {
    const before = clock.spanAt(span.startMs - 1);
    const gapEnd = span.startMs + span.offsetMs;
    const skipped = nextIn(pattern, span.startMs + before.offsetMs);
    if (skipped !== null && skipped < gapEnd) {
      const forward = `The clock skips ${reading(skipped)} on ${dayOf(skipped)}, as it is set forward`;
      return policy.skipped === 'after-gap' && span.startMs === atMs
        ? { kind: 'skipped', words: `${forward}: this is expected at ${reading(gapEnd)} instead.` }
        : { kind: 'skipped', words: `${forward}: nothing is expected then, this is the next time.` };
    }
    span = before;
  }
  return null;
}

function nextIn(pattern: WallPattern, wall: number): number | null {
  return nextWall(pattern, wall, dateOf(wall).year + 1);
}

/** `02:30`, with seconds where there are some. */
function reading(wall: number): string {
  const text = new Date(wall).toISOString();
  return text.slice(11, wall % minute === 0 ? 16 : 19);
}

function dayOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
