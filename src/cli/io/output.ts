/**
 * The forms in which a command prints its result: `-o table`, `wide`, `json`, `yaml`; `--json` is `-o json`.
 */
import { type Command, Option } from 'commander';
import type { Flags } from './flags.ts';
import { type Column, tableLines, tableStyle } from './table.ts';
import { print, printJson } from './terminal.ts';
import { yamlOf } from './yaml.ts';

export const outputForms = ['table', 'wide', 'json', 'yaml'] as const;
export type OutputForm = (typeof outputForms)[number];

export function addOutput(command: Command): Command {
  return command.addOption(new Option('-o, --output <form>', 'how to print it').choices(outputForms));
}

export function formOf({ output, json }: Flags): OutputForm {
  return outputForms.find((form) => form === output) ?? (json ? 'json' : 'table');
}

/** Prints `value` if the form is one for programs, else returns false. */
export function printedForPrograms(flags: Flags, value: unknown): boolean {
  const form = formOf(flags);
  if (form === 'json') printJson(value);
  if (form === 'yaml') process.stdout.write(yamlOf(value));
  return form === 'json' || form === 'yaml';
}

export function printColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
  for (const line of tableLines(columns, rows, tableStyle(process.stdout, process.env))) print(line);
}
