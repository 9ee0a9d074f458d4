/**
 * Schedules shared by every check that has the same expression and zone, each remembering its last answer.
 * It validates nothing: expressions come from checks that were accepted through parseSchedule.
 * Invariant: an interned schedule answers exactly as the parsed one does, in whatever order it is asked.
 */
import { schedulesPerGenerationMax } from './limits.ts';
import { parseSchedule, type Schedule } from './parse-schedule.ts';

/** A stored expression that was accepted once and is not valid now: a damaged store, or a bug. */
export class StoredScheduleError extends Error {
  readonly code = 'stored-schedule-invalid';
}

type Generation = Map<string, Map<string, Schedule>>;

let young: Generation = new Map();
let old: Generation = new Map();
let youngSize = 0;

/**
 * The one schedule of (expr, tz), parsed at its first use; next() costs about 10 ns between two occurrences.
 * Throws StoredScheduleError when the expression or the zone is not valid.
 */
export function internSchedule(expr: string, tz: string): Schedule {
  // Two maps rather than one joined key: joining and hashing a new string costs more than both look-ups.
  return young.get(tz)?.get(expr) ?? adopt(expr, tz);
}

function adopt(expr: string, tz: string): Schedule {
  const schedule = old.get(tz)?.get(expr) ?? parseStored(expr, tz);
  if (youngSize >= schedulesPerGenerationMax) {
    old = young;
    young = new Map();
    youngSize = 0;
  }
  let inZone = young.get(tz);
  if (inZone === undefined) {
    inZone = new Map();
    young.set(tz, inZone);
  }
  inZone.set(expr, schedule);
  youngSize += 1;
  return schedule;
}

function parseStored(expr: string, tz: string): Schedule {
  const parsed = parseSchedule(expr, tz);
  if (!parsed.ok) throw new StoredScheduleError(`stored schedule is not valid: ${parsed.error}`);
  return new RememberingSchedule(parsed.schedule);
}

/** next is a step function of its argument: for lo ≤ from < hi the answer is hi. */
class RememberingSchedule implements Schedule {
  readonly kind: Schedule['kind'];
  readonly expr: string;
  readonly tz: string;
  readonly #search: Schedule;
  #lo = Number.POSITIVE_INFINITY;
  #hi = Number.NEGATIVE_INFINITY;

  constructor(schedule: Schedule) {
    this.kind = schedule.kind;
    this.expr = schedule.expr;
    this.tz = schedule.tz;
    this.#search = schedule;
  }

  next(fromMs: number): number | null {
    if (fromMs < this.#lo || fromMs >= this.#hi) return this.#searchAndRemember(fromMs);
    return this.#hi === Number.POSITIVE_INFINITY ? null : this.#hi;
  }

  #searchAndRemember(fromMs: number): number | null {
    const next = this.#search.next(fromMs);
    // Cron's null speaks of 50 years only, OnCalendar's of all time to come.
    if (next === null && this.kind === 'cron') return null;
    this.#lo = fromMs;
    this.#hi = next ?? Number.POSITIVE_INFINITY;
    return next;
  }
}
