/**
 * The fields of each kind of integration as options of `knell channel create`. `knell channel kinds` explains them. Both follow
 * from the forms of the page.
 * Invariant: an option that the kind does not have is an error, never ignored.
 */

import { type Command, Option } from 'commander';
import type { CommandArgs } from '../../commands/table.ts';
import { type ChannelKind, channelKinds } from '../../domain/accounts/project.ts';
import { kinds } from '../../integrations/all.ts';
import type { FormField } from '../../integrations/contract/kind.ts';
import { titles } from '../../integrations/contract/titles.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import { printColumns, printedForPrograms } from '../io/output.ts';
import { exitDone, print } from '../io/terminal.ts';

/** The option of a field: `url_down` is `--url-down`. */
function optionOf({ name }: Pick<FormField, 'name'>): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** Maps each name of a field to the kinds that have it. `value` is left out, because it has an option of its own. */
const fieldNames: ReadonlyMap<string, readonly ChannelKind[]> = kindsByField();

function kindsByField(): ReadonlyMap<string, readonly ChannelKind[]> {
  const byField = new Map<string, ChannelKind[]>();
  for (const kind of channelKinds)
    for (const { name } of kinds[kind].form.fields)
      if (name !== 'value') byField.set(name, [...(byField.get(name) ?? []), kind]);
  return byField;
}

export function addFieldOptions(command: Command): void {
  for (const [name, those] of fieldNames)
    command.addOption(new Option(`${optionOf({ name })} <text>`, `of ${those.join(', ')}`));
}

export function kindIn(text: string): ChannelKind {
  const kind = channelKinds.find((one) => one === text);
  if (kind) return kind;
  throw new KnellError('usage', `there is no kind ${JSON.stringify(text)}: see knell channel kinds`);
}

/** The arguments for the value of a new integration, which is given whole or by its fields. */
export function valueArgs(
  kind: ChannelKind,
  flags: Flags,
): Pick<CommandArgs<'channel create'>, 'value' | 'fields'> {
  const { fields } = kinds[kind].form;
  const given = [...fieldNames.keys()].filter((name) => typeof flags[camelCase(name)] === 'string');
  const foreign = given.find((name) => !fields.some((field) => field.name === name));
  if (foreign !== undefined)
    throw new KnellError(
      'usage',
      `${kind} has no ${optionOf({ name: foreign })}: see knell channel kinds ${kind}`,
    );
  if (given.length === 0) {
    if (typeof flags.value === 'string') return { value: flags.value };
    throw new KnellError('usage', `${kind} needs ${neededOf(kind)}: see knell channel kinds ${kind}`);
  }
  if (flags.value !== undefined && !fields.some(({ name }) => name === 'value'))
    throw new KnellError(
      'usage',
      `--value is the whole of ${kind}: give it, or ${optionOf({ name: given[0] ?? '' })}`,
    );
  return {
    value: undefined,
    fields: Object.fromEntries(fields.map((field) => [field.name, textOf(field, flags)])),
  };
}

function neededOf(kind: ChannelKind): string {
  const { fields } = kinds[kind].form;
  const needed = fields.filter(({ required, first }) => required && first === undefined);
  return (needed.length > 0 ? needed : fields.slice(0, 1)).map(optionOf).join(' and ');
}

function textOf({ name, input, first = '' }: FormField, flags: Flags): string {
  const text = flags[camelCase(name)];
  if (typeof text !== 'string') return first;
  if (input !== 'tick') return text;
  if (text === 'on' || text === 'off') return text === 'on' ? 'yes' : '';
  throw new KnellError('usage', `${optionOf({ name })} must be on or off`);
}

/** The name of an option in camel case, by which commander stores its value. */
function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function showKinds(flags: Flags): number {
  const rows = channelKinds.map((kind) => ({
    kind,
    title: titles[kind],
    options: kinds[kind].form.fields.map(optionOf),
  }));
  if (printedForPrograms(flags, rows)) return exitDone;
  printColumns(
    [
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'TITLE', cell: ({ title }) => title },
      { title: 'OPTIONS', cell: ({ options }) => options.join(' '), shrinks: true },
    ],
    rows,
  );
  return exitDone;
}

export function showKind(kind: ChannelKind, flags: Flags): number {
  const { title, help = '', steps = [], pasted = '', fields, placeholders = [] } = kinds[kind].form;
  const rows = fields.map((field) => ({
    option: optionOf(field),
    label: field.label,
    required: field.required === true,
    default: shownDefault(field),
    values: field.choices?.map(([value, text]) => (value === '' ? '""' : `${value} (${text})`)) ?? [],
    help: field.help ?? inputHelp[field.input] ?? '',
  }));
  const meanings = Object.fromEntries(placeholders.map(([name, meaning]) => [`$${name}`, meaning]));
  const more = placeholders.length > 0 ? { placeholders: meanings } : {};
  if (printedForPrograms(flags, { kind, title, help, steps, pasted, fields: rows, ...more })) return exitDone;
  const numbered = steps.map((step, at) => `${at + 1}. ${step}`);
  print(`${[title, help, ...numbered, pasted].filter((line) => line !== '').join('\n')}\n`);
  printColumns(
    [
      { title: 'OPTION', cell: (row) => row.option },
      {
        title: 'MEANING',
        cell: ({ label, help: more }) => (more === '' ? label : `${label}. ${more}`),
        shrinks: true,
      },
      { title: 'DEFAULT', cell: (row) => (row.required && row.default === '' ? 'required' : row.default) },
      { title: 'VALUES', cell: ({ values }) => values.join(', '), shrinks: true },
    ],
    rows,
  );
  if (placeholders.length > 0) print(`\nPlaceholders:\n${placeholders.map(placeholderLine).join('\n')}`);
  const example = fields.filter(({ required, first }) => required && first === undefined);
  const shown = (example.length > 0 ? example : fields.slice(0, 1)).map((field) => `${optionOf(field)} …`);
  print(`\nExample:\n  knell channel create default --kind ${kind} --name ops ${shown.join(' ')}`);
  return exitDone;
}

function placeholderLine([name, meaning]: readonly [string, string]): string {
  return `  ${`$${name}`.padEnd(16)}  ${meaning.replaceAll('`', '')}`;
}

const inputHelp: Readonly<Record<string, string>> = {
  lines: 'Several lines are allowed.',
  headers: 'Such as X-Token: abc, one per line.',
  tick: 'on or off.',
  integrations: 'Their ids, separated by commas.',
};

function shownDefault({ input, first = '' }: FormField): string {
  return input === 'tick' ? (first === '' ? 'off' : 'on') : first;
}
