/**
 * A printer has the output of an owner's command for people, and the questions before it: all that its declaration lacks. The
 * result of a command without one is a table of its fields.
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
  readonly print?: (result: CommandResult<Name>, args: CommandArgs<Name>, flags: Flags) => void;
  /** The part of the result that is printed as JSON or YAML, and as a table; if omitted, all of it. */
  readonly plain?: (result: CommandResult<Name>) => object;
  readonly warning?: (result: CommandResult<Name>) => string | undefined;
  /** Whether the exit status is 1, though the command was carried out. */
  readonly fails?: (result: CommandResult<Name>) => boolean;
  /** Whether the command runs on KNELL_SERVER even without an admin key, like the other commands about checks. */
  readonly obeysServerVariable?: true;
  /** Adds options that only the command line has. */
  readonly options?: (command: Command) => void;
  /** Asks for confirmation, or looks up arguments that are typed in another form, and returns the final arguments. */
  readonly prepare?: (call: Call<Name>) => CommandArgs<Name> | Promise<CommandArgs<Name>>;
  /** Runs the command in place of all the above. */
  readonly run?: (call: Call<Name>) => Promise<void>;
}

export type Printers = { readonly [Name in CommandName]?: Printer<Name> };
