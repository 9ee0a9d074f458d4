/** The output of `knell channel`, and of `knell channel kinds`, which explains the kinds. */

import type { Command } from 'commander';
import type { CommandResult } from '../../commands/table.ts';
import { channelSettingFields, ownerSettingNames } from '../../domain/accounts/channel-settings.ts';
import { channelTitle } from '../../domain/accounts/channel-title.ts';
import { valueWords } from '../../domain/words/value-words.ts';
import type { Flags } from '../io/flags.ts';
import { addOutput, formOf, printColumns } from '../io/output.ts';
import type { CommandTools } from '../io/owner-command.ts';
import type { Column } from '../io/table.ts';
import { print } from '../io/terminal.ts';
import { addFieldOptions, kindIn, showKind, showKinds, valueArgs } from './channel-fields.ts';
import type { Printers } from './printer.ts';

export const channelPrinters = {
  'channel create': {
    options: addFieldOptions,
    prepare: ({ args, flags }) => ({ ...args, ...valueArgs(args.kind, flags) }),
    warning: ({ warning }) => warning,
    plain: ({ id, name, kind }) => ({ id, name, kind }),
    print: ({ id, name, kind, checks }) =>
      print(`${kind} integration ${JSON.stringify(name)}, id ${id}${checksText(checks)}`),
  },
  'channel list': {
    print(channels, _args, flags) {
      if (channels.length === 0) print('no integrations');
      else printColumns(listColumns(channels, formOf(flags) === 'wide'), channels);
    },
  },
  'channel edit': {
    warning: ({ warning }) => warning,
    plain: ({ warning: _, ...edited }) => edited,
  },
  'channel delete': { print: ({ id }) => print(`deleted ${id}`) },
  'channel test': {
    fails: (results) => results.length === 0 || results.some(({ ok }) => !ok),
    print(results) {
      for (const { name, kind, id, ok, error } of results)
        print(`${kind} integration ${JSON.stringify(name)}, id ${id}: ${ok ? 'delivered' : error}`);
      if (results.length === 0) print('this group has no members');
    },
  },
  'channel verify': { print: ({ id }) => print(`sent the verification email of ${id}`) },
} satisfies Printers;

type ListedChannel = CommandResult<'channel list'>[number];

const shownSettings = ownerSettingNames.flatMap((name) => {
  const field = channelSettingFields[name];
  return field.kind === 'zone' ? [] : [{ json: field.json, usual: field.default }];
});

/** What may be said of each, and what is usual: that is not said. */
const listedFields: readonly { readonly json: keyof ListedChannel; readonly usual: unknown }[] = [
  ...shownSettings,
  { json: 'unverified', usual: undefined },
  { json: 'disabled_reason', usual: undefined },
  { json: 'last_error', usual: '' },
];

/** `all`: those columns, too, in which every integration has the usual value. */
function listColumns(channels: readonly ListedChannel[], all: boolean): readonly Column<ListedChannel>[] {
  const said = listedFields.filter(({ json, usual }) => all || channels.some((one) => one[json] !== usual));
  return [
    { title: 'NAME', cell: channelTitle, shrinks: true },
    { title: 'KIND', cell: ({ kind }) => kind },
    ...said.map(
      ({ json, usual }): Column<ListedChannel> => ({
        title: json.replaceAll('_', ' ').toUpperCase(),
        cell: ({ [json]: value = '' }) =>
          value === '' || (value === usual && !all) ? '' : valueWords(json, String(value)),
        shrinks: true,
      }),
    ),
    { title: 'ID', cell: ({ id }) => id },
  ];
}

/** Words for the number of checks; empty for none, since there may be no check yet. */
function checksText(count: number): string {
  return count === 0 ? '' : `, for ${count} ${count === 1 ? 'check' : 'checks'}`;
}

export function addChannelKinds(group: Command, { finish }: CommandTools): void {
  addOutput(
    group
      .command('kinds [kind]')
      .description('list the kinds of integrations, or explain the options of one'),
  )
    .option('--json', 'print JSON')
    .action((kind: string | undefined, flags: Flags) =>
      finish(kind === undefined ? showKinds(flags) : showKind(kindIn(kind), flags)),
    );
}
