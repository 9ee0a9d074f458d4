/**
 * The table of owner's commands, by the name under which the command line and the admin socket know them.
 */

import * as configuration from './configuration/configuration.ts';
import { applyConfiguration } from './configuration/configuration-steps.ts';
import { type CommandRequest, type OwnerCommand, runCommand } from './contract/command.ts';
import * as adminKeys from './owner/admin-keys.ts';
import { callApi } from './owner/api.ts';
import { listAudit } from './owner/audit.ts';
import * as channels from './owner/channels.ts';
import * as checks from './owner/checks.ts';
import * as installation from './owner/installation.ts';
import * as outbox from './owner/outbox.ts';
import * as projects from './owner/projects.ts';
import { showReport } from './owner/reports.ts';
import * as statusPages from './owner/status-pages.ts';
import * as users from './owner/users.ts';

export const ownerCommands = {
  api: declared(callApi),
  'project create': declared(projects.createProject),
  'project list': declared(projects.listProjects),
  'project rename': declared(projects.renameProject),
  'project delete': declared(projects.deleteProject),
  'key create': declared(projects.createKey),
  'key list': declared(projects.listKeys),
  'key revoke': declared(projects.revokeKey),
  'admin-key create': declared(adminKeys.createAdminKey),
  'admin-key list': declared(adminKeys.listAdminKeys),
  'admin-key revoke': declared(adminKeys.revokeAdminKey),
  'channel create': declared(channels.createChannel),
  'channel list': declared(channels.listChannels),
  'channel edit': declared(channels.editChannel),
  'channel delete': declared(channels.deleteChannel),
  'channel test': declared(channels.testChannel),
  'channel verify': declared(channels.verifyChannel),
  'channel confirm': declared(channels.confirmChannel),
  'audit list': declared(listAudit),
  'check move': declared(checks.moveCheck),
  'config show': declared(configuration.showConfiguration),
  'config apply': declared(applyConfiguration),
  'outbox list': declared(outbox.listOutbox),
  'outbox retry': declared(outbox.retryDelivery),
  'outbox drop': declared(outbox.dropDelivery),
  'report show': declared(showReport),
  'status-page list': declared(statusPages.listStatusPages),
  'status-page show': declared(statusPages.showStatusPage),
  'status-page create': declared(statusPages.createStatusPage),
  'status-page edit': declared(statusPages.editStatusPage),
  'status-page delete': declared(statusPages.deleteStatusPage),
  'status-page notice': declared(statusPages.writeNotice),
  'status-page delete-notice': declared(statusPages.deleteNotice),
  'password reset': declared(installation.resetPassword),
  'user list': declared(users.listUsers),
  'user role': declared(users.changeRole),
  'user reset-totp': declared(installation.resetTotp),
  'server info': declared(installation.serverInfo),
  snapshot: declared(installation.writeSnapshot),
} as const;

export type CommandName = keyof typeof ownerCommands;

/** What a command shows, as it comes out of its JSON. */
export type CommandResult<Name extends CommandName> = ReturnType<(typeof ownerCommands)[Name]['shown']>;

/** Whether a command changes nothing; false for a name that no command has. */
export function onlyReads(name: string): boolean {
  const command = commandOf(name);
  return command !== null && ownerCommands[command].effect === 'reads';
}

/** Null for a name that no command has. */
export function commandOf(name: string): CommandName | null {
  return isCommand(name) ? name : null;
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(ownerCommands, name);
}

function declared<Input, Outcome, Shown>(command: OwnerCommand<Input, Outcome, Shown>) {
  return {
    ...command,
    /** Runs it, and shows what came of it. */
    answer: async (request: CommandRequest): Promise<Shown> =>
      command.shown(await runCommand(command, request), request.context),
  };
}
