/**
 * Runs one owner's command where the options say: on the Knell of `--server`, in the one that runs here, or on the data
 * directory, when none runs.
 */
import type { Command } from 'commander';
import type { Args } from '../../commands/contract/command.ts';
import type { CommandName, CommandResult } from '../../commands/table.ts';
import type { Config } from '../../config.ts';
import { secretIn } from '../../lib/secret-file.ts';
import type { Progress } from '../../store/store.ts';
import type { Flags } from './flags.ts';
import { addOutput } from './output.ts';
import { sessionFor } from './remote-admin.ts';

/** What `args` gives every group of commands. */
export interface CommandTools {
  finish(status: number): void;
  /** Adds `--data-dir`, and `--json` unless that is false. */
  onData(command: Command, withJson?: boolean): Command;
  configOf(flags: Flags): Config;
  /** Adds what every owner's command has: `--data-dir`, `--server`, `--key`, `-o` and `--json`. */
  onOwner(command: Command): Command;
  /** Rejects with a KnellError. `name` and `args`: see `commands/table`. */
  ask<Name extends CommandName>(
    flags: Flags,
    name: Name,
    args?: Args,
    progress?: Progress,
  ): Promise<CommandResult<Name>>;
}

export type Ask = CommandTools['ask'];

export function ownerTools(tools: Pick<CommandTools, 'finish' | 'onData' | 'configOf'>): CommandTools {
  return {
    ...tools,
    onOwner: (command) => withServer(addOutput(tools.onData(command))),
    async ask(flags, name, args = {}, progress = () => {}) {
      const session = sessionFor(meant(flags), () => tools.configOf(flags));
      try {
        return await session.run(name, args, progress);
      } finally {
        await session.close();
      }
    },
  };
}

/**
 * A server that only a variable names is meant where there is an admin key for it: commands about checks use the variable with a
 * project's key, and owner's commands beside them are run here.
 */
function meant(flags: Flags): Flags {
  const isNamed = flags.server !== undefined || flags.key !== undefined;
  return isNamed || secretIn(process.env, 'KNELL_ADMIN_KEY') ? flags : { ...flags, server: '' };
}

/** A command that has a `--key` of its own takes the admin key from its variable. */
export function withServer(command: Command): Command {
  command.option('--server <url>', 'the address of a Knell elsewhere (KNELL_SERVER)');
  const hasKey = command.options.some(({ long }) => long === '--key');
  return hasKey
    ? command
    : command.option('--key <key>', 'an admin key of it (KNELL_ADMIN_KEY): see knell key create-admin');
}
