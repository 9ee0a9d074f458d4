/**
 * The table of owner's commands, by the name under which the command line and the admin socket know them.
 */

import * as configuration from './configuration/configuration.ts';
import { applyConfiguration } from './configuration/configuration-steps.ts';
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
  api: callApi,
  'project create': projects.createProject,
  'project list': projects.listProjects,
  'project rename': projects.renameProject,
  'project delete': projects.deleteProject,
  'key create': projects.createKey,
  'key list': projects.listKeys,
  'key revoke': projects.revokeKey,
  'admin-key create': adminKeys.createAdminKey,
  'admin-key list': adminKeys.listAdminKeys,
  'admin-key revoke': adminKeys.revokeAdminKey,
  'channel create': channels.createChannel,
  'channel list': channels.listChannels,
  'channel edit': channels.editChannel,
  'channel delete': channels.deleteChannel,
  'channel test': channels.testChannel,
  'channel verify': channels.verifyChannel,
  'channel confirm': channels.confirmChannel,
  'audit list': listAudit,
  'check move': checks.moveCheck,
  'config show': configuration.showConfiguration,
  'config apply': applyConfiguration,
  'outbox list': outbox.listOutbox,
  'outbox retry': outbox.retryDelivery,
  'outbox drop': outbox.dropDelivery,
  'report show': showReport,
  'status-page list': statusPages.listStatusPages,
  'status-page show': statusPages.showStatusPage,
  'status-page create': statusPages.createStatusPage,
  'status-page edit': statusPages.editStatusPage,
  'status-page delete': statusPages.deleteStatusPage,
  'status-page notice': statusPages.writeNotice,
  'status-page delete-notice': statusPages.deleteNotice,
  'password reset': installation.resetPassword,
  'user list': users.listUsers,
  'user role': users.changeRole,
  'user reset-totp': installation.resetTotp,
  'server info': installation.serverInfo,
  snapshot: installation.writeSnapshot,
} as const;

export type CommandName = keyof typeof ownerCommands;

/** Whether a command changes nothing. */
export function onlyReads(command: string): boolean {
  return /(?:^| )(?:list|show)$/.test(command);
}
