/**
 * What whoever runs this Knell can ask for: projects, keys, integrations, snapshots. One table, used by the admin
 * socket and, when no server runs, by the commands themselves.
 * Invariant: arguments are checked here, whoever sends them; a result is plain JSON.
 */
import { channelValueFlaw } from '../domain/channel-value.ts';
import { channelKinds, keyScopes, type Plan, type Project, plans } from '../domain/project.ts';
import type { Engine, Progress } from '../engine/engine.ts';
import { KnellError } from '../lib/errors.ts';
import { asKeyId } from '../lib/ids.ts';
import { linkPath } from './web/settings.ts';
import type { Tokens } from './web/tokens.ts';

export interface AdminRequest {
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Runs one command; rejects with a KnellError that says what is wrong. */
export type AdminCommands = (request: AdminRequest, progress: Progress) => Promise<unknown>;

/** What the commands act on. */
export interface AdminRoom {
  readonly engine: Engine;
  readonly tokens: Tokens;
  readonly baseUrl: string;
}

interface Call extends AdminRoom {
  readonly args: AdminRequest['args'];
  readonly nowMs: number;
  readonly progress: Progress;
}

type Command = (call: Call) => Promise<unknown>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['project create', createProject],
  ['project list', listProjects],
  ['key create', createKey],
  ['key list', listKeys],
  ['key revoke', revokeKey],
  ['channel create', createChannel],
  ['channel list', listChannels],
  ['password reset', resetPassword],
  ['snapshot', ({ engine, args, progress }) => engine.writeSnapshot(word(args, 'file'), progress)],
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

async function createChannel({ engine, args, nowMs }: Call): Promise<unknown> {
  const kind = oneOf(channelKinds, word(args, 'kind'), '--kind');
  const name = word(args, 'name');
  const value = word(args, 'value');
  if ([...name].length > channelNameMax)
    throw new KnellError('usage', `--name has at most ${channelNameMax} characters`);
  const flaw = channelValueFlaw(kind, value);
  if (flaw !== null) throw new KnellError('usage', flaw);
  const { id } = await engine.change.createChannel(projectOf(engine, args).id, { kind, name, value }, nowMs);
  return { id, name, kind };
}

/** The link by which a user sets a new password; while there is no user, the one that sets the first. */
async function resetPassword({ engine, tokens, baseUrl, args, nowMs }: Call): Promise<unknown> {
  const users = engine.read.users();
  const name = typeof args.user === 'string' ? args.user.toLowerCase() : null;
  const owners = users.filter(({ role }) => role === 'owner');
  const user = name === null ? owners[0] : users.find((one) => one.name.toLowerCase() === name);
  if (!user && (users.length > 0 || name !== null)) {
    const known = users.map((one) => one.name).join(', ') || 'nobody yet';
    throw new KnellError('not-found', `no user is named ${name}; there is ${known}`);
  }
  const link = baseUrl + linkPath(tokens.link(user ?? null, nowMs));
  return { user: user?.name ?? null, link };
}

const channelNameMax = 100;

async function listChannels({ engine, args }: Call): Promise<unknown> {
  return engine.read.channels(projectOf(engine, args).id).map(({ id, name, kind }) => ({ id, name, kind }));
}

/** The project that `args.project` names, by name or by id. */
function projectOf(engine: Engine, args: AdminRequest['args']): Project {
  const wanted = word(args, 'project');
  const project = engine.read.projects().find(({ id, name }) => id === wanted || name === wanted);
  if (!project) throw new KnellError('not-found', `no project is named ${wanted}: see knell project list`);
  return project;
}

function word(args: AdminRequest['args'], name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw new KnellError('usage', `${name} is missing`);
  return value;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, flag: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new KnellError('usage', `${flag} must be one of ${allowed.join(', ')}`);
  return found;
}
