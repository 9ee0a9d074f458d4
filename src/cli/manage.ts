/**
 * `knell project`, `knell key`, `knell channel`: asks the admin table and prints what it answers.
 */
import type { Config } from '../config.ts';
import type { ShownProject } from '../http/admin-routes.ts';
import { runAdmin } from './admin-client.ts';
import { exitDone, print, printJson, printTable } from './terminal.ts';

type Flags = Readonly<Record<string, string | boolean | undefined>>;
type Row = Readonly<Record<string, string | number>>;

const noProgress = (): void => {};

/** Prints `result` as JSON when asked to, else as `human` does. */
function show<T>(flags: Flags, result: T, human: (result: T) => void): number {
  if (flags.json) printJson(result);
  else human(result);
  return exitDone;
}

export async function createProject(config: Config, name: string, flags: Flags): Promise<number> {
  const made = (await runAdmin(
    config,
    { command: 'project create', args: { name, plan: flags.plan } },
    noProgress,
  )) as ShownProject;
  return show(flags, made, ({ project, keys }) => {
    print(`project ${project.name} (${project.plan}), id ${project.id}`);
    print('Its keys are shown this once:');
    print(`  read-write  ${keys.read_write}`);
    print(`  read-only   ${keys.read_only}`);
    print(`  ping key    ${keys.ping}`);
  });
}

export async function listProjects(config: Config, flags: Flags): Promise<number> {
  return showRows(flags, await runAdmin(config, { command: 'project list', args: {} }, noProgress));
}

export async function createKey(config: Config, project: string, flags: Flags): Promise<number> {
  const made = (await runAdmin(
    config,
    { command: 'key create', args: { project, scope: flags.scope } },
    noProgress,
  )) as { readonly id: string; readonly scope: string; readonly key: string };
  return show(flags, made, ({ id, scope, key }) => {
    print(`${scope} key, id ${id}; shown this once:`);
    print(`  ${key}`);
  });
}

export async function listKeys(config: Config, project: string, flags: Flags): Promise<number> {
  return showRows(flags, await runAdmin(config, { command: 'key list', args: { project } }, noProgress));
}

export async function revokeKey(config: Config, id: string): Promise<number> {
  await runAdmin(config, { command: 'key revoke', args: { id } }, noProgress);
  print(`revoked ${id}`);
  return exitDone;
}

export async function createChannel(config: Config, project: string, flags: Flags): Promise<number> {
  const { kind, name, value } = flags;
  const made = (await runAdmin(
    config,
    { command: 'channel create', args: { project, kind, name, value } },
    noProgress,
  )) as { readonly id: string; readonly name: string; readonly kind: string };
  return show(flags, made, ({ id }) =>
    print(`${made.kind} integration ${JSON.stringify(made.name)}, id ${id}`),
  );
}

export async function listChannels(config: Config, project: string, flags: Flags): Promise<number> {
  return showRows(flags, await runAdmin(config, { command: 'channel list', args: { project } }, noProgress));
}

export async function resetPassword(config: Config, user: string | undefined, flags: Flags): Promise<number> {
  const made = (await runAdmin(config, { command: 'password reset', args: { user } }, noProgress)) as {
    readonly user: string | null;
    readonly link: string;
  };
  return show(flags, made, ({ link }) => {
    print(`${made.user ?? 'The first user'} sets a password here, once, within a day:`);
    print(`  ${link}`);
  });
}

function showRows(flags: Flags, result: unknown): number {
  return show(flags, result as readonly Row[], (rows) => printTable(rows));
}
