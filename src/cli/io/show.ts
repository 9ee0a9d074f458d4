/**
 * Shows the result of a command: as JSON or YAML for programs, as words or a table for people.
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

/** Prints one object or several as a table with a column per field. */
export function printRows(value: readonly object[] | object | null): void {
  printTable([value ?? []].flat().map(cellsOf));
}

function cellsOf(row: object): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}
