/**
 * The schedules of all checks, each once, by a number that fits into a check's row. Counted, so that one that no check has
 * any more is forgotten.
 * Invariant: number 0 is no schedule; a number stays the same schedule's as long as a check has it.
 */
import { occurrenceAfter } from '../../domain/check/deadline.ts';
import { assert } from '../../lib/errors.ts';

interface Timing {
  readonly schedule: string;
  readonly tz: string;
  checks: number;
}

export const noTiming = 0;

export class Timings {
  readonly #byNumber: (Timing | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];

  /** Takes the timing for one more check. */
  acquire(schedule: string, tz: string): number {
    const key = keyOf(schedule, tz);
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      this.#at(known).checks++;
      return known;
    }
    const number = this.#free.pop() ?? this.#byNumber.length;
    this.#byNumber[number] = { schedule, tz, checks: 1 };
    this.#numbers.set(key, number);
    return number;
  }

  /** Gives the timing back for one check less. */
  release(number: number): void {
    if (number === noTiming) return;
    const timing = this.#at(number);
    timing.checks--;
    if (timing.checks > 0) return;
    this.#numbers.delete(keyOf(timing.schedule, timing.tz));
    this.#byNumber[number] = undefined;
    this.#free.push(number);
  }

  /** The first occurrence after `fromMs`; NEVER for none. */
  after(number: number, fromMs: number): number {
    const { schedule, tz } = this.#at(number);
    return occurrenceAfter(schedule, tz, fromMs);
  }

  #at(number: number): Timing {
    const timing = this.#byNumber[number];
    assert(timing !== undefined, 'a check has the schedule that its row names');
    return timing;
  }
}

/** No time zone has a line break in its name. */
function keyOf(schedule: string, tz: string): string {
  return `${tz}\n${schedule}`;
}
