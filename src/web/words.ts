/**
 * Times and spans in words. Pure but for the browser's own language and zone.
 */
import type { CheckKind, Status } from '../domain/check.ts';
import type { KeyScope } from '../domain/project.ts';
import { type ScheduleWords, wordsOfCalendar, wordsOfCron } from '../domain/schedule-words.ts';

export const statusWords: Readonly<Record<Status, string>> = {
  new: 'New',
  up: 'Up',
  grace: 'Late',
  down: 'Down',
  paused: 'Paused',
};

export const scopeWords: Readonly<Record<KeyScope, string>> = {
  'read-write': 'Read-write',
  'read-only': 'Read-only',
  ping: 'Ping',
};

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `1 hour 30 minutes`: the two largest units. */
export function spanWords(seconds: number): string {
  let left = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
    else if (parts.length > 0) break;
  }
  return parts.join(' ') || '0 seconds';
}

/** `every day`, `every 2 hours`. */
export function everyWords(seconds: number): string {
  return `every ${spanWords(seconds).replace(/^1 (\w+)$/, '$1')}`;
}

/** `5 min ago`, `in 2 h`: one unit, short. */
export function relativeWords(atMs: number, nowMs: number): string {
  const seconds = Math.round(Math.abs(atMs - nowMs) / 1000);
  if (seconds < 2) return 'just now';
  const short = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const [name, size] = short.find(([, length]) => seconds >= length) ?? ['s', 1];
  const text = `${Math.floor(seconds / size)} ${name}`;
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

/** `12 MB`: decimal units, two digits at least. */
export function sizeWords(bytes: number): string {
  const sizes = [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const;
  const [name, size] = sizes.find(([, one]) => bytes >= one) ?? ['bytes', 1];
  const count = bytes / size;
  return `${count < 10 && size > 1 ? count.toFixed(1) : Math.round(count)} ${name}`;
}

export function exactTime(atMs: number, timeZone?: string): string {
  return new Date(atMs).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone === undefined ? {} : { timeZone }),
  });
}

interface Expectation {
  readonly kind: CheckKind;
  readonly timeoutS: number;
  readonly schedule: string;
  readonly tz: string;
}

export function scheduleWords({ kind, timeoutS, schedule, tz }: Expectation): string {
  if (kind === 'simple') return everyWords(timeoutS);
  const { words, zone } = expressionWords(kind, schedule);
  return `${words || schedule.replaceAll('\n', ', ')} (${zone || tz})`;
}

export function expressionWords(kind: CheckKind, schedule: string): ScheduleWords {
  return kind === 'cron' ? wordsOfCron(schedule) : wordsOfCalendar(schedule);
}
