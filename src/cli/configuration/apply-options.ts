/**
 * The options of `knell apply`, `knell export` and `knell import knell`. The code that does their work is loaded when it is needed:
 * the YAML parser takes a while to load, and most commands do not use it.
 */

import type { Command } from 'commander';
import type { Flags } from '../io/flags.ts';
import type { CommandTools } from '../io/owner-command.ts';
import { withServer } from '../io/owner-command.ts';

const applyHelp = `
FILE describes projects, keys, integrations, checks, status pages, maintenance windows and users (knell export
prints one; --schema prints its JSON Schema). Its secrets come from the environment or from files: \${env:NAME},
\${file:PATH}.

What FILE does not mention stays as it is, unless --prune is given. A setting that a check or an integration leaves out
has its default; a new user sets a password by a link that is printed. If something fails in the middle, what was
done stays done: apply again, and it goes on from there.

  knell apply -f knell.yaml --dry-run
  knell apply -f knell.yaml --yes
  knell apply -f knell.yaml --server https://knell.example.org --key hca_…`;

const exportHelp = `
It prints projects, keys, integrations, checks, status pages, maintenance windows and users as YAML, in an order that
does not depend on when they were created.
Secrets of integrations are replaced by references to environment variables; apply needs those set. With --secrets, the
file holds the secrets, the ping addresses (UUIDs, ping keys) and the hashes of API keys: a Knell that is created from it
takes the same pings and keys. Checks' states, their history, users' passwords, badge addresses and the notices of status pages
are not in it: see knell snapshot.

  knell export > knell.yaml
  knell apply -f knell.yaml --dry-run`;

const importHelp = `
FILE is what "knell export" printed. With --secrets there, UUIDs, ping keys and API keys stay as they are. The data
directory must be empty, and no server may run.`;

export function addApply(program: Command, { finish, onData, configOf }: CommandTools): void {
  const command = program
    .command('apply')
    .description('change the configuration to what a YAML file says, after showing what would change');
  withServer(onData(command, false))
    .option('-f, --file <file>', 'a YAML file, a folder of them, or - for stdin')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--prune', 'delete what the file does not have')
    .option('--yes', 'do not ask')
    .option('--schema', 'print the JSON Schema of the file')
    .addHelpText('after', applyHelp)
    .action(async (flags: Flags) => {
      const { runApply } = await import('./apply.ts');
      finish(await runApply(flags, () => configOf(flags)));
    });
}

export function addExport(program: Command, { finish, onData, configOf }: CommandTools): void {
  const command = program.command('export').description('print the whole configuration as YAML');
  withServer(onData(command, false))
    .option('--secrets', 'with the secrets: keep the file safe')
    .addHelpText('after', exportHelp)
    .action(async (flags: Flags) => {
      const { runExport } = await import('./export.ts');
      finish(await runExport(flags, () => configOf(flags)));
    });
}

/** Adds `knell import knell`, which is `apply` into an empty installation. */
export function addImportKnell(group: Command, { finish, onData, configOf }: CommandTools): void {
  onData(group.command('knell <file>').description('fill an empty data directory from knell export'), false)
    .option('--dry-run', 'show the plan and write nothing')
    .addHelpText('after', importHelp)
    .action(async (file: string, flags: Flags) => {
      const { runImportKnell } = await import('./apply.ts');
      finish(await runImportKnell(file, flags, configOf(flags)));
    });
}
