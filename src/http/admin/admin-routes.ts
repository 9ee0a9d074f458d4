/**
 * The admin socket's caller to the owner's commands, which `knell` uses: through the socket of a running server, and
 * directly when none runs; `admin-api` opens it to HTTP. Turns outcomes into the JSON that the command line prints.
 * Invariant: a result is plain JSON, and contains no value of an integration: values hold secrets.
 */

import type { Args, CommandContext } from '../../commands/contract/command.ts';
import type { ShownProject } from '../../commands/owner/projects.ts';
import { shownProject } from '../../commands/owner/projects.ts';
import { commandOf, ownerCommands } from '../../commands/table.ts';
import { type Actor, actorOf } from '../../domain/accounts/audit.ts';
import type { Engine, Progress } from '../../engine/contract/engine.ts';
import { KnellError } from '../../lib/errors.ts';
import { adminTargets } from './admin-targets.ts';

export interface AdminRequest {
  readonly command: string;
  readonly args: Args;
  /** As of `Origin`. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Runs one command; rejects with a KnellError that says what is wrong. `caller`: if omitted, one of those who may open the
 * socket.
 */
export type AdminCommands = (
  request: AdminRequest,
  progress: Progress,
  caller?: AdminCaller,
) => Promise<unknown>;

export interface AdminCaller {
  /** See `CommandRequest`. */
  readonly shell: boolean;
  readonly actor: Actor;
}

const commandLine: AdminCaller = { shell: true, actor: actorOf('command-line') };

export function createAdminCommands(context: CommandContext, nowMs: () => number): AdminCommands {
  return async ({ command, args, idempotencyKey }, progress, { shell, actor } = commandLine) => {
    const name = commandOf(command);
    if (name === null)
      throw new KnellError('usage', `the server does not know the command ${command}: is it an older Knell?`);
    const targets = adminTargets(context.engine);
    const atMs = nowMs();
    const change = context.engine.changeBy({ actor, atMs, idempotencyKey });
    const own = { ...context, engine: { ...context.engine, change } };
    const request = { context: own, args, targets, role: 'owner', shell, nowMs: atMs, progress } as const;
    return ownerCommands[name].answer(request);
  };
}

/** The keys are shown only here. */
export async function createShownProject(
  { change }: Pick<Engine, 'change'>,
  name: string,
  nowMs: number,
): Promise<ShownProject> {
  return shownProject(await change.createProject(name, 'paid', nowMs));
}
