/**
 * `knell key`: runs the owner's commands and prints the results.
 */
import type { Config } from '../../config.ts';
import { runAdmin } from '../io/admin-client.ts';
import { type Flags, show, showRows } from '../io/show.ts';
import { exitDone, print } from '../io/terminal.ts';

const noProgress = (): void => {};

export async function createKey(config: Config, project: string, flags: Flags): Promise<number> {
  const made = (await runAdmin(
    config,
    { command: 'key create', args: { project, scope: flags.scope } },
    noProgress,
  )) as { readonly id: string; readonly scope: string; readonly key: string };
  return show(flags, made, ({ id, scope, key }) => {
    print(`${scope} key, id ${id}. Save it, it won't be shown again:`);
    print(`  ${key}`);
  });
}

export async function createAdminKey(config: Config, name: string, flags: Flags): Promise<number> {
  const args = { name, shell: flags.allowShell === true };
  const made = (await runAdmin(config, { command: 'admin-key create', args }, noProgress)) as {
    readonly id: string;
    readonly key: string;
  };
  return show(flags, made, ({ id, key }) => {
    print(`admin key ${name}, id ${id}. It opens all projects. Save it, it won't be shown again:`);
    print(`  ${key}`);
  });
}

export async function listAdminKeys(config: Config, flags: Flags): Promise<number> {
  return showRows(flags, await runAdmin(config, { command: 'admin-key list', args: {} }, noProgress));
}

export async function revokeAdminKey(config: Config, key: string): Promise<number> {
  await runAdmin(config, { command: 'admin-key revoke', args: { key } }, noProgress);
  print(`revoked ${key}`);
  return exitDone;
}

export async function listKeys(config: Config, project: string, flags: Flags): Promise<number> {
  return showRows(flags, await runAdmin(config, { command: 'key list', args: { project } }, noProgress));
}

export async function revokeKey(config: Config, id: string): Promise<number> {
  await runAdmin(config, { command: 'key revoke', args: { id } }, noProgress);
  print(`revoked ${id}`);
  return exitDone;
}
