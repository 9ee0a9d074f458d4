/**
 * Connects a command about checks to a Knell: the one of `--server` or KNELL_SERVER, else the one of this machine, over its socket.
 */

import { jsonOfAnswer, type Management, remoteManagement } from '../../client/management.ts';
import type { Config } from '../../config.ts';
import { KnellError } from '../../lib/errors.ts';
import { localCommands, type NamedCommands } from './admin-client.ts';
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

function openManagement(flags: Flags, configOf: (flags: Flags) => Config): Management {
  const { KNELL_SERVER, KNELL_API_KEY } = process.env;
  const server = flags.server ?? (flags.dataDir === undefined ? KNELL_SERVER : undefined);
  if (server === undefined || server === '')
    return managementOf(localCommands(configOf(flags), { creates: false }));
  const key = flags.key ?? KNELL_API_KEY;
  if (typeof key !== 'string' || key === '')
    throw new KnellError('usage', 'a remote server needs a read-write key: set KNELL_API_KEY or use --key');
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
    close: () => session.close(),
  };
}
