/**
 * The axes of a chart: times at whole hours or days of the reader's zone, durations and counts in round steps. It is pure but
 * for that zone.
 */

import { formatted, instantOf, wallTime, zoneOption } from '../core/time-style.ts';
import { timeWords } from '../core/words.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export interface Tick {
  readonly atMs: number;
  readonly words: string;
}

export interface TimeTick extends Tick {
  /** Where its words are: those of a day in the middle of what is shown of it, as what is beside a midnight belongs to two. */
  readonly wordsAtMs: number;
}

/** Steps between two times, in hours. */
const timeSteps = [1, 2, 3, 4, 6, 12, 24, 48, 72, 120, 168, 240, 336, 720];

/** CSS pixels of a plot below which half as many times fit. */
const narrowPx = 420;

/** Returns how many times fit below a plot of that width, in CSS pixels. */
export function ticksWithin(width: number): number {
  return width < narrowPx ? 4 : 7;
}

/** Steps between two times of a few hours, in minutes. */
const minuteSteps = [1, 2, 5, 10, 15, 30];

/** Returns the whole minutes of a short time, in even steps; the ends of one that has fewer than two of them. */
function shortTicks(fromMs: number, untilMs: number, stepMs: number): readonly TimeTick[] {
  const even: TimeTick[] = [];
  for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs <= untilMs; atMs += stepMs)
    even.push({ atMs, words: timeWords(atMs), wordsAtMs: atMs });
  if (even.length >= 2) return even;
  const ends = untilMs - fromMs > minute ? [fromMs, untilMs] : [fromMs];
  return ends.map((atMs) => ({ atMs, words: timeWords(atMs), wordsAtMs: atMs }));
}

/**
 * Returns at most `most` ticks, each at a whole hour, or at a midnight where they are a day apart or more. A time of a few hours has them
 * at whole minutes.
 */
export function timeTicks(fromMs: number, untilMs: number, most = 7): readonly TimeTick[] {
  const minutes = minuteSteps.find((step) => (untilMs - fromMs) / (step * minute) <= most - 1);
  if (minutes !== undefined) return shortTicks(fromMs, untilMs, minutes * minute);
  const hours = timeSteps.find((step) => (untilMs - fromMs) / (step * hour) <= most - 1) ?? 720;
  const ticks: TimeTick[] = [];
  const [year, month, day, hourNow] = wallTime(untilMs - 1);
  // It counts back from the newest, so that the last tick is today, or this hour.
  for (let n = 0; ; n++) {
    const atMs =
      hours < 24
        ? instantOf(year, month, day, Math.floor(hourNow / hours) * hours - n * hours)
        : instantOf(year, month, day - (n * hours) / 24);
    if (atMs < fromMs) break;
    if (hours < 24) ticks.unshift({ atMs, words: clockWords(atMs), wordsAtMs: atMs });
    else
      ticks.unshift({
        atMs,
        words: dateWords(atMs),
        wordsAtMs: atMs + Math.min(12 * hour, (untilMs - atMs) / 2),
      });
  }
  return ticks;
}

function clockWords(atMs: number): string {
  const [, , , hours] = wallTime(atMs);
  return hours === 0 ? dateWords(atMs) : timeWords(atMs);
}

function dateWords(atMs: number): string {
  return formatted(atMs, { day: 'numeric', month: 'short', ...zoneOption() });
}

const roundSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 5, 10].map((count) => count * day),
];

/** Returns round steps from 0 to above `maxMs`, five at most. */
export function durationTicks(maxMs: number): readonly number[] {
  const step = roundSteps.find((one) => Math.ceil(maxMs / one) <= 4) ?? 10 * day;
  return Array.from({ length: Math.max(1, Math.ceil(maxMs / step)) + 1 }, (_, at) => at * step);
}

/** Returns round steps of whole numbers, from 0 to above `max`. */
export function countTicks(max: number): readonly number[] {
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, max))) - 1);
  const step = [1, 2, 5, 10, 20, 25, 50].map((one) => one * scale).find((one) => Math.ceil(max / one) <= 4);
  const whole = step ?? 100 * scale;
  return Array.from({ length: Math.max(1, Math.ceil(max / whole)) + 1 }, (_, at) => at * whole);
}

/** Part of the highest value that is free above it: at the upper edge it would look cut off. */
const headroom = 0.08;

/** Returns the upper end of an axis with these levels: the last one, or a little above the highest value. */
export function axisTop(levels: readonly number[], max: number): number {
  return Math.max(levels.at(-1) ?? 1, max * (1 + headroom));
}
