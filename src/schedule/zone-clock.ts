/**
 * The clock of a zone: UTC offsets by instant, as spans of constant offset, learnt from Intl.
 * It is no zone database: the rules are those of the ICU inside Node, so deadlines are recomputed at every start.
 * Invariant: the spans of a zone tile time without gaps, and inside one the offset never changes.
 */

import { day as dayMs } from '../lib/units.ts';
import { dateOf, isLeapYear, wallOf, weekdayOf } from './civil-time.ts';
import { zonePartsMax } from './limits.ts';
import { NotationError } from './notation.ts';
import { numbersFrom } from './number-set.ts';

/** startMs ≤ instant < endMs shows instant + offsetMs. Neighbouring spans may have the same offset. */
export interface OffsetSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMs: number;
}

/** Offsets of one zone. Answers are cached: about 30 ns when known, 2 to 20 µs for six days never asked about. */
export interface ZoneClock {
  /** The span that holds an instant (epoch ms, years 1970 to 9999 and the days around). */
  spanAt(instantMs: number): OffsetSpan;
}

// Two changes that cancel out must not hide between two probes: the closest such pair since 1970 is seven days
// apart but one hour (Recife in 2000, Gaza in several years to come).
const probeMs = 6 * dayMs;
// Every change since 1970 falls on a half minute or a minute (Monrovia's of 1972 on a half one).
const grainMs = 30_000;
// The last explicit table of the zone database (Morocco, Gaza: Ramadan) ends in 2087. From then on only yearly rules
// remain, which repeat with the length of the year and its first weekday, and change no clock around New Year.
const rulesFromMs = Date.UTC(2_088, 0);

/** The offset changes after the first instant, and has changed at the second. */
type Interval = readonly [number, number];

/** The instants phaseMs + n × stepMs. */
interface Grid {
  readonly stepMs: number;
  readonly phaseMs: number;
}

// The default zone, and the one validity is tried in: it needs no probing.
const allTime: OffsetSpan = {
  startMs: Number.NEGATIVE_INFINITY,
  endMs: Number.POSITIVE_INFINITY,
  offsetMs: 0,
};
const utcClock: ZoneClock = { spanAt: () => allTime };

const clocks = new Map<string, ZoneClock>();

/**
 * The clock of a listed zone, kept for good: the list bounds their number. Throws NotationError for a zone younger
 * than the zone data of this Node.
 */
export function zoneClock(tz: string): ZoneClock {
  let clock = clocks.get(tz);
  if (clock === undefined) {
    clock = tz === 'UTC' ? utcClock : new CachedZoneClock(tz);
    clocks.set(tz, clock);
  }
  return clock;
}

/** Has ICU load its data, which the first zone of a process pays with 15 to 50 ms: for a start, before a client waits. */
export function loadZoneData(): void {
  offsetReader('Europe/London')(0);
}

class CachedZoneClock implements ZoneClock {
  readonly #offsetAt: (instantMs: number) => number;
  readonly #parts = new Map<number, readonly OffsetSpan[]>();
  #timeOfChangeMs = 0;
  #recent: OffsetSpan = { startMs: 0, endMs: 0, offsetMs: 0 };

  constructor(tz: string) {
    this.#offsetAt = offsetReader(tz);
  }

  spanAt(instantMs: number): OffsetSpan {
    const recent = this.#recent;
    if (instantMs >= recent.startMs && instantMs < recent.endMs) return recent;
    const span = this.#find(instantMs);
    this.#recent = span;
    return span;
  }

  #find(instantMs: number): OffsetSpan {
    if (instantMs < rulesFromMs) return spanHolding(this.#partAt(instantMs), instantMs);
    const { year } = dateOf(instantMs);
    const shiftMs = wallOf(year, 1, 1) - wallOf(modelYear(year), 1, 1);
    const span = spanHolding(this.#partAt(instantMs - shiftMs), instantMs - shiftMs);
    return { startMs: span.startMs + shiftMs, endMs: span.endMs + shiftMs, offsetMs: span.offsetMs };
  }

  /** The spans of the six days around an instant. */
  #partAt(instantMs: number): readonly OffsetSpan[] {
    const index = Math.floor(instantMs / probeMs);
    const known = this.#parts.get(index);
    if (known !== undefined) return known;
    const part = this.#probe(index * probeMs, (index + 1) * probeMs);
    if (this.#parts.size >= zonePartsMax) this.#parts.clear();
    this.#parts.set(index, part);
    return part;
  }

  #probe(startMs: number, endMs: number): readonly OffsetSpan[] {
    const before = this.#offsetAt(startMs);
    const after = this.#offsetAt(endMs);
    if (before === after) return [{ startMs, endMs, offsetMs: before }];
    const changeMs = this.#changeBetween(startMs, endMs, before);
    const first = { startMs, endMs: changeMs, offsetMs: before };
    return changeMs === endMs ? [first] : [first, { startMs: changeMs, endMs, offsetMs: after }];
  }

  /** The instant in (startMs, endMs] from which the offset is no longer `before`. */
  #changeBetween(startMs: number, endMs: number, before: number): number {
    // Most zones change at one time of day: trying that of the last change first saves ten probes of fifteen.
    const [low, high] = this.#bisect([startMs, endMs], before, {
      stepMs: dayMs,
      phaseMs: this.#timeOfChangeMs,
    });
    if (this.#offsetAt(high - grainMs) === before) return high;
    const [, changeMs] = this.#bisect([low, high], before, { stepMs: grainMs, phaseMs: 0 });
    this.#timeOfChangeMs = changeMs % dayMs;
    return changeMs;
  }

  /** Narrows an interval around the change until no point of the grid lies within. */
  #bisect([low, high]: Interval, before: number, grid: Grid): Interval {
    const { stepMs, phaseMs } = grid;
    const firstPoint = Math.floor((low - phaseMs) / stepMs) + 1;
    const lastPoint = Math.ceil((high - phaseMs) / stepMs) - 1;
    let unchanged = firstPoint - 1;
    let changed = lastPoint + 1;
    while (changed - unchanged > 1) {
      const middle = Math.floor((unchanged + changed) / 2);
      if (this.#offsetAt(middle * stepMs + phaseMs) === before) unchanged = middle;
      else changed = middle;
    }
    return [
      unchanged < firstPoint ? low : unchanged * stepMs + phaseMs,
      changed > lastPoint ? high : changed * stepMs + phaseMs,
    ];
  }
}

function spanHolding(part: readonly OffsetSpan[], instantMs: number): OffsetSpan {
  for (const span of part) if (instantMs < span.endMs) return span;
  throw new RangeError(`no span of the zone's clock holds ${instantMs}`);
}

// One year for each length and first weekday; 28 years without a skipped leap day hold all fourteen.
const modelYears: ReadonlyMap<number, number> = new Map(
  numbersFrom(2_101, 2_128).map((year) => [yearShape(year), year]),
);

/** A year to which the yearly rules give the same changes. */
function modelYear(year: number): number {
  return modelYears.get(yearShape(year)) ?? year;
}

function yearShape(year: number): number {
  return weekdayOf(year, 1, 1) + (isLeapYear(year) ? 7 : 0);
}

function offsetReader(tz: string): (instantMs: number) => number {
  const format = readingFormat(tz);
  return (instantMs) => wallOfReading(format.format(instantMs)) - instantMs;
}

function readingFormat(tz: string): Intl.DateTimeFormat {
  // Fixed width up to year 9999, which lets the reading be cut by position: parsing by parts costs three times more.
  const options: Intl.DateTimeFormatOptions = {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  };
  try {
    return new Intl.DateTimeFormat('en-US', options);
  } catch (error) {
    if (error instanceof RangeError) throw new NotationError(`the zone data of this Node has no "${tz}"`);
    throw error;
  }
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
