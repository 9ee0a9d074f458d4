// `knell schedule` prints when an expression next occurs, for people, for scripts, or line by line for programs.
// `args` adds it to the command line. It needs no server: the rules are those that the server uses.
// Invariant: stdout has only results; errors go to stderr, except in the line-by-line mode.

import { beginsWithDate } from '../../lib/calendar-date.ts';
import { canonicalTimeZone, parseSchedule, type Schedule, zonedTime } from '../../schedule/schedule.ts';
import { occurrencesMax } from '../io/limits.ts';
import { exitDone, exitFailed, exitUsage } from '../io/terminal.ts';
import { answerLines } from './schedule-lines.ts';
import { FROM_MAX_MS, FROM_MIN_MS, occurrencesOf, type ScheduleIo } from './schedule-query.ts';
import { relativeTime, utcTime } from './schedule-times.ts';

/** The arguments as they were typed. If expr is `-`, questions are read from stdin (`schedule-lines`). */
export interface ScheduleArguments {
  readonly expr: string;
  readonly tz?: string | undefined;
  readonly from?: string | undefined;
  readonly n?: string | undefined;
  readonly json?: boolean | undefined;
}

const OCCURRENCES_DEFAULT = 5;

/** Runs the command. Resolves to the exit status: 0 answered, 1 the expression is not valid, 2 wrong arguments. */
export async function runSchedule(args: ScheduleArguments, io: ScheduleIo): Promise<number> {
  if (args.expr === '-') {
    await answerLines(io);
    return exitDone;
  }
  const options = parseScheduleOptions(args, io.nowMs);
  if (!options.ok) return complain(io, options.error, exitUsage);
  const parsed = parseSchedule(args.expr, options.tz);
  if (!parsed.ok) return complain(io, parsed.error, exitFailed);
  const { schedule } = parsed;
  const next = occurrencesOf(schedule, options.fromMs, options.n);
  if (args.json === true) printJson(io, schedule, next);
  else printTable(io, schedule, next);
  return exitDone;
}

type ScheduleOptions =
  | { readonly ok: true; readonly tz: string; readonly fromMs: number; readonly n: number }
  | { readonly ok: false; readonly error: string };

/** Checks --tz, --from and -n; their defaults are UTC, now and 5. */
function parseScheduleOptions(args: ScheduleArguments, nowMs: number): ScheduleOptions {
  const tz = canonicalTimeZone(args.tz ?? 'UTC');
  if (tz === null) return { ok: false, error: `--tz: unknown time zone "${args.tz}"` };
  const fromMs = args.from === undefined ? nowMs : parseIsoTime(args.from);
  if (fromMs === null)
    return { ok: false, error: '--from: expected an ISO 8601 time of the years 1970 to 9999' };
  const n = args.n === undefined ? OCCURRENCES_DEFAULT : parseCount(args.n);
  if (n === null) return { ok: false, error: `-n: expected a whole number from 1 to ${occurrencesMax}` };
  return { ok: true, tz, fromMs, n };
}

/** Parses an ISO 8601 date or time to epoch ms, in UTC if it has no offset; null if it is malformed or out of bounds. */
export function parseIsoTime(text: string): number | null {
  const iso = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(
    text.trim(),
  );
  if (iso === null) return null;
  const [, date = '', time = '00:00', offset = 'Z'] = iso;
  if (!beginsWithDate(date)) return null;
  const ms = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  return ms >= FROM_MIN_MS && ms <= FROM_MAX_MS ? ms : null;
}

function parseCount(text: string): number | null {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= occurrencesMax ? count : null;
}

function complain(io: ScheduleIo, error: string, status: number): number {
  io.stderr.write(`knell schedule: ${error.replaceAll(/\s+/g, ' ')}\n`);
  return status;
}

function printJson(io: ScheduleIo, schedule: Schedule, next: readonly number[]): void {
  const { expr, tz, kind } = schedule;
  io.stdout.write(`${JSON.stringify({ expr, tz, kind, next: next.map((ms) => zonedTime(ms, 'UTC')) })}\n`);
}

function printTable(io: ScheduleIo, schedule: Schedule, next: readonly number[]): void {
  const notation = schedule.kind === 'cron' ? 'cron' : 'OnCalendar';
  io.stderr.write(`${notation}, ${schedule.tz}${next.length === 0 ? ': does not occur again' : ''}\n`);
  for (const ms of next) {
    io.stdout.write(`${zonedTime(ms, schedule.tz)}  ${utcTime(ms)}  ${relativeTime(ms - io.nowMs)}\n`);
  }
}
