/**
 * What whoever runs this Knell can ask for: projects, keys, integrations, snapshots. One table, used by the admin
 * socket and, when no server runs, by the commands themselves.
 * Invariant: arguments are checked here, whoever sends them; a result is plain JSON.
 */
import { keyScopes, type Plan, plans } from '../domain/project.ts';
import type { Engine, Progress } from '../engine/engine.ts';
import { KnellError } from '../lib/errors.ts';
import { asKeyId } from '../lib/ids.ts';
import {
  type AdminRequest,
  type AdminRoom,
  type Call,
  type Command,
  oneOf,
  optionalWord,
  projectOf,
  word,
} from './admin-call.ts';
import { channelCommands, outboxCommands } from './admin-channels.ts';
import { resetPassword } from './admin-password.ts';

export type { AdminRequest } from './admin-call.ts';

/** Runs one command; rejects with a KnellError that says what is wrong. */
export type AdminCommands = (request: AdminRequest, progress: Progress) => Promise<unknown>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['project create', createProject],
  ['project list', listProjects],
  ['project rename', renameProject],
  ['project delete', deleteProject],
  ['key create', createKey],
  ['key list', listKeys],
  ['key revoke', revokeKey],
  ...channelCommands,
  ...outboxCommands,
  ['password reset', resetPassword],
  ['snapshot', writeSnapshot],
]);

export function createAdminCommands(room: AdminRoom, nowMs: () => number): AdminCommands {
  return async ({ command, args }, progress) => {
    const run = commands.get(command);
    if (!run)
      throw new KnellError('usage', `the server knows no command ${command}: is it older than this one?`);
    return run({ ...room, args, nowMs: nowMs(), progress });
  };
}

async function createProject({ engine, args, nowMs }: Call): Promise<unknown> {
  const plan = oneOf(plans, word(args, 'plan'), '--plan');
  return makeProject(engine, word(args, 'name'), plan, nowMs);
}

/** A project with a key of each scope, shown this once: the contract's JSON. */
export async function makeProject(
  engine: Pick<Engine, 'change'>,
  name: string,
  plan: Plan,
  nowMs: number,
): Promise<ShownProject> {
  const { project, readWrite, readOnly, ping } = await engine.change.createProject(name, plan, nowMs);
  return {
    project: { id: project.id, name: project.name, plan },
    keys: { read_write: readWrite.clear, read_only: readOnly.clear, ping: ping.clear },
  };
}

export interface ShownProject {
  readonly project: { readonly id: string; readonly name: string; readonly plan: Plan };
  readonly keys: { readonly read_write: string; readonly read_only: string; readonly ping: string };
}

async function listProjects({ engine }: Call): Promise<unknown> {
  return engine.read
    .projects()
    .map(({ id, name, plan }) => ({ id, name, plan, checks: engine.read.checkCount(id) }));
}

async function renameProject({ engine, args }: Call): Promise<unknown> {
  const { id } = projectOf(engine, args);
  const { name, plan } = await engine.change.renameProject(id, word(args, 'name'));
  return { id, name, plan };
}

async function deleteProject({ engine, args, nowMs }: Call): Promise<unknown> {
  const { id, name } = projectOf(engine, args);
  return { id, name, deleted: true, checks: await engine.change.deleteProject(id, nowMs) };
}

async function createKey({ engine, args, nowMs }: Call): Promise<unknown> {
  const scope = oneOf(keyScopes, word(args, 'scope'), '--scope');
  const { key, clear } = await engine.change.createKey(projectOf(engine, args).id, scope, nowMs);
  return { id: key.id, scope, key: clear };
}

async function listKeys({ engine, args }: Call): Promise<unknown> {
  return engine.read.keys(projectOf(engine, args).id).map(({ id, scope, clear, createdAtMs }) => ({
    id,
    scope,
    created: new Date(createdAtMs).toISOString(),
    ...(clear === null ? {} : { key: clear }),
  }));
}

async function revokeKey({ engine, args }: Call): Promise<unknown> {
  const id = word(args, 'id');
  await engine.change.revokeKey(asKeyId(id));
  return { id, revoked: true };
}

async function writeSnapshot({ engine, args, progress, newSnapshotFile }: Call): Promise<unknown> {
  return engine.writeSnapshot(optionalWord(args, 'file') ?? newSnapshotFile(), progress);
}
