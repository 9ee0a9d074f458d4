/**
 * How a command's result is shown: JSON or YAML for programs, words or a table for people.
 */
import type { Flags } from './flags.ts';
import { printedForPrograms } from './output.ts';
import { exitDone, printTable } from './terminal.ts';

export type Row = Readonly<Record<string, string | number | boolean>>;

/** Prints `result` for programs when asked to, else as `human` does. */
export function show<T>(flags: Flags, result: T, human: (result: T) => void): number {
  if (!printedForPrograms(flags, result)) human(result);
  return exitDone;
}

/** Objects, or one, as a table with a column per field. */
export function printRows(value: readonly object[] | object | null): void {
  printTable([value ?? []].flat().map(cellsOf));
}

function cellsOf(row: object): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}
