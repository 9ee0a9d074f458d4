/** `knell password` and `knell user`: who may sign in to the web interface, and what they may do there. */

import type { Command } from 'commander';
import type { ShownUser } from '../../commands/owner/users.ts';
import { memberRoles } from '../../domain/accounts/user.ts';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { type Row, show } from '../io/show.ts';
import { print, printTable } from '../io/terminal.ts';

export function addPasswords(program: Command, tools: CommandTools): void {
  const { finish, onOwner, ask } = tools;
  addUsers(program, tools);
  const group = program.command('password').description('manage passwords for the web interface');
  onOwner(
    group.command('reset [user]').description('print a link that sets a new password (default: of an owner)'),
  ).action(async (user: string | undefined, flags: Flags) => {
    const made = await ask(flags, 'password reset', { user });
    finish(
      show(flags, made, ({ link }) => {
        print(
          made.user === null
            ? 'Create the first user here (one-time link):'
            : `Set a new password for ${made.user} here (one-time link, expires in 24 hours):`,
        );
        print(`  ${link}`);
      }),
    );
  });
}

function addUsers(program: Command, tools: CommandTools): void {
  const { finish, onOwner, ask } = tools;
  const group = program.command('user').description('manage the members of the web interface');
  onOwner(
    group
      .command('reset-totp <user>')
      .description('let a member who has lost the phone sign in with the password only'),
  ).action(async (user: string, flags: Flags) => {
    const reset = await ask(flags, 'user reset-totp', { user });
    finish(show(flags, reset, ({ name }) => print(`${name} signs in without codes from now on`)));
  });
  addRoles(group, tools);
}

function addRoles(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(group.command('list').description('list the members, with their roles')).action(
    async (flags: Flags) => {
      const users = await ask(flags, 'user list');
      finish(show(flags, users, (all) => printTable(all.map(rowOf))));
    },
  );
  onOwner(
    group
      .command('role <user> <role>')
      .description(`change what a member may do: ${memberRoles.join(', ')}; in a project also default`),
  )
    .option('--project <project>', 'only in this project, by its name or id')
    .addHelpText(
      'after',
      `
A role in a project wins over the role of the installation, upwards and downwards; default takes it away again.
Owners of the installation are owners of every project. With the role none of the installation a member sees only the projects with a role there.`,
    )
    .action(async (user: string, role: string, flags: Flags) => {
      const project = flags.project === undefined ? {} : { project: flags.project };
      const changed = await ask(flags, 'user role', { user, role, ...project });
      finish(show(flags, changed, (now) => print(rolesText(now))));
    });
}

function rowOf({ name, role, projects }: ShownUser): Row {
  return { name, role, projects: projects.map((one) => `${one.role} in ${one.project}`).join(', ') };
}

function rolesText(user: ShownUser): string {
  const { name, role, projects } = rowOf(user);
  return `${name}: ${role}${projects === '' ? '' : `, ${projects}`}`;
}
