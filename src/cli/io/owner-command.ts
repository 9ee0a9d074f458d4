/**
 * The options that every owner's command has: those that say where it runs, and those that say how it prints. It runs on the Knell
 * of `--server`, in the one that runs here, or, if none runs, on the data directory.
 */
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { secretIn } from '../../lib/secret-file.ts';
import type { Flags } from './flags.ts';
import { addOutput } from './output.ts';

/** The tools that `args` gives every group of commands. */
export interface CommandTools {
  finish(status: number): void;
  /** Adds `--data-dir`, and `--json` unless that is false. */
  onData(command: Command, withJson?: boolean): Command;
  configOf(flags: Flags): Config;
}

/** Adds `--data-dir`, `--server`, `--key`, `-o` and `--json`. */
export function onOwner(command: Command, { onData }: Pick<CommandTools, 'onData'>): Command {
  return withServer(addOutput(onData(command)));
}

/**
 * Drops the server if only a variable names it and there is no admin key for it: commands about checks use that variable with the
 * key of a project, and owner's commands then run on this machine.
 */
export function ownerServer(flags: Flags): Flags {
  const isNamed = flags.server !== undefined || flags.key !== undefined;
  return isNamed || secretIn(process.env, 'KNELL_ADMIN_KEY') ? flags : { ...flags, server: '' };
}

/** Adds `--server` and `--key`. A command that has another `--key` takes the admin key only from its variable. */
export function withServer(command: Command): Command {
  command.option('--server <url>', 'the address of a Knell elsewhere (KNELL_SERVER)');
  return hasKey(command)
    ? command
    : command.option('--key <key>', 'an admin key of it (KNELL_ADMIN_KEY): see knell key create-admin');
}

export function hasKey(command: Command): boolean {
  return command.options.some(({ long }) => long === '--key');
}
