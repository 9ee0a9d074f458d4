/** How long a window is that is on once: the usual lengths, each of which says when it ends. Pure but for the reader's own zone. */
import { dateParts, instantOf } from '../core/time-style.ts';

/** Hours, or until the next morning. */
export type WindowLength = number | 'morning';

export const windowLengths = [1, 2, 4, 8, 'morning'] as const satisfies readonly WindowLength[];

const hourMs = 3_600_000;
const morningHour = 8;

/** Returns when a window of that length ends. */
export function endOf(length: WindowLength, fromMs: number): number {
  if (length !== 'morning') return fromMs + length * hourMs;
  const [year, month, day] = dateParts(fromMs);
  const todayMs = instantOf(year, month, day, morningHour);
  return fromMs < todayMs ? todayMs : instantOf(year, month, day + 1, morningHour);
}

/** Null for one that is not usual, or without a beginning. */
export function lengthOf(fromMs: number, untilMs: number): WindowLength | null {
  if (Number.isNaN(fromMs)) return null;
  return windowLengths.find((length) => endOf(length, fromMs) === untilMs) ?? null;
}
