/** `knell check move` and `knell check retention` find their check by the same words as the other commands about checks. */

import { previewWords } from '../../domain/retention/retention-words.ts';
import type { NamedCommands } from '../io/admin-client.ts';
import type { Flags } from '../io/flags.ts';
import { print } from '../io/terminal.ts';
import type { Printers } from './printer.ts';
import { figuresOf } from './project.ts';

async function found<Args extends { readonly check: string }>({
  args,
  session,
  flags,
}: Asked<Args>): Promise<Args> {
  const { allChecks, checkNamed } = await import('../../client/find-check.ts');
  const { managementOf } = await import('../io/management-session.ts');
  const from = typeof flags.project === 'string' ? flags.project : undefined;
  const { check } = checkNamed(await allChecks(managementOf(session), from), args.check);
  return { ...args, check: check.uuid };
}

interface Asked<Args> {
  readonly args: Args;
  readonly session: NamedCommands;
  readonly flags: Flags;
}

export const checkPrinters = {
  'check retention': {
    obeysServerVariable: true,
    options: (command) => command.option('--project <project>', 'look only into this project, by name or id'),
    prepare: found,
    print: (preview) => print(previewWords(figuresOf(preview))),
  },
  'check move': {
    obeysServerVariable: true,
    options: (command) => command.option('--project <project>', 'look only into this project, by name or id'),
    prepare: found,
    print: ({ name, uuid, project }) => print(`moved ${name || uuid} to ${project}`),
  },
} satisfies Printers;
