/** `knell password reset`: prints a link that sets a new password for the web interface. */
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
