/**
 * The rules of the field `retention` of a check or a project, one per line or between commas: `pings last 500`, `pings 90 days`, `failures 365 days`,
 * `bodies of successes 3 days`. The manual has the grammar. Not here: what they say of a ping (`kept-pings`).
 *
 * A failure is a ping with the signal `fail`; everything else counts as a success, starts and logs too.
 * Invariant: pure; of a line that is not valid there is no rule.
 */
import { hour } from '../../lib/units.ts';
import { retentionCharsMax, retentionHoursMax, retentionHoursMin, retentionLastMax } from '../limits.ts';

/** How long pings of one kind are kept: what either bound drops is dropped. Null for no bound of that kind. */
export interface PingBounds {
  readonly last: number | null;
  readonly ageMs: number | null;
}

export interface RetentionRules {
  readonly pings: PingBounds;
  /** Failures go only by it; null: they go by `pings`. */
  readonly failures: PingBounds | null;
  /** Age from which on bodies are dropped; null: they are kept with their pings. */
  readonly successBodiesMs: number | null;
  readonly failureBodiesMs: number | null;
}

/** Nothing but the limit of the plan. */
export const noRules: RetentionRules = {
  pings: { last: null, ageMs: null },
  failures: null,
  successBodiesMs: null,
  failureBodiesMs: null,
};

interface Read {
  readonly rules: RetentionRules;
  /** Empty when all lines are right. */
  readonly error: string;
}

/** The rules that were asked for last: checks of a project mostly have the same. */
let last: { readonly text: string; readonly read: Read } = { text: '', read: { rules: noRules, error: '' } };

/** The rules of the lines that are valid. */
export function readRetention(text: string): RetentionRules {
  return remembered(text).rules;
}

/** What is wrong with the first line that is not valid, as a sentence without a full stop; empty when there is none. */
export function retentionError(text: string): string {
  return remembered(text).error;
}

function remembered(text: string): Read {
  if (last.text !== text) last = { text, read: read(text) };
  return last.read;
}

/** What a rule begins with. */
export const subjects = ['pings', 'failures', 'bodies', 'bodies of successes', 'bodies of failures'] as const;
type Subject = (typeof subjects)[number];

/** One line: `ageMs` or `last`, the other is null. */
interface Rule extends PingBounds {
  readonly subject: Subject;
}

/** Ends the reading of a line with what is wrong with it. Never leaves this file. */
class LineError extends Error {}

function read(text: string): Read {
  if (text.length > retentionCharsMax)
    return {
      rules: noRules,
      error: `these are ${text.length} characters; write at most ${retentionCharsMax}`,
    };
  const rules: Rule[] = [];
  let error = '';
  for (const [index, line] of text.split(/[\n,]/).entries()) {
    if (line.trim() === '') continue;
    try {
      const rule = readLine(line.trim());
      if (
        rules.some(
          ({ subject, last: count }) => subject === rule.subject && (count === null) === (rule.last === null),
        )
      )
        throw new LineError(`"${rule.subject}" has such a rule already; write one of each kind`);
      rules.push(rule);
    } catch (problem) {
      if (!(problem instanceof LineError)) throw problem;
      error ||= `rule ${index + 1}: ${problem.message}`;
    }
  }
  return { rules: combined(rules), error };
}

function combined(rules: readonly Rule[]): RetentionRules {
  const boundsOf = (subject: Subject): PingBounds | null => {
    const own = rules.filter((rule) => rule.subject === subject);
    if (own.length === 0) return null;
    const last = own.find((rule) => rule.last !== null)?.last ?? null;
    return { last, ageMs: own.find((rule) => rule.ageMs !== null)?.ageMs ?? null };
  };
  const bodiesMs = boundsOf('bodies')?.ageMs ?? null;
  return {
    pings: boundsOf('pings') ?? noRules.pings,
    failures: boundsOf('failures'),
    successBodiesMs: boundsOf('bodies of successes')?.ageMs ?? bodiesMs,
    failureBodiesMs: boundsOf('bodies of failures')?.ageMs ?? bodiesMs,
  };
}

function readLine(line: string): Rule {
  const words = line.toLowerCase().split(/\s+/);
  const subject = subjects.findLast((name) => words.slice(0, name.split(' ').length).join(' ') === name);
  if (subject === undefined)
    throw new LineError(`"${shown(line)}" is no rule; begin with ${subjects.join(', ')}`);
  const [first = '', second = '', ...more] = words.slice(subject.split(' ').length);
  const isBound = first === 'last' || /^[\d.+-]/.test(first);
  if (more.length > 0 || second === '' || !isBound)
    throw new LineError(`"${shown(line)}" is no rule; write ${subject} and then ${formsOf(subject)}`);
  if (first === 'last') return { subject, last: readLast(subject, second), ageMs: null };
  return { subject, last: null, ageMs: readAgeMs(first, second) };
}

function formsOf(subject: Subject): string {
  return countsPings(subject) ? '"last 500" or "90 days"' : '"30 days"';
}

function countsPings(subject: Subject): boolean {
  return subject === 'pings' || subject === 'failures';
}

function readLast(subject: Subject, text: string): number {
  if (!countsPings(subject))
    throw new LineError(
      `bodies are kept for a time, such as "${subject} 30 days"; a number of them is no rule`,
    );
  const count = wholeNumber(text);
  if (count === null || count < 1 || count > retentionLastMax)
    throw new LineError(`"${shown(text)}" is no number of pings; write 1 to ${retentionLastMax}`);
  return count;
}

const hoursOf: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 7 * 24, year: 365 * 24 };

function readAgeMs(number: string, unit: string): number {
  const hours = hoursOf[unit.replace(/s$/, '')];
  if (hours === undefined)
    throw new LineError(`"${shown(unit)}" is no unit of time; write hours, days, weeks or years`);
  const count = wholeNumber(number);
  const total = (count ?? 0) * hours;
  if (count === null || total < retentionHoursMin || total > retentionHoursMax)
    throw new LineError(`"${shown(`${number} ${unit}`)}" is no such time; write 1 hour to 10 years`);
  return total * hour;
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Enough of a text to find it. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
