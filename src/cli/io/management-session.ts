/**
 * How a command about checks reaches a Knell: the one of `--server` or KNELL_SERVER, or else the one of this machine, over
 * its socket.
 */

import { jsonOfAnswer, type Management, type ProjectRef, remoteManagement } from '../../client/management.ts';
import type { ApiResult } from '../../commands/contract/command.ts';
import type { Config } from '../../config.ts';
import { KnellError } from '../../lib/errors.ts';
import { adminSession } from './admin-client.ts';
import type { Flags } from './flags.ts';

/** Runs `act`, and closes what was opened for it. */
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
  if (server === undefined || server === '') return localManagement(configOf(flags));
  const key = flags.key ?? KNELL_API_KEY;
  if (typeof key !== 'string' || key === '')
    throw new KnellError('usage', 'a remote server needs a read-write key: set KNELL_API_KEY or use --key');
  return remoteManagement({ server: String(server), key });
}

function localManagement(config: Config): Management {
  const session = adminSession(config);
  const own: Management['own'] = (command, args) => session.run({ command, args }, () => {});
  return {
    projects: async () => (await own('project list', {})) as readonly ProjectRef[],
    async call(project, method, path, json) {
      const args = { project: project.id, method, path, ...(json === undefined ? {} : { json }) };
      const { status, body } = (await own('api', args)) as ApiResult;
      return jsonOfAnswer(status, body);
    },
    own,
    close: () => session.close(),
  };
}
