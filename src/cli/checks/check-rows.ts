/**
 * Shows a check as a row of a table: its status, its last ping, its next deadline.
 * Invariant: pure; the order of rows follows from the checks, not from the server.
 */

import type { FoundCheck } from '../../client/find-check.ts';
import { exactSpan, shortSpan } from '../../domain/words/span-words.ts';
import { second } from '../../lib/units.ts';
import type { Colour, Column } from '../io/table.ts';

/** Words for a status that differ from those of the API; the page has the same. */
const statusWords: Readonly<Record<string, string>> = { grace: 'late' };
const statusOrder: readonly string[] = ['down', 'grace', 'new', 'up', 'paused'];
const statusColours: Readonly<Record<string, Colour>> = {
  down: 'red',
  grace: 'yellow',
  up: 'green',
  new: 'grey',
  paused: 'grey',
};

export function statusWord(status: string): string {
  return statusWords[status] ?? status;
}

export function statusColour(status: string): Colour | undefined {
  return statusColours[status];
}

/** Sorts checks that are down first, then those that are late; within a status by name. */
export function byUrgency(rows: readonly FoundCheck[]): readonly FoundCheck[] {
  return [...rows].sort(
    (a, b) => rank(a) - rank(b) || compare(nameOf(a), nameOf(b)) || compare(a.check.uuid, b.check.uuid),
  );
}

export function byName(rows: readonly FoundCheck[]): readonly FoundCheck[] {
  return [...rows].sort(
    (a, b) =>
      compare(a.project.name, b.project.name) ||
      compare(nameOf(a), nameOf(b)) ||
      compare(a.check.uuid, b.check.uuid),
  );
}

function rank({ check }: FoundCheck): number {
  return statusOrder.indexOf(check.status);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function nameOf({ check }: Pick<FoundCheck, 'check'>): string {
  return check.name || check.slug || check.uuid;
}

/** The counts in the form `2 down, 1 late, 9 up`; empty for no checks. */
export function countsText(rows: readonly FoundCheck[]): string {
  return statusOrder
    .map((status) => ({ status, count: rows.filter(({ check }) => check.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${statusWord(status)}`)
    .join(', ');
}

interface ColumnOptions {
  readonly nowMs: number;
  readonly wide: boolean;
  /** Whether there are checks of several projects. */
  readonly projects: boolean;
}

export function checkColumns({ nowMs, wide, projects }: ColumnOptions): readonly Column<FoundCheck>[] {
  const columns: Column<FoundCheck>[] = [
    { title: 'NAME', cell: nameOf, shrinks: true },
    {
      title: 'STATUS',
      cell: ({ check: { status } }) => {
        const colour = statusColour(status);
        return { text: statusWord(status), ...(colour ? { colour } : {}) };
      },
    },
    { title: 'LAST PING', cell: ({ check }) => agoText(check.last_ping, nowMs) },
    { title: 'NEXT', cell: (row) => nextText(row, nowMs) },
  ];
  if (projects) columns.push({ title: 'PROJECT', cell: ({ project }) => project.name, shrinks: true });
  if (wide) {
    columns.push(
      { title: 'SLUG', cell: ({ check }) => check.slug, shrinks: true },
      { title: 'SCHEDULE', cell: ({ check }) => scheduleText(check), shrinks: true },
      { title: 'GRACE', cell: ({ check }) => spanText(check.grace) },
      { title: 'PINGS', cell: ({ check }) => String(check.n_pings) },
      { title: 'TAGS', cell: ({ check }) => check.tags, shrinks: true },
      { title: 'UUID', cell: ({ check }) => check.uuid },
    );
  }
  return columns;
}

export function scheduleText({ schedule, tz, timeout }: FoundCheck['check']): string {
  if (schedule !== undefined) return `${schedule.replaceAll('\n', '; ')}${tz === 'UTC' ? '' : ` ${tz}`}`;
  return timeout === undefined ? '' : `every ${spanText(timeout)}`;
}

function nextText({ check: { status, started, next_ping } }: FoundCheck, nowMs: number): string {
  if (started) return 'running';
  if (next_ping === null) return '';
  const atMs = Date.parse(next_ping);
  if (atMs > nowMs) return `in ${spanText((atMs - nowMs) / 1000)}`;
  return status === 'grace' ? `${spanText((nowMs - atMs) / 1000)} overdue` : 'now';
}

export function agoText(iso: string | null, nowMs: number): string {
  if (iso === null) return 'never';
  return `${spanText(Math.round((nowMs - Date.parse(iso)) / second))} ago`;
}

/** The length of time in the form `1 h 30 min`. */
export function spanText(seconds: number): string {
  return shortSpan(seconds * second);
}

/** How long a run took, as the page says it: `149 ms`, `1.4 s`, `2 min 14 s`. The API has less of it, rounded, in `seconds`. */
export function tookText(ms: number | null, seconds: number): string {
  return exactSpan(ms ?? Math.round(seconds * second));
}

/** Of the API's whole seconds, which are cut; empty for none. */
export function lastDurationText(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return seconds === 0 ? 'less than 1 s' : spanText(seconds);
}
