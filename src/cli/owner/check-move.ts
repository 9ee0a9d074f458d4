/** `knell check move` finds its check by the same words as the other commands about checks, and prints where it is now. */
import { print } from '../io/terminal.ts';
import type { Printers } from './printer.ts';

export const checkPrinters = {
  'check move': {
    obeysServerVariable: true,
    options: (command) => command.option('--project <project>', 'look only into this project, by name or id'),
    async prepare({ args, session, flags }) {
      const { allChecks, checkNamed } = await import('../../client/find-check.ts');
      const { managementOf } = await import('../io/management-session.ts');
      const from = typeof flags.project === 'string' ? flags.project : undefined;
      const { check } = checkNamed(await allChecks(managementOf(session), from), args.check);
      return { ...args, check: check.uuid };
    },
    print: ({ name, uuid, project }) => print(`moved ${name || uuid} to ${project}`),
  },
} satisfies Printers;
