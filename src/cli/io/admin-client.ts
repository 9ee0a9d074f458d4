/**
 * Runs an admin command in the running server, over its socket, or, if none runs, in this process, which then opens the store.
 * Invariant: never both; the lock of the data directory decides.
 */

import { closeSync, constants, openSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Core } from '../../assemble/core.ts';
import type { CommandArgs, CommandName, CommandResult } from '../../commands/table.ts';
import type { Config } from '../../config.ts';
import type { AdminRequest } from '../../http/admin/admin-routes.ts';
import { type AdminLine, socketAddress } from '../../http/admin/admin-server.ts';
import { systemClock } from '../../lib/clock.ts';
import { type ErrorCode, errorCodes, KnellError, messageOf, systemCode } from '../../lib/errors.ts';
import type { Progress } from '../../store/store.ts';

const noServer: readonly string[] = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

export async function runAdmin(config: Config, asked: AdminRequest, progress: Progress): Promise<unknown> {
  const session = adminSession(config);
  try {
    return await session.run(asked, progress);
  } finally {
    await session.close();
  }
}

/** Runs several commands one after the other. */
export interface AdminSession {
  run(asked: AdminRequest, progress: Progress): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens a session for the data directory of this machine. If no server runs, the store is opened once for all commands, and a
 * server that starts meanwhile finds it locked. Once a server has answered, the session waits for it: the store is not opened
 * while it restarts. `creates` says whether an empty directory will do.
 */
export function adminSession(config: Config, creates = false): AdminSession {
  let core: Core | null = null;
  let wasServed = false;
  return {
    async run(asked, progress) {
      const reply = core ? null : await connect(config.dataDir, asked);
      wasServed ||= reply !== null;
      if (reply) return resultOf(reply, progress);
      if (wasServed) throw new KnellError('store-broken', 'the server has stopped');
      if (!creates && asked.command !== commandThatCreates) await mustHoldData(config);
      core ??= await openHere(config);
      return core.admin(asked, progress);
    },
    close: async () => core?.stop(),
  };
}

/** Resolves to the result of a command in the running server; null if none runs. Rejects once `signal` is aborted. */
export async function runningServer(
  { dataDir }: Pick<Config, 'dataDir'>,
  asked: AdminRequest,
  signal?: AbortSignal,
): Promise<unknown> {
  const reply = await connect(dataDir, asked, signal);
  return reply && resultOf(reply, () => {});
}

/** Does the same as `runningServer`, with the type of the result. */
export async function askRunningServer<Name extends CommandName>(
  config: Pick<Config, 'dataDir'>,
  command: Name,
  args: CommandArgs<Name>,
  signal?: AbortSignal,
): Promise<CommandResult<Name> | null> {
  const json = await runningServer(config, { command, args }, signal);
  return json === null ? null : resultAs(command, Promise.resolve(json));
}

/** A session that takes commands by their names, with the types of their results. */
export interface NamedCommands {
  /** Whether they run on another machine. */
  readonly isRemote: boolean;
  /** Resolves to the result of a command. Rejects with a KnellError. */
  run<Name extends CommandName>(
    command: Name,
    args: CommandArgs<Name>,
    progress?: Progress,
  ): Promise<CommandResult<Name>>;
  close(): Promise<void>;
}

export function localCommands(config: Config, { creates }: { readonly creates: boolean }): NamedCommands {
  const session = adminSession(config, creates);
  return {
    isRemote: false,
    run: (command, args, progress = () => {}) => resultAs(command, session.run({ command, args }, progress)),
    close: () => session.close(),
  };
}

/** Gives the JSON that a server of this version returns for a command its type. */
export async function resultAs<Name extends CommandName>(
  _: Name,
  json: Promise<unknown>,
): Promise<CommandResult<Name>> {
  return (await json) as CommandResult<Name>;
}

async function resultOf(reply: IncomingMessage, progress: Progress): Promise<unknown> {
  for await (const text of createInterface({ input: reply })) {
    const line = parseLine(text);
    if ('progress' in line) progress(line.progress);
    else if ('error' in line) throw new KnellError(codeOf(line.error.code), line.error.message);
    else return line.result;
  }
  throw new KnellError('store-broken', 'the server stopped before it replied');
}

/** Resolves to the answer of the server; null if no server listens. */
async function connect(
  dataDir: string,
  asked: AdminRequest,
  signal?: AbortSignal,
): Promise<IncomingMessage | null> {
  let directory: number;
  try {
    directory = openSync(dataDir, constants.O_RDONLY);
  } catch {
    return null;
  }
  try {
    return await post(socketAddress(dataDir, directory), asked, signal);
  } catch (error) {
    if (noServer.includes(systemCode(error))) return null;
    throw new KnellError('data-dir-unreadable', `cannot reach the server: ${systemCode(error)}`, {
      cause: error,
    });
  } finally {
    closeSync(directory);
  }
}

function post(socketPath: string, asked: AdminRequest, signal?: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method: 'POST', path: '/', ...(signal ? { signal } : {}) },
      resolve,
    );
    outgoing.once('error', reject);
    outgoing.end(JSON.stringify(asked));
  });
}

function parseLine(text: string): AdminLine {
  return JSON.parse(text) as AdminLine;
}

function codeOf(code: string): ErrorCode {
  const known = Object.keys(errorCodes).find((one) => one === code);
  return known === undefined ? 'conflict' : (known as ErrorCode);
}

/** The only command that may create a data directory: for any other one, an empty directory is a mistyped path. */
const commandThatCreates = 'project create';

async function mustHoldData({ dataDir }: Config): Promise<void> {
  const { holdsData } = await import('../../store/disk/data-dir.ts');
  if (!holdsData(dataDir))
    throw new KnellError('not-found', `no Knell data in ${dataDir}; check KNELL_DATA_DIR`);
}

async function openHere(config: Config): Promise<Core> {
  if (config.cluster.length > 0)
    throw new KnellError(
      'conflict',
      `no Knell runs on ${config.dataDir}: start this node, and run this again`,
    );
  const { openCore } = await import('../../assemble/core.ts');
  const { createLogger } = await import('../../lib/logger.ts');
  return openCore({
    config,
    clock: systemClock,
    logger: createLogger({ level: 'warn', pretty: process.stderr.isTTY }),
    onBroken(error) {
      process.stderr.write(`knell: exiting: ${messageOf(error)}\n`);
      process.exit(1);
    },
    progress: () => {},
  });
}
