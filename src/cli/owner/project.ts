/**
 * `knell project`: its options, the owner's commands that it runs, how the results are printed.
 * Invariant: nothing is deleted without confirmation: `--yes`, or the project's name typed at a terminal.
 */

import { type Command, Option } from 'commander';
import { plans } from '../../domain/accounts/project.ts';
import { KnellError } from '../../lib/errors.ts';
import type { Flags } from '../io/flags.ts';
import type { Ask, CommandTools } from '../io/owner-command.ts';
import { show, showRows } from '../io/show.ts';
import { print } from '../io/terminal.ts';
import { typedAnswer } from '../io/typed-answer.ts';

export function addProjects(program: Command, tools: CommandTools): void {
  const group = program
    .command('project')
    .description('create, list, rename and delete projects; PROJECT is a name or an id');
  addCreateAndList(group, tools);
  addRenameAndDelete(group, tools);
}

function addCreateAndList(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(group.command('create <name>').description('create a project; its keys are printed only once'))
    .addOption(
      new Option(
        '--plan <plan>',
        'free: 20 checks, 100 pings listed per check; paid: unlimited checks, 1000 pings',
      )
        .choices(plans)
        .default('paid'),
    )
    .action(async (name: string, flags: Flags) => finish(await create(ask, name, flags)));
  onOwner(group.command('list').description('list the projects')).action(async (flags: Flags) =>
    finish(showRows(flags, await ask(flags, 'project list', {}))),
  );
}

function addRenameAndDelete(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(group.command('rename <project> <name>').description('rename a project')).action(
    async (project: string, name: string, flags: Flags) => {
      const args = { project, name };
      const renamed = await ask(flags, 'project rename', args);
      finish(show(flags, renamed, ({ id }) => print(`${id} is now named ${renamed.name}`)));
    },
  );
  onOwner(
    group
      .command('delete <project>')
      .description('delete a project with its checks, their history, its keys and its integrations'),
  )
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nThis cannot be undone: write a snapshot first (knell snapshot). The only project cannot be deleted.',
    )
    .action(async (project: string, flags: Flags) => finish(await remove(ask, project, flags)));
}

async function create(ask: Ask, name: string, flags: Flags): Promise<number> {
  const made = await ask(flags, 'project create', { name, plan: flags.plan });
  return show(flags, made, ({ project, keys }) => {
    print(`Created project ${project.name} (${project.plan}), id ${project.id}`);
    print("Save these keys, they won't be shown again:");
    print(`  read-write  ${keys.read_write}`);
    print(`  read-only   ${keys.read_only}`);
    print(`  ping key    ${keys.ping}`);
  });
}

async function remove(ask: Ask, project: string, flags: Flags): Promise<number> {
  if (flags.yes !== true) await confirm(project);
  const gone = await ask(flags, 'project delete', { project });
  return show(flags, gone, ({ name, checks }) =>
    print(`deleted ${name} with ${checks} ${checks === 1 ? 'check' : 'checks'}`),
  );
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
