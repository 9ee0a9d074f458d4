// What the clock of a zone shows: UTC offsets by instant, as spans of constant offset, learnt from Intl.
// It is no zone database: the rules are those of the ICU inside Node, so deadlines are recomputed at every start.
// Invariant: the spans of a zone tile time without gaps, and inside one the offset never changes.

import { DAY_MS, isLeapYear, weekdayOf, yearOf } from './civil-time.ts';

/** startMs ≤ instant < endMs shows instant + offsetMs. Neighbouring spans may have the same offset. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMs: number;
}

/** Offsets of one zone. Answers are cached: about 30 ns when known, 2 to 20 µs for six days never asked about. */
export interface ZoneClock {
  /** The span that holds an instant (epoch ms, years 1 to 275,000). */
  spanAt(instantMs: number): Span;
}

// Two changes that cancel out must not hide between two probes: the closest such pair since 1970 is seven days
// apart but one hour (Recife in 2000, Gaza in several years to come).
const PROBE_MS = 6 * DAY_MS;
// Every change since 1970 falls on a half minute or a minute (Monrovia's of 1972 on a half one).
const GRAIN_MS = 30_000;
// The last explicit table of the zone database (Morocco, Gaza: Ramadan) ends in 2087. From then on only yearly rules
// remain, which repeat with the length of the year and its first weekday.
const RULES_FROM_YEAR = 2_088;
// 67 years of six-day parts, about 250 kB a zone: a client that asks for far years must not fill the memory.
const PARTS_MAX = 4_096;

const clocks = new Map<string, ZoneClock>();

/** The clock of a zone Intl knows; kept for good, the callers' names come from the list in time-zones.ts. */
export function zoneClock(tz: string): ZoneClock {
  let clock = clocks.get(tz);
  if (clock === undefined) {
    clock = new CachedZoneClock(tz);
    clocks.set(tz, clock);
  }
  return clock;
}

class CachedZoneClock implements ZoneClock {
  readonly #offsetAt: (instantMs: number) => number;
  readonly #parts = new Map<number, readonly Span[]>();
  #recent: Span = { startMs: 0, endMs: 0, offsetMs: 0 };

  constructor(tz: string) {
    this.#offsetAt = offsetReader(tz);
  }

  spanAt(instantMs: number): Span {
    const recent = this.#recent;
    if (instantMs >= recent.startMs && instantMs < recent.endMs) return recent;
    const span = this.#find(instantMs);
    this.#recent = span;
    return span;
  }

  #find(instantMs: number): Span {
    const year = yearOf(instantMs);
    if (year < RULES_FROM_YEAR) return spanHolding(this.#partAt(instantMs, year), instantMs);
    const model = modelYear(year);
    const shiftMs = Date.UTC(year, 0) - Date.UTC(model, 0);
    const span = spanHolding(this.#partAt(instantMs - shiftMs, model), instantMs - shiftMs);
    return { startMs: span.startMs + shiftMs, endMs: span.endMs + shiftMs, offsetMs: span.offsetMs };
  }

  /** The spans of the six days around an instant; parts begin anew each year, so that years can stand for others. */
  #partAt(instantMs: number, year: number): readonly Span[] {
    const yearStartMs = Date.UTC(year, 0);
    const index = Math.floor((instantMs - yearStartMs) / PROBE_MS);
    const key = year * 64 + index;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const startMs = yearStartMs + index * PROBE_MS;
    const part = this.#probe(startMs, Math.min(startMs + PROBE_MS, Date.UTC(year + 1, 0)));
    if (this.#parts.size >= PARTS_MAX) this.#parts.clear();
    this.#parts.set(key, part);
    return part;
  }

  #probe(startMs: number, endMs: number): readonly Span[] {
    const before = this.#offsetAt(startMs);
    const after = this.#offsetAt(endMs);
    if (before === after) return [{ startMs, endMs, offsetMs: before }];
    let low = startMs;
    let high = endMs;
    while (high - low > GRAIN_MS) {
      const middle = low + Math.floor((high - low) / GRAIN_MS / 2) * GRAIN_MS;
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    const first = { startMs, endMs: high, offsetMs: before };
    return high === endMs ? [first] : [first, { startMs: high, endMs, offsetMs: after }];
  }
}

function spanHolding(part: readonly Span[], instantMs: number): Span {
  for (const span of part) if (instantMs < span.endMs) return span;
  throw new RangeError(`no span of the zone's clock holds ${instantMs}`);
}

/** A year of 2101 to 2128 with the same length and first weekday: of such years the yearly rules make the same. */
function modelYear(year: number): number {
  const firstWeekday = weekdayOf(year, 1, 1);
  // 28 years without a skipped leap day hold each of the fourteen kinds of year.
  let model = 2_101;
  while (isLeapYear(model) !== isLeapYear(year) || weekdayOf(model, 1, 1) !== firstWeekday) model += 1;
  return model;
}

function offsetReader(tz: string): (instantMs: number) => number {
  // Fixed width up to year 9999, which lets the reading be cut by position: parsing by parts costs three times more.
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return (instantMs) => wallOfReading(format.format(instantMs)) - instantMs;
}

/** Reads "MM/DD/YYYY, HH:MM:SS". */
function wallOfReading(text: string): number {
  const comma = text.indexOf(',');
  const part = (from: number, to: number): number => Number(text.slice(from, to));
  return Date.UTC(
    part(6, comma),
    part(0, 2) - 1,
    part(3, 5),
    part(comma + 2, comma + 4),
    part(comma + 5, comma + 7),
    part(comma + 8, comma + 10),
  );
}
