/**
 * Runs the owner's commands for the admin socket, which `knell` uses: through the socket of a running server, and directly if
 * none runs. `admin-api` offers them over HTTP. Turns outcomes into the JSON that the command line prints.
 * Invariant: a result is plain JSON, and contains no value of an integration, because values contain secrets.
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
  /** Idempotency key; see `Origin`. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Runs one command. Rejects with a KnellError that says what is wrong. Without `caller` the command comes from somebody who may
 * open the socket.
 */
export type AdminCommands = (
  request: AdminRequest,
  progress: Progress,
  caller?: AdminCaller,
) => Promise<unknown>;

export interface AdminCaller {
  /** Whether the caller has a shell; see `CommandRequest`. */
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

/** Creates a project and returns its keys, which are shown only here. */
export async function createShownProject(
  { change }: Pick<Engine, 'change'>,
  name: string,
  nowMs: number,
): Promise<ShownProject> {
  return shownProject(await change.createProject(name, 'paid', nowMs));
}
