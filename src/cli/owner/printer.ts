/**
 * What an owner's command prints for people, and what it asks of them before: all that its declaration does not say.
 * Where nothing is said of a result, it is a table of its fields.
 */
import type { Command } from 'commander';
import type { CommandArgs, CommandName, CommandResult } from '../../commands/table.ts';
import type { NamedCommands } from '../io/admin-client.ts';
import type { Flags } from '../io/flags.ts';

export interface Call<Name extends CommandName> {
  readonly args: CommandArgs<Name>;
  readonly session: NamedCommands;
  readonly flags: Flags;
}

export interface Printer<Name extends CommandName> {
  readonly print?: (result: CommandResult<Name>, args: CommandArgs<Name>) => void;
  /** What of the result is printed as JSON or YAML, and goes into the table; if omitted, all of it. */
  readonly plain?: (result: CommandResult<Name>) => object;
  readonly warning?: (result: CommandResult<Name>) => string | undefined;
  /** Whether the exit status is 1, though it was done. */
  readonly fails?: (result: CommandResult<Name>) => boolean;
  /** Whether KNELL_SERVER says where it runs without an admin key, too, as for the other commands about checks. */
  readonly obeysServerVariable?: true;
  /** Adds options that only the command line has. */
  readonly options?: (command: Command) => void;
  /** Confirmations, and what is looked up or typed in another way: the arguments as they are then. */
  readonly prepare?: (call: Call<Name>) => CommandArgs<Name> | Promise<CommandArgs<Name>>;
  /** In place of all that. */
  readonly run?: (call: Call<Name>) => Promise<void>;
}

export type Printers = { readonly [Name in CommandName]?: Printer<Name> };
