/**
 * Connects a command about checks to a Knell: the one of `--server` or KNELL_SERVER, else the one of this machine, over its socket.
 */

import { jsonOfAnswer, type Management, remoteManagement, textOfAnswer } from '../../client/management.ts';
import type { Config } from '../../config.ts';
import { KnellError } from '../../lib/errors.ts';
import { localCommands, type NamedCommands, resultAs, runningServer } from './admin-client.ts';
import type { Flags } from './flags.ts';

/** Runs `act` with a connection, and closes it afterwards. */
export async function withManagement<T>(
  flags: Flags,
  configOf: (flags: Flags) => Config,
  act: (management: Management) => Promise<T>,
): Promise<T> {
  const management = openManagement(flags, configOf);
  try {
    return await act(management);
  } finally {
    await management.close();
  }
}

/**
 * The same for a command that lasts. It never opens the data directory itself, which would lock a server out for as long as it
 * runs: where none runs, calls are refused until one does.
 */
export function openLasting(flags: Flags, configOf: (flags: Flags) => Config): Management {
  return remoteOf(flags) ?? managementOf(runningCommands(configOf(flags)));
}

function runningCommands({ dataDir }: Config): NamedCommands {
  return {
    isRemote: false,
    async run(command, args) {
      const json = await runningServer({ dataDir }, { command, args });
      if (json === null)
        throw new KnellError(
          'not-found',
          `no Knell runs on ${dataDir}: start it, or name another one with --server and --key`,
        );
      return resultAs(command, Promise.resolve(json));
    },
    close: async () => {},
  };
}

function openManagement(flags: Flags, configOf: (flags: Flags) => Config): Management {
  return remoteOf(flags) ?? managementOf(localCommands(configOf(flags), { creates: false }));
}

/** Null where no server is named. */
function remoteOf(flags: Flags): Management | null {
  const { KNELL_SERVER, KNELL_API_KEY } = process.env;
  const server = flags.server ?? (flags.dataDir === undefined ? KNELL_SERVER : undefined);
  if (server === undefined || server === '') return null;
  const key = flags.key ?? KNELL_API_KEY;
  if (typeof key !== 'string' || key === '')
    throw new KnellError(
      'usage',
      'a remote server needs a key of the project: set KNELL_API_KEY or use --key',
    );
  return remoteManagement({ server: String(server), key });
}

/** Calls the management API through the owner's command `api`. */
export function managementOf(session: NamedCommands): Management {
  return {
    projects: () => session.run('project list', {}),
    async call(project, method, path, json) {
      const { status, body } = await session.run('api', { project: project.id, method, path, json });
      return jsonOfAnswer(status, body);
    },
    async text(project, path) {
      const { status, body } = await session.run('api', { project: project.id, method: 'GET', path });
      return textOfAnswer(status, body);
    },
    close: () => session.close(),
  };
}
