/**
 * From local readings to instants: the next occurrence of a pattern on the clock of a zone.
 * It does not search fields (wall-pattern.ts) nor know offsets (zone-clock.ts); it decides what becomes of readings
 * that the clock skips or shows twice.
 * Invariant: the answer lies strictly after `fromMs`.
 */
import { hour as hourMs } from '../lib/units.ts';
import { nextWall, type WallPattern } from './wall-pattern.ts';
import type { OffsetSpan, ZoneClock } from './zone-clock.ts';

/** Treatment of readings that the clock skips or shows twice. */
export interface ClockChangePolicy {
  /** 'after-gap': a skipped reading occurs at the first instant after the gap; 'never': it is dropped. */
  readonly skipped: 'after-gap' | 'never';
  /** 'first': a repeated reading occurs in the first pass only; 'both': in either. */
  readonly repeated: 'first' | 'both';
}

// No zone is further than this from UTC (Kiritimati +14), and no clock was ever set back by more.
export const offsetMaxMs = 15 * hourMs;

export class OccurrenceSearch {
  readonly #pattern: WallPattern;
  readonly #clock: ZoneClock;
  readonly #policy: ClockChangePolicy;

  constructor(pattern: WallPattern, clock: ZoneClock, policy: ClockChangePolicy) {
    this.#pattern = pattern;
    this.#clock = clock;
    this.#policy = policy;
  }

  /** The first occurrence strictly after fromMs (epoch ms) whose local year is at most yearLast, or null. */
  next(fromMs: number, yearLast: number): number | null {
    const first = this.#nextInFirstPass(fromMs, yearLast);
    if (this.#policy.repeated === 'first') return first;
    const again = this.#nextInSecondPass(fromMs, yearLast);
    if (again === null || first === null) return again ?? first;
    return Math.min(again, first);
  }

  #nextInFirstPass(fromMs: number, yearLast: number): number | null {
    let searchFrom = this.#unseenReading(fromMs);
    for (;;) {
      const wall = nextWall(this.#pattern, searchFrom, yearLast);
      if (wall === null) return null;
      const span = this.#spanShowing(wall);
      const instant = wall - span.offsetMs;
      if (instant >= span.startMs) return instant;
      if (this.#policy.skipped === 'after-gap') return span.startMs;
      // The whole gap is passed at once: a second-by-second schedule has 3,600 readings in it.
      searchFrom = span.startMs + span.offsetMs;
    }
  }

  /** The least reading that the clock has not shown at or before fromMs. */
  #unseenReading(fromMs: number): number {
    let span = this.#clock.spanAt(fromMs);
    let unseen = fromMs + span.offsetMs + 1;
    while (fromMs - span.startMs < offsetMaxMs) {
      const before = this.#clock.spanAt(span.startMs - 1);
      unseen = Math.max(unseen, span.startMs + before.offsetMs);
      span = before;
    }
    return unseen;
  }

  /** The first span that shows a reading, or, when it is skipped, the span after the gap. */
  #spanShowing(wall: number): OffsetSpan {
    let span = this.#clock.spanAt(wall - offsetMaxMs);
    while (wall - span.offsetMs >= span.endMs) span = this.#clock.spanAt(span.endMs);
    return span;
  }

  /**
   * The first match after fromMs that the clock shows for the second time. Only changes near fromMs are looked at:
   * the first pass of any other comes after fromMs too, and before its second.
   */
  #nextInSecondPass(fromMs: number, yearLast: number): number | null {
    let span = this.#clock.spanAt(fromMs - offsetMaxMs);
    while (span.endMs <= fromMs + offsetMaxMs) {
      const after = this.#clock.spanAt(span.endMs);
      const found = this.#matchRepeated(span, after, fromMs, yearLast);
      if (found !== null) return found;
      span = after;
    }
    return null;
  }

  #matchRepeated(before: OffsetSpan, after: OffsetSpan, fromMs: number, yearLast: number): number | null {
    const repeatedUntil = after.startMs + before.offsetMs;
    const searchFrom = Math.max(fromMs + 1, after.startMs) + after.offsetMs;
    if (searchFrom >= repeatedUntil) return null;
    const wall = nextWall(this.#pattern, searchFrom, yearLast);
    return wall === null || wall >= repeatedUntil ? null : wall - after.offsetMs;
  }
}
