/**
 * Durations in words: the same on the page, in mails and messages, on status pages and in commands.
 * Invariant: pure. Two units at most, the larger first, and no second one that is 0.
 */
import { day, hour, minute, second } from '../../lib/units.ts';
import { lesserUnitsMax } from '../limits.ts';

const units = [
  ['day', 'd', day],
  ['hour', 'h', hour],
  ['minute', 'min', minute],
  ['second', 's', second],
] as const;

/** Splits a duration into its two largest units; below zero counts as zero. */
function largestUnits(
  ms: number,
): readonly { readonly count: number; readonly unit: (typeof units)[number] }[] {
  const whole = Math.max(0, Math.round(ms / second)) * second;
  const first = units.findIndex(([, , size]) => whole >= size);
  const [unit, lesser] = [units[first], units[first + 1]];
  if (!unit) return [];
  const rest = lesser ? Math.floor((whole % unit[2]) / lesser[2]) : 0;
  const largest = { count: Math.floor(whole / unit[2]), unit };
  return lesser && rest > 0 ? [largest, { count: rest, unit: lesser }] : [largest];
}

/** `1 day 2 hours`. */
export function longSpan(ms: number): string {
  const parts = largestUnits(ms).map(
    ({ count, unit: [name] }) => `${count} ${name}${count === 1 ? '' : 's'}`,
  );
  return parts.join(' ') || '0 seconds';
}

/** `3 h 9 min`, `210 ms`. */
export function shortSpan(ms: number): string {
  if (ms > 0 && ms < second) return `${Math.round(ms)} ms`;
  return (
    largestUnits(ms)
      .map(({ count, unit: [, name] }) => `${count} ${name}`)
      .join(' ') || '0 s'
  );
}

/** Writes like `shortSpan`, but `4.4 s`. */
export function exactSpan(ms: number): string {
  if (ms < second || ms >= 10 * second) return shortSpan(ms);
  return `${(ms / second).toFixed(1).replace(/\.0$/, '')} s`;
}

/** How long something was down, in whole seconds: what was down at all was down for one. */
export function outageSpan(ms: number): string {
  return exactSpan((ms > 0 ? Math.max(1, Math.round(ms / second)) : 0) * second);
}

/** Below these a span is written in tenths of a second, in seconds and in minutes. */
const steps = [
  [10 * second, second / 10],
  [10 * minute, second],
  [Number.POSITIVE_INFINITY, minute],
] as const;

/**
 * `31 to 37 min`, `58 min to 1 h 3 min`, `up to 6 s`: rounded inward, so that what is outside of the range is outside of its words,
 * but for a range that is smaller than that.
 */
export function spanRange(fromMs: number, toMs: number): string {
  const stepMs = steps.find(([below]) => fromMs < below)?.[1] ?? second;
  const least = Math.ceil(fromMs / stepMs) * stepMs;
  const most = Math.floor(toMs / stepMs) * stepMs;
  const [from, to] = (least < most ? [least, most] : [fromMs, toMs]).map(exactSpan);
  if (fromMs <= 0) return `up to ${to}`;
  const [count, unit, ...rest] = from?.split(' ') ?? [];
  const isOneUnit = rest.length === 0 && to === `${to?.split(' ')[0]} ${unit}`;
  return from === to ? String(to) : `${isOneUnit ? count : from} to ${to}`;
}

/** `3 h`: one unit, for what goes on while one looks. */
export function roughSpan(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / second)) * second;
  const [, name, size] = units.find(([, , length]) => whole >= length) ?? units[3];
  return `${Math.floor(whole / size)} ${name}`;
}

/** Days below this are written with their hours. */
const wholeDays = 10;

/** `3 d 21 h`, `12 d`, `5 h`: how long something is down. Of two outages that began half a day apart, one unit says the same or a day between them. */
export function spanDown(ms: number): string {
  const hours = Math.floor(ms / hour) * hour;
  return ms >= day && ms < wholeDays * day ? shortSpan(hours) : roughSpan(ms);
}

/** Hours below this are written with their minutes. */
const wholeHours = 10;

/** `1 h 50 min`, `14 h`, `3 d`: for what is to come. Half of what is left must not be missing. */
export function spanAhead(ms: number): string {
  if (ms < hour) return roughSpan(ms);
  if (ms < wholeHours * hour) return shortSpan(Math.floor(ms / minute) * minute);
  const hours = Math.round(ms / hour);
  return hours <= 24 ? `${hours} h` : roughSpan(ms);
}

/** `every day`, `every 2 hours`, and where one unit is not enough the lesser one: `every 25 hours`, `every 90 minutes`. */
export function everySpan(ms: number): string {
  const [, lesser] = largestUnits(ms);
  if (lesser && ms % lesser.unit[2] === 0 && ms / lesser.unit[2] <= lesserUnitsMax)
    return `every ${ms / lesser.unit[2]} ${lesser.unit[0]}s`;
  return `every ${longSpan(ms).replace(/^1 (?=\w+$)/, '')}`;
}
