/**
 * The table of owner's commands, by the name under which the command line and the admin socket know them; in the admin API it is
 * their path.
 */

import { showCommands } from './configuration/configuration.ts';
import { applyCommands } from './configuration/configuration-steps.ts';
import type { ArgsOf, Arguments } from './contract/argument.ts';
import { adminKeyCommands } from './owner/admin-keys.ts';
import { apiCommands } from './owner/api.ts';
import { auditCommands } from './owner/audit.ts';
import { channelCommands } from './owner/channels.ts';
import { checkCommands } from './owner/checks.ts';
import { installationCommands } from './owner/installation.ts';
import { maintenanceCommands } from './owner/maintenance.ts';
import { outboxCommands } from './owner/outbox.ts';
import { projectCommands } from './owner/projects.ts';
import { reportCommands } from './owner/reports.ts';
import { statusPageCommands } from './owner/status-pages.ts';
import { userCommands } from './owner/users.ts';

export const ownerCommands = {
  ...apiCommands,
  ...projectCommands,
  ...adminKeyCommands,
  ...channelCommands,
  ...outboxCommands,
  ...statusPageCommands,
  ...maintenanceCommands,
  ...userCommands,
  ...installationCommands,
  ...auditCommands,
  ...reportCommands,
  ...checkCommands,
  ...showCommands,
  ...applyCommands,
} as const;

export type CommandName = keyof typeof ownerCommands;

/** Names in the order of the manual. */
export const commandNames: readonly CommandName[] = Object.keys(ownerCommands).filter(isCommand);

type Commands = typeof ownerCommands;
type Shown = { readonly [Name in CommandName]: Awaited<ReturnType<Commands[Name]['answer']>> };

/** The arguments of a command, as JSON. */
export type CommandArgs<Name extends CommandName> = ArgsOf<Commands[Name]['takes']>;

/** The result of a command, as it is read from JSON. */
export type CommandResult<Name extends CommandName> = Shown[Name];

/** Whether a command changes nothing; false for a name that no command has. */
export function onlyReads(name: string): boolean {
  const command = commandOf(name);
  return command !== null && ownerCommands[command].effect === 'reads';
}

/** Null for a name that no command has. */
export function commandOf(name: string): CommandName | null {
  return isCommand(name) ? name : null;
}

/** The arguments that it takes. */
export function argumentsOf(name: CommandName): Arguments {
  return ownerCommands[name].takes;
}

/** Below `/api/admin/`: `project/create`. */
export function pathOf(name: CommandName): string {
  return name.replaceAll(' ', '/');
}

/** Null for a path that no command has. */
export function commandAt(path: string): CommandName | null {
  return commandOf(path.replace(/\/$/, '').replaceAll('/', ' '));
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(ownerCommands, name);
}
