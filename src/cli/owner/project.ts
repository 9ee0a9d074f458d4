/**
 * The output of `knell project`, and its confirmation.
 * Invariant: nothing is deleted without confirmation: `--yes`, or the project's name typed at a terminal.
 */

import { KnellError } from '../../lib/errors.ts';
import { print } from '../io/terminal.ts';
import { typedAnswer } from '../io/typed-answer.ts';
import type { Printers } from './printer.ts';

export const projectPrinters = {
  'project create': {
    print({ project, keys }) {
      print(`Created project ${project.name} (${project.plan}), id ${project.id}`);
      print("Save these keys, they won't be shown again:");
      print(`  read-write  ${keys.read_write}`);
      print(`  read-only   ${keys.read_only}`);
      print(`  ping key    ${keys.ping}`);
    },
  },
  'project rename': { print: ({ id, name }) => print(`${id} is now named ${name}`) },
  'project delete': {
    options: (command) => command.option('--yes', 'do not ask'),
    async prepare({ args, flags }) {
      if (flags.yes !== true) await confirm(args.project);
      return args;
    },
    print: ({ name, checks }) => print(`deleted ${name} with ${checks} ${checks === 1 ? 'check' : 'checks'}`),
  },
} satisfies Printers;

async function confirm(project: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new KnellError(
      'usage',
      `this permanently deletes ${project} and everything in it; add --yes to confirm`,
    );
  const typed = await typedAnswer(
    `This permanently deletes ${project} and everything in it. Type ${project} to confirm: `,
  );
  if (typed !== project.trim()) throw new KnellError('usage', "the name doesn't match; nothing was deleted");
}
