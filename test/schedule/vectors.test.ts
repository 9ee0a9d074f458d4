/**
 * The schedule vectors: what is accepted, and when it next occurs, in a dozen zones around the changes of the clock.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectKind, internSchedule, parseSchedule, type Schedule } from '../../src/schedule/schedule.ts';

interface Case {
  readonly cls: string;
  readonly expr: string;
  readonly tz?: string;
  readonly from?: number;
  readonly next?: readonly number[];
  readonly end?: boolean;
  readonly invalid?: boolean;
}

interface VectorFile {
  readonly cases: readonly Case[];
  readonly quirks?: readonly Case[];
}

function load(name: string): VectorFile {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as VectorFile;
}

function occurrences(schedule: Schedule, from: number, count: number): (number | null)[] {
  const found: (number | null)[] = [];
  let at: number | null = from;
  while (at !== null && found.length < count) {
    at = schedule.next(at);
    found.push(at);
  }
  return found;
}

function check(vector: Case, kind: string): void {
  const { expr, tz = 'UTC', from = 0, next = [], end = false } = vector;
  const parsed = parseSchedule(expr, tz);
  if (vector.invalid) {
    expect(parsed.ok).toBe(false);
    return;
  }
  expect(detectKind(expr)).toBe(kind);
  if (!parsed.ok) throw new Error(parsed.error);
  const expected = end ? [...next, null] : [...next];
  expect(occurrences(parsed.schedule, from, expected.length)).toEqual(expected);
  expect(occurrences(internSchedule(expr, tz), from, expected.length)).toEqual(expected);
}

for (const kind of ['cron', 'oncalendar']) {
  const file = load(kind);
  describe(`${kind} vectors`, () => {
    const cases = [...file.cases, ...(file.quirks ?? [])];
    it.each(cases.map((vector) => [vector.cls, vector.expr, vector.tz ?? 'refused', vector] as const))(
      'keeps the %s vector %j in %s',
      (_cls, _expr, _tz, vector) => check(vector, kind),
    );
  });
}
