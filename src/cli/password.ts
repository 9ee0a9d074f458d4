/** `knell password reset`: prints the link that sets a new password for the web page. */
import type { Command } from 'commander';
import { runAdmin } from './admin-client.ts';
import type { CommandTools } from './notify-commands.ts';
import { type Flags, show } from './show.ts';
import { print } from './terminal.ts';

interface ResetLink {
  readonly user: string | null;
  readonly link: string;
}

export function addPasswords(program: Command, { finish, onData, configOf }: CommandTools): void {
  const group = program.command('password').description('passwords of the web page');
  onData(
    group.command('reset [user]').description('print a link that sets a new one (default: an owner)'),
  ).action(async (user: string | undefined, flags: Flags) => {
    const asked = { command: 'password reset', args: { user } };
    const made = (await runAdmin(configOf(flags), asked, () => {})) as ResetLink;
    finish(
      show(flags, made, ({ link }) => {
        print(`${made.user ?? 'The first user'} sets a password here, once, within a day:`);
        print(`  ${link}`);
      }),
    );
  });
}
