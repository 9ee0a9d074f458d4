/** `knell password` and `knell user`: for those who cannot sign in to the web interface any more. */
import type { Command } from 'commander';
import { runAdmin } from './admin-client.ts';
import type { CommandTools } from './notify-commands.ts';
import { type Flags, show } from './show.ts';
import { print } from './terminal.ts';

interface ResetLink {
  readonly user: string | null;
  readonly link: string;
}

export function addPasswords(program: Command, tools: CommandTools): void {
  const { finish, onData, configOf } = tools;
  addUsers(program, tools);
  const group = program.command('password').description('manage passwords for the web interface');
  onData(
    group.command('reset [user]').description('print a link that sets a new password (default: of an owner)'),
  ).action(async (user: string | undefined, flags: Flags) => {
    const asked = { command: 'password reset', args: { user } };
    const made = (await runAdmin(configOf(flags), asked, () => {})) as ResetLink;
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

function addUsers(program: Command, { finish, onData, configOf }: CommandTools): void {
  const group = program.command('user').description('manage the members of the web interface');
  onData(
    group
      .command('reset-totp <user>')
      .description('let a member who has lost the phone sign in with the password only'),
  ).action(async (user: string, flags: Flags) => {
    const asked = { command: 'user reset-totp', args: { user } };
    const reset = (await runAdmin(configOf(flags), asked, () => {})) as { readonly name: string };
    finish(show(flags, reset, ({ name }) => print(`${name} signs in without codes from now on`)));
  });
}
