/**
 * The contract of an owner's command: one declaration of who may run it, what it takes, what it does and its words of help. The
 * commands are in `table`; the callers through which they are run are the admin socket, `/api/admin/`, the page and the command line.
 * Invariant: input is checked by the command, never by a caller, so that every caller has the same limits.
 */
import type { Role } from '../../domain/accounts/user.ts';
import { type Arguments, type InputOf, inputOf } from './argument.ts';
import type { CommandContext, CommandRequest } from './command.ts';

/** One declaration: the admin socket, `/api/admin/`, the command line, the manual and the page go by what it says. */
interface Declaration<A extends Arguments, Outcome, Shown> {
  /** Whether it only reads: then it may be requested by GET and is in no log of changes. */
  readonly effect: 'reads' | 'changes';
  /** The least role that may run it. The caller enforces it. */
  readonly role: Role;
  /** Its help, in a line. */
  readonly help: string;
  /** Text that follows the options in its help. */
  readonly more?: string;
  /** Its name on the command line, if not as in the table; null: it is not there. */
  readonly line?: string | null;
  readonly takes: A;
  /** Rejects with a KnellError (`usage`, `not-found`, `conflict`, `store-full`, …). */
  readonly run: (input: InputOf<A>, request: CommandRequest) => Outcome | Promise<Outcome>;
  /** The outcome as plain JSON, for programs and `knell`. No value of an integration: values hold secrets. */
  readonly shown: (outcome: Outcome, context: CommandContext) => Shown;
}

export interface OwnerCommand<A extends Arguments, Outcome, Shown>
  extends Omit<Declaration<A, Outcome, Shown>, 'run' | 'shown'> {
  /** Reads and checks the input, and runs it. */
  readonly run: (request: CommandRequest) => Promise<Outcome>;
  /** Runs it, and shows what came of it. */
  readonly answer: (request: CommandRequest) => Promise<Shown>;
}

export function command<A extends Arguments, Outcome, Shown>(
  declared: Declaration<A, Outcome, Shown>,
): OwnerCommand<A, Outcome, Shown> {
  const run = async (request: CommandRequest): Promise<Outcome> =>
    declared.run(inputOf(declared.takes, request), request);
  return {
    ...declared,
    run,
    answer: async (request) => declared.shown(await run(request), request.context),
  };
}

/** Shows an outcome that is plain JSON already. */
export function asIs<Outcome>(outcome: Outcome): Outcome {
  return outcome;
}
