/**
 * The options of a command that must start fast or run where nothing is installed: a table of them, read and explained.
 * Not for the other commands: `cli/args` has a library for those.
 * Invariant: reading ends at `--` or at the first word that is no option; what follows is not looked at.
 */
import { closestName } from '../lib/closest-name.ts';
import { KnellError } from '../lib/errors.ts';
import { day, hour, minute, second } from '../lib/units.ts';

export interface OptionSpec {
  /** Placeholder for the option's value in the help; absent for an option without one. */
  readonly value?: string;
  /** The value may be left out, and is given as `--name=value` only. */
  readonly optional?: true;
  /** May be given several times: the values come as lines of one text. */
  readonly repeated?: true;
  readonly help: string;
}

export type OptionTable = Readonly<Record<string, OptionSpec>>;

export interface ReadOptions {
  /**
   * Options by name, without the dashes; one without a value is the empty string. If it is given several times, the last counts.
   */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Words from the first one on that is no option. */
  readonly rest: readonly string[];
}

/** `--name value`, `--name=value`, `--switch`. Throws a KnellError `usage`. */
export function readOptions(table: OptionTable, words: readonly string[]): ReadOptions {
  const options: Record<string, string> = {};
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { options, rest: words.slice(at + 1) };
    if (!word.startsWith('-') || word === '-') break;
    const [, name = '', inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word === '-h' ? '--help' : word) ?? [];
    const spec = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!spec) throw new KnellError('usage', unknownOption(table, word, name));
    if (spec.value === undefined && inline !== undefined)
      throw new KnellError('usage', `--${name} takes no value`);
    const takesNone = spec.value === undefined || (spec.optional && inline === undefined);
    const value = takesNone ? '' : (inline ?? words[++at]);
    if (value === undefined || (inline === undefined && !takesNone && value === '--'))
      throw new KnellError('usage', `--${name} needs a value: ${spec.value}`);
    const before = spec.repeated ? options[name] : undefined;
    options[name] = before === undefined ? value : `${before}\n${value}`;
  }
  return { options, rest: words.slice(at) };
}

function unknownOption(table: OptionTable, word: string, name: string): string {
  const closest = closestName(name, Object.keys(table));
  return `unknown option ${word}${closest === null ? '; see --help' : `: did you mean --${closest}?`}`;
}

/** A line per option, aligned, for the end of a help text. */
export function optionsHelp(table: OptionTable): string {
  const rows = Object.entries(table).map(([name, { value, optional, help }]) => {
    const shown = optional ? `[=${value}]` : ` ${value}`;
    return { left: `  --${name}${value === undefined ? '' : shown}`, help };
  });
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2;
  return rows.map(({ left, help }) => left.padEnd(width) + help).join('\n');
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day };

/** Milliseconds of `1500ms`, `5s`, `2h24m`, or seconds without a unit. Throws a KnellError `usage` that names `option`. */
export function durationMs(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const parts = [...text.matchAll(/(\d{1,9})(ms|[smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new KnellError('usage', `${option} must be a time such as 5s, 90s or 2h30m`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0), 0);
}

/** A whole number of 0 to `max`. Throws a KnellError `usage` that names `option`. */
export function countOf(option: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : max + 1;
  if (count > max) throw new KnellError('usage', `${option} must be a whole number from 0 to ${max}`);
  return count;
}

/** The reader may leave early, as `head` does. */
export function printHelp(text: string): void {
  process.stdout.on('error', () => {});
  process.stdout.write(text);
}
