/**
 * The output of `knell project`, and its confirmation.
 * Invariant: nothing is deleted without confirmation: `--yes`, or the project's name typed at a terminal.
 */

import type { CommandResult } from '../../commands/table.ts';
import { type PreviewFigures, previewWords } from '../../domain/retention/retention-words.ts';
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
  'project retention': {
    print: ({ name, retention }) =>
      print(retention === '' ? `${name} keeps what its plan allows` : `${name} keeps: ${retention}`),
  },
  'project retention-preview': { print: (preview) => print(previewWords(figuresOf(preview))) },
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

type ShownPreview = CommandResult<'project retention-preview'>;

export function figuresOf({ checks_left_out: checksLeftOut, ...figures }: ShownPreview): PreviewFigures {
  return { ...figures, checksLeftOut };
}

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
