/**
 * The filter, the search and the last day of a check's log, as the page's address has them: `?log=failed&find=refused&until=2026-03-01`.
 * Invariant: a log that shows all adds nothing to the address. What the rest of the page has there stays.
 */
import { logFilters } from '../../domain/views/log-view.ts';
import { dateParts, instantOf } from '../core/time-style.ts';
import type { LogQuery } from './use-log.ts';

export function logQueryOf(search: string): LogQuery {
  const query = new URLSearchParams(search);
  return {
    filter: logFilters.find((one) => one === query.get('log')) ?? 'all',
    text: query.get('find') ?? '',
    beforeMs: endOfDay(query.get('until') ?? ''),
  };
}

/** A time that is no end of a day was not chosen by anybody, and is left out. */
export function withLogQuery(search: string, { filter, text, beforeMs }: LogQuery): string {
  const query = new URLSearchParams(search);
  const day = beforeMs === null ? '' : dayOf(beforeMs);
  for (const [name, value] of [
    ['log', filter === 'all' ? '' : filter],
    ['find', text],
    ['until', endOfDay(day) === beforeMs ? day : ''],
  ] as const)
    if (value === '') query.delete(name);
    else query.set(name, value);
  return query.toString();
}

/** The end of a day as a field for dates has it; null where that is none. */
export function endOfDay(date: string): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  if (year === undefined || Number(year) < 1970) return null;
  const atMs = instantOf(Number(year), Number(month) - 1, Number(day) + 1);
  return Number.isNaN(atMs) ? null : atMs;
}

/** Returns the day as a field for dates has it: that of the last instant before. */
export function dayOf(beforeMs: number): string {
  const [year, month, day] = dateParts(beforeMs - 1);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month + 1)}-${two(day)}`;
}
