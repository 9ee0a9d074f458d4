/**
 * `knell key`: its options, the owner's commands that it runs, how the results are printed.
 */
import { type Command, Option } from 'commander';
import { keyScopes } from '../../domain/accounts/project.ts';
import type { Flags } from '../io/flags.ts';
import type { Ask, CommandTools } from '../io/owner-command.ts';
import { show, showRows } from '../io/show.ts';
import { print } from '../io/terminal.ts';

export function addKeys(program: Command, tools: CommandTools): void {
  const { finish, onOwner, ask } = tools;
  const group = program
    .command('key')
    .description('create, list and revoke keys; PROJECT is a name or an id');
  onOwner(group.command('create <project>').description('create a key; it is printed only once'))
    .addOption(new Option('--scope <scope>', 'what the key may do').choices(keyScopes).makeOptionMandatory())
    .action(async (project: string, flags: Flags) => finish(await createKey(ask, project, flags)));
  onOwner(group.command('list <project>').description('list the keys of a project')).action(
    async (project: string, flags: Flags) =>
      finish(showRows(flags, await ask(flags, 'key list', { project }))),
  );
  onOwner(group.command('revoke <key-id>').description('revoke a key; it stops working at once')).action(
    async (id: string, flags: Flags) =>
      finish(show(flags, await ask(flags, 'key revoke', { id }), () => print(`revoked ${id}`))),
  );
  addAdminKeys(group, tools);
}

function addAdminKeys(group: Command, { finish, onOwner, ask }: CommandTools): void {
  onOwner(
    group
      .command('create-admin <name>')
      .description('create a key for the admin API, which acts as an owner; it is printed only once'),
  )
    .option('--allow-shell', 'it may also do what runs commands or writes files on the server')
    .addHelpText(
      'after',
      `
Without --allow-shell the key cannot create, edit or delete integrations of kind shell, name the file of a snapshot, or
reset the password of an owner.`,
    )
    .action(async (name: string, flags: Flags) => finish(await createAdminKey(ask, name, flags)));
  onOwner(group.command('list-admin').description('list the keys of the admin API')).action(
    async (flags: Flags) => finish(showRows(flags, await ask(flags, 'admin-key list'))),
  );
  onOwner(
    group
      .command('revoke-admin <key>')
      .description('revoke a key of the admin API, by its name or id; it stops working at once'),
  ).action(async (key: string, flags: Flags) =>
    finish(show(flags, await ask(flags, 'admin-key revoke', { key }), () => print(`revoked ${key}`))),
  );
}

async function createKey(ask: Ask, project: string, flags: Flags): Promise<number> {
  const made = await ask(flags, 'key create', { project, scope: flags.scope });
  return show(flags, made, ({ id, scope, key }) => {
    print(`${scope} key, id ${id}. Save it, it won't be shown again:`);
    print(`  ${key}`);
  });
}

async function createAdminKey(ask: Ask, name: string, flags: Flags): Promise<number> {
  const made = await ask(flags, 'admin-key create', { name, shell: flags.allowShell === true });
  return show(flags, made, ({ id, key }) => {
    print(`admin key ${name}, id ${id}. It opens all projects. Save it, it won't be shown again:`);
    print(`  ${key}`);
  });
}
