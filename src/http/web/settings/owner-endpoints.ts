/**
 * Endpoints that run an owner's command within the project of the path, and turn its outcome into a reply.
 * Invariant: a command reaches nothing outside the project that its path names; the table decides who may run it.
 */

import type { Arguments } from '../../../commands/contract/argument.ts';
import { newChannelIn } from '../../../commands/contract/channel-input.ts';
import type { Args, CommandContext, CommandRequest, Targets } from '../../../commands/contract/command.ts';
import type { OwnerCommand } from '../../../commands/contract/declaration.ts';
import type { EditedChannel } from '../../../commands/owner/channels.ts';
import { noSuchDelivery } from '../../../commands/owner/outbox.ts';
import { statusPageView } from '../../../commands/owner/status-pages.ts';
import { ownerCommands } from '../../../commands/table.ts';
import { channelsApart } from '../../../domain/accounts/channels-apart.ts';
import type { Channel, Project } from '../../../domain/accounts/project.ts';
import type { StatusPage } from '../../../domain/accounts/status-page.ts';
import type { User } from '../../../domain/accounts/user.ts';
import type { MaintenanceWindow } from '../../../domain/alerting/maintenance.ts';
import type { MaintenanceListAnswer } from '../../../domain/views/maintenance-view.ts';
import type {
  ChannelReplyView,
  ChannelView,
  ConnectedView,
  EndedMaintenanceView,
  NewChannelView,
  NewKeyView,
  NewProjectView,
  RetriedOneView,
  StatusPagesView,
  TestedView,
} from '../../../domain/views/page-view.ts';
import { KnellError } from '../../../lib/errors.ts';
import {
  asChannelId,
  asKeyId,
  asMaintenanceId,
  asProjectId,
  asStatusPageId,
  type KeyId,
} from '../../../lib/ids.ts';
import { presentOf } from '../../status-page/gather.ts';
import { jsonReply } from '../../wire/json-reply.ts';
import type { HttpReply } from '../../wire/message.ts';
import { textIn, type UserCall, type UserEndpoint } from '../calls/call.ts';
import { mayAllow } from '../calls/may-allow.ts';
import { channelView } from './channel-view.ts';
import { downInWindow, sentAtEnd } from './maintenance.ts';

/** Runs `command` and replies with what `replyOf` makes of its outcome. */
function endpoint<Outcome>(
  command: Pick<OwnerCommand<Arguments, Outcome, unknown>, 'role' | 'takes' | 'run'>,
  replyOf: (outcome: Outcome, call: UserCall) => HttpReply | Promise<HttpReply>,
): UserEndpoint {
  return {
    for: command.role,
    async run(call) {
      return replyOf(await command.run(requestOf(call, argsOf(call, command.takes))), call);
    },
  };
}

function requestOf(call: UserCall, args: Args): CommandRequest {
  const { principal, role, nowMs } = call;
  const context = commandsFor(call);
  // Only owners of the installation may run programs on the server.
  const shell = principal.user.role === 'owner';
  return { context, args, targets: targetsOf(call), role, shell, nowMs, progress() {} };
}

/** Arguments that the path names take precedence over the body. */
function argsOf({ json, path }: UserCall, takes: Arguments): Args {
  const named = Object.entries(takes).flatMap(([name, { names }]) =>
    names === undefined ? [] : [[name, names === 'project' ? path.project : path.id] as const],
  );
  return {
    ...json,
    ...(path.notice === undefined ? {} : { notice: path.notice }),
    ...Object.fromEntries(named),
  };
}

/** The context of the commands, in which the member is the author of changes. */
function commandsFor({ context: { commands }, change }: UserCall): CommandContext {
  return { ...commands, engine: { ...commands.engine, change } };
}

function targetsOf(call: UserCall): Targets {
  const project = (): Project => projectIn(call);
  return {
    project,
    channel: () => channelIn(call, project()),
    key: () => keyIn(call, project()),
    delivery: () => deliveryIn(call, project()),
    adminKey() {
      throw new KnellError('not-found', 'not found');
    },
    statusPage: () => statusPageIn(call, project()),
    maintenance: () => maintenanceIn(call, project()),
    user: () => userIn(call),
  };
}

function projectIn({ context, path }: UserCall): Project {
  const project = context.engine.read.project(asProjectId(path.project ?? ''));
  if (!project) throw new KnellError('not-found', 'not found');
  return project;
}

function channelIn({ context, path }: UserCall, project: Project): Channel {
  const id = asChannelId(path.id ?? '');
  const channel = context.engine.read.channels(project.id).find((one) => one.id === id);
  if (!channel) throw new KnellError('not-found', 'this integration was deleted');
  return channel;
}

function keyIn({ context, path }: UserCall, project: Project): KeyId {
  const id = asKeyId(path.id ?? '');
  if (!context.engine.read.keys(project.id).some((key) => key.id === id))
    throw new KnellError('not-found', 'this key was revoked');
  return id;
}

/** Accepts one delivery only: `all` would reach other projects. */
function deliveryIn({ context, path }: UserCall, project: Project): string {
  const id = path.id ?? '';
  const channelId = context.commands.outbox.channelOf(id);
  const channel = channelId && context.engine.read.channel(channelId);
  if (!channel || channel.projectId !== project.id) throw noSuchDelivery(id);
  return id;
}

function statusPageIn({ context, path }: UserCall, project: Project): StatusPage {
  const page = context.engine.read.statusPage(asStatusPageId(path.id ?? ''));
  if (page?.projectId !== project.id) throw new KnellError('not-found', 'this status page was deleted');
  return page;
}

function maintenanceIn({ context, path }: UserCall, project: Project): MaintenanceWindow {
  const window = context.engine.read.maintenanceWindow(asMaintenanceId(path.id ?? ''));
  if (window?.projectId !== project.id)
    throw new KnellError('not-found', 'this maintenance window was deleted');
  return window;
}

export function userIn({ context, path }: UserCall): User {
  const user = context.engine.read.users().find(({ id }) => id === path.id);
  if (!user) throw new KnellError('not-found', 'this user was removed');
  return user;
}

const nothing = (): HttpReply => jsonReply({});

export const createProject = endpoint(ownerCommands['project create'], (created) => {
  const { project, readWrite, readOnly, ping } = created;
  const keys = { 'read-write': readWrite.clear, 'read-only': readOnly.clear, ping: ping.clear };
  return jsonReply({ id: project.id, keys } satisfies NewProjectView, 201);
});

export const renameProject = endpoint(ownerCommands['project rename'], ({ id, name }) =>
  jsonReply({ id, name }),
);

export const setRetention = endpoint(ownerCommands['project retention'], ({ id, retention }) =>
  jsonReply({ id, retention }),
);

const deleteNow = endpoint(ownerCommands['project delete'], ({ checks }) => jsonReply({ checks }));

/** Deletes a project, which cannot be undone, so the name of the project must be typed. */
export const deleteProject: UserEndpoint = {
  for: deleteNow.for,
  run(call) {
    const { name } = projectIn(call);
    if (textIn(call.json, 'name') === name) return deleteNow.run(call);
    throw new KnellError('usage', `to delete this project, type its name: ${name}`);
  },
};

export const createKey = endpoint(ownerCommands['key create'], ({ key, clear }) =>
  jsonReply({ id: key.id, scope: key.scope, key: clear } satisfies NewKeyView, 201),
);

export const renameKey = endpoint(ownerCommands['key rename'], nothing);

export const revokeKey = endpoint(ownerCommands['key revoke'], nothing);

/** Throws what `createConnected` would throw for these arguments, which have no value yet: it will be an address. */
export function mustBeAddable(call: UserCall, args: Args): void {
  const request = requestOf(call, { ...args, value: call.context.baseUrl() });
  newChannelIn(request);
  ownerCommands['channel create'].takes.checks.read(request, 'checks')(projectIn(call));
}

export const createChannel = endpoint(ownerCommands['channel create'], ({ checks, ...created }, call) =>
  jsonReply({ id: created.channel.id, checks, ...said(created, call) } satisfies NewChannelView, 201),
);

/** The same for one that was added on the vendor's page: its name may come from there. */
export const createConnected = endpoint(ownerCommands['channel create'], ({ checks, ...created }, call) => {
  const { id, name } = created.channel;
  return jsonReply(
    { id, name, checks, wasThere: false, ...said(created, call) } satisfies ConnectedView,
    201,
  );
});

export const editChannel = endpoint(ownerCommands['channel edit'], (edited, call) => {
  const { id, projectId } = edited.channel;
  const apart = channelsApart(call.context.engine.read.channels(projectId), true)(id);
  return jsonReply({
    ...channelView(edited.channel, true, apart),
    ...said(edited, call),
  } satisfies ChannelView & ChannelReplyView);
});

function said({ verification, warning, blocked }: EditedChannel, call: UserCall): ChannelReplyView {
  return {
    ...(verification === undefined ? {} : { verification: verification ?? '' }),
    ...(warning === null ? {} : { warning }),
    ...blockedIn(blocked, call),
  };
}

function blockedIn(addresses: readonly string[], call: UserCall): Pick<TestedView, 'blocked'> {
  return addresses.length === 0 ? {} : { blocked: { addresses, mayAllow: mayAllow(call) } };
}

export const verifyChannel = endpoint(ownerCommands['channel verify'], nothing);
export const confirmChannel = endpoint(ownerCommands['channel confirm'], nothing);

export const deleteChannel = endpoint(ownerCommands['channel delete'], nothing);

/** Members of a group have a result each; the first failure is shown, or the answer of the only one. */
export const testChannel = endpoint(ownerCommands['channel test'], async (results, call) => {
  const failed = results.find(({ ok }) => !ok);
  const { answer } = failed ?? ((results.length === 1 && results[0]) || {});
  const answered = answer ? { answer } : {};
  if (!failed) return jsonReply({ ok: true, error: '', ...answered } satisfies TestedView);
  const { engine, commands } = call.context;
  const channel = engine.read.channel(asChannelId(failed.id));
  const refusal = channel && (await commands.outbox.refusalOf(channel.kind, channel.value));
  const blocked = blockedIn(refusal?.addresses ?? [], call);
  const view: TestedView = { ok: false, error: failed.error, ...blocked, ...answered };
  return jsonReply(view);
});

export const retryDelivery = endpoint(ownerCommands['outbox retry'], (_, { context, path }) => {
  const attempts = context.commands.outbox.get(path.id ?? '')?.attempts ?? 0;
  return jsonReply({ attempts } satisfies RetriedOneView);
});
export const dropDelivery = endpoint(ownerCommands['outbox drop'], nothing);

const shownPage = (page: StatusPage): HttpReply => jsonReply(statusPageView(page));

export const listStatusPages = endpoint(ownerCommands['status-page list'], async (pages, call) => {
  const { id: projectId } = projectIn(call);
  const present = await presentOf(call.context.engine.read, { projectId, pages }, call.nowMs);
  const listed = pages.flatMap((page, place) => {
    const { [place]: now } = present;
    return now ? [{ ...statusPageView(page), ...now }] : [];
  });
  return jsonReply({ pages: listed } satisfies StatusPagesView);
});
export const showStatusPage = endpoint(ownerCommands['status-page show'], shownPage);
export const createStatusPage = endpoint(ownerCommands['status-page create'], (page) =>
  jsonReply(statusPageView(page), 201),
);
export const editStatusPage = endpoint(ownerCommands['status-page edit'], shownPage);
export const deleteStatusPage = endpoint(ownerCommands['status-page delete'], nothing);
export const writeNotice = endpoint(ownerCommands['status-page notice'], shownPage);
export const deleteNotice = endpoint(ownerCommands['status-page delete-notice'], shownPage);
export const listMaintenance = endpoint(ownerCommands['maintenance list'], (maintenance) =>
  jsonReply({ maintenance } satisfies MaintenanceListAnswer),
);
export const createMaintenance = endpoint(ownerCommands['maintenance create'], (window) =>
  jsonReply(window, 201),
);
export const editMaintenance = endpoint(ownerCommands['maintenance edit'], (window) => jsonReply(window));
/** Its answer has what it sends: what was held back is known only before the end. */
export const endMaintenance: UserEndpoint = {
  for: ownerCommands['maintenance end'].role,
  run(call) {
    const { read } = call.context.engine;
    const down = downInWindow(read, asMaintenanceId(call.path.id ?? ''));
    const end = endpoint(ownerCommands['maintenance end'], (window) =>
      jsonReply({
        ...window,
        ...(down === null ? {} : { atEnd: sentAtEnd(call.context, down, call.nowMs) }),
      } satisfies EndedMaintenanceView),
    );
    return end.run(call);
  },
};
export const deleteMaintenance = endpoint(ownerCommands['maintenance delete'], nothing);
export const resetTotp = endpoint(ownerCommands['user reset-totp'], nothing);

export const linkForPassword = endpoint(ownerCommands['password reset'], ({ path }) =>
  jsonReply({ link: path }),
);
