/**
 * The admin socket's door to the owner's commands, which `knell` uses: through the socket of a running server, and
 * directly when none runs; `admin-api` opens it to HTTP. Turns outcomes into the JSON that the command line prints.
 * Invariant: a result is plain JSON, and contains no value of an integration: values hold secrets.
 */

import {
  type Args,
  type CommandContext,
  type CommandRequest,
  type OwnerCommand,
  runCommand,
} from '../../commands/contract/command.ts';
import { exportedEntry } from '../../commands/owner/audit-pages.ts';
import type { CreatedChannel, EditedChannel } from '../../commands/owner/channels.ts';
import { statusPageView } from '../../commands/owner/status-pages.ts';
import { shownUser } from '../../commands/owner/users.ts';
import { type CommandName, ownerCommands } from '../../commands/table.ts';
import { type Actor, actorOf } from '../../domain/accounts/audit.ts';
import {
  type AdminKey,
  type ApiKey,
  type Channel,
  type Plan,
  type Project,
  settingsOf,
} from '../../domain/accounts/project.ts';
import type { StatusPage } from '../../domain/accounts/status-page.ts';
import type { Engine, NewKey, NewProject, Progress } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { statusPagePrefix } from '../status-page/routes.ts';
import { adminTargets } from './admin-targets.ts';

export interface AdminRequest {
  readonly command: string;
  readonly args: Args;
}

/**
 * Runs one command; rejects with a KnellError that says what is wrong. `caller`: if omitted, one of those who may open the
 * socket.
 */
export type AdminCommands = (
  request: AdminRequest,
  progress: Progress,
  caller?: AdminCaller,
) => Promise<unknown>;

export interface AdminCaller {
  /** See `CommandRequest`. */
  readonly shell: boolean;
  readonly actor: Actor;
}

const commandLine: AdminCaller = { shell: true, actor: actorOf('command-line') };

type AdminRoute = (request: CommandRequest) => Promise<unknown>;

function route<Input, Outcome>(
  command: OwnerCommand<Input, Outcome>,
  resultOf: (outcome: Outcome, context: CommandContext) => unknown,
): AdminRoute {
  return async (request) => resultOf(await runCommand(command, request), request.context);
}

const routes: Readonly<Record<CommandName, AdminRoute>> = {
  api: route(ownerCommands.api, (result) => result),
  'project create': route(ownerCommands['project create'], shownProject),
  'project list': route(ownerCommands['project list'], (all) =>
    all.map(({ project, checks }) => ({ ...summaryOf(project), checks })),
  ),
  'project rename': route(ownerCommands['project rename'], summaryOf),
  'project delete': route(ownerCommands['project delete'], ({ project: { id, name }, checks }) => {
    return { id, name, deleted: true, checks };
  }),
  'key create': route(ownerCommands['key create'], ({ key, clear }: NewKey) => {
    return { id: key.id, scope: key.scope, key: clear };
  }),
  'key list': route(ownerCommands['key list'], (keys) => keys.map(shownKey)),
  'key revoke': route(ownerCommands['key revoke'], (id) => ({ id, revoked: true })),
  'admin-key create': route(ownerCommands['admin-key create'], ({ key, clear }) => {
    return { ...shownAdminKey(key), key: clear };
  }),
  'admin-key list': route(ownerCommands['admin-key list'], (keys) => keys.map(shownAdminKey)),
  'admin-key revoke': route(ownerCommands['admin-key revoke'], ({ id, name }) => {
    return { id, name, revoked: true };
  }),
  'channel create': route(ownerCommands['channel create'], createdChannel),
  'channel list': route(ownerCommands['channel list'], (channels) => channels.map(shownChannel)),
  'channel edit': route(ownerCommands['channel edit'], editedChannel),
  'channel delete': route(ownerCommands['channel delete'], ({ id }) => ({ id, deleted: true })),
  'channel verify': route(ownerCommands['channel verify'], ({ id }) => ({ id, sent: true })),
  'channel confirm': route(ownerCommands['channel confirm'], shownChannel),
  'channel test': route(ownerCommands['channel test'], (results) => results),
  'audit list': route(ownerCommands['audit list'], ({ entries, next }) => ({
    entries: entries.map(exportedEntry),
    next,
  })),
  'check move': route(ownerCommands['check move'], ({ check, project }) => {
    return { uuid: check.id, name: check.config.name, slug: check.config.slug, project: project.name };
  }),
  'config show': route(ownerCommands['config show'], (shown) => shown),
  'config apply': route(ownerCommands['config apply'], (outcomes) => outcomes),
  'outbox list': route(ownerCommands['outbox list'], (deliveries) => deliveries),
  'outbox retry': route(ownerCommands['outbox retry'], (retried) => ({ retried })),
  'outbox drop': route(ownerCommands['outbox drop'], (dropped) => ({ dropped })),
  'report show': route(ownerCommands['report show'], ({ report, baseUrl }) => ({ report, baseUrl })),
  'status-page list': route(ownerCommands['status-page list'], (pages, context) =>
    pages.map((page) => shownStatusPage(page, context)),
  ),
  'status-page show': route(ownerCommands['status-page show'], shownStatusPage),
  'status-page create': route(ownerCommands['status-page create'], shownStatusPage),
  'status-page edit': route(ownerCommands['status-page edit'], shownStatusPage),
  'status-page delete': route(ownerCommands['status-page delete'], ({ id, slug }) => {
    return { id, slug, deleted: true };
  }),
  'status-page notice': route(ownerCommands['status-page notice'], shownStatusPage),
  'status-page delete-notice': route(ownerCommands['status-page delete-notice'], shownStatusPage),
  'password reset': route(ownerCommands['password reset'], ({ user, path }, { baseUrl }) => {
    return { user: user?.name ?? null, link: baseUrl() + path };
  }),
  'user list': route(ownerCommands['user list'], (users, { engine }) =>
    users.map((user) => shownUser(user, engine.read)),
  ),
  'user role': route(ownerCommands['user role'], (user, { engine }) => shownUser(user, engine.read)),
  'user reset-totp': route(ownerCommands['user reset-totp'], ({ id, name }) => ({ id, name })),
  'server info': route(ownerCommands['server info'], ({ baseUrl, node, echo }) => {
    return { base_url: baseUrl, node, echo };
  }),
  snapshot: route(ownerCommands.snapshot, (summary) => summary),
};

const routeOf: ReadonlyMap<string, AdminRoute> = new Map(Object.entries(routes));

export function createAdminCommands(context: CommandContext, nowMs: () => number): AdminCommands {
  return async ({ command, args }, progress, { shell, actor } = commandLine) => {
    const run = routeOf.get(command);
    if (!run)
      throw new KnellError('usage', `the server does not know the command ${command}: is it an older Knell?`);
    const targets = adminTargets(context.engine, args);
    const atMs = nowMs();
    const change = context.engine.changeBy({ actor, atMs });
    const own = { ...context, engine: { ...context.engine, change } };
    return run({ context: own, args, targets, role: 'owner', shell, nowMs: atMs, progress });
  };
}

/** A project with a key of each scope, in the form of the command line's contract. */
export interface ShownProject {
  readonly project: { readonly id: string; readonly name: string; readonly plan: Plan };
  readonly keys: { readonly read_write: string; readonly read_only: string; readonly ping: string };
}

/** The keys are shown only here. */
export async function createShownProject(
  { change }: Pick<Engine, 'change'>,
  name: string,
  nowMs: number,
): Promise<ShownProject> {
  return shownProject(await change.createProject(name, 'paid', nowMs));
}

function shownProject({ project, readWrite, readOnly, ping }: NewProject): ShownProject {
  const keys = { read_write: readWrite.clear, read_only: readOnly.clear, ping: ping.clear };
  return { project: summaryOf(project), keys };
}

function summaryOf({ id, name, plan }: Project): ShownProject['project'] {
  return { id, name, plan };
}

function shownStatusPage(page: StatusPage, { baseUrl }: CommandContext) {
  return { ...statusPageView(page), url: baseUrl() + statusPagePrefix + page.slug };
}

function shownKey({ id, name, scope, clear, createdAtMs }: ApiKey): Readonly<Record<string, string>> {
  const created = new Date(createdAtMs).toISOString();
  return {
    id,
    ...(name === undefined ? {} : { name }),
    scope,
    created,
    ...(clear === null ? {} : { key: clear }),
  };
}

function shownAdminKey({ id, name, shell, createdAtMs }: AdminKey) {
  return { id, name, shell, created: new Date(createdAtMs).toISOString() };
}

/** With a warning when the server, as it is set up now, will send nothing to it. */
function createdChannel(created: CreatedChannel): unknown {
  const { id, name, kind } = created.channel;
  return { id, name, kind, checks: created.checks, ...warningOf(created) };
}

function editedChannel(edited: EditedChannel): unknown {
  return { ...shownChannel(edited.channel), ...warningOf(edited) };
}

function warningOf({ warning, verification = null }: EditedChannel): { readonly warning?: string } {
  const unsent = verification === null ? null : `the verification email was not sent: ${verification}`;
  const warnings = [warning, unsent].filter((one) => one !== null);
  return warnings.length === 0 ? {} : { warning: warnings.join('; ') };
}

function shownChannel(channel: Channel): Readonly<Record<string, string | number | boolean>> {
  const { id, name, kind } = channel;
  const { delayS, repeatS, late, disabled, disabledReason, unverified, lastError } = settingsOf(channel);
  return {
    id,
    name,
    kind,
    delay: delayS,
    repeat: repeatS,
    late,
    disabled,
    last_error: lastError,
    ...(unverified ? { unverified } : {}),
    ...(disabledReason === '' ? {} : { disabled_reason: disabledReason }),
  };
}
