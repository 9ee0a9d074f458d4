/**
 * The variables by which wrapped jobs find Knell: in front of the jobs of a crontab, and in a file for services.
 * Invariant: what a file sets already stays as it is.
 */
import { isSameSetting, variableAt, variableIn } from './crontab-jobs.ts';
import type { FileEdit, PingSettings } from './found-job.ts';
import { quoted } from './shell-quote.ts';
import { pingVariablesFile } from './timers.ts';

/** What has to be added to a crontab whose lines are edited; null for nothing. */
export function crontabVariables(
  file: string,
  text: string,
  edits: readonly FileEdit[],
  { url, key }: PingSettings,
): FileEdit | null {
  const lines = text.split('\n');
  const first = Math.min(...edits.map((edit) => ('replaced' in edit ? edit.line : lines.length)));
  const missing = ([name, value]: readonly [string, string | null]): readonly string[] =>
    value === null || variableAt(lines, name, first) !== null ? [] : [`${name}=${value}`];
  const added = (
    [
      ['KNELL_PING_URL', url],
      ['KNELL_PING_KEY', key],
    ] as const
  ).flatMap(missing);
  if (added.length === 0) return null;
  // Behind the comment that says what the file is.
  const at = lines.findIndex((line) => !/^\s*#/.test(line));
  return { file, line: Math.max(0, Math.min(at, first - 1)), added: added.join('\n') };
}

/** A line of a crontab that sets one of the variables to something else than what is given, and stays. */
export interface OtherSetting {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
}

export function otherSettings(file: string, text: string, given: PingSettings): readonly OtherSetting[] {
  const wanted = new Map([
    ['KNELL_PING_URL', given.url],
    ['KNELL_PING_KEY', given.key],
  ]);
  return text.split('\n').flatMap((line, at) => {
    const variable = variableIn(line.replace(/\r$/, ''));
    const value = variable && wanted.get(variable.name);
    if (!variable || !value || isSameSetting(value, variable.value)) return [];
    return [{ file, line: at + 1, name: variable.name }];
  });
}

/** The file with the variables of services; null where it is there already, or nothing is known to write. */
export function serviceVariables(before: string | null, { url, key }: PingSettings): FileEdit | null {
  if (before !== null || url === null) return null;
  const lines = [`KNELL_PING_URL=${quoted(url)}`, ...(key === null ? [] : [`KNELL_PING_KEY=${quoted(key)}`])];
  return { file: pingVariablesFile, text: `${lines.join('\n')}\n` };
}
