/**
 * A crontab as text, in: its jobs, and what is left out, with the reason. Read as cron on Debian does; `CRON_TZ` as other crons do,
 * where it is the zone of the times that follow. What a job is called: `command-name`.
 * Invariant: pure, and never throws: whatever comes is a job or has a reason.
 */

import { canonicalTimeZone, detectKind, parseSchedule } from '../../schedule/schedule.ts';
import { slugify } from '../check/slugify.ts';
import {
  checkNameLengthMax,
  commandCharsMax,
  crontabJobsMax,
  leftOutCharsShown,
  linesLeftOutMax,
  slugLengthMax,
  slugsPerStep,
} from '../limits.ts';
import { capital } from '../words/capital.ts';
import { nameOfCommand, standardInputFrom } from './command-name.ts';
import { scheduleOfNickname } from './nicknames.ts';
import { systemUsers, userBefore } from './user-column.ts';

export interface CrontabJob {
  /** From 1. */
  readonly line: number;
  readonly name: string;
  /** No other job of the crontab has it. */
  readonly slug: string;
  /** Five fields, with one space between. */
  readonly schedule: string;
  /** Canonical IANA name. */
  readonly tz: string;
  /** Who runs it; empty where the crontab does not say. */
  readonly user: string;
  /** As it is passed to the shell, without its standard input. */
  readonly command: string;
  /** The slug that its name has where no other has it. */
  readonly plainSlug: string;
}

export interface LeftOutLine {
  readonly line: number;
  readonly text: string;
  /** A sentence without its full stop. */
  readonly reason: string;
}

export interface Crontab {
  /** As that of `/etc/crontab` and `/etc/cron.d`: the sixth field is a user. */
  readonly hasUsers: boolean;
  readonly jobs: readonly CrontabJob[];
  readonly leftOut: readonly LeftOutLine[];
}

export interface CrontabOptions {
  /** The zone of the machine; canonical. */
  readonly tz: string;
  /** Whether the sixth field is a user; recognized where it is not given. */
  readonly hasUsers?: boolean;
  /** Whether the machine's cron has no `CRON_TZ`: its lines then are in the zone of the machine. */
  readonly ignoresZones?: boolean;
  /** Whether a slug is taken already. */
  readonly isTaken?: (slug: string) => boolean;
}

/** The whole crontab in one go; `crontabSteps` is for those who have others to serve. */
export function parseCrontab(text: string, options: CrontabOptions): Crontab {
  const steps = crontabSteps(text, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Reads some 0.2 ms a step, however hostile the text: a caller may do something else between two of them. */
export function* crontabSteps(text: string, options: CrontabOptions): Generator<undefined, Crontab> {
  const lines = text.split(/\r\n|\n|\r/).map(trimmed);
  yield;
  const hasUsers = options.hasUsers ?? (yield* namesUsers(lines));
  const jobs: CrontabJob[] = [];
  const leftOut: LeftOutLine[] = [];
  const slugs = new Slugs((slug) => options.isTaken?.(slug) === true);
  let { tz } = options;
  for (const [at, line] of lines.entries()) {
    yield;
    const leave = (reason: string): unknown =>
      leftOut.push({ line: at + 1, text: line.slice(0, leftOutCharsShown), reason });
    if (line === '' || line.startsWith('#')) continue;
    if (jobs.length === crontabJobsMax || leftOut.length === linesLeftOutMax - 1) {
      const what =
        jobs.length === crontabJobsMax ? `${crontabJobsMax} jobs` : `${linesLeftOutMax} lines that are none`;
      leave(`From here on nothing is read: more than ${what}`);
      break;
    }
    const variable = variableIn(line);
    if (variable) {
      const [name, value] = variable;
      const zone = name === 'CRON_TZ' ? canonicalTimeZone(value) : tz;
      if (options.ignoresZones === true && zone !== tz)
        leave(`CRON_TZ means nothing to the cron of this machine: its times are in ${tz}`);
      else if (zone === null) leave(`Unknown time zone "${value}"`);
      else tz = zone;
      if (name === 'TZ') leave('TZ is the time zone of the commands: cron goes by that of its machine');
      continue;
    }
    const entry = entryIn(line, hasUsers);
    if (typeof entry === 'string') {
      leave(entry);
      continue;
    }
    const named = userBefore(entry.command)?.command ?? entry.command;
    const name = [...nameOfCommand(named)].slice(0, checkNameLengthMax).join('');
    const plainSlug = slugOf(name);
    jobs.push({ ...entry, line: at + 1, name, slug: yield* slugs.free(plainSlug), plainSlug, tz });
  }
  return { hasUsers, jobs, leftOut };
}

/** Without blanks at either end. An expression that looks for them at the end takes a second for 30,000 in the middle. */
function trimmed(line: string): string {
  let from = 0;
  let to = line.length;
  while (from < to && isBlank(line, from)) from++;
  while (to > from && isBlank(line, to - 1)) to--;
  return line.slice(from, to);
}

function isBlank(line: string, at: number): boolean {
  return line[at] === ' ' || line[at] === '\t';
}

/** `NAME=value`, blanks around the sign and quotes around both allowed. A time has a blank before anything else. */
function variableIn(line: string): readonly [name: string, value: string] | null {
  const [, name, value = ''] = /^("[^"]+"|'[^']+'|[^\s="'@*]+)\s*=\s*(.*)$/.exec(line) ?? [];
  return name === undefined ? null : [unquoted(name), unquoted(value)];
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}

type Entry = Pick<CrontabJob, 'schedule' | 'user' | 'command'>;

/** A text is the reason why it is none. */
function entryIn(line: string, hasUsers: boolean): Entry | string {
  const timed = timeIn(line);
  if (timed === null) return fieldsMissing(line);
  const { time, rest } = timed;
  if (time === '@reboot') return 'Runs at boot, not at a time';
  const schedule = time.startsWith('@') ? scheduleOfNickname(time) : time;
  if (schedule === null) return `Unknown time ${time}`;
  const parsed = parseSchedule(schedule, 'UTC');
  if (!parsed.ok || detectKind(schedule) !== 'cron') {
    const error = parsed.ok ? '' : parsed.error;
    return fieldsBefore(schedule) < 5 ? fieldsMissing(line) : capital(error);
  }
  const [, user = '', afterUser = ''] = (hasUsers ? /^(\S+)[ \t]*(.*)$/.exec(rest) : null) ?? [];
  const command = standardInputFrom(hasUsers ? afterUser : rest);
  if (command === '') return 'It has no command';
  if (command.length >= commandCharsMax)
    return `A command of cron has less than ${commandCharsMax} characters`;
  return { schedule, user, command };
}

/** What may be a field, valid or not. */
const field = /^(?:[\d*?,/#~-]|\b(?:L|W|[a-z]{3})\b)+$/i;

/** How many fields there are before something that is none. */
function fieldsBefore(line: string): number {
  const words = line.split(/[ \t]+/);
  const at = words.findIndex((word) => !field.test(word));
  return at < 0 ? words.length : at;
}

function fieldsMissing(line: string): string {
  const count = fieldsBefore(line);
  return `${count} ${count === 1 ? 'field' : 'fields'} before the command; cron has 5: minute, hour, day of month, month, weekday`;
}

/** The nickname or the five fields, and what follows; null where there are fewer. */
function timeIn(line: string): { readonly time: string; readonly rest: string } | null {
  const found = /^(@\S+)[ \t]*(.*)$/.exec(line) ?? /^((?:\S+[ \t]+){4}\S+)[ \t]*(.*)$/.exec(line);
  return found ? { time: (found[1] ?? '').split(/[ \t]+/).join(' '), rest: found[2] ?? '' } : null;
}

/** As the comment at the head of `/etc/crontab` has it. */
const userHeading = /^#.*\buser(?:-?name)?\s+command\b/i;
/** What no name of a user has: a path, a variable, an assignment, an option, something quoted or another command. */
const noUser = /[/$=~"'`();|&<>{}[\]\\*?!]|^-|^\.$/;

/**
 * Whether the sixth field names users: a comment says so, or one of them is a user that every Debian has and none is something that
 * no user is called.
 */
function* namesUsers(lines: readonly string[]): Generator<undefined, boolean> {
  let namesOne = false;
  for (const line of lines) {
    yield;
    if (line.startsWith('#')) {
      if (userHeading.test(line)) return true;
      continue;
    }
    if (variableIn(line)) continue;
    const [first = '', second = ''] = timeIn(line)?.rest.split(/[ \t]+/) ?? [];
    if (noUser.test(first)) return false;
    namesOne ||= systemUsers.test(first) && second !== '' && !second.startsWith('-');
  }
  return namesOne;
}

function slugOf(name: string): string {
  return slugify(name.replace(/[^\p{L}\p{N}_]+/gu, '-')) || 'job';
}

/** The slugs of one crontab: each is given once. */
class Slugs {
  readonly #isTaken: (slug: string) => boolean;
  readonly #given = new Set<string>();
  /** The number that the last slug of the same name has. */
  readonly #numbers = new Map<string, number>();

  constructor(isTaken: (slug: string) => boolean) {
    this.#isTaken = isTaken;
  }

  /** `base`, or `base-2` and so on, where nobody has it. */
  *free(base: string): Generator<undefined, string> {
    for (let n = (this.#numbers.get(base) ?? 0) + 1; ; n++) {
      const end = n === 1 ? '' : `-${n}`;
      const slug = base.slice(0, slugLengthMax - end.length) + end;
      if (!this.#given.has(slug) && !this.#isTaken(slug)) {
        this.#given.add(slug);
        this.#numbers.set(base, n);
        return slug;
      }
      if (n % slugsPerStep === 0) yield;
    }
  }
}
