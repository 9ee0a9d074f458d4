/**
 * What every owner's command has: the options that say where it runs, on the Knell of `--server`, in the one that runs here, or on
 * the data directory, when none runs; and how it prints.
 */
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { secretIn } from '../../lib/secret-file.ts';
import type { Flags } from './flags.ts';
import { addOutput } from './output.ts';

/** What `args` gives every group of commands. */
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
 * A server that only a variable names is meant where there is an admin key for it: commands about checks use the variable with a
 * project's key, and owner's commands beside them are run here.
 */
export function ownerServer(flags: Flags): Flags {
  const isNamed = flags.server !== undefined || flags.key !== undefined;
  return isNamed || secretIn(process.env, 'KNELL_ADMIN_KEY') ? flags : { ...flags, server: '' };
}

/** A command that has a `--key` of its own takes the admin key from its variable. */
export function withServer(command: Command): Command {
  command.option('--server <url>', 'the address of a Knell elsewhere (KNELL_SERVER)');
  return hasKey(command)
    ? command
    : command.option('--key <key>', 'an admin key of it (KNELL_ADMIN_KEY): see knell key create-admin');
}

export function hasKey(command: Command): boolean {
  return command.options.some(({ long }) => long === '--key');
}
