/**
 * How a command's result is shown: JSON for programs, words or a table for people.
 */
import { exitDone, printJson, printTable } from './terminal.ts';

export type Flags = Readonly<Record<string, string | boolean | undefined>>;
export type Row = Readonly<Record<string, string | number | boolean>>;

/** Prints `result` as JSON when asked to, else as `human` does. */
export function show<T>(flags: Flags, result: T, human: (result: T) => void): number {
  if (flags.json) printJson(result);
  else human(result);
  return exitDone;
}

export function showRows(flags: Flags, result: unknown): number {
  return show(flags, result as readonly Row[], (rows) => printTable(rows));
}
