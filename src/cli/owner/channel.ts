/** The output of `knell channel`, and of `knell channel kinds`, which explains the kinds. */

import type { Command } from 'commander';
import type { Flags } from '../io/flags.ts';
import { addOutput } from '../io/output.ts';
import type { CommandTools } from '../io/owner-command.ts';
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
